#pragma once

#include "oa/data/task.h"

namespace oa {

/// Arguments of a generator, which draws example i by rng.fork(i).
struct Draw {
  const TaskOptions& options;
  const Pictures& pictures;
  Rng rng;
  Split split;
  int first;
  int count;

  [[nodiscard]] Rng example(int i) const {
    return rng.fork(static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(i));
  }
};

// Generators, one in each file.
[[nodiscard]] Dataset draw_recall(const Draw& draw);
[[nodiscard]] Dataset draw_induction(const Draw& draw);
[[nodiscard]] Dataset draw_copy(const Draw& draw);
[[nodiscard]] Dataset draw_superposed(const Draw& draw);
[[nodiscard]] Dataset draw_scenes(const Draw& draw);

/// Makes `count` sequences of `length` tokens, with ids and targets of -1.
[[nodiscard]] Dataset make_sequences(int count,
                                     int length,
                                     int vocabulary,
                                     int classes);

}  // namespace oa
