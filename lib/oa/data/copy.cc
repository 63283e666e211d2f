#include "oa/base/index.h"
#include "oa/data/choose.h"
#include "oa/data/generators.h"

#include <algorithm>

namespace oa {

// A sequence has tokens among noise, then a marker for each token.
// The targets of the markers are the tokens in order.
// With V different tokens, tokens are 0 .. V-1, noise is V and the marker V+1.
Dataset draw_copy(const Draw& draw) {
  const TaskOptions& o = draw.options;
  const int length = o.places + o.tokens;
  Dataset set = make_sequences(draw.count, length, o.vocabulary + 2, o.vocabulary);
  for (int i = 0; i < draw.count; ++i) {
    Rng rng = draw.example(i);
    const std::size_t begin = at(i) * at(length);
    std::int32_t* ids = set.sequences.ids.data() + begin;
    std::fill_n(ids, o.places, o.vocabulary);
    std::fill_n(ids + o.places, o.tokens, o.vocabulary + 1);
    std::vector<int> places = choose_distinct(o.places, o.tokens, rng);
    std::ranges::sort(places);
    for (int t = 0; t < o.tokens; ++t) {
      const auto token =
          static_cast<int>(rng.below(static_cast<std::uint32_t>(o.vocabulary)));
      ids[places[at(t)]] = token;
      set.targets.numbers[begin + at(o.places + t)] = token;
    }
  }
  return set;
}

}  // namespace oa
