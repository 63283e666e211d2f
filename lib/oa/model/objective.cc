#include "oa/model/objective.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

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

/// Returns -log of the probability of class `target`.
double surprise_of(const float* row, int count, int target) {
  const auto top = static_cast<double>(*std::max_element(row, row + count));
  double exponentials = 0.0;
  for (int c = 0; c < count; ++c) {
    exponentials += std::exp(static_cast<double>(row[c]) - top);
  }
  return top + std::log(exponentials) - static_cast<double>(row[target]);
}

Question position(const float* scores, int count, Question q) {
  q.answer = {largest(scores, count)};
  q.correct = q.answer[0] == q.right[0];
  q.surprise = surprise_of(scores, count, q.right[0]);
  return q;
}

Question set(const float* scores, int count, Question q) {
  for (int c = 0; c < count; ++c) {
    if (scores[c] > 0.0F) {
      q.answer.push_back(c);
    }
  }
  q.correct = is_set(scores, count, q.right);
  return q;
}

Question cell(const float* scores, int count, Question q) {
  q.present = scores[0] > 0.0F;
  q.answer = {largest(scores + 1, count - 1)};
  q.correct = !q.right.empty() && q.answer[0] == q.right[0];
  return q;
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
    if (target >= 0) {
      sum += surprise_of(scores.row(i), scores.cols, target);
    }
  }
  return sum;
}

std::vector<Question> questions(Objective objective,
                                num::ConstView scores,
                                const Answer& answer) {
  std::vector<Question> all;
  for (int i = 0; i < scores.rows; ++i) {
    const std::span<const std::int32_t> numbers = answer.row(i);
    const auto end = std::ranges::find_if(numbers, [](int v) { return v < 0; });
    Question q;
    q.number = static_cast<int>(all.size());
    q.right = numbers.first(static_cast<std::size_t>(end - numbers.begin()));
    switch (objective) {
      case Objective::Class: break;  // one answer per example, none per row
      case Objective::Positions:
        if (!q.right.empty()) {
          all.push_back(position(scores.row(i), scores.cols, std::move(q)));
        }
        break;
      case Objective::Sets:
        all.push_back(set(scores.row(i), scores.cols, std::move(q)));
        break;
      case Objective::Cells:
        all.push_back(cell(scores.row(i), scores.cols, std::move(q)));
        break;
    }
  }
  return all;
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
