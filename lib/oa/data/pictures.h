#pragma once

#include "oa/base/rng.h"
#include "oa/data/dataset.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace oa {

/// Pictures of digits that tasks are made of.  Training and test examples never have a
/// picture in common.
class Pictures {
 public:
  /// The built-in digits, a new one for each draw.
  Pictures();

  /// Those of a data set of grey pictures: the first five sixths for training examples,
  /// the others for test examples.  Labels may be missing.
  explicit Pictures(Dataset set);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int cols() const { return cols_; }

  /// How many different ones there are, and of a digit; the largest int if new ones are
  /// drawn.
  [[nodiscard]] int count(Split split) const;
  [[nodiscard]] int count_of(Split split, int digit) const;

  /// Different pictures of random digits, to.size() / (rows * cols) of them; at most
  /// count(split).
  void draw_some(Split split, Rng& rng, std::span<std::uint8_t> to) const;

  /// A picture of `digit`; count_of(split, digit) > 0.
  void draw_digit_of(Split split,
                     int digit,
                     Rng& rng,
                     std::span<std::uint8_t> to) const;

 private:
  /// Positions in the data set.
  struct Part {
    int begin = 0;
    int end = 0;
    std::array<std::vector<int>, 10> of_digit;
  };

  [[nodiscard]] const Part& part(Split split) const {
    return parts_[static_cast<std::size_t>(split)];
  }

  int rows_;
  int cols_;
  bool built_in_;
  Dataset set_;
  std::array<Part, 2> parts_;
};

}  // namespace oa
