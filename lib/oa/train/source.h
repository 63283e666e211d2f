#pragma once

#include "oa/base/rng.h"
#include "oa/data/augment.h"
#include "oa/data/dataset.h"
#include "oa/model/input.h"
#include "oa/model/objective.h"

#include <vector>

namespace oa::train {

/// The examples of a data set as inputs of a model, one by one.
/// Each thread needs its own Source.
class Source {
 public:
  /// Keeps a reference to `data`.
  explicit Source(const Dataset& data) : data_(data) {}

  struct Example {
    model::Input input;  ///< valid until the next example
    model::Answer answer;
  };

  /// Returns example i; in training optionally varied: an augmented image, or a
  /// sequence that starts later.
  [[nodiscard]] Example example(int i);
  [[nodiscard]] Example varied(int i, const Augmentation& limits, Rng rng);

 private:
  [[nodiscard]] Example sequence(int i, std::int64_t later) const;
  [[nodiscard]] model::Answer answer(int i) const;

  const Dataset& data_;
  std::vector<float> picture_;
};

}  // namespace oa::train
