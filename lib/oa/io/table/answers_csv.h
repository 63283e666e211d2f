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
  std::int64_t index = 0;  ///< of the example
  int row = 0;             ///< number of the question in its example
  std::vector<int> right;
  std::vector<int> answer;
  bool correct = false;
  double surprise = 0.0;  ///< only with Objective::Positions
  bool present = false;   ///< only with Objective::Cells
};

/// Writes the table of answers, oa-formats(5): idx,row,target,pred,correct, then
/// surprise (positions) or present (cells).
class AnswersWriter {
 public:
  AnswersWriter(Output& output, Objective objective);
  void write(const AnswerRow& row);

 private:
  Output& output_;
  Objective objective_;
};

/// True if a table of answers begins here, by the names of its columns.
[[nodiscard]] bool are_answers(Input& input);

/// The examples of the table, in the order of their first rows.
[[nodiscard]] std::vector<score::TaskResult> read_answers(Input& input);

}  // namespace oa::io
