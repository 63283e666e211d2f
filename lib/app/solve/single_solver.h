#pragma once

#include "app/solve/claims.h"
#include "app/solve/single.h"
#include "app/solve/single_problems.h"
#include "app/solve/solve_single.h"
#include "oa/base/stopwatch.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/bytes/output.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// Solves single problems, writes a line of JSON for each, and counts the results.
class SingleSolver {
 public:
  SingleSolver(const SolveTask& task,
               const SingleOptions& options,
               io::Output& output,
               Context& context);

  /// Solves problem number k, which may be the only one, or leaves it out with a
  /// message.
  void solve(const SingleProblem& problem, std::size_t k, bool only);

  /// Ends the file of samples and prints the summary.
  void finish();

  [[nodiscard]] const Claims& starts() const { return starts_; }
  [[nodiscard]] int solved() const { return solved_; }
  /// All targets were reached and all constraints hold.
  [[nodiscard]] bool satisfied() const { return feasible_ && missed_ == 0; }

 private:
  void say(const SingleProblem& p, const solve::Stage& stage);
  void count(const SingleProblem& p, const SingleResult& result);
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] std::string target_text() const;
  [[nodiscard]] std::string constraints_text() const;

  const SolveTask& task_;
  const SingleOptions& o_;
  io::Output& output_;
  Context& context_;
  Claims starts_;
  std::optional<io::LogFile> trace_;
  std::optional<io::Output> samples_;
  std::optional<io::Output> solution_;
  int solved_ = 0;
  int proved_ = 0;
  double seconds_ = 0.0;   // solving time of all problems
  Stopwatch since_begin_;  // with reading and writing
  bool feasible_ = true;
  int missed_ = 0;  // targets
  std::int64_t constraints_ = 0;
  std::int64_t penalties_ = 0;  // constraints that became penalties
};

}  // namespace oa::app
