#include "oa/model/objective.h"

#include <algorithm>
#include <cmath>

namespace oa::model {
namespace {

int largest(const float* scores, int count) {
  return static_cast<int>(std::max_element(scores, scores + count) - scores);
}

bool is_set(const float* scores, int count, std::span<const std::int32_t> set) {
  for (int c = 0; c < count; ++c) {
    const bool in_set = std::ranges::find(set, c) != set.end();
    if (in_set != (scores[c] > 0.0F)) {
      return false;
    }
  }
  return true;
}

Tally judge_cells(num::ConstView scores, const Answer& answer) {
  Tally tally;
  for (int i = 0; i < scores.rows; ++i) {
    const int cell = answer.row(i)[0];
    const float* row = scores.row(i);
    ++tally.classes;
    tally.classes_right += (row[0] > 0.0F) == (cell >= 0) ? 1 : 0;
    if (cell >= 0) {
      ++tally.asked;
      tally.correct += largest(row + 1, scores.cols - 1) == cell ? 1 : 0;
    }
  }
  tally.pictures = 1;
  tally.pictures_right = tally.classes_right == tally.classes ? 1 : 0;
  return tally;
}

}  // namespace

double surprise(num::ConstView scores, const Answer& answer) {
  double sum = 0.0;
  for (int i = 0; i < scores.rows; ++i) {
    const int target = answer.row(i)[0];
    if (target < 0) {
      continue;
    }
    const float* row = scores.row(i);
    const auto top = static_cast<double>(*std::max_element(row, row + scores.cols));
    double exponentials = 0.0;
    for (int c = 0; c < scores.cols; ++c) {
      exponentials += std::exp(static_cast<double>(row[c]) - top);
    }
    sum += top + std::log(exponentials) - static_cast<double>(row[target]);
  }
  return sum;
}

Tally& Tally::operator+=(const Tally& more) {
  asked += more.asked;
  correct += more.correct;
  classes += more.classes;
  classes_right += more.classes_right;
  pictures += more.pictures;
  pictures_right += more.pictures_right;
  return *this;
}

Tally judge(Objective objective, num::ConstView scores, const Answer& answer) {
  Tally tally;
  switch (objective) {
    case Objective::Class:
      tally.asked = 1;
      tally.correct = largest(scores.row(0), scores.cols) == answer.label ? 1 : 0;
      break;
    case Objective::Positions:
      for (int i = 0; i < scores.rows; ++i) {
        const int target = answer.row(i)[0];
        if (target >= 0) {
          ++tally.asked;
          tally.correct += largest(scores.row(i), scores.cols) == target ? 1 : 0;
        }
      }
      break;
    case Objective::Sets:
      for (int i = 0; i < scores.rows; ++i) {
        ++tally.asked;
        tally.correct += is_set(scores.row(i), scores.cols, answer.row(i)) ? 1 : 0;
      }
      break;
    case Objective::Cells: return judge_cells(scores, answer);
  }
  return tally;
}

}  // namespace oa::model
