#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/score/score.h"

#include <vector>

namespace oa::io {

/// Reads the table of predictions, oa-formats(5):
/// idx,label,pred,correct,logits_0,... Finds columns by name, in any order.
/// Also accepts `prediction` for pred, and `logit_0` or `probability_0` for logits_0.
/// If there is no column idx, rows are numbered.
[[nodiscard]] std::vector<score::Prediction> read_scores(Input& input);

/// Writes the table row by row.
class ScoresWriter {
 public:
  explicit ScoresWriter(Output& output) : output_(output) {}
  void write(const score::Prediction& prediction);

 private:
  Output& output_;
  bool begun_ = false;
};

}  // namespace oa::io
