#pragma once

#include "oa/base/objective.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/score/tasks.h"

#include <cstdint>
#include <vector>

namespace oa::io {

/// A row of the table of answers: one question.
struct AnswerRow {
  std::int64_t index = 0;  ///< the example's index
  int row = 0;             ///< the question's index in its example
  std::vector<int> right;
  std::vector<int> answer;
  bool correct = false;
  double surprise = 0.0;  ///< only with Objective::Positions
  bool present = false;   ///< only with Objective::Cells
};

/// Writes the table of answers, oa-formats(5), with the columns idx, row, target, pred,
/// correct, and surprise (for positions) or present (for cells).
class AnswersWriter {
 public:
  AnswersWriter(Output& output, Objective objective);
  void write(const AnswerRow& row);

 private:
  Output& output_;
  Objective objective_;
};

/// True if the names of the columns are those of a table of answers.
[[nodiscard]] bool are_answers(Input& input);

/// The examples of the table, in the order of their first rows.
[[nodiscard]] std::vector<score::TaskResult> read_answers(Input& input);

}  // namespace oa::io
