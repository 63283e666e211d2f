#include "oa/base/index.h"
#include "oa/data/choose.h"
#include "oa/data/generators.h"

#include <span>

namespace oa {

// A sequence is k1 v1 k2 v2 ... kP vP, then the keys in another order, whose values are
// the targets: multi-query associative recall of Arora et al., "Zoology" (2023).
// With V different keys, keys are 0 .. V-1 and values V .. 2V-1.
Dataset draw_recall(const Draw& draw) {
  const int pairs = draw.options.pairs;
  const int keys = draw.options.keys;
  const int length = 3 * pairs;
  Dataset set = make_sequences(draw.count, length, 2 * keys, 2 * keys);
  for (int i = 0; i < draw.count; ++i) {
    Rng rng = draw.example(i);
    const std::size_t from = at(i) * at(length);
    const auto ids = std::span(set.sequences.ids).subspan(from, at(length));
    const auto targets = std::span(set.targets.numbers).subspan(from, at(length));
    const std::vector<int> chosen = choose_distinct(keys, pairs, rng);
    for (int p = 0; p < pairs; ++p) {
      ids[at(2 * p)] = chosen[at(p)];
      ids[at(2 * p + 1)] =
          keys + static_cast<int>(rng.below(static_cast<std::uint32_t>(keys)));
    }
    const std::vector<int> order = choose_distinct(pairs, pairs, rng);
    for (int q = 0; q < pairs; ++q) {
      const int pair = order[at(q)];
      ids[at(2 * pairs + q)] = ids[at(2 * pair)];
      targets[at(2 * pairs + q)] = ids[at(2 * pair + 1)];
    }
  }
  return set;
}

}  // namespace oa
