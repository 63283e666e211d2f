#pragma once

#include "app/solve/reading.h"
#include "app/solve/single.h"
#include "app/solve/solving.h"
#include "oa/base/stopwatch.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/bytes/output.h"
#include "oa/io/quadratic/samples.h"
#include "oa/solve/method/stage.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// Writes results of single problems:
/// JSON lines, the files named in the options, and a summary.
class ResultWriter {
 public:
  ResultWriter(const SolveTask& task,
               const SingleOptions& options,
               io::Output& output,
               Context& context);

  /// Sets callbacks in `one` that write while a problem is solved.
  /// Call this just before solving: it starts the clock.
  void follow(const SingleProblem& p, SingleTask& one);
  void write(const SingleProblem& p,
             const std::string& fingerprint,
             SingleResult result);

  /// Ends the files and prints the summary.
  void finish();

  [[nodiscard]] int solved() const { return solved_; }
  /// True if all targets were reached and all constraints hold.
  [[nodiscard]] bool satisfied() const { return feasible_ && missed_ == 0; }

 private:
  [[nodiscard]] double seconds() const;
  void say(const SingleProblem& p, const solve::Stage& stage);
  void write_files(const SingleProblem& p, const io::ResultLine& line);
  void count(const SingleProblem& p, const SingleResult& result);
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] std::string target_text() const;
  [[nodiscard]] std::string constraints_text() const;

  const SolveTask& task_;
  const SingleOptions& o_;
  io::Output& output_;
  Context& context_;
  std::optional<io::LogFile> trace_;
  std::optional<io::Output> samples_;
  std::optional<io::Output> solution_;
  Stopwatch since_follow_;
  io::Samples states_;  // final states of the reads
  int solved_ = 0;
  int proved_ = 0;
  double seconds_ = 0.0;   // solving time of all problems
  Stopwatch since_begin_;  // includes reading and writing
  bool feasible_ = true;
  int missed_ = 0;  // targets that were not reached
  std::int64_t constraints_ = 0;
  std::int64_t penalties_ = 0;  // constraints that became penalties
};

}  // namespace oa::app
