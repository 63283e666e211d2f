// oa-bench: measures kinds of attention and says what they cost.  See oa-bench(1).
#include "app/bench.h"
#include "cli/bench_options.h"
#include "cli/cli.h"
#include "oa/io/bytes/output.h"

#include <optional>
#include <string>

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::BenchOptions bench;
  std::string csv;
};

void declare(cli::App& app, Options& o) {
  cli::add_bench(app, o.bench);
  cli::add_json(app, o.common, "Print one JSON object instead of tables");
  app.add_option("--csv", o.csv, "Also write the rows to this file, as CSV")
      ->type_name("FILE");
}

app::Exit work(const Options& o, app::Context& context) {
  std::optional<io::Output> csv;
  if (!o.csv.empty()) {
    csv.emplace(o.csv);  // fails here, before the measurements, or not at all
  }
  const report::Bench bench = app::run_bench(o.bench, context);
  io::Output output("-");
  output.write(o.common.json ? report::bench_json(bench) : report::bench_text(bench));
  output.commit();
  if (csv) {
    csv->write(report::bench_csv(bench));
    csv->commit();
  }
  return context.status(true);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  return oa::cli::run<oa::Options>(
      {"oa-bench", "Measures kinds of attention and says what they cost."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
