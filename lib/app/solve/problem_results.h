#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/quadratic/result_line.h"

#include <cstddef>
#include <string>
#include <vector>

namespace oa::app {

/// Energies of other programs may differ by so much, relatively; ours are rounded once.
inline constexpr double kSameEnergy = 1e-9;

/// A result, and which of the files it is from, from 0.
struct FileResult : io::TimedResult {
  std::size_t source = 0;

  /// Its x satisfies all constraints and is as good as `target`.
  [[nodiscard]] bool reaches(double target) const;
};

/// All results of one problem, in the order in which they were read.
struct ProblemResults {
  std::vector<FileResult> results;  ///< at least one

  /// The path in the first result: what the problem is called.
  [[nodiscard]] const std::string& name() const { return results.front().file; }
  [[nodiscard]] qubo::Sense sense() const { return results.front().sense; }
  /// Empty if no result has one.
  [[nodiscard]] std::string fingerprint() const;
  /// The result with the best energy; of several one that is proved, then the one with
  /// the tightest bound, then the first.
  [[nodiscard]] const FileResult& best() const;
};

/// Puts the results of files together by problem.  Results are of one problem if they
/// have the same fingerprint.  A result without one is told by its path.
class ResultsByProblem {
 public:
  /// Reads the next file.
  void read(io::Input& input);

  /// The problems, in the order of their first results.  Throws InputError if results
  /// of a problem differ in sense or contradict a bound, and if a result without a
  /// fingerprint has the path of several problems.
  [[nodiscard]] std::vector<ProblemResults> take();

 private:
  std::vector<FileResult> all_;
  std::size_t files_ = 0;
};

}  // namespace oa::app
