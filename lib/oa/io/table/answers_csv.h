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
  int row = 0;             ///< the question's number among those of the example
  std::vector<int> right;
  std::vector<int> answer;
  bool correct = false;
  double surprise = 0.0;  ///< of positions
  bool present = false;   ///< of cells
};

/// Writes the table of answers, oa-formats(5): idx,row,target,pred,correct and, of
/// positions, surprise, of cells, present.
class AnswersWriter {
 public:
  AnswersWriter(Output& output, Objective objective);
  void write(const AnswerRow& row);

 private:
  Output& output_;
  Objective objective_;
};

/// Whether the table that begins here is one of answers, by the names of its columns.
[[nodiscard]] bool are_answers(Input& input);

/// Its examples, in the order in which they first come.
[[nodiscard]] std::vector<score::TaskResult> read_answers(Input& input);

}  // namespace oa::io
