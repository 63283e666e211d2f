#pragma once

#include "app/context.h"
#include "oa/cim/simulator.h"
#include "oa/io/bytes/output.h"

#include <string>
#include <vector>

namespace oa::app {

struct SimulationOptions {
  std::string archive = "-";
  std::string format = "qubo";
  cim::SimulatorSettings settings;
};

/// The matrices in an archive or a folder, in the order of their numbers.
[[nodiscard]] std::vector<cim::UploadedTask> read_upload(
    const SimulationOptions& options, const Context& context);

/// Files of the results of a task: name and content.
using ResultBytes = std::vector<std::pair<std::string, std::string>>;

/// Solves all tasks and writes what the site would return into `folder`.
void simulate(const SimulationOptions& options,
              const Common& common,
              const std::vector<cim::UploadedTask>& tasks,
              const io::OutputFolder& folder,
              Context& context);

}  // namespace oa::app
