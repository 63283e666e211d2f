#pragma once

#include "exact/exact.h"

#include <cstdint>
#include <vector>

namespace oa::exact {

/// What one entry of a file adds to the energy.
enum class Meaning : std::uint8_t {
  Product,   ///< weight x_i x_k of 0s and 1s; weight x_i on the diagonal
  Spins,     ///< weight s_i s_k; the constant weight on the diagonal
  Field,     ///< weight s_i
  Cut,       ///< weight, where s_i and s_k differ
  Constant,  ///< weight
};

struct Entry {
  Meaning meaning = Meaning::Product;
  int i = 0;
  int k = 0;
  double weight = 0.0;
  bool twice = false;  ///< for both triangles of a matrix
};

/// A vector of variables: variable i is bit n - 1 - i, so that masks are ordered as
/// vectors are, the lexicographically smallest first.  A 1 is the spin +1.
using Mask = std::uint32_t;

[[nodiscard]] Mask mask_of(const std::vector<std::uint8_t>& x);
[[nodiscard]] std::vector<std::uint8_t> vector_of(Mask mask, int n);

/// A problem as its file states it: entries that add up, none of them transformed.
struct Stated {
  int n = 0;
  bool maximise = false;
  bool spins = false;
  std::vector<Entry> entries;
};

/// The energy of one vector.
[[nodiscard]] Exact value(const Stated& problem, Mask x);

/// The `top` best of all vectors, or all: by energy, then the smaller mask.  Tries all.
[[nodiscard]] std::vector<Mask> best(const Stated& problem, int top);

/// How many bits the numbers of the problem and their sums span.
[[nodiscard]] int span_of(const Stated& problem);

}  // namespace oa::exact
