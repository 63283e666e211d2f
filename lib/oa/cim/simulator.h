#pragma once

#include "oa/base/rng.h"
#include "oa/machine/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oa::cim {

/// The number of tasks that get each fault.
struct Faults {
  int drop = 0;       ///< nothing comes back
  int duplicate = 0;  ///< comes back twice, the second time from another run
  int corrupt = 0;    ///< an energy of the log is wrong, the report is cut off
  int fail = 0;       ///< a report of failure, no log
  bool shuffle_names = false;

  [[nodiscard]] int tasks() const { return drop + duplicate + corrupt + fail; }
};

struct SimulatorSettings {
  int shots = 10;   ///< distinct solutions that a run returns, at most
  int reads = 128;  ///< of the simulator
  bool ising = false;
  Faults faults;
};

/// A matrix as it was uploaded.
struct UploadedTask {
  std::int64_t number = 0;
  machine::TaskMatrix q;  ///< of an Ising matrix: the sums of its cells (i,k) and (k,i)
};

/// What the simulator does wrong on purpose with a result.
enum class Fault : std::uint8_t { None, Drop, Duplicate, Corrupt, Fail };

/// One fault each for `tasks` tasks, drawn at random.
[[nodiscard]] std::vector<Fault> draw_faults(const Faults& faults, int tasks, Rng rng);

/// One run of a task: distinct solutions, lowest energy first, as the machine returns
/// them: for an Ising matrix as spins, the shared one last.  Parts of the matrix that
/// no coupling connects are solved separately, by the solver cim-control.
[[nodiscard]] std::vector<machine::Shot> simulate_machine(
    const UploadedTask& task, const SimulatorSettings& settings, const Rng& rng);

/// A result that comes back: a log and a report, or a report alone.
struct SimulatedResult {
  std::string name;  ///< of its files, without suffix
  machine::Report report;
  std::vector<machine::Shot> shots;
  bool log = true;
  bool broken_report = false;
};

/// What comes back for a task with that fault: nothing, one result or two.  `place` is
/// its place in the upload, counted from 1.  Times are random numbers; no clock is
/// read.
[[nodiscard]] std::vector<SimulatedResult> simulated_results(
    const UploadedTask& task,
    const SimulatorSettings& settings,
    const std::string& upload,
    int place,
    Fault fault,
    const Rng& rng);

/// "Name0-19_07": the site's name of the result in that place of an upload.
[[nodiscard]] std::string result_name(const std::string& upload, int place);

/// "Name0-19" of an archive Name0-19.tar.gz, or of NAME.tar.gz that holds these tasks.
[[nodiscard]] std::string upload_name(std::string_view archive,
                                      const std::vector<UploadedTask>& tasks);

}  // namespace oa::cim
