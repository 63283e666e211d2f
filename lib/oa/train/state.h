#pragma once

#include "oa/parts/params.h"
#include "oa/train/adam.h"

#include <cstdint>
#include <map>
#include <string>

namespace oa::train {

/// The complete state of a training, stored in checkpoints:
/// a resumed training continues exactly.
struct State {
  std::int64_t step = 0;  ///< number of steps made
  parts::Values values;
  Adam adam;
  parts::Values average;        ///< average of the weights over steps
  parts::Values best;           ///< weights of the best epoch so far
  double best_accuracy = -1.0;  ///< on held-out images; -1: unknown
  double best_loss = 0.0;    ///< loss on held-out images; 0: unknown (old checkpoint)
  int best_epoch = 0;        ///< from 1; 0: no epoch yet
  double loss_sum = 0.0;     ///< sum over this epoch so far
  std::int64_t correct = 0;  ///< right answers
  std::int64_t asked = 0;
  std::int64_t seen = 0;  ///< number of examples

  explicit State(const parts::Layout& layout)
      : values(layout),
        adam(layout),
        average(layout),
        best(layout) {}
};

/// Calls f for each set of values and its name in a checkpoint.
template <class S, class F>
void each_values(S& state, F&& f) {
  f("values", state.values);
  f("first", state.adam.first);
  f("second", state.adam.second);
  f("average", state.average);
  f("best", state.best);
}

/// Writes the numbers as metadata; doubles are exact.
[[nodiscard]] std::map<std::string, std::string> describe(const State& state);

/// Reads the numbers of describe().  Throws InputError if one is missing or invalid.
void restore(const std::map<std::string, std::string>& metadata,
             const std::string& where,
             State& state);

}  // namespace oa::train
