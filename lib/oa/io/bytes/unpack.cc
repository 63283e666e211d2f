#include "oa/io/bytes/unpack.h"

#include "oa/base/error.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/gzip.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

namespace oa::io {
namespace {

/// A compression format that libarchive can read.
struct Packing {
  std::string_view name;
  std::string_view magic;
  int (*support)(::archive*);
};

using namespace std::string_view_literals;

constexpr std::array kPackings{
    Packing{"xz",
            "\xfd"
            "7zXZ\0"sv,
            &::archive_read_support_filter_xz},
    Packing{"zstd", "\x28\xb5\x2f\xfd"sv, &::archive_read_support_filter_zstd},
    Packing{"bzip2", "BZh"sv, &::archive_read_support_filter_bzip2},
};

/// The compression of a file by its first bytes; null if it is not compressed.
const Packing* packing_of(std::string_view start) {
  const auto* const found = std::ranges::find_if(
      kPackings,
      [&](const Packing& packing) { return start.starts_with(packing.magic); });
  if (found == kPackings.end()) {
    return nullptr;
  }
  // A text may begin with "BZh". bzip2 continues with a digit and a block or end mark.
  constexpr std::size_t kBlock = 4;
  const std::string_view block = start.substr(std::min(kBlock, start.size()));
  const bool text = found->name == "bzip2" && !block.starts_with("1AY&SY") &&
                    !block.starts_with("\x17\x72\x45\x38\x50\x90");
  return text ? nullptr : &*found;
}

class PackedSource : public ByteSource {
 public:
  PackedSource(std::unique_ptr<ByteSource> source,
               std::span<const std::byte> start,
               const Packing& packing,
               std::string name,
               std::stop_token stop)
      : source_(std::move(source)),
        start_(start.begin(), start.end()),
        packing_(packing),
        name_(std::move(name)),
        stop_(std::move(stop)),
        archive_(::archive_read_new()) {
    if (!archive_) {
      throw std::bad_alloc();
    }
    // Without the compression library, libarchive would start an external program.
    if (packing_.support(get()) != ARCHIVE_OK) {
      throw InputError(name_ + ": data compressed with " + std::string(packing_.name) +
                       ", which the installed libarchive does not read");
    }
    check(::archive_read_support_format_raw(get()));
    check(::archive_read_support_format_empty(get()));
    check(::archive_read_set_read_callback(get(), &PackedSource::feed));
    check(::archive_read_set_callback_data(get(), this));
    open();
  }

  std::size_t read(std::span<std::byte> to) override {
    if (ended_) {
      return 0;
    }
    const auto n = ::archive_read_data(get(), to.data(), to.size());
    if (n <= 0) {
      ended_ = true;
      check(static_cast<int>(n));
      check_end();
      return 0;
    }
    return static_cast<std::size_t>(n);
  }

  [[nodiscard]] std::optional<std::uint64_t> remaining() const override {
    return std::nullopt;
  }

 private:
  struct Close {
    void operator()(::archive* a) const { ::archive_read_free(a); }
  };

  [[nodiscard]] ::archive* get() const { return archive_.get(); }

  void open() {
    check(::archive_read_open1(get()));
    if (::archive_filter_count(get()) < 2 && !stop_.stop_requested()) {
      fail("truncated " + std::string(packing_.name) +
           " data");  // too short for libarchive to recognise
    }
    ::archive_entry* entry = nullptr;
    const int status = ::archive_read_next_header(get(), &entry);
    ended_ = status == ARCHIVE_EOF;
    if (ended_) {
      check_end();
    } else {
      check(status);
    }
  }

  void check(int status) {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
      return;
    }
    if (stop_.stop_requested()) {
      ended_ = true;
      return;
    }
    const char* why = ::archive_error_string(get());
    if (::archive_errno(get()) == ENOMEM) {
      throw std::bad_alloc();
    }
    fail((fed_all_ ? "truncated " : "broken ") + std::string(packing_.name) + " data" +
         (fed_all_ || why == nullptr ? "" : " (" + printable(why) + ")"));
  }

  /// Throws if the filter stopped before the end of its input: unknown data follow.
  void check_end() {
    if (!stop_.stop_requested() && ::archive_filter_bytes(get(), -1) != fed_) {
      fail("trailing garbage after the " + std::string(packing_.name) + " data");
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_ + ": " + what);
  }

  /// Feeds bytes to libarchive.  No exception may pass through C code.
  static la_ssize_t feed(::archive* /*archive*/, void* self, const void** bytes) {
    auto& s = *static_cast<PackedSource*>(self);
    try {
      std::size_t n = std::exchange(s.unread_, 0);
      if (n == 0) {
        s.start_.resize(kChunk);
        n = s.source_->read(s.start_);
      }
      s.fed_all_ = n == 0;
      s.fed_ += static_cast<la_int64_t>(n);
      *bytes = s.start_.data();
      return static_cast<la_ssize_t>(n);
    } catch (...) {
      s.failure_ = std::current_exception();
      return -1;
    }
  }

  static constexpr std::size_t kChunk = 64 * 1024;

  std::unique_ptr<ByteSource> source_;
  std::vector<std::byte> start_;  // then the bytes last read
  std::size_t unread_ = start_.size();
  const Packing& packing_;
  std::string name_;
  std::stop_token stop_;
  std::exception_ptr failure_;
  la_int64_t fed_ = 0;
  bool fed_all_ = false;
  bool ended_ = false;
  std::unique_ptr<::archive, Close> archive_;
};

}  // namespace

std::string_view without_packing(std::string_view path) {
  for (const std::string_view suffix : kPackedSuffixes) {
    if (path.ends_with(suffix)) {
      return path.substr(0, path.size() - suffix.size());
    }
  }
  return path;
}

std::string plain_or_packed(const std::string& path) {
  if (::access(path.c_str(), F_OK) == 0) {
    return path;
  }
  for (const std::string_view suffix : kPackedSuffixes) {
    std::string packed = path + std::string(suffix);
    if (::access(packed.c_str(), F_OK) == 0) {
      return packed;
    }
  }
  return {};
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource>& source,
                                     std::span<const std::byte> start,
                                     const std::string& name,
                                     const std::stop_token& stop) {
  if (looks_like_gzip(start)) {
    return gunzip(std::move(source), start, name, stop);
  }
  if (const Packing* packing = packing_of(as_text(start))) {
    return std::make_unique<PackedSource>(
        std::move(source), start, *packing, name, stop);
  }
  return nullptr;
}

}  // namespace oa::io
