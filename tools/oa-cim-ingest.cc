// oa-cim-ingest: what a coherent Ising machine returned, as solutions.  See
// oa-cim-ingest(1).
#include "cli/cli.h"
#include "cli/ingest.h"
#include "oa/io/machine/pdf_process.h"

#include <optional>

namespace oa {
namespace {

struct Options {
  cli::Common common;
  cli::IngestOptions ingest;
};

void declare(cli::App& app, Options& o) {
  cli::add_ingest(app, o.ingest);
  cli::add_output(app, o.common, "Where the stream of solutions goes");
  cli::add_json(app, o.common, "Print the summary as one JSON object");
  cli::add_threads(app, o.common);
}

cli::Exit work(const Options& o, cli::Context& context) {
  // Who only renames wants no stream, unless it has a place.
  std::optional<io::Output> output;
  if (o.ingest.rename_to.empty() || o.common.output != "-") {
    output.emplace(cli::binary_output(o.common));
  }
  cli::Ingestion ingestion(o.ingest, o.common, context, io::pdf_text_apart);
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
       "Verifies what a coherent Ising machine returned and turns it into solutions.",
       oa::io::start_pdf_process},
      argc,
      argv,
      oa::declare,
      oa::work);
}
