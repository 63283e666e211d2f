#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace oa::io {

/// Bytes that several threads can read at any position.
class RandomAccess {
 public:
  RandomAccess() = default;
  RandomAccess(const RandomAccess&) = delete;
  RandomAccess& operator=(const RandomAccess&) = delete;
  virtual ~RandomAccess() = default;

  /// Fills `to` from byte `place` on.
  /// Throws IoError, and InputError if the file has become shorter.
  virtual void read(std::uint64_t place, std::span<std::byte> to) const = 0;
};

/// The regular file at `path`.  Throws IoError.
[[nodiscard]] std::unique_ptr<RandomAccess> random_access_to(const std::string& path);

/// Pieces of a file in memory; each piece is read by its position in the file.
class PiecesInMemory : public RandomAccess {
 public:
  /// Adds a piece; `place` must come after all earlier pieces.
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
