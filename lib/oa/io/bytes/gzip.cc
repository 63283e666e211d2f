#include "oa/io/bytes/gzip.h"

#include "oa/base/error.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <vector>

#include <zlib.h>

namespace oa::io {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;  // zlib's code for "gzip, full window"

Bytef* as_bytef(const std::byte* bytes) {
  // zlib's interface lacks const, but does not write to its input.
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes));  // NOLINT
}

class GunzipSource : public ByteSource {
 public:
  GunzipSource(std::unique_ptr<ByteSource> source,
               std::span<const std::byte> start,
               std::string name,
               std::stop_token stop)
      : source_(std::move(source)),
        name_(std::move(name)),
        stop_(std::move(stop)),
        packed_(std::max<std::size_t>(start.size(), 64 * 1024)) {
    std::ranges::copy(start, packed_.begin());
    z_.next_in = as_bytef(packed_.data());
    z_.avail_in = static_cast<uInt>(start.size());
    if (inflateInit2(&z_, kGzipOnly) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  GunzipSource(const GunzipSource&) = delete;
  GunzipSource& operator=(const GunzipSource&) = delete;
  ~GunzipSource() override { inflateEnd(&z_); }

  std::size_t read(std::span<std::byte> to) override {
    const auto room = static_cast<uInt>(std::min<std::size_t>(to.size(), 1U << 30));
    z_.next_out = as_bytef(to.data());
    z_.avail_out = room;
    while (z_.avail_out == room) {
      if (z_.avail_in == 0 && !refill()) {
        if (inside_ && !stop_.stop_requested()) {
          throw InputError(name_ + ": truncated gzip data");
        }
        return 0;
      }
      if (!inside_) {
        next_member();
      }
      const int status = inflate(&z_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        inside_ = false;
      } else if (status == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        throw InputError(name_ + ": broken gzip data" +
                         (z_.msg != nullptr ? std::string(" (") + z_.msg + ")" : ""));
      }
    }
    return room - z_.avail_out;
  }

  [[nodiscard]] std::optional<std::uint64_t> remaining() const override {
    return std::nullopt;
  }

 private:
  bool refill() {
    const auto n = source_->read(packed_);
    z_.next_in = as_bytef(packed_.data());
    z_.avail_in = static_cast<uInt>(n);
    return n > 0;
  }

  void next_member() {
    if (*z_.next_in != 0x1f) {
      throw InputError(name_ + ": trailing garbage after the gzip data");
    }
    inflateReset(&z_);
    inside_ = true;
  }

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::stop_token stop_;
  std::vector<std::byte> packed_;
  z_stream z_{};
  bool inside_ = true;  // between the start and the end of a member
};

}  // namespace

bool looks_like_gzip(std::span<const std::byte> start) {
  constexpr std::array kMagic{std::byte{0x1f}, std::byte{0x8b}, std::byte{8}};
  return start.size() >= kMagic.size() &&
         std::equal(kMagic.begin(), kMagic.end(), start.begin()) &&
         !(start.size() > 8 && start[8] == std::byte{'{'});
}

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> source,
                                   std::span<const std::byte> start,
                                   std::string name,
                                   std::stop_token stop) {
  return std::make_unique<GunzipSource>(
      std::move(source), start, std::move(name), std::move(stop));
}

class Gzip::State {
 public:
  State(Sink sink, int level) : sink_(std::move(sink)) {
    constexpr int kMaxMemory = 8;  // zlib's default
    if (deflateInit2(
            &z_, level, Z_DEFLATED, kGzipOnly, kMaxMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { deflateEnd(&z_); }

  void pack(std::span<const std::byte> bytes, int flush) {
    z_.next_in = as_bytef(bytes.data());
    z_.avail_in = static_cast<uInt>(bytes.size());
    do {
      z_.next_out = as_bytef(packed_.data());
      z_.avail_out = static_cast<uInt>(packed_.size());
      deflate(&z_, flush);
      sink_(std::span(packed_).first(packed_.size() - z_.avail_out));
    } while (z_.avail_out == 0);
  }

 private:
  Sink sink_;
  std::vector<std::byte> packed_ = std::vector<std::byte>(64 * 1024);
  z_stream z_{};
};

Gzip::Gzip(Sink sink, int level)
    : state_(std::make_unique<State>(std::move(sink), level)) {}

Gzip::~Gzip() = default;

void Gzip::write(std::span<const std::byte> bytes) {
  constexpr std::size_t kMax = 1U << 30;  // zlib counts in 32 bits
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kMax))) {
    state_->pack(bytes.first(std::min(bytes.size(), kMax)), Z_NO_FLUSH);
  }
}

void Gzip::finish() {
  state_->pack({}, Z_FINISH);
}

}  // namespace oa::io
