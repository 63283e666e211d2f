#pragma once

#include "oa/data/dataset.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace oa {

/// Examples first .. last - 1.
struct ExampleRange {
  int first = 0;
  int last = 0;
};

/// Which examples of a data set a reader keeps, so that no process has to hold all of
/// them.  As it is, it keeps all.
struct Selection {
  /// Examples behind the first so many are as if they were not there, but for their
  /// classes.
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  /// Those kept, of `count` that are there.
  std::function<ExampleRange(int count)> keep;
  /// Is shown all examples, kept or not, in pieces of any size: pictures, labels, ids,
  /// vectors, targets.  Without it a reader may pass over those that are not kept.
  std::function<void(std::span<const std::uint8_t>)> pass;

  /// Of `count` examples of a file.
  [[nodiscard]] int there(int count) const;
  [[nodiscard]] ExampleRange kept(int count) const;
};

/// Shows `selection` all of a data set and returns what it keeps; `targets` learns how
/// many classes there are.
[[nodiscard]] Dataset select(Dataset all, const Selection& selection);
[[nodiscard]] Images select_images(Images all, const Selection& selection);
[[nodiscard]] std::vector<std::uint8_t> select_labels(std::vector<std::uint8_t> all,
                                                      const Selection& selection,
                                                      Targets& targets);
/// Drops what is behind the first `count` examples, without another copy of these.
void drop_behind(int count, Dataset& data);

/// The targets of `count` examples.
void select_numbers(int count, const Selection& selection, Targets& targets);

}  // namespace oa
