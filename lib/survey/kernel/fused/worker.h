#pragma once

#include "oa/base/arena.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

namespace oa::attention {

/// Takes `count` elements of `arena`; data is null if the arena only counts bytes.
template <class T>
[[nodiscard]] std::span<T> piece(Arena& arena, std::ptrdiff_t count) {
  const auto size = static_cast<std::size_t>(count);
  return {static_cast<T*>(arena.allocate(size * sizeof(T))), size};
}

/// Allocates `count` objects in `arena` and initialises object i by make(i),
/// which may also allocate.  Writes nothing if the arena only counts bytes.
template <class T, class Make>
[[nodiscard]] std::span<T> pieces(Arena& arena, int count, const Make& make) {
  const std::span<T> all = piece<T>(arena, count);
  for (int i = 0; i < count; ++i) {
    const T made = make(i);
    if (all.data() != nullptr) {
      new (all.data() + i) T(made);
    }
  }
  return all;
}

/// The part of a panel that all queries of a tile see, as far as known without masks.
enum class PanelMark : std::uint8_t { None, Some, Whole };

/// The memory of one thread for a tile.
struct FusedWorker {
  std::span<float> q;                // rows x width, scaled
  std::span<float> o;                // rows x padded width
  std::span<float> p;                // rows x weights of a block
  std::span<float> sums;             // rows x a vector
  std::span<float> minus_reference;  // rows
  std::span<float> limit;            // rows
  std::span<float> k;                // a packed panel, if keys are not packed before
  std::span<float> v;                // values of a block, if they are copied
  std::span<std::uint64_t> masks;    // rows x panels of a block
  std::span<std::uint64_t> seen;     // bands x panels of a block
  std::span<int> panels;             // numbers of the panels that the tile sees
  std::span<PanelMark> marks;        // panels of the group; set for those of `panels`
  std::span<std::uint8_t> careful;   // panels of a block
  std::span<std::uint8_t> started;   // bands: whether o holds a sum already

  [[nodiscard]] std::span<const int> panels_of(int first, int count) const {
    return panels.subspan(static_cast<std::size_t>(first),
                          static_cast<std::size_t>(count));
  }
};

}  // namespace oa::attention
