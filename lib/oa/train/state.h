#pragma once

#include "oa/parts/params.h"
#include "oa/train/adam.h"

#include <cstdint>
#include <map>
#include <string>

namespace oa::train {

/// The complete state of a training, the content of a checkpoint: resumed trainings
/// continue exactly.
struct State {
  std::int64_t step = 0;  ///< steps made
  parts::Values values;
  Adam adam;
  parts::Values average;        ///< average of the weights over steps
  parts::Values best;           ///< of the best epoch so far
  double best_accuracy = -1.0;  ///< on the held-out images; -1: none
  double best_loss =
      0.0;             ///< on the held-out images; 0: unknown, from an old checkpoint
  int best_epoch = 0;  ///< from 1; 0: none
  double loss_sum = 0.0;     ///< over this epoch so far
  std::int64_t correct = 0;  ///< right answers
  std::int64_t asked = 0;
  std::int64_t seen = 0;  ///< examples

  explicit State(const parts::Layout& layout)
      : values(layout),
        adam(layout),
        average(layout),
        best(layout) {}
};

/// Each set of values with its name in a checkpoint.
template <class S, class F>
void each_values(S& state, F&& f) {
  f("values", state.values);
  f("first", state.adam.first);
  f("second", state.adam.second);
  f("average", state.average);
  f("best", state.best);
}

/// The numbers as metadata; doubles are exact.
[[nodiscard]] std::map<std::string, std::string> describe(const State& state);

/// Restores them.  Throws InputError if one is missing or not a number.
void restore(const std::map<std::string, std::string>& metadata,
             const std::string& where,
             State& state);

}  // namespace oa::train
