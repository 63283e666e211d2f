#pragma once

#include <cstddef>

namespace oa::attention {

/// Rows that are read next, and are brought nearer meanwhile, to the second cache.
/// Where readers take turns at the same rows, each turn fetches its share of those that
/// are next: the memory is busy all the time.
template <class Element>
struct Ahead {
  const Element* from;  ///< null: nothing is fetched
  int wait;             ///< rows until one is
  int turns;            ///< one of so many rows is

  /// Some elements of a row that begins there.
  void pass(std::ptrdiff_t row, int elements) {
    constexpr int kLine = 64 / sizeof(Element);
    if (from != nullptr && wait-- == 0) {
      wait = turns - 1;
      for (int i = 0; i < elements; i += kLine) {
        __builtin_prefetch(from + row + i, 0, 2);
      }
    }
  }
};

}  // namespace oa::attention
