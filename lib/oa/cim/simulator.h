#pragma once

#include "oa/base/rng.h"
#include "oa/machine/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::cim {

/// The number of tasks with each fault.
struct Faults {
  int drop = 0;       ///< no result
  int duplicate = 0;  ///< two results of different runs
  int corrupt = 0;    ///< a wrong energy in the log and a truncated report
  int fail = 0;       ///< a failure report and no log
  bool shuffle_names = false;

  [[nodiscard]] int tasks() const { return drop + duplicate + corrupt + fail; }
};

struct SimulatorSettings {
  int shots = 10;   ///< maximum of distinct solutions of a run
  int reads = 128;  ///< reads of the simulator
  bool ising = false;
  Faults faults;
};

/// A matrix as uploaded.
struct UploadedTask {
  std::int64_t number = 0;
  machine::TaskMatrix q;  ///< Ising: sums of cells (i,k) and (k,i)
};

/// A deliberate fault in a result.
enum class Fault : std::uint8_t { None, Drop, Duplicate, Corrupt, Fail };

/// Draws which of `tasks` tasks get a fault, at most one fault each.
[[nodiscard]] std::vector<Fault> draw_faults(const Faults& faults, int tasks, Rng rng);

/// Simulates a run: distinct solutions, lowest energy first, in the machine's format.
/// An Ising matrix gets spins, the shared spin last.
/// The solver cim-control treats connected components separately.
[[nodiscard]] std::vector<machine::Shot> simulate_machine(
    const UploadedTask& task, const SimulatorSettings& settings, const Rng& rng);

/// A simulated result: a log and a report, or a report alone.
struct SimulatedResult {
  std::string name;  ///< name of the files, without suffix
  machine::Report report;
  std::vector<machine::Shot> shots;
  bool log = true;
  bool broken_report = false;
};

/// The results (none, one or two) of a task with `fault`,
/// at `place` (from 1) of the upload.  Times are random numbers, not from a clock.
[[nodiscard]] std::vector<SimulatedResult> simulated_results(
    const UploadedTask& task,
    const SimulatorSettings& settings,
    const std::string& upload,
    int place,
    Fault fault,
    const Rng& rng);

/// The site's name for a result at `place` of an upload, "Name0-19_07".
[[nodiscard]] std::string result_name(const std::string& upload, int place);

/// "Name0-19" for an archive Name0-19.tar.gz, or for NAME.tar.gz with tasks 0 to 19.
[[nodiscard]] std::string upload_name(std::string_view archive,
                                      const std::vector<UploadedTask>& tasks);

}  // namespace oa::cim
