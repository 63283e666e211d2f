// oa-bench: measures the time and memory of kinds of attention.  See oa-bench(1).
#include "app/bench/bench.h"
#include "cli/bench_options.h"
#include "cli/cli.h"
#include "oa/io/bytes/output.h"
#include "oa/report/approximation_report.h"
#include "oa/report/exponential_report.h"

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
  bool dependence = false;
};

void declare(cli::App& app, Options& o) {
  cli::add_bench(app, o.bench);
  cli::add_json(app, o.common, "Print one JSON object instead of tables");
  app.add_option("--csv", o.csv, "Also write the rows to this file, as CSV")
      ->type_name("FILE");
  app.add_flag("--attention-error",
               o.attention_error,
               "Instead: measure the error of approximations of softmax");
  app.add_flag("--exponentials",
               o.exponentials,
               "Instead: measure error and time of exponential functions");
  app.add_flag("--dependence",
               o.dependence,
               "Instead: draw which tokens each output depends on");
}

void print(const std::string& text) {
  io::Output output("-");
  output.write(text);
  output.commit();
}

/// Errors depend on the spread of logits: nearly equal ones to those of a trained
/// model.
app::Exit measure_errors(const Options& o) {
  std::vector<report::ApproximationTable> tables;
  for (const double spread : {0.1, 1.0, 3.0}) {
    const attention::ApproximationSettings settings{.spread = spread};
    tables.push_back({settings, attention::approximation_errors(settings)});
  }
  print(o.common.json ? report::approximation_json(tables)
                      : report::approximation_text(tables));
  return app::Exit::Ok;
}

app::Exit compare_exponentials(const Options& o) {
  const std::vector<attention::Exponential> all = app::study_exponentials(o.bench);
  print(o.common.json ? report::exponential_json(all) : report::exponential_text(all));
  return app::Exit::Ok;
}

app::Exit draw_dependences(const Options& o) {
  const std::vector<report::Dependence> all = app::find_dependences(o.bench);
  print(o.common.json ? report::dependence_json(all) : report::dependence_text(all));
  return app::Exit::Ok;
}

app::Exit work(const Options& o, app::Context& context) {
  if (o.attention_error) {
    return measure_errors(o);
  }
  if (o.exponentials) {
    return compare_exponentials(o);
  }
  if (o.dependence) {
    return draw_dependences(o);
  }
  std::optional<io::Output> csv;
  if (!o.csv.empty()) {
    csv.emplace(o.csv);  // errors are found before measuring
  }
  const report::Bench bench = app::run_bench(o.bench, context);
  print(o.common.json ? report::bench_json(bench) : report::bench_text(bench));
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
