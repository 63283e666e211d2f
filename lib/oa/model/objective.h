#pragma once

#include "oa/base/objective.h"
#include "oa/num/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::model {

/// The correct answer for an example.
struct Answer {
  int label = -1;  ///< the class, for objectives with one class per example
  /// For other objectives, `per_row` numbers per row of scores.
  /// -1 means: no answer; no more classes in a set; the row's class is in no cell.
  std::span<const std::int32_t> numbers;
  int per_row = 1;

  [[nodiscard]] std::span<const std::int32_t> row(int i) const {
    return numbers.subspan(
        static_cast<std::size_t>(i) * static_cast<std::size_t>(per_row),
        static_cast<std::size_t>(per_row));
  }
};

/// Counts questions and correct answers.
struct Tally {
  /// Questions: classes, positions, whole sets, or cells of present classes.
  std::int64_t asked = 0;
  std::int64_t correct = 0;
  // The members below are for cells.
  std::int64_t classes = 0;  ///< answers whether a class is present
  std::int64_t classes_right = 0;
  std::int64_t pictures = 0;
  std::int64_t pictures_right = 0;  ///< pictures whose classes are all right

  Tally& operator+=(const Tally& more);
  [[nodiscard]] double share() const {
    return asked == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(asked);
  }
};

/// Compares scores with the answer.  The largest score selects the class or the cell;
/// a positive score puts a class into the set or, if it is the first of a row,
/// into the picture.
[[nodiscard]] Tally judge(Objective objective,
                          num::ConstView scores,
                          const Answer& answer);

/// One question of an example and the model's answer.
struct Question {
  int number = 0;  ///< index of the question in the example
  /// The correct class, classes of the set, or cell; empty: the class is in no cell.
  std::span<const std::int32_t> right;
  std::vector<int> answer;
  bool correct = false;
  double surprise = 0.0;  ///< for positions: -log of the right class's probability
  bool present = false;   ///< for cells: the model answers that the class is present
};

/// Returns the questions of an example, in the order of rows.
[[nodiscard]] std::vector<Question> questions(Objective objective,
                                              num::ConstView scores,
                                              const Answer& answer);

/// Returns the sum of -log of the right probability over positions with an answer.
[[nodiscard]] double surprise(num::ConstView scores, const Answer& answer);

}  // namespace oa::model
