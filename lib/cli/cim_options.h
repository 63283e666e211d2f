#pragma once

#include "app/machine/pack.h"
#include "cli/cli.h"

#include <string>

namespace oa::cli {

/// Options for packing, as typed by the user.
struct PackOptions {
  std::string manifest;
  std::string machine;
  bool list_machines = false;
  std::string precision = field_text(cim::Precision::Auto);
  std::string format = field_text(io::TaskFormat::Qubo);
  bool no_fix = false;
  cim::PackSettings pack;
  io::UploadSettings uploads;
  app::ReadingOptions reading;
  std::string fix;
  bool force = false;
  bool compare = false;
};

void add_pack(App& app, PackOptions& options);

/// Makes a plan from the options.
/// Throws app::UsageError if options contradict each other.
[[nodiscard]] app::PackPlan plan_of(const PackOptions& options,
                                    const app::Common& common);

app::Exit list_machines(const app::Common& common);

}  // namespace oa::cli
