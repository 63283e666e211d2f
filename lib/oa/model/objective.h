#pragma once

#include "oa/base/objective.h"
#include "oa/num/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::model {

/// What is right about an example.
struct Answer {
  int label = -1;  ///< where one class is asked for
  /// Otherwise `per_row` numbers for each row of scores; -1: nothing is asked, or in
  /// sets no further class, or the class of the row is in no cell.
  std::span<const std::int32_t> numbers;
  int per_row = 1;

  [[nodiscard]] std::span<const std::int32_t> row(int i) const {
    return numbers.subspan(
        static_cast<std::size_t>(i) * static_cast<std::size_t>(per_row),
        static_cast<std::size_t>(per_row));
  }
};

/// Questions and right answers.
struct Tally {
  /// Classes, classes of positions, whole sets, or cells of classes that are there.
  std::int64_t asked = 0;
  std::int64_t correct = 0;
  // Of cells:
  std::int64_t classes = 0;  ///< asked whether they are there
  std::int64_t classes_right = 0;
  std::int64_t pictures = 0;
  std::int64_t pictures_right = 0;  ///< in which all classes are right

  Tally& operator+=(const Tally& more);
  [[nodiscard]] double share() const {
    return asked == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(asked);
  }
};

/// Compares scores with what is right: the largest score is the class or the cell, a
/// positive one says that a class is in the set or, as first of its row, in the
/// picture.
[[nodiscard]] Tally judge(Objective objective,
                          num::ConstView scores,
                          const Answer& answer);

/// One question of an example, and the model's answer.
struct Question {
  int number = 0;  ///< among those of the example
  /// The class, the classes of the set, or the cell; empty: the class is in no cell.
  std::span<const std::int32_t> right;
  std::vector<int> answer;
  bool correct = false;
  double surprise = 0.0;  ///< of positions: -log of the probability of the right class
  bool present = false;   ///< of cells: the model says that the class is there
};

/// All questions of an example, in order of rows.
[[nodiscard]] std::vector<Question> questions(Objective objective,
                                              num::ConstView scores,
                                              const Answer& answer);

/// Sum over the positions that are asked of -log of the probability of the right class.
[[nodiscard]] double surprise(num::ConstView scores, const Answer& answer);

}  // namespace oa::model
