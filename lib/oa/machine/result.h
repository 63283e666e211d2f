#pragma once

#include "oa/machine/block.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::machine {

/// A solution and its energy, as the machine returned them.
struct Shot {
  double energy = 0.0;
  Bits x;  ///< spins: 1 for +1

  bool operator==(const Shot&) const = default;
};

/// Solutions of one length in little memory, for millions of them.
class PackedShots {
 public:
  PackedShots() = default;
  explicit PackedShots(const std::vector<Shot>& shots);

  [[nodiscard]] std::int64_t size() const { return count_; }
  /// The x of solution k.
  [[nodiscard]] Bits x(std::int64_t k) const;
  [[nodiscard]] bool operator==(const PackedShots& other) const;

 private:
  [[nodiscard]] std::size_t bytes() const;

  std::unique_ptr<std::uint8_t[]> bytes_;  // the energy of each, then its bits
  std::int32_t count_ = 0;
  std::int32_t variables_ = 0;
};

/// The fields of a report besides its solutions; empty if missing.
struct Report {
  std::string status;
  std::string created;
  std::string finished;
  std::string name;  ///< number of the task on the vendor's site
  std::string id;
  std::string machine;
  std::string file;  ///< name of the matrix
  std::optional<double> run_ms;

  [[nodiscard]] bool succeeded() const { return status == "\xe6\x88\x90\xe5\x8a\x9f"; }
};

/// A report in little memory.
class Run {
 public:
  explicit Run(const Report& report);

  [[nodiscard]] std::string_view id() const { return part(0); }
  [[nodiscard]] std::string_view machine() const { return part(1); }
  [[nodiscard]] std::string_view created() const { return part(2); }
  [[nodiscard]] std::string_view finished() const { return part(3); }
  [[nodiscard]] std::optional<double> run_ms() const;
  /// Seconds from created to finished, if both are known.
  [[nodiscard]] std::optional<double> queue_s() const;
  /// True if both reports describe one run: by their ids, or else by their times.
  [[nodiscard]] bool same_run(const Run& other) const;

 private:
  [[nodiscard]] std::string_view part(std::size_t k) const;

  std::unique_ptr<char[]> parts_;  // a 0 ends each
  double run_ms_;                  // NaN if unknown
};

/// A result file: a log has only solutions, a report also describes the run.  An array
/// has spins without energies instead, a row for each run.
struct Returned {
  std::string path;
  std::vector<Shot> shots;
  std::optional<Report> report;
  std::vector<Bits> rows = {};
};

/// A task by its number, or by its place, counted from 1, in an upload of the tasks
/// `number` to `last`.
struct NamedTask {
  std::int64_t number = 0;
  std::int64_t place = 0;  ///< 0: `number` is the task
  std::int64_t last = 0;

  bool operator==(const NamedTask&) const = default;
};

/// The task that a file's name denotes: a matrix "12.csv", a file of an upload
/// "Name20-39_05" (the fifth of tasks 20 to 39), or "<own>12".  Ignores folders and
/// suffixes of results.
[[nodiscard]] std::optional<NamedTask> task_named(std::string_view name,
                                                  std::string_view own);

/// Seconds since 1970 of "2025-06-16 14:27:43", taken as UTC.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);

}  // namespace oa::machine
