#pragma once

#include "app/pose/level_posing.h"
#include "app/pose/plan.h"
#include "app/pose/posing.h"
#include "oa/io/bytes/output.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// Which problems of which examples are posed.
struct PosingOptions {
  std::string model;
  ImageOptions images;
  LevelOptions levels;
  std::optional<std::int64_t> layer;  ///< empty: the last
  std::optional<std::int64_t> head;   ///< empty: all
  std::string answers;                ///< of the layer before; empty: its optima
};

/// A stream of the problems of a model.
class ProblemStream {
 public:
  /// Throws InputError where the model has no such layer or head, or none that poses
  /// problems; UsageError where answers are given and no layer is before.
  explicit ProblemStream(PosingOptions options);

  /// What writing and solving it would take.
  [[nodiscard]] Plan plan(Context& context) const;

  /// Poses and writes; ends early, with a mark, if interrupted.
  void write(io::Output& output, int threads, Context& context);

  /// Of what was written.
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
  AskedModel posed_;
  int layer_ = 0;
  std::optional<int> head_;
  std::int64_t examples_ = 0;
  std::int64_t qubos_ = 0;
  int variables_ = 0;  // of the largest problem
  bool complete_ = false;
  PenaltyCheck penalties_;
};

}  // namespace oa::app
