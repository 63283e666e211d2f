#include "oa/io/bytes/output.h"

#include "oa/base/error.h"
#include "oa/io/bytes/kept_inputs.h"
#include "oa/io/bytes/system_call.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace oa::io {
namespace {

// The size fills a pipe's 64 KiB in one call and still fits into the cache.
constexpr std::size_t kOutputBuffer = 128 * 1024;

// Names of the temporary files for remove_temporaries(), which signal handlers call.
struct Slot {
  std::atomic<bool> taken = false;
  std::atomic<bool> ready = false;
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 16> alive;

void remember(const std::string& path) {
  for (Slot& slot : alive) {
    if (path.size() < slot.path.size() && !slot.taken.exchange(true)) {
      path.copy(slot.path.data(), path.size());
      slot.path[path.size()] = '\0';
      slot.ready = true;
      return;
    }
  }
}

void forget(const std::string& path) {
  for (Slot& slot : alive) {
    if (slot.ready && path == slot.path.data()) {
      slot.ready = false;
      slot.taken = false;
      return;
    }
  }
}

/// The permissions that open(2) gives a new file.
mode_t default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// Returns the target of a chain of symbolic links: replacing a link would lose it.
/// The caller has checked by stat() that the chain ends.
std::string resolve(std::filesystem::path path) {
  while (true) {
    std::error_code no_link;
    const auto to = std::filesystem::read_symlink(path, no_link);
    if (no_link) {
      return path;
    }
    path = path.parent_path() / to;
  }
}

std::string folder_of(std::string path) {
  return ::dirname(path.data());
}

std::string file_of(std::string path) {
  return ::basename(path.data());
}

/// Calls close(2) once: an interrupted close() has freed the descriptor,
/// and a second call could close another file.
int close_once(int fd) {
  const int result = ::close(fd);
  return result != 0 && errno == EINTR ? 0 : result;
}

void sync_folder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    // Ignores errors: not all file systems sync folders, and the rename succeeded.
    ::fsync(fd);
    ::close(fd);
  }
}

}  // namespace

Output::Output(const std::string& path)
    : name_(path == "-" ? "<stdout>" : path),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kOutputBuffer)) {
  if (path == "-") {
    fd_ = STDOUT_FILENO;
    note_writing(name_, fd_);
#ifdef F_SETPIPE_SZ
    // Enlarges the pipe from 64 KB.  Otherwise, with frames of 30 KB,
    // reader and writer would wait for each other.  A failure only costs time.
    ::fcntl(fd_, F_SETPIPE_SZ, 1 << 20);
#endif
  } else if (find_memory_file(path)) {
    target_ = path;
    memory_ = std::make_unique<MemoryBytes>();
  } else {
    open_file(path);
  }
}

void Output::open_file(const std::string& path) {
  struct stat status {};
  mode_t mode = default_mode();
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      throw IoError(name_, EISDIR);
    }
    if (!S_ISREG(status.st_mode)) {
      fd_ = uninterrupted([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC); });
      if (fd_ < 0) {
        throw IoError(name_, errno);
      }
      owned_ = true;
      return;
    }
    mode = status.st_mode & 07777;
    if (::access(path.c_str(), W_OK) != 0) {  // keeps read-only files
      throw IoError(name_, errno);
    }
  } else if (errno != ENOENT || path.empty()) {
    throw IoError(name_, errno);
  } else if (path.ends_with('/')) {
    throw IoError(name_, EISDIR);
  }
  target_ = resolve(path);
  note_writing(name_, target_);
  // A file name has at most 255 bytes; the temporary name is 8 bytes longer.
  const std::string pattern =
      folder_of(target_) + "/." + file_of(target_).substr(0, 200) + ".XXXXXX";
  fd_ = uninterrupted([&] {
    temporary_ = pattern;
    return ::mkostemp(temporary_.data(), O_CLOEXEC);
  });
  if (fd_ < 0) {
    const int error = errno;
    temporary_.clear();
    forget_writing(target_);
    throw IoError(name_ + ": cannot make a file there", error);
  }
  owned_ = true;
  remember(temporary_);
  // If this fails, only the owner can read the file.
  [[maybe_unused]] const int kept = ::fchmod(fd_, mode);
}

Output::Output(Output&& other) noexcept
    : name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      memory_(std::move(other.memory_)),
      fd_(std::exchange(other.fd_, -1)),
      owned_(std::exchange(other.owned_, false)),
      begun_(other.begun_),
      buffer_(std::move(other.buffer_)),
      filled_(std::exchange(other.filled_, 0)) {}

Output::~Output() {
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    forget(temporary_);
    forget_writing(target_);
  }
  if (owned_) {
    ::close(fd_);
  }
}

void Output::write(std::span<const std::byte> bytes) {
  if (bytes.size() >= kOutputBuffer) {
    flush();
    put_bytes(bytes);
    return;
  }
  if (bytes.size() > kOutputBuffer - filled_) {
    flush();
  }
  if (!bytes.empty()) {
    std::memcpy(buffer_.get() + filled_, bytes.data(), bytes.size());
  }
  filled_ += bytes.size();
}

void Output::flush() {
  const std::size_t n = std::exchange(filled_, 0);
  put_bytes({buffer_.get(), n});
}

void Output::put_bytes(std::span<const std::byte> bytes) {
  if (memory_) {
    memory_->insert(memory_->end(), bytes.begin(), bytes.end());
    return;
  }
  while (!bytes.empty()) {
    const auto n = ::write(fd_, bytes.data(), bytes.size());
    if (n > 0) {
      begun_ = true;
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    } else if (n < 0 && errno == EPIPE) {
      throw ClosedPipe(name_, errno);
    } else if (n < 0 && errno == EAGAIN) {
      pollfd on{fd_, POLLOUT, 0};
      ::poll(&on, 1, -1);
    } else if (n < 0 && errno != EINTR) {
      throw IoError(name_, errno);
    }
  }
}

void Output::commit() {
  flush();
  if (memory_) {
    replace_memory_file(target_, std::move(*memory_));
    return;
  }
  if (!owned_) {
    // Closes a duplicate, because some errors are reported only by close() (NFS,
    // quotas), and the descriptor is still used.
    const int copy = ::dup(fd_);
    if (copy < 0 || close_once(copy) != 0) {
      throw IoError(name_, errno);
    }
    return;
  }
  if (!target_.empty() && uninterrupted([&] { return ::fsync(fd_); }) != 0) {
    throw IoError(name_, errno);
  }
  owned_ = false;
  if (close_once(fd_) != 0) {
    throw IoError(name_, errno);
  }
  if (!target_.empty()) {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
      throw IoError(name_, errno);
    }
    forget(std::exchange(temporary_, {}));
    forget_writing(target_);
    sync_folder(folder_of(target_));
  }
}

bool Output::is_terminal() const {
  return ::isatty(fd_) != 0;
}

bool Output::is_pipe() const {
  struct stat status {};
  return ::fstat(fd_, &status) == 0 && S_ISFIFO(status.st_mode);
}

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
  std::error_code error;
  made_ = std::filesystem::create_directories(path_, error);
  if (error) {
    throw IoError(path_, error.value());
  }
}

OutputFolder::~OutputFolder() {
  if (made_) {
    ::rmdir(path_.c_str());  // fails if the folder has files
  }
}

std::string OutputFolder::operator/(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

void remove_temporaries() noexcept {
  for (const Slot& slot : alive) {
    if (slot.ready) {
      ::unlink(slot.path.data());
    }
  }
}

}  // namespace oa::io
