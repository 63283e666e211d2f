#pragma once

#include "oa/base/rng.h"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace oa::exact {

/// A kind of numbers: each call draws one.
using Draw = std::function<double(Rng&)>;

struct Family {
  std::string_view name;
  /// Makes the source of the weights of one problem.
  Draw (*begin)(Rng&);
  /// Numbers so large, small or different that a refusal is an answer, too.
  bool extreme = false;
};

[[nodiscard]] std::span<const Family> families();

struct Pair {
  int i = 0;
  int k = 0;  ///< above i
  double weight = 0.0;
};

/// A random problem before it is written in any format.
struct Weights {
  std::string_view structure;
  int n = 0;
  std::vector<double> linear;  ///< (n)
  std::vector<Pair> pairs;
};

/// Up to `most` variables, joined as one of several structures says.
[[nodiscard]] Weights random_weights(Rng& rng, const Draw& draw, int most);

}  // namespace oa::exact
