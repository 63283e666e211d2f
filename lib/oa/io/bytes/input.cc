#include "oa/io/bytes/input.h"

#include "oa/io/bytes/kept_inputs.h"
#include "oa/io/bytes/memory_file.h"
#include "oa/io/bytes/pipe.h"
#include "oa/io/bytes/system_call.h"
#include "oa/io/bytes/unpack.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace oa::io {
namespace {

constexpr std::size_t kInputBuffer = 64 * 1024;
constexpr std::size_t kMaxPeeked = std::size_t{1} << 24;

/// A pipe for poll() that becomes readable when a stop is requested.
class StopPipe {
 public:
  explicit StopPipe(const std::stop_token& stop)
      : callback_(stop, Wake{pipe_.ends[1]}) {}
  [[nodiscard]] int fd() const { return pipe_.ends[0]; }

 private:
  struct Wake {
    int fd;
    void operator()() const { [[maybe_unused]] const auto n = ::write(fd, "", 1); }
  };

  Pipe pipe_;
  std::stop_callback<Wake> callback_;  // destroyed before the pipe that it writes to
};

class FileSource : public ByteSource {
 public:
  FileSource(int fd, bool owned, std::string name, const std::stop_token& stop)
      : fd_(fd),
        owned_(owned),
        name_(std::move(name)),
        stop_(stop) {
    struct stat status {};
    if (::fstat(fd_, &status) != 0) {
      throw IoError(name_, errno);
    }
    if (S_ISDIR(status.st_mode)) {
      throw IoError(name_ +
                    ": a folder (expected a file; oa-train, oa-qubo and oa-score read "
                    "folders of pictures, oa-cim-ingest of results)");
    }
    note_reading(name_, fd_);
    regular_ = S_ISREG(status.st_mode);
    pipe_ = S_ISFIFO(status.st_mode);
    if (regular_) {
      const auto at = ::lseek(fd_, 0, SEEK_CUR);
      left_ = at >= 0 && status.st_size > at
                  ? static_cast<std::uint64_t>(status.st_size - at)
                  : 0;
    } else if (stop.stop_possible()) {
      wake_ = std::make_unique<StopPipe>(stop);
    }
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (owned_) {
      ::close(fd_);
    }
  }

  std::size_t read(std::span<std::byte> to) override {
    while (!stop_.stop_requested()) {
      if (wake_) {
        wait();
        if (stop_.stop_requested()) {
          break;
        }
      }
      const auto n = ::read(fd_, to.data(), to.size());
      if (n >= 0) {
        left_ -= std::min(left_, static_cast<std::uint64_t>(n));
        return static_cast<std::size_t>(n);
      }
      if (errno == EAGAIN) {
        wait();
      } else if (errno != EINTR) {
        throw IoError(name_, errno);
      }
    }
    return 0;
  }

  std::uint64_t skip(std::uint64_t count) override {
    const std::uint64_t n = std::min(count, left_);
    if (n == 0 || ::lseek(fd_, static_cast<::off_t>(n), SEEK_CUR) < 0) {
      return 0;
    }
    left_ -= n;
    return n;
  }

  [[nodiscard]] bool is_pipe() const { return pipe_; }

  [[nodiscard]] std::optional<std::uint64_t> remaining() const override {
    return regular_ ? std::optional(left_) : std::nullopt;
  }

 private:
  /// Waits for input or for a stop.
  void wait() const {
    std::array<pollfd, 2> on{{{fd_, POLLIN, 0}, {wake_ ? wake_->fd() : -1, POLLIN, 0}}};
    while (::poll(on.data(), on.size(), -1) < 0) {
      if (errno != EINTR) {
        throw IoError(name_, errno);
      }
    }
  }

  int fd_;
  bool owned_;
  std::string name_;
  bool regular_ = false;
  bool pipe_ = false;
  std::uint64_t left_ = 0;
  std::stop_token stop_;
  std::unique_ptr<StopPipe> wake_;  // for inputs that can block
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}
  explicit MemorySource(std::shared_ptr<const MemoryBytes> kept)
      : kept_(std::move(kept)),
        bytes_(*kept_) {}

  std::size_t read(std::span<std::byte> to) override {
    const auto n = std::min(to.size(), bytes_.size());
    std::copy_n(bytes_.begin(), n, to.begin());
    bytes_ = bytes_.subspan(n);
    return n;
  }
  std::uint64_t skip(std::uint64_t count) override {
    const auto n = std::min(count, std::uint64_t{bytes_.size()});
    bytes_ = bytes_.subspan(static_cast<std::size_t>(n));
    return n;
  }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override {
    return bytes_.size();
  }

 private:
  std::shared_ptr<const MemoryBytes> kept_;
  std::span<const std::byte> bytes_;
};

}  // namespace

std::uint64_t ByteSource::skip(std::uint64_t /*count*/) {
  return 0;
}

