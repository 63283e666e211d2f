#pragma once

#include "oa/machine/result.h"
#include "oa/machine/submission.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace oa::cim {

/// Runs of a task with equal solutions.  A run has a report, a log, or both.
/// Reports distinguish runs; logs do not, so equal logs are copies.
/// In an array, each row is a run.
struct TaskResult {
  machine::PackedShots shots;         ///< x of the task's variables
  std::vector<std::int32_t> times;    ///< of an array: runs for each solution
  std::vector<machine::Run> reports;  ///< one a run
  std::int32_t report_files = 0;
  std::int32_t log_files = 0;
  bool proved = false;  ///< identified by energies, not only by name

  [[nodiscard]] bool array() const { return !times.empty(); }
  [[nodiscard]] std::int64_t runs() const {
    return array() ? std::accumulate(times.begin(), times.end(), std::int64_t{0})
                   : std::max<std::int64_t>(1, std::ssize(reports));
  }
  /// The number of files that are identical to other files.
  [[nodiscard]] std::int64_t copies() const {
    return array() ? log_files - 1
                   : report_files - std::ssize(reports) +
                         std::max<std::int64_t>(0, log_files - runs());
  }
  /// True if a file with equal solutions adds no run:
  /// a report completes a log's run, or is already known.  `report` is null for a log.
  [[nodiscard]] bool awaits(const machine::Run* report) const;
};

/// Reads matrices of a submission and caches the last matrices.
class Matrices {
 public:
  /// Borrows the submission.
  explicit Matrices(const machine::Submission& submission) : submission_(submission) {}

  /// Reads a block's matrix.  The reference is valid until the next call.
  const machine::TaskMatrix& get(const machine::SubmittedBlock& block);
  /// Returns the energy of x in the task.  If `keep`, caches the matrix.
  double energy(const machine::Task& task, std::span<const std::uint8_t> x, bool keep);

 private:
  const machine::Submission& submission_;
  std::unordered_map<std::uint64_t, machine::TaskMatrix> kept_;  // by file position
  std::size_t cells_ = 0;                                        // cells in kept_
  std::vector<int> ones_;
};

/// The outcome for a result file.
struct Match {
  enum class Kind : std::uint8_t {
    New,        ///< the first result of its task
    More,       ///< its task has one: the other half of a run, another run, a copy
    Failed,     ///< a failure report, matched by name
    Refuted,    ///< fits no task
    Ambiguous,  ///< fits several tasks, named by none
  };
  Kind kind = Kind::Refuted;
  std::int64_t task = -1;
  std::string remark;  ///< message for the user
};

/// A result file whose name contradicts its energies.
struct WrongName {
  std::string path;
  std::int64_t named = 0;
  std::int64_t proved = 0;
};

/// Matches results to tasks with proof: in the submitted matrix, and in no other
/// matrix, all returned solutions have the returned energies.  A name only decides
/// which task is tried first, or the task if energies prove nothing, as for x = 0.
/// Tasks with equal matrices take results in turn.  Arrays have no energies:
/// their name decides, or their width if only one task has this width.
class Matcher {
 public:
  /// Borrows `submission`, which must not change.
  explicit Matcher(const machine::Submission& submission);

  Match add_result(machine::Returned returned);

  /// The results of task t, an index of machine::Submission::tasks.
  [[nodiscard]] const std::vector<TaskResult>& results(std::size_t t) const {
    return results_[t];
  }
  [[nodiscard]] bool failed(std::size_t t) const { return failed_[t]; }
  /// Call this after the last result: names are judged by the results of all tasks.
  [[nodiscard]] std::vector<WrongName> wrong_names() const;
  [[nodiscard]] std::int64_t energies_verified() const;

 private:
  struct Claim;
  struct Place;
  using Shots = std::vector<machine::Shot>;
  [[nodiscard]] std::optional<Claim> named(const machine::Returned& returned) const;
  [[nodiscard]] bool possible(const Claim& claim, std::size_t t) const;
  [[nodiscard]] bool same(std::size_t a, std::size_t b) const;
  void note_name(const Claim& claim, std::size_t task, const std::string& path);
  [[nodiscard]] bool taken(std::size_t t,
                           const machine::PackedShots& shots,
                           const machine::Run* report) const;
  bool fits(std::size_t t, std::span<const machine::Shot> shots, bool keep = true);
  bool fits_another(std::size_t t, const Shots& shots);
  [[nodiscard]] bool says_something(const Shots& shots) const;
  [[nodiscard]] std::size_t choose_equal(std::size_t t,
                                         const Shots& shots,
                                         const std::optional<Claim>& claim,
                                         const machine::Run* report) const;
  Place place(const Shots& shots,
              const std::optional<Claim>& claim,
              const machine::Run* report);
  Match assign(const Place& place,
               const Shots& shots,
               std::optional<machine::Run> report);
  Match refuted(const Shots& shots, const std::optional<Claim>& claim);
  Match failure(const machine::Returned& returned);
  Match add_rows(const machine::Returned& returned);
  [[nodiscard]] std::vector<std::size_t> tasks_of(std::size_t spins) const;
  void assign_rows(std::size_t t, std::vector<machine::Bits> rows);

  const machine::Submission& submission_;
  std::unordered_map<int, std::vector<std::size_t>> by_size_;
  std::vector<std::vector<TaskResult>> results_;
  std::vector<bool> failed_;
  /// A name that points to another task.  The name is right if the upload lacks tasks.
  struct Doubt {
    std::string path;
    std::string upload;  ///< empty: the name is wrong
    std::size_t named;
    std::size_t proved;
  };
  std::vector<Doubt> doubts_;
  /// The places of each named upload with the tasks proved for them.
  std::map<std::string, std::vector<std::pair<std::int64_t, std::size_t>>> uploads_;
  Matrices matrices_;
};

}  // namespace oa::cim
