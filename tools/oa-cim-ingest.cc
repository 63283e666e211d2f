// oa-cim-ingest:
// turns results of a coherent Ising machine into solutions.  See oa-cim-ingest(1).
#include "cli/cli.h"
#include "cli/tool/cim_ingest.h"
#include "oa/io/machine/pdf_text.h"

namespace oa {
namespace {

app::Exit work(const cli::CimIngestOptions& o, app::Context& context) {
  return cli::work(o, context, io::pdf_text);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::cli::CimIngestOptions>(
      {"oa-cim-ingest",
       "Verifies results of a coherent Ising machine and converts them to solutions."},
      argc,
      argv,
      oa::cli::declare,
      oa::work);
}
