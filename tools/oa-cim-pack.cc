// oa-cim-pack: makes matrices for a coherent Ising machine.  See oa-cim-pack(1).
#include "app/machine/pack.h"
#include "cli/cim_options.h"
#include "cli/cli.h"

#include <string>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  std::vector<std::string> files;
  cli::PackOptions pack;
};

void declare(cli::App& app, Options& o) {
  cli::add_inputs(app, o.files, "Stream of problems, or files of single problems");
  cli::add_pack(app, o.pack);
  cli::add_output(app, o.common, "Write the archive (or folder) to this path");
  cli::add_json_summary(app, o.common);
  cli::add_threads(app, o.common);
}

app::Exit work(const Options& o, app::Context& context) {
  if (o.pack.list_machines) {
    return cli::list_machines(o.common);
  }
  return app::pack(o.files, cli::plan_of(o.pack, o.common), o.common, context);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-cim-pack", "Packs problems as matrices for a coherent Ising machine."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
