#pragma once

#include "app/images.h"
#include "app/pose/level_posing.h"
#include "oa/encode/least_squares.h"
#include "oa/io/bytes/output.h"
#include "oa/io/stream/stream.h"
#include "oa/io/tensor/number_array.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::app {

/// Files of values and queries, and the kind of their coefficients.
struct ArrayOptions {
  std::string values;   ///< file of V: (m,d), or (b,m,d)
  std::string queries;  ///< file of the queries: (n,d), or (b,n,d)
  double lambda = 0.0;
  bool real = false;  ///< coefficients are real, although values are complex
};

/// Writes a stream of least squares problems from arrays.
class ArrayProblems {
 public:
  /// Reads the arrays.  `images` has the coefficients, the labels and the selection of
  /// problems.  Throws InputError or UsageError if the arrays do not match.
  ArrayProblems(ArrayOptions options, ImageOptions images, LevelOptions levels);

  /// Writes the stream.  If interrupted, ends early and marks it incomplete.
  void write(io::Output& output, Context& context);

  /// Summarises what was written.
  [[nodiscard]] std::string summary_text() const;
  [[nodiscard]] std::string summary_json() const;

 private:
  [[nodiscard]] std::vector<double> real_values(std::int64_t k) const;
  [[nodiscard]] std::vector<double> real_queries(std::int64_t k) const;
  [[nodiscard]] qubo::Problem pose(std::int64_t k) const;
  void write_head(io::StreamWriter& writer, const std::string& history) const;

  ArrayOptions options_;
  ImageOptions images_;
  LevelOptions levels_;
  io::NumberArray values_;
  io::NumberArray queries_;
  std::vector<std::uint8_t> labels_;
  bool complex_ = false;  // values or queries are complex
  qubo::Alphabet alphabet_;
  std::string kind_;  // "binary", "spin" or "levels"
  Encoding encoding_ = Encoding::Binary;
  std::int64_t count_ = 1;  // number of pairs of V and queries
  int m_ = 0;               // number of coefficients; a complex one counts twice
  int n_ = 0;
  int d_ = 0;
  std::int64_t written_ = 0;
  bool complete_ = false;
  PenaltyCheck penalties_;
};

}  // namespace oa::app
