#pragma once

#include "cli/cim_options.h"

#include <string>
#include <vector>

namespace oa::cli {

/// Options of oa-cim-pack.
struct CimPackOptions {
  app::Common common;
  std::vector<std::string> files;
  PackOptions pack;
};

void declare(App& app, CimPackOptions& options);
[[nodiscard]] app::Exit work(const CimPackOptions& options, app::Context& context);

}  // namespace oa::cli
