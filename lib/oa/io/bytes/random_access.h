#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace oa::io {

/// Bytes that can be read again at any place, by any thread.
class RandomAccess {
 public:
  RandomAccess() = default;
  RandomAccess(const RandomAccess&) = delete;
  RandomAccess& operator=(const RandomAccess&) = delete;
  virtual ~RandomAccess() = default;

  /// Fills `to` with what begins at byte `place`.  Throws InputError if it is not there
  /// (any more), and IoError.
  virtual void read(std::uint64_t place, std::span<std::byte> to) const = 0;
};

/// The file at `path`, which must be a regular one.  Throws IoError.
[[nodiscard]] std::unique_ptr<RandomAccess> random_access_to(const std::string& path);

/// Bytes in memory, that of pieces: only they can be read, each from its place.
class PiecesInMemory : public RandomAccess {
 public:
  /// `place` is beyond all pieces before.
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
