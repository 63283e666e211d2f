#pragma once

#include "oa/cim/result.h"
#include "oa/cim/submission.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace oa::cim {

/// What came back for a task: solutions, and what a report says of them.
struct TaskResult {
  std::vector<Shot> shots;  ///< x of the task's variables
  std::optional<Report> report;
  bool logged = false;  ///< a log has been seen, too
};

/// What became of a result file.
struct Match {
  enum class Kind : std::uint8_t {
    New,        ///< the first that its task has
    Same,       ///< the report of a log that was there already, or the reverse
    Duplicate,  ///< of a task that has a result
    Failed,     ///< a report without success, mapped by name
    Refuted,    ///< fits no task
  };
  Kind kind = Kind::Refuted;
  std::int64_t task = -1;
  std::string remark;  ///< where names contradict the proof, or why nothing fits
};

/// Maps results to tasks by proof: all energies returned are those that the submitted
/// matrix has for the solutions returned.  Names only say which task is tried first.
/// Tasks with equal matrices are interchangeable, and get results in turn.
class Matcher {
 public:
  /// Keeps a reference.
  explicit Matcher(const Submission& submission);

  Match add(Returned returned);

  /// Of task number t, in the order of Submission::tasks.
  [[nodiscard]] const std::vector<TaskResult>& results(std::size_t t) const {
    return results_[t];
  }
  [[nodiscard]] bool failed(std::size_t t) const { return failed_[t]; }
  [[nodiscard]] std::int64_t energies_verified() const { return energies_; }

 private:
  struct Fit;
  [[nodiscard]] std::optional<std::size_t> named(const Returned& returned) const;
  bool fits(std::size_t t, const std::vector<Shot>& shots, std::vector<Shot>& fitted);
  Match take(std::size_t t, const Returned& returned, std::vector<Shot> fitted);
  Match failure(const Returned& returned);

  const Submission& submission_;
  std::unordered_map<int, std::vector<std::size_t>> by_size_;
  std::vector<std::vector<TaskResult>> results_;
  std::vector<bool> failed_;
  std::vector<int> ones_;
  std::int64_t energies_ = 0;
};

}  // namespace oa::cim
