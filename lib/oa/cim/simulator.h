#pragma once

#include "oa/base/rng.h"
#include "oa/machine/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::cim {

/// The number of tasks that get each fault.
struct Faults {
  int drop = 0;       ///< no result
  int duplicate = 0;  ///< two results of different runs
  int corrupt = 0;    ///< a wrong energy in the log, a truncated report
  int fail = 0;       ///< a report of failure and no log
  bool shuffle_names = false;

  [[nodiscard]] int tasks() const { return drop + duplicate + corrupt + fail; }
};

struct SimulatorSettings {
  int shots = 10;   ///< largest number of distinct solutions of a run
  int reads = 128;  ///< of the simulator
  bool ising = false;
  Faults faults;
};

/// A matrix as it was uploaded.
struct UploadedTask {
  std::int64_t number = 0;
  machine::TaskMatrix q;  ///< for an Ising matrix: sums of cells (i,k) and (k,i)
};

/// A deliberate fault of a result.
enum class Fault : std::uint8_t { None, Drop, Duplicate, Corrupt, Fail };

/// One fault each for `tasks` tasks, drawn at random.
[[nodiscard]] std::vector<Fault> draw_faults(const Faults& faults, int tasks, Rng rng);

/// One run of a task: distinct solutions, lowest energy first, in the machine's form:
/// for an Ising matrix spins, the shared one last.  Solves connected components
/// separately by the solver cim-control.
[[nodiscard]] std::vector<machine::Shot> simulate_machine(
    const UploadedTask& task, const SimulatorSettings& settings, const Rng& rng);

/// A result: a log and a report, or only a report.
struct SimulatedResult {
  std::string name;  ///< of its files, without suffix
  machine::Report report;
  std::vector<machine::Shot> shots;
  bool log = true;
  bool broken_report = false;
};

/// The results of a task with that fault: none, one or two.  `place` is its place in
/// the upload, from 1.  Times are random numbers; no clock is read.
[[nodiscard]] std::vector<SimulatedResult> simulated_results(
    const UploadedTask& task,
    const SimulatorSettings& settings,
    const std::string& upload,
    int place,
    Fault fault,
    const Rng& rng);

/// "Name0-19_07": the site's name for the result at that place of an upload.
[[nodiscard]] std::string result_name(const std::string& upload, int place);

/// "Name0-19" of an archive Name0-19.tar.gz, or of NAME.tar.gz that holds these tasks.
[[nodiscard]] std::string upload_name(std::string_view archive,
                                      const std::vector<UploadedTask>& tasks);

}  // namespace oa::cim
