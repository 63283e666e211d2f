#pragma once

#include "oa/machine/result.h"
#include "oa/machine/submission.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace oa::cim {

/// What came back for a task: solutions, and what a report says of them.
struct TaskResult {
  std::vector<machine::Shot> shots;  ///< x of the task's variables
  std::optional<machine::Report> report;
  bool logged = false;  ///< a log has been seen, too
  bool proved = false;  ///< by its energies; else its name alone says whose it is
};

/// What became of a result file.
struct Match {
  enum class Kind : std::uint8_t {
    New,        ///< the first that its task has
    Same,       ///< the report of a log that was there already, or the reverse
    Duplicate,  ///< of a task that has a result
    Failed,     ///< a report without success, mapped by name
    Refuted,    ///< fits no task
    Ambiguous,  ///< its energies prove no task, and its name speaks of none
  };
  Kind kind = Kind::Refuted;
  std::int64_t task = -1;
  std::string remark;  ///< what a person should know
};

/// A result whose name speaks of another task than its energies prove.
struct WrongName {
  std::string path;
  std::int64_t said = 0;
  std::int64_t proved = 0;
};

/// Maps results to tasks by proof: all energies returned are those that the submitted
/// matrix has for the solutions returned, and another matrix has not.  Names only say
/// which task is tried first; they decide where energies prove nothing, as that of x =
/// 0 does.  Tasks with equal matrices are interchangeable, and get results in turn.
class Matcher {
 public:
  /// Keeps a reference.
  explicit Matcher(const machine::Submission& submission);

  Match add(machine::Returned returned);

  /// Of task number t, in the order of machine::Submission::tasks.
  [[nodiscard]] const std::vector<TaskResult>& results(std::size_t t) const {
    return results_[t];
  }
  [[nodiscard]] bool failed(std::size_t t) const { return failed_[t]; }
  /// Known when all results are: what a place in an upload means depends on the others.
  [[nodiscard]] std::vector<WrongName> wrong_names() const;
  [[nodiscard]] std::int64_t energies_verified() const { return energies_; }

 private:
  struct Claim;
  struct Place;
  using Shots = std::vector<machine::Shot>;
  [[nodiscard]] std::optional<Claim> named(const machine::Returned& returned) const;
  [[nodiscard]] bool possible(const Claim& claim, std::size_t t) const;
  [[nodiscard]] bool same(std::size_t a, std::size_t b) const;
  void note_name(const Claim& claim, std::size_t task, const std::string& path);
  [[nodiscard]] bool taken(std::size_t t, const Shots& shots, bool is_report) const;
  bool fits(std::size_t t, const Shots& shots);
  bool fits_another(std::size_t t, const Shots& shots);
  [[nodiscard]] bool says_something(const Shots& shots) const;
  [[nodiscard]] std::size_t choose_equal(std::size_t t,
                                         const Shots& shots,
                                         const std::optional<Claim>& claim,
                                         bool is_report) const;
  Place place(const Shots& shots, const std::optional<Claim>& claim, bool is_report);
  Match take(const Place& place, const machine::Returned& returned, Shots shots);
  Match failure(const machine::Returned& returned);

  const machine::Submission& submission_;
  std::unordered_map<int, std::vector<std::size_t>> by_size_;
  std::vector<std::vector<TaskResult>> results_;
  std::vector<bool> failed_;
  /// A name that speaks of another task, unless its upload did not hold all.
  struct Doubt {
    std::string path;
    std::string upload;  ///< empty: it is wrong
    std::size_t said;
    std::size_t proved;
  };
  std::vector<Doubt> doubts_;
  /// Of each upload that names speak of: places, and the tasks proved.
  std::map<std::string, std::vector<std::pair<std::int64_t, std::size_t>>> uploads_;
  std::vector<int> ones_;
  std::int64_t energies_ = 0;
};

}  // namespace oa::cim
