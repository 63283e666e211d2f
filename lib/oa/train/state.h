#pragma once

#include "oa/parts/params.h"
#include "oa/train/adam.h"

#include <cstdint>
#include <map>
#include <string>

namespace oa::train {

/// Everything a training needs to go on as if it had never stopped: what a checkpoint
/// holds.
struct State {
  std::int64_t step = 0;  ///< steps made
  parts::Values values;
  Adam adam;
  parts::Values average;        ///< the weights averaged over steps
  parts::Values best;           ///< of the best epoch so far
  double best_accuracy = -1.0;  ///< on the held-out images
  double best_loss = 0.0;       ///< on them; 0 where an old checkpoint does not say it
  int best_epoch = 0;           ///< from 1; 0: none yet
  double loss_sum = 0.0;        ///< over the examples of this epoch so far
  std::int64_t correct = 0;     ///< of what was asked about them
  std::int64_t asked = 0;
  std::int64_t seen = 0;  ///< examples

  explicit State(const parts::Layout& layout)
      : values(layout),
        adam(layout),
        average(layout),
        best(layout) {}
};

/// Each set of values with the name it has in a checkpoint.
template <class S, class F>
void each_values(S& state, F&& f) {
  f("values", state.values);
  f("first", state.adam.first);
  f("second", state.adam.second);
  f("average", state.average);
  f("best", state.best);
}

/// The numbers, as metadata; doubles exactly.
[[nodiscard]] std::map<std::string, std::string> describe(const State& state);

/// Puts them back.  Throws InputError if one is missing or not a number.
void restore(const std::map<std::string, std::string>& metadata,
             const std::string& where,
             State& state);

}  // namespace oa::train
