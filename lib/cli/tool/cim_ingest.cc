#include "cli/tool/cim_ingest.h"

#include <optional>
#include <utility>

namespace oa::cli {
void declare(App& app, CimIngestOptions& o) {
  app.add_option(
      "FILE", o.ingest.files, "Manifest, then results: files, folders or archives");
  app.add_option("--matrices DIR",
                 o.ingest.matrices,
                 "Matrices 0.csv, 1.csv, ... instead of a manifest")
      ->default_str("none");
  app.add_option(
         "--missing HOW", o.ingest.missing, "What to do with tasks without a result")
      ->check(one_of(names_of<cim::Missing>()));
  app.add_option("--choose WHOSE",
                 o.ingest.choose,
                 "Energy that decides the best solution of a task")
      ->check(one_of(names_of<cim::Choose>()));
  app.add_option("--top K", o.ingest.top, "Keep the K best distinct solutions")
      ->check(between(1, 10000));
  auto* rename = app.add_option("--rename-to DIR",
                                o.ingest.rename_to,
                                "Copy results to DIR, named by task")
                     ->default_str("none");
  app.add_flag("--dry-run", o.ingest.dry_run, "Only list what would be copied")
      ->needs(rename);
  app.add_flag(
      "--tasks", o.ingest.tasks, "Print one line for each task instead of solutions");
  add_output(app, o.common, "Write the solutions to this file");
  add_verbose(app, o.common, "List every result with a wrong name");
  add_json_summary(app, o.common);
  add_threads(app, o.common);
}

app::Exit work(const CimIngestOptions& o,
               app::Context& context,
               app::PdfText pdf_text) {
  app::Ingestion ingestion(o.ingest, context, std::move(pdf_text));
  // Renaming or listing results needs no output for solutions.
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

}  // namespace oa::cli
