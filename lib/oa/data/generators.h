#pragma once

#include "oa/data/task.h"

namespace oa {

/// The arguments of a generator.  Example i draws from rng.fork(i).
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

// Each in its own file.
[[nodiscard]] Dataset draw_recall(const Draw& draw);
[[nodiscard]] Dataset draw_induction(const Draw& draw);
[[nodiscard]] Dataset draw_copy(const Draw& draw);
[[nodiscard]] Dataset draw_superposed(const Draw& draw);
[[nodiscard]] Dataset draw_scenes(const Draw& draw);

/// `count` sequences of `length` tokens, with all ids and targets -1.
[[nodiscard]] Dataset make_sequences(int count,
                                     int length,
                                     int vocabulary,
                                     int classes);

}  // namespace oa
