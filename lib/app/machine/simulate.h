#pragma once

#include "app/context.h"
#include "oa/cim/simulator.h"
#include "oa/io/bytes/output.h"

#include <string>
#include <vector>

namespace oa::app {

struct SimulationOptions {
  std::string archive = "-";
  std::string format;  ///< qubo or ising; empty: as in the manifest
  cim::SimulatorSettings settings;
};

/// The matrices in an archive or a folder.
struct Upload {
  std::vector<cim::UploadedTask> tasks;  ///< in the order of their numbers
  bool ising = false;
};

/// Reads an upload, whose form is that of the options, else of the manifest beside it,
/// else QUBO.  Throws UsageError if the matrices fit both forms and nothing decides.
[[nodiscard]] Upload read_upload(const SimulationOptions& options,
                                 const Context& context);

/// Names and contents of the files of a task's results.
using ResultBytes = std::vector<std::pair<std::string, std::string>>;

/// Solves all tasks and writes result files, like the vendor's site, into `folder`.
void simulate(const SimulationOptions& options,
              const Upload& upload,
              const io::OutputFolder& folder,
              Context& context);

}  // namespace oa::app
