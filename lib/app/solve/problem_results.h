#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/quadratic/result_line.h"

#include <cstddef>
#include <string>
#include <vector>

namespace oa::app {

/// Relative tolerance when comparing energies of other programs.
inline constexpr double kSameEnergy = 1e-9;

/// A result, and the index of its file.
struct FileResult : io::TimedResult {
  std::size_t source = 0;

  /// True if x is feasible and as good as `target`.
  [[nodiscard]] bool reaches(double target) const;
};

/// All results of one problem, in the order of reading.
struct ProblemResults {
  std::vector<FileResult> results;  ///< at least one

  /// The problem's name: the path in its first result.
  [[nodiscard]] const std::string& name() const { return results.front().file; }
  [[nodiscard]] qubo::Sense sense() const { return results.front().sense; }
  /// The problem's fingerprint; empty if no result has one.
  [[nodiscard]] std::string fingerprint() const;
  /// The result with the best energy.  Among equal energies a proved result comes
  /// first, then the tightest bound, then the first result.
  [[nodiscard]] const FileResult& best() const;
};

/// Groups the results of files by problem: by fingerprint, or by path if there is none.
class ResultsByProblem {
 public:
  /// Reads the next file.
  void read(io::Input& input);

  /// Returns the problems in the order of their first results.  Throws InputError if a
  /// problem's results differ in sense or contradict a bound, or if a path without
  /// fingerprint fits several problems.
  [[nodiscard]] std::vector<ProblemResults> take();

 private:
  std::vector<FileResult> all_;
  std::size_t files_ = 0;
};

}  // namespace oa::app
