#include "oa/io/bytes/random_access.h"

#include "oa/base/error.h"
#include "oa/io/bytes/system_call.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace oa::io {
namespace {

class File : public RandomAccess {
 public:
  explicit File(const std::string& path)
      : name_(path),
        fd_(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); })) {
    if (fd_ < 0) {
      throw IoError(name_, errno);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() override { ::close(fd_); }

  void read(std::uint64_t place, std::span<std::byte> to) const override {
    while (!to.empty()) {
      const auto n = uninterrupted([&] {
        return ::pread(fd_, to.data(), to.size(), static_cast<off_t>(place));
      });
      if (n < 0) {
        throw IoError(name_, errno);
      }
      if (n == 0) {
        throw InputError(name_ + ": the file became shorter while it was read");
      }
      place += static_cast<std::uint64_t>(n);
      to = to.subspan(static_cast<std::size_t>(n));
    }
  }

 private:
  std::string name_;
  int fd_;
};

}  // namespace

std::unique_ptr<RandomAccess> random_access_to(const std::string& path) {
  return std::make_unique<File>(path);
}

void PiecesInMemory::add(std::uint64_t place, std::vector<std::byte> piece) {
  pieces_.push_back({place, std::move(piece)});
}

void PiecesInMemory::read(std::uint64_t place, std::span<std::byte> to) const {
  const auto after = std::ranges::upper_bound(pieces_, place, {}, &Piece::place);
  assert(after != pieces_.begin());
  const Piece& piece = *(after - 1);
  assert(place - piece.place + to.size() <= piece.bytes.size());
  const auto from = std::span(piece.bytes).subspan(place - piece.place, to.size());
  std::ranges::copy(from, to.begin());
}

}  // namespace oa::io
