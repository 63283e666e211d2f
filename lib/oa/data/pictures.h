#pragma once

#include "oa/base/rng.h"
#include "oa/data/dataset.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace oa {

/// Pictures of digits for tasks.  Training and test examples use different pictures.
class Pictures {
 public:
  /// Uses built-in digits, new digits for each draw.
  Pictures();

  /// Uses the grey pictures of a data set: the first 5/6 for training examples,
  /// the others for test examples.  Labels may be missing.
  explicit Pictures(Dataset set);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int cols() const { return cols_; }

  /// The number of pictures, or of pictures of one digit; INT_MAX for built-in digits.
  [[nodiscard]] int count(Split split) const;
  [[nodiscard]] int count_of(Split split, int digit) const;

  /// Draws to.size() / (rows * cols) distinct pictures, at most count(split).
  void draw_some(Split split, Rng& rng, std::span<std::uint8_t> to) const;

  /// Draws a picture of `digit`, which requires count_of(split, digit) > 0.
  void draw_digit_of(Split split,
                     int digit,
                     Rng& rng,
                     std::span<std::uint8_t> to) const;

 private:
  /// Indices of pictures in the data set.
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
