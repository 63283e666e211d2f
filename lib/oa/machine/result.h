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

/// A solution that a machine returned, with the energy that the machine gave for it.
struct Shot {
  double energy = 0.0;
  Bits x;  ///< spins: 1 for +1

  bool operator==(const Shot&) const = default;
};

/// Solutions of one length in little memory: there may be millions.
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

  std::unique_ptr<std::uint8_t[]> bytes_;  // of each its energy, then its bits
  std::int32_t count_ = 0;
  std::int32_t variables_ = 0;
};

/// What a report says besides its solutions.  A field is empty if the report lacks it.
struct Report {
  std::string status;
  std::string created;
  std::string finished;
  std::string name;  ///< of the task, as the site numbers it
  std::string id;
  std::string machine;
  std::string file;  ///< name of the matrix
  std::optional<double> run_ms;

  [[nodiscard]] bool succeeded() const { return status == "\xe6\x88\x90\xe5\x8a\x9f"; }
};

/// What is kept of a report, in little memory.
class Run {
 public:
  explicit Run(const Report& report);

  [[nodiscard]] std::string_view id() const { return part(0); }
  [[nodiscard]] std::string_view machine() const { return part(1); }
  [[nodiscard]] std::string_view created() const { return part(2); }
  [[nodiscard]] std::string_view finished() const { return part(3); }
  [[nodiscard]] std::optional<double> run_ms() const;
  /// From created to finished, where both are known.
  [[nodiscard]] std::optional<double> queue_s() const;
  /// Whether both reports are of the same run: by their ids, else by their times.
  [[nodiscard]] bool same_run(const Run& other) const;

 private:
  [[nodiscard]] std::string_view part(std::size_t k) const;

  std::unique_ptr<char[]> parts_;  // a 0 behind each
  double run_ms_;                  // NaN: not known
};

/// A result file: a log has solutions only, a report describes the run as well.
struct Returned {
  std::string path;
  std::vector<Shot> shots;
  std::optional<Report> report;
};

/// The task that a name means: its number; or its place, counted from 1, in an upload
/// of the tasks `number` to `last`.
struct NamedTask {
  std::int64_t number = 0;
  std::int64_t place = 0;  ///< 0: `number` is the task itself
  std::int64_t last = 0;

  bool operator==(const NamedTask&) const = default;
};

/// The task that a name means: a matrix "12.csv", a file of an upload "Name20-39_05"
/// (the fifth of tasks 20 to 39), or "<own>12".  Folders and suffixes of results are
/// ignored.
[[nodiscard]] std::optional<NamedTask> task_named(std::string_view name,
                                                  std::string_view own);

/// Seconds since 1970 of "2025-06-16 14:27:43", as if in UTC.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);

}  // namespace oa::machine
