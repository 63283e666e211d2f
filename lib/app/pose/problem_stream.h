#pragma once

#include "app/pose/level_posing.h"
#include "app/pose/posing.h"
#include "oa/io/bytes/output.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// The problems and examples to pose.
struct PosingOptions {
  std::string model;
  ImageOptions images;
  LevelOptions levels;
  std::optional<std::int64_t> layer;  ///< empty: the last
  std::optional<std::int64_t> head;   ///< empty: all
  std::string answers;  ///< file of solutions of the layer before; empty: compute them
};

/// Predicts the cost of posing and solving the problems of a data set from a sample.
struct Plan {
  std::int64_t examples = 0;
  std::int64_t sample = 0;  ///< examples posed and solved
  std::int64_t qubos = 0;
  int variables = 0;                ///< of the largest problem in the sample
  std::int64_t problem_bytes = 0;   ///< length of the stream of problems
  std::int64_t solution_bytes = 0;  ///< length of the stream of solutions
  double posing_s = 0.0;            ///< on one core
  double solving_s = 0.0;           ///< on one core, by the default solver

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;
};

/// Writes a stream of the problems that a model poses.
class ProblemStream {
 public:
  /// Throws InputError if the model lacks the layer or head, or poses no problems.
  /// Throws UsageError for answers if there is no previous layer.
  explicit ProblemStream(PosingOptions options);

  /// Predicts the cost of writing and solving the stream.
  [[nodiscard]] Plan plan(Context& context) const;

  /// Poses and writes problems.  If interrupted, marks the stream incomplete.
  void write(io::Output& output, Context& context);

  /// Summarises the written stream.
  [[nodiscard]] std::string summary_text() const;
  [[nodiscard]] std::string summary_json() const;

 private:
  struct Posed;

  [[nodiscard]] bool has_levels() const;
  [[nodiscard]] Poser make_poser() const;
  void write_head(io::StreamWriter& writer, const std::string& history) const;
  [[nodiscard]] Posed with_levels(std::vector<qubo::Problem> heads) const;
  void write_posed(const Posed& posed, io::StreamWriter& writer);

  PosingOptions options_;
  LoadedModel posed_;
  int layer_ = 0;
  std::optional<int> head_;
  std::int64_t examples_ = 0;
  std::int64_t qubos_ = 0;
  int variables_ = 0;  // variables of the largest problem
  bool complete_ = false;
  PenaltyCheck penalties_;
};

}  // namespace oa::app
