#pragma once

#include <cstddef>

namespace oa::attention {

/// What is read next of rows that lie one behind the other, and is brought nearer while
/// others are read.  Where readers take turns at the same rows, each turn fetches its
/// share of those that are next: the memory is busy all the time.
template <class Element>
struct Ahead {
  std::ptrdiff_t distance;  ///< elements from a row to what it fetches; 0: nothing
  int wait;                 ///< rows until one fetches
  int turns;                ///< one of so many rows does

  /// A row, or so many elements of it.
  template <int Elements>
  void pass(const Element* row) {
    if (distance == 0 || wait-- > 0) {
      return;
    }
    wait = turns - 1;
    const Element* next = row + distance;
    if (distance <= kFirstCache) {
      fetch<Elements, 3>(next);
      // The first cache can wait for few lines at a time, so those of the memory come
      // to the second one before.  Half of them are enough where the processor goes on
      // by itself; it does less so for halves that are read once.
      if (sizeof(Element) < sizeof(float) && turns == 1) {
        fetch<Elements, 2>(next + kEarly);
      } else {
        fetch<Elements / 2, 2>(next + kEarly);
      }
    } else {
      fetch<Elements, 2>(next);
    }
  }

 private:
  static constexpr int kLine = 64 / sizeof(Element);
  /// What the first cache keeps until it is read, beside what is read now.
  static constexpr std::ptrdiff_t kFirstCache = 16384 / sizeof(Element);
  /// How much further what comes to the second cache lies.
  static constexpr std::ptrdiff_t kEarly = 3072;

  /// Level 3 is the first cache, 2 the second one.
  template <int Elements, int Level>
  static void fetch(const Element* from) {
#pragma GCC unroll 16
    for (int i = 0; i < Elements; i += kLine) {
      __builtin_prefetch(from + i, 0, Level);
    }
  }
};

}  // namespace oa::attention
