#include "oa/io/bytes/pipe.h"

#include "oa/base/error.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace oa::io {

Pipe::Pipe() {
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw IoError("cannot make a pipe", errno);
  }
}

Pipe::~Pipe() {
  close(0);
  close(1);
}

void Pipe::close(std::size_t end) {
  if (ends[end] >= 0) {
    ::close(std::exchange(ends[end], -1));
  }
}

}  // namespace oa::io
