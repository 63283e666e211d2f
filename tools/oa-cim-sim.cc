// oa-cim-sim: a coherent Ising machine to practise on.  See oa-cim-sim(1).
#include "cli/cli.h"
#include "cli/practice.h"

namespace oa {
namespace {

struct Options {
  cli::Common common;
  cli::PracticeOptions practice;
};

void declare(cli::App& app, Options& o) {
  cli::add_practice(app, o.practice);
  o.common.output.clear();  // no default
  cli::add_output(app, o.common, "Folder for the results")
      ->type_name("DIR")
      ->required();
  cli::add_seed(app, o.common);
  cli::add_threads(app, o.common);
}

cli::Exit work(const Options& o, cli::Context& context) {
  const auto tasks = cli::read_upload(o.practice, context);
  io::OutputFolder folder(o.common.output);
  cli::practise(o.practice, o.common, tasks, folder, context);
  folder.commit();
  return context.status(true);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-cim-sim", "Returns what the site of a coherent Ising machine would."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
