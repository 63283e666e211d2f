#include "oa/base/index.h"
#include "oa/data/choose.h"
#include "oa/data/generators.h"

namespace oa {

// A sequence of distinct tokens repeats with an unknown period.  From the second period
// on, a token's target is the next token, which the first period shows.
Dataset draw_induction(const Draw& draw) {
  const TaskOptions& o = draw.options;
  Dataset set = make_sequences(draw.count, o.length, o.vocabulary, o.vocabulary);
  for (int i = 0; i < draw.count; ++i) {
    Rng rng = draw.example(i);
    const int more = o.period_max - o.period_min + 1;
    const int period =
        o.period_min + static_cast<int>(rng.below(static_cast<std::uint32_t>(more)));
    const std::vector<int> repeated = choose_distinct(o.vocabulary, period, rng);
    for (int t = 0; t < o.length; ++t) {
      const std::size_t k = at(i) * at(o.length) + at(t);
      set.sequences.ids[k] = repeated[at(t % period)];
      if (t >= period) {
        set.targets.numbers[k] = repeated[at((t + 1) % period)];
      }
    }
  }
  return set;
}

}  // namespace oa
