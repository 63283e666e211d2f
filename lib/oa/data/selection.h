#pragma once

#include "oa/data/dataset.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace oa {

/// A range of examples, first .. last - 1.
struct ExampleRange {
  int first = 0;
  int last = 0;
};

/// Selects the examples that a reader keeps in memory.  The default keeps all.
struct Selection {
  /// The number of examples to use; later examples only add their classes.
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  /// Returns the examples to keep, of `count`.
  std::function<ExampleRange(int count)> keep;
  /// Receives all examples, kept or not, in pieces of any size: pictures, labels, ids,
  /// vectors, targets.  If null, a reader may skip examples that are not kept.
  std::function<void(std::span<const std::uint8_t>)> pass;

  /// The number of examples to use, of the `count` examples of a file.
  [[nodiscard]] int there(int count) const;
  [[nodiscard]] ExampleRange kept(int count) const;
};

/// Passes a data set through `selection` and returns the kept part.
[[nodiscard]] Dataset select(Dataset all, const Selection& selection);
[[nodiscard]] Images select_images(Images all, const Selection& selection);
[[nodiscard]] std::vector<std::uint8_t> select_labels(std::vector<std::uint8_t> all,
                                                      const Selection& selection,
                                                      Targets& targets);
/// Drops the examples after the first `count`, without a copy.
void drop_behind(int count, Dataset& data);

/// Keeps the targets of the selected examples, of `count`.
void select_numbers(int count, const Selection& selection, Targets& targets);

}  // namespace oa
