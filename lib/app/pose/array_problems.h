#pragma once

#include "app/images.h"
#include "app/pose/level_posing.h"
#include "oa/encode/least_squares.h"
#include "oa/io/bytes/output.h"
#include "oa/io/stream/stream.h"
#include "oa/io/tensor/number_array.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Files of values and queries, and the kind of their coefficients.
struct ArrayOptions {
  std::string values;   ///< file of V: (m,d), or (b,m,d)
  std::string queries;  ///< file of the queries: (n,d), or (b,n,d)
  double lambda = 0.0;
  std::optional<std::int64_t> choose;  ///< the sum of coefficients, if it is known
  bool real = false;                   ///< coefficients of complex values are real
};

/// Poses least squares problems from arrays, and writes them as a stream.
class ArrayProblems {
 public:
  /// Reads the arrays.  `images` has the coefficients, the labels and the selection of
  /// problems.  Throws InputError or UsageError if the arrays do not match.
  ArrayProblems(ArrayOptions options, ImageOptions images, LevelOptions levels);
  /// Poses arrays in memory in the same way; the files of the options name them.
  ArrayProblems(io::NumberArray values,
                io::NumberArray queries,
                ArrayOptions options,
                ImageOptions images,
                LevelOptions levels);

  [[nodiscard]] std::int64_t size() const { return count_; }
  [[nodiscard]] int coefficients() const { return m_; }
  [[nodiscard]] int queries() const { return n_; }
  [[nodiscard]] const qubo::Alphabet& alphabet() const { return alphabet_; }

  /// V and the queries of a problem in real numbers.
  struct Numbers {
    std::vector<double> v;
    std::vector<double> q;
  };
  [[nodiscard]] Numbers numbers(std::int64_t k) const;
  /// Problem k without a known sum.
  [[nodiscard]] encode::LeastSquares squares(const Numbers& numbers) const;

  struct Posed {
    qubo::Problem problem;
    PenaltyCheck penalties;
    bool coarse = false;  ///< single precision may change the optimum
  };
  /// Problem k, whose numbers are `numbers`, in single precision.
  [[nodiscard]] Posed pose(std::int64_t k, const Numbers& numbers) const;

  /// Writes the stream.  If interrupted, ends early and marks the stream incomplete.
  void write(io::Output& output, Context& context);

  /// Summarises the written stream.
  [[nodiscard]] std::string summary_text() const;
  [[nodiscard]] std::string summary_json() const;

 private:
  [[nodiscard]] std::vector<double> real_values(std::int64_t k) const;
  [[nodiscard]] std::vector<double> real_queries(std::int64_t k) const;
  void check_sum() const;
  [[nodiscard]] encode::LeastSquares with_sum(encode::LeastSquares squares,
                                              PenaltyCheck& check) const;
  [[nodiscard]] double largest_penalty() const;
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
