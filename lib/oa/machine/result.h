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
  Bits x;  ///< bits: 1 is spin +1

  bool operator==(const Shot&) const = default;
};

/// Packs millions of solutions of one length into little memory.
class PackedShots {
 public:
  PackedShots() = default;
  explicit PackedShots(const std::vector<Shot>& shots);

  [[nodiscard]] std::int64_t size() const { return count_; }
  /// Returns solution k.
  [[nodiscard]] Bits x(std::int64_t k) const;
  [[nodiscard]] bool operator==(const PackedShots& other) const;

 private:
  [[nodiscard]] std::size_t bytes() const;

  std::unique_ptr<std::uint8_t[]> bytes_;  // of each solution: energy, bits
  std::int32_t count_ = 0;
  std::int32_t variables_ = 0;
};

/// The fields of a report besides its solutions; empty if absent.
struct Report {
  std::string status;
  std::string created;
  std::string finished;
  std::string name;  ///< task number on the vendor's site
  std::string id;
  std::string machine;
  std::string file;  ///< name of the matrix file
  std::optional<double> run_ms;

  [[nodiscard]] bool succeeded() const { return status == "\xe6\x88\x90\xe5\x8a\x9f"; }
};

/// A report, stored compactly.
class Run {
 public:
  explicit Run(const Report& report);

  [[nodiscard]] std::string_view id() const { return part(0); }
  [[nodiscard]] std::string_view machine() const { return part(1); }
  [[nodiscard]] std::string_view created() const { return part(2); }
  [[nodiscard]] std::string_view finished() const { return part(3); }
  [[nodiscard]] std::optional<double> run_ms() const;
  /// Seconds between creation and end, if both times are known.
  [[nodiscard]] std::optional<double> queue_s() const;
  /// True if both reports describe one run: equal ids or, without ids, equal times.
  [[nodiscard]] bool same_run(const Run& other) const;

 private:
  [[nodiscard]] std::string_view part(std::size_t k) const;

  std::unique_ptr<char[]> parts_;  // each part ends with a 0
  double run_ms_;                  // NaN if unknown
};

/// The content of a result file.  A log has solutions only;
/// a report also describes the run; an array has rows of spins without energies.
struct Returned {
  std::string path;
  std::vector<Shot> shots;
  std::optional<Report> report;
  std::vector<Bits> rows = {};
};

/// A task by its number,
/// or by its place (from 1) in an upload of tasks `number` to `last`.
struct NamedTask {
  std::int64_t number = 0;
  std::int64_t place = 0;  ///< 0: `number` names the task
  std::int64_t last = 0;

  bool operator==(const NamedTask&) const = default;
};

/// Returns the task that a file name denotes:
/// matrix "12.csv", fifth task of an upload of tasks 20 to 39 "Name20-39_05",
/// or `own` with a number, "<own>12".  Ignores folders and suffixes of results.
[[nodiscard]] std::optional<NamedTask> task_named(std::string_view name,
                                                  std::string_view own);

/// Seconds since 1970 of "2025-06-16 14:27:43", taken as UTC.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);

}  // namespace oa::machine
