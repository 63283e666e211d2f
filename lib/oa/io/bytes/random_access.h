#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace oa::io {

/// Bytes that any thread can read at any place, several times.
class RandomAccess {
 public:
  RandomAccess() = default;
  RandomAccess(const RandomAccess&) = delete;
  RandomAccess& operator=(const RandomAccess&) = delete;
  virtual ~RandomAccess() = default;

  /// Fills `to` from byte `place` on.  Throws InputError if the file has become
  /// shorter, and IoError.
  virtual void read(std::uint64_t place, std::span<std::byte> to) const = 0;
};

/// The regular file at `path`.  Throws IoError.
[[nodiscard]] std::unique_ptr<RandomAccess> random_access_to(const std::string& path);

/// Pieces in memory: each can be read from its place.
class PiecesInMemory : public RandomAccess {
 public:
  /// `place` lies behind all earlier pieces.
  void add(std::uint64_t place, std::vector<std::byte> piece);
  void read(std::uint64_t place, std::span<std::byte> to) const override;

 private:
  struct Piece {
    std::uint64_t place;
    std::vector<std::byte> bytes;
  };
  std::vector<Piece> pieces_;
};

}  // namespace oa::io
