// oa-cim-sim: simulates a coherent Ising machine.  See oa-cim-sim(1).
#include "app/machine/simulate.h"
#include "cli/cli.h"

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::SimulationOptions simulation;
};

void declare(cli::App& app, Options& o) {
  cim::SimulatorSettings& s = o.simulation.settings;
  app.add_option(
         "ARCHIVE", o.simulation.archive, "Archive or folder that oa-cim-pack wrote")
      ->required();
  app.add_option("--format FORMAT", o.simulation.format, "Form of the matrices")
      ->default_str("as packed")
      ->check(cli::one_of({"qubo", "ising"}));
  app.add_option("--reads N", s.reads, "Attempts at each task")
      ->check(cli::between(1, 1'000'000));
  const auto fault = [&](const std::string& name, int& count, const char* what) {
    app.add_option(name + " N", count, what)->check(cli::between(0, 1'000'000));
  };
  fault("--drop", s.faults.drop, "Tasks without any result");
  fault("--duplicate", s.faults.duplicate, "Tasks with two results");
  fault("--corrupt", s.faults.corrupt, "Tasks with a wrong energy and a broken report");
  fault("--fail", s.faults.fail, "Tasks reported as failed");
  app.add_flag(
      "--shuffle-names", s.faults.shuffle_names, "Give the results wrong names");
  o.common.output.clear();  // no default
  cli::add_output(app, o.common, "Write the results to this folder")
      ->type_name("DIR")
      ->required();
  cli::add_seed(app, o.common);
  cli::add_threads(app, o.common);
}

app::Exit work(const Options& o, app::Context& context) {
  const app::Upload upload = app::read_upload(o.simulation, context);
  io::OutputFolder folder(o.common.output);
  app::simulate(o.simulation, upload, folder, context);
  folder.commit();
  return context.status(true);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-cim-sim",
       "Simulates a coherent Ising machine: writes results as its site returns them."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
