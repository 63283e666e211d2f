#pragma once

#include "oa/base/objective.h"
#include "oa/num/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::model {

/// The right answer of an example.
struct Answer {
  int label = -1;  ///< for objectives of one class
  /// For other objectives `per_row` numbers for each row of scores; -1: no answer, no
  /// further class of a set, or the class of the row is in no cell.
  std::span<const std::int32_t> numbers;
  int per_row = 1;

  [[nodiscard]] std::span<const std::int32_t> row(int i) const {
    return numbers.subspan(
        static_cast<std::size_t>(i) * static_cast<std::size_t>(per_row),
        static_cast<std::size_t>(per_row));
  }
};

/// Counts of answers and of right ones.
struct Tally {
  /// Classes, classes of positions, whole sets, or cells of present classes.
  std::int64_t asked = 0;
  std::int64_t correct = 0;
  // For cells:
  std::int64_t classes = 0;  ///< answers whether a class is present
  std::int64_t classes_right = 0;
  std::int64_t pictures = 0;
  std::int64_t pictures_right = 0;  ///< pictures with all classes right

  Tally& operator+=(const Tally& more);
  [[nodiscard]] double share() const {
    return asked == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(asked);
  }
};

/// Compares scores with the answer: the largest score is the class or the cell; a
/// positive score puts a class into the set, or, as the first of its row, into the
/// picture.
[[nodiscard]] Tally judge(Objective objective,
                          num::ConstView scores,
                          const Answer& answer);

/// One question of an example and the model's answer.
struct Question {
  int number = 0;  ///< of the question in the example
  /// The class, the classes of the set, or the cell; empty: the class is in no cell.
  std::span<const std::int32_t> right;
  std::vector<int> answer;
  bool correct = false;
  double surprise = 0.0;  ///< for positions: -log of the probability of the right class
  bool present = false;   ///< for cells: the model's answer that the class is present
};

/// All questions of an example, in order of rows.
[[nodiscard]] std::vector<Question> questions(Objective objective,
                                              num::ConstView scores,
                                              const Answer& answer);

/// The sum over positions with an answer of -log of the probability of the right class.
[[nodiscard]] double surprise(num::ConstView scores, const Answer& answer);

}  // namespace oa::model
