#pragma once

#include "cli/cli.h"
#include "oa/cim/simulator.h"
#include "oa/io/bytes/output.h"

#include <string>
#include <vector>

namespace oa::cli {

struct PracticeOptions {
  std::string archive = "-";
  std::string format = "qubo";
  cim::PracticeSettings settings;
};

void add_practice(App& app, PracticeOptions& options);

/// The matrices in an archive or a folder, in the order of their numbers.
[[nodiscard]] std::vector<cim::UploadedTask> read_upload(const PracticeOptions& options,
                                                         const Context& context);

/// Files of the results of a task: name and content.
using ResultBytes = std::vector<std::pair<std::string, std::string>>;

/// Solves all tasks and writes what the site would return into `folder`.
void practise(const PracticeOptions& options,
              const Common& common,
              const std::vector<cim::UploadedTask>& tasks,
              const io::OutputFolder& folder,
              Context& context);

}  // namespace oa::cli