Input::Input(std::unique_ptr<ByteSource> source, std::string name, std::stop_token stop)
    : source_(std::move(source)),
      name_(std::move(name)),
      stop_(std::move(stop)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kInputBuffer)),
      capacity_(kInputBuffer) {
  unpack();
}

Input Input::open(const std::string& path, const std::stop_token& stop) {
  if (path == "-") {
    return of_file(STDIN_FILENO, false, "<stdin>", stop);
  }
  if (auto bytes = find_memory_file(path)) {
    return {std::make_unique<MemorySource>(std::move(bytes)),
            path.substr(path.find('/') + 1),
            stop};
  }
  // open() of a named pipe without a writer would not notice a stop; poll() does.
  const int wait = stop.stop_possible() ? O_NONBLOCK : 0;
  const int fd =
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | wait); });
  if (fd < 0) {
    throw IoError(path, errno);
  }
  ::fcntl(fd, F_SETFL, 0);
  return of_file(fd, true, path, stop);
}

Input Input::of_file(int fd,
                     bool owned,
                     const std::string& name,
                     const std::stop_token& stop) {
  auto source = std::make_unique<FileSource>(fd, owned, name, stop);
  const bool pipe = source->is_pipe();
  Input input(std::move(source), name, stop);
  input.pipe_ = pipe;
  if (pipe && input.at_end() && !input.stopped()) {
    throw CauseReported(name + ": nothing came through the pipe");
  }
  return input;
}

Input Input::memory(std::span<const std::byte> bytes, std::string name) {
  return {std::make_unique<MemorySource>(bytes), std::move(name), {}};
}

void Input::unpack() {
  // Peeks at ten bytes only: a pipe with a short header must not block.
  if (auto content = unpacked(source_, peek(10), name_, stop_)) {
    source_ = std::move(content);
    begin_ = end_ = 0;
  }
}

std::size_t Input::read(std::span<std::byte> to) {
  std::size_t filled = 0;
  while (filled < to.size()) {
    const auto rest = to.subspan(filled);
    if (begin_ < end_) {
      const auto n = std::min(end_ - begin_, rest.size());
      std::memcpy(rest.data(), buffer_.get() + begin_, n);
      begin_ += n;
      filled += n;
    } else if (rest.size() >= kInputBuffer) {
      const auto n = source_->read(rest);
      if (n == 0) {
        break;
      }
      filled += n;
    } else if (peek(1).empty()) {
      break;
    }
  }
  position_ += filled;
  return filled;
}

std::uint64_t Input::skip(std::uint64_t count) {
  std::uint64_t passed = 0;
  while (passed < count) {
    if (begin_ == end_) {
      const std::uint64_t n = source_->skip(count - passed);
      passed += n;
      position_ += n;
      if (n > 0) {
        continue;
      }
      if (peek(1).empty()) {
        break;
      }
    }
    const std::uint64_t n = std::min<std::uint64_t>(end_ - begin_, count - passed);
    begin_ += static_cast<std::size_t>(n);
    passed += n;
    position_ += n;
  }
  return passed;
}

std::span<const std::byte> Input::peek(std::size_t wanted) {
  wanted = std::min(wanted, kMaxPeeked);
  if (end_ - begin_ < wanted && begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  while (end_ - begin_ < wanted) {
    if (end_ == capacity_) {
      auto larger = std::make_unique_for_overwrite<std::byte[]>(2 * capacity_);
      std::memcpy(larger.get(), buffer_.get(), end_);
      buffer_ = std::move(larger);
      capacity_ *= 2;
    }
    const auto n = source_->read({buffer_.get() + end_, capacity_ - end_});
    if (n == 0) {
      break;
    }
    end_ += n;
  }
  return {buffer_.get() + begin_, end_ - begin_};
}

std::optional<std::uint64_t> Input::remaining() const {
  const auto behind = source_->remaining();
  return behind ? std::optional(*behind + (end_ - begin_)) : std::nullopt;
}

void Bytes::read(Input& input, std::size_t claimed, std::span<const std::byte> before) {
  constexpr std::size_t kFirst = std::size_t{1} << 20;
  const auto known = input.remaining();
  const bool trusted = known && claimed <= *known;
  const std::size_t total = before.size() + claimed;
  bytes_.clear();
  bytes_.reserve(before.size() + (trusted ? claimed : std::min(claimed, kFirst)));
  bytes_.assign(before.begin(), before.end());
  while (bytes_.size() < total) {
    const std::size_t size = bytes_.size();
    const std::size_t step =
        trusted ? total - size : std::min(total - size, std::max(kFirst, size));
    bytes_.resize(size + step);
    const auto n = input.read(std::span(bytes_).last(step));
    bytes_.resize(size + n);
    if (n < step) {
      return;
    }
  }
}

void Bytes::resize(std::size_t size) {
  bytes_.clear();
  bytes_.resize(size);
}

}  // namespace oa::io
