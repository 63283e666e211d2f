// oa-bench: measures the time and memory of kinds of attention.  See oa-bench(1).
#include "cli/cli.h"
#include "oa/io/bytes/output.h"
#include "survey/bench/bench.h"
#include "survey/bench/bench_options.h"
#include "survey/bench/kernel_report.h"

#include <optional>
#include <string>
#include <vector>

namespace oa {
namespace {

struct Options {
  app::Common common;
  app::BenchOptions bench;
  std::string csv;
  bool attention_error = false;
  bool exponentials = false;
};

void declare(cli::App& app, Options& o) {
  cli::add_bench(app, o.bench);
  cli::add_json(app, o.common, "Print one JSON object instead of tables");
  cli::Option* csv =
      app.add_option("--csv FILE", o.csv, "Also write the rows to this file, as CSV");
  cli::Option* error =
      app.add_flag("--attention-error",
                   o.attention_error,
                   "Instead: measure the error of approximations of softmax");
  cli::Option* exponentials =
      app.add_flag("--exponentials",
                   o.exponentials,
                   "Instead: measure error and time of exponential functions");
  error->excludes(csv)->excludes(exponentials);
  exponentials->excludes(csv);
}

void print(const std::string& text) {
  io::Output output("-");
  output.write(text);
  output.commit();
}

/// Prints the result of a study instead of measurements.
template <class Found>
app::Exit show(bool json,
               const Found& found,
               std::string (*json_of)(const Found&),
               std::string (*text_of)(const Found&)) {
  print(json ? json_of(found) : text_of(found));
  return app::Exit::Ok;
}

/// Measures errors for several spreads of logits,
/// from nearly equal logits to those of a trained model.
std::vector<report::ApproximationTable> approximation_tables() {
  std::vector<report::ApproximationTable> tables;
  for (const double spread : {0.1, 1.0, 3.0}) {
    const attention::ApproximationSettings settings{.spread = spread};
    tables.push_back({settings, attention::approximation_errors(settings)});
  }
  return tables;
}

app::Exit work(const Options& o, app::Context& context) {
  const bool json = o.common.json;
  if (o.attention_error) {
    return show(json,
                approximation_tables(),
                report::approximation_json,
                report::approximation_text);
  }
  if (o.exponentials) {
    return show(json,
                app::study_exponentials(o.bench),
                report::exponential_json,
                report::exponential_text);
  }
  std::optional<io::Output> csv;
  if (!o.csv.empty()) {
    csv.emplace(o.csv);  // reports errors before measuring
  }
  const report::Bench bench = app::run_bench(o.bench, context);
  print(json ? report::bench_json(bench) : report::bench_text(bench));
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
      {"oa-bench", "Measures time, memory and operations of kinds of attention."},
      argc,
      argv,
      oa::declare,
      oa::work);
}
