#include "oa/io/bytes/log_file.h"

#include "oa/base/error.h"
#include "oa/io/bytes/kept_inputs.h"
#include "oa/io/bytes/system_call.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace oa::io {

LogFile::LogFile(std::string path, bool append) : path_(std::move(path)) {
  if (path_ == "-") {
    path_ = "<stdout>";
    fd_ = ::dup(STDOUT_FILENO);
    if (fd_ < 0) {
      throw IoError(path_, errno);
    }
    return;
  }
  note_writing(path_, path_);  // before open() truncates the file
  const int mode = O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (append ? 0 : O_TRUNC);
  fd_ = uninterrupted([&] { return ::open(path_.c_str(), mode, 0666); });
  if (fd_ < 0) {
    const int error = errno;
    forget_writing(path_);
    throw IoError(path_, error);
  }
}

LogFile::~LogFile() {
  forget_writing(path_);
  ::close(fd_);
}

void LogFile::line(std::string_view text) {
  put(std::string(text) + '\n');
}

void LogFile::put(std::string_view bytes) {
  if (!write_all(fd_, std::as_bytes(std::span(bytes)))) {
    if (errno == EPIPE) {
      throw ClosedPipe(path_, errno);
    }
    throw IoError(path_, errno);
  }
}

}  // namespace oa::io
