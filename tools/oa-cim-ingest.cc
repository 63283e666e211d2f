// oa-cim-ingest: turns results of a coherent Ising machine into solutions.  See
// oa-cim-ingest(1).
#include "app/machine/ingest.h"
#include "cli/cli.h"
#include "oa/io/machine/pdf_process.h"

#include <optional>

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::IngestOptions ingest;
};

std::vector<std::string> names(const auto& all) {
  return {all.begin(), all.end()};
}

void declare(cli::App& app, Options& o) {
  app.add_option(
      "FILE", o.ingest.files, "Manifest, then results: files, folders or archives");
  app.add_option("--matrices",
                 o.ingest.matrices,
                 "Matrices 0.csv, 1.csv, ... instead of a manifest")
      ->type_name("DIR")
      ->default_str("none");
  app.add_option(
         "--missing", o.ingest.missing, "What to do with tasks without a result")
      ->type_name("HOW")
      ->check(cli::one_of(names(EnumNames<cim::Missing>::kAll)));
  app.add_option(
         "--choose", o.ingest.choose, "Energy that decides the best solution of a task")
      ->type_name("WHOSE")
      ->check(cli::one_of(names(EnumNames<cim::Choose>::kAll)));
  app.add_option("--top", o.ingest.top, "Keep the K best distinct solutions")
      ->type_name("K")
      ->check(cli::between(1, 10000));
  auto* rename =
      app.add_option(
             "--rename-to", o.ingest.rename_to, "Copy results to DIR, named by task")
          ->type_name("DIR")
          ->default_str("none");
  app.add_flag("--dry-run", o.ingest.dry_run, "Only list what would be copied")
      ->needs(rename);
  app.add_flag(
      "--tasks", o.ingest.tasks, "Print one line for each task instead of solutions");
  cli::add_output(app, o.common, "Write the solutions to this file");
  cli::add_verbose(app, o.common, "List every result with a wrong name");
  cli::add_json_summary(app, o.common);
  cli::add_threads(app, o.common);
}

app::Exit work(const Options& o, app::Context& context) {
  app::Ingestion ingestion(o.ingest, o.common, context, io::pdf_text_in_child);
  // Renaming or listing results writes no solutions without -o.
  std::optional<io::Output> output;
  const bool only = !o.ingest.rename_to.empty() || o.ingest.tasks;
  if (!only || o.common.output != "-") {
    output.emplace(ingestion.answers_are_lines() ? io::Output(o.common.output)
                                                 : app::binary_output(o.common));
  }
  ingestion.read_results();
  ingestion.write(output ? &*output : nullptr);
  ingestion.report();
  return ingestion.status();
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-cim-ingest",
       "Verifies results of a coherent Ising machine and converts them to solutions.",
       oa::io::start_pdf_process},
      argc,
      argv,
      oa::declare,
      oa::work);
}
