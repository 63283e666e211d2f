#pragma once

#include "oa/attention/formula/heads.h"

#include <utility>

namespace oa::attention {

/// The option `loops` of kinds that can refine their queries.
template <auto Member>
[[nodiscard]] constexpr auto loops_field() {
  return field<Member>(
      "loops",
      "Times that the layer is applied: all but the last refine the queries",
      {.range = {.low = 1, .high = 256}});
}

/// keep q + query q_0 - read r, where each head learns numbers keep, query and read.
[[nodiscard]] Value next_queries(Value q, Value first, Value r, int heads);

/// Returns heads with queries refined by `loops` - 1 steps.
/// A step reads the keys as values: r = sum_j a_j k_j by read(heads).
template <class Read>
[[nodiscard]] Heads refined(Heads heads, int loops, Read&& read) {
  const Value first = heads.q;
  for (int step = 1; step < loops; ++step) {
    Heads keys = heads;
    keys.v = heads.k;
    heads.q = next_queries(heads.q, first, read(std::as_const(keys)), heads.heads);
  }
  return heads;
}

}  // namespace oa::attention
