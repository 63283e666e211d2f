#include "survey/bench/bench_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

using namespace oa;
using report::Bench;
using report::BenchRow;

namespace {

/// A row that takes a millisecond.
BenchRow row_of(const std::string& kind, int tokens) {
  BenchRow row;
  row.kind = kind;
  row.label = kind;
  row.config = kind + ":heads=2,plain=true";
  row.tokens = tokens;
  row.width = 64;
  row.heads = 2;
  row.flops = 50'000'000;
  row.traffic = 5'000'000;
  row.pairs = 25;
  row.forward = report::times_of({1.0, 1.0, 1.0});
  row.vs_baseline = 2.0;
  return row;
}

Bench bench_of(std::vector<BenchRow> rows) {
  return {.machine = {.processor = "P",
                      .instruction_set = "I",
                      .fma_gflops = 100.0,
                      .copy_gbs = 20.0},
          .baseline = "flash2",
          .rows = std::move(rows)};
}

}  // namespace

TEST_SUITE_BEGIN("report");

TEST_CASE("times are a median, a minimum and the distance of quartiles") {
  const report::Times times = report::times_of({5.0, 1.0, 2.0, 4.0, 3.0});
  CHECK(times.median == 3.0);
  CHECK(times.min == 1.0);
  CHECK(times.iqr == 2.0);
  CHECK(times.rounds == 5);
  CHECK(report::times_of({1.0, 2.0}).median == 1.5);
  CHECK(report::times_of({7.0}).iqr == 0.0);
}

TEST_CASE("shares are relative to the measured peak of the machine") {
  const Bench bench = bench_of({row_of("mqa", 10)});
  CHECK(bench.rows[0].peak_share(bench.machine) == doctest::Approx(0.5));
  CHECK(bench.rows[0].copy_share(bench.machine) == doctest::Approx(0.25));
  CHECK(bench.rows[0].sparsity() == doctest::Approx(0.75));
  BenchRow none = row_of("mlp", 10);
  none.pairs = 0;
  CHECK_FALSE(none.sparsity());
}

TEST_CASE("no line of the tables is wider than a terminal") {
  BenchRow large = row_of("sparse-transformer", 1 << 24);
  large.parameters = std::int64_t{1} << 40;
  large.flops = std::int64_t{1} << 60;
  large.exponentials = large.flops;
  large.traffic = std::size_t{1} << 50;
  large.arena = large.saved = large.workspace = (std::size_t{1} << 40) - 1;
  large.state = large.saved;
  large.forward = report::times_of({123456.0});
  large.backward = large.forward;
  large.decode_us = 123456.0;
  BenchRow refused = row_of("linformer", 1 << 24);
  refused.unsupported = "takes 4,503,630,766,080,000 bytes of memory (free are " +
                        std::string("24,273,829,888,000) and so on and so on");
  BenchRow given = row_of("csr", 1 << 24);
  given.label = "csr:rows=" + std::string(1000, '1');
  given.counts = {{"block_keys", 256}};
  BenchRow given_refused = given;
  given_refused.unsupported = refused.unsupported;
  std::istringstream text(
      report::bench_text(bench_of({large, refused, given, given_refused})));
  for (std::string line; std::getline(text, line);) {
    CAPTURE(line);
    CHECK(line.size() <= 80);
    CHECK_FALSE(line.ends_with(' '));
  }
}

TEST_CASE("choices and counts of a kind are in every form of the report") {
  BenchRow row = row_of("threshold", 10);
  row.counts = {{"block_keys", 256}, {"tiles", 12}};
  const Bench bench = bench_of({row, row_of("mlp", 10)});
  CHECK(
      report::bench_text(bench).ends_with("\nkind            chosen and counted\n"
                                          "threshold       block_keys=256 tiles=12\n"));
  CHECK(report::bench_csv(bench).find(",block_keys=256 tiles=12\n") !=
        std::string::npos);
  const std::string json = report::bench_json(bench);
  const std::size_t found = json.find("\"counts\":{\"block_keys\":256,\"tiles\":12}");
  CHECK(found != std::string::npos);
  CHECK(json.find("counts", found + 8) == std::string::npos);
  CHECK(report::bench_text(bench_of({row_of("mlp", 10)})).find("counted") ==
        std::string::npos);
}

TEST_CASE("the cost of optimizing comes before the table") {
  const Bench bench = bench_of({row_of("optimizing", 10), row_of("flash2", 10)});
  const std::string text = report::bench_text(bench);
  const std::size_t said = text.find("optimizing: 2.00 times the time of flash2");
  CHECK(said != std::string::npos);
  CHECK(said < text.find("kind "));
}

TEST_CASE("a row that was not measured has its reason and no numbers") {
  BenchRow refused = row_of("linformer", 10);
  refused.unsupported = "cannot be causal, \"really\"";
  const Bench bench = bench_of({refused});
  const std::string json = report::bench_json(bench);
  CHECK(json.find("\"unsupported\":\"cannot be causal, \\\"really\\\"\"") !=
        std::string::npos);
  CHECK(json.find("\"ms\"") == std::string::npos);
  const std::string csv = report::bench_csv(bench);
  CHECK(csv.find("\"cannot be causal, \"\"really\"\"\",,") != std::string::npos);
}

TEST_CASE("every line of the CSV has a cell for each name") {
  BenchRow refused = row_of("linformer", 10);
  refused.unsupported = "no";
  BenchRow plain = row_of("mlp", 10);
  plain.config = "mlp";
  plain.backward = plain.forward;
  refused.config = "linformer";
  std::istringstream text(report::bench_csv(bench_of({refused, plain})));
  std::string line;
  std::getline(text, line);
  const auto commas = std::ranges::count(line, ',');
  int lines = 0;
  for (; std::getline(text, line); ++lines) {
    CHECK(std::ranges::count(line, ',') == commas);
  }
  CHECK(lines == 2);
}

TEST_SUITE_END();
