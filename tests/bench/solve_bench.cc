// How solvers do on the problems of a stream, against the proven optima:
//   oa-qubo model.bin images --first 10 | bench-solve [CALLS [SOLVER ...]]
// OA_TARGET=AVX2 takes another instruction set than the best.
// A call is what oa-anneal makes of a problem.  TTS is the time after which the optimum
// has been found with a probability of 99 %: the time of a call, times how many calls
// that takes.  One thread.
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"
#include "oa/num/simd.h"
#include "oa/solve/exact/box/search.h"
#include "oa/solve/methods.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace oa {
namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

double quantile(std::vector<double> values, double p) {
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::lround(p * last))];
}

struct Table {
  std::vector<double> call_us;
  std::vector<double> tts_us;
  std::vector<double> nodes;
  double hits = 0.0;
  double calls = 0.0;
  double wrong_bits = 0.0;
  double proved = 0.0;
};

struct Exact {
  double energy;
  std::vector<std::uint8_t> x;
};

int distance(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  int bits = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    bits += a[i] != b[i] ? 1 : 0;
  }
  return bits;
}

void measure(solve::Solver& solver,
             std::span<const double> h,
             const Exact& optimum,
             int calls,
             Table& table) {
  int hits = 0;
  const auto begin = Clock::now();
  std::vector<solve::Result> results;
  for (int k = 0; k < calls; ++k) {
    results.push_back(solver.solve(h, Rng(static_cast<std::uint64_t>(k)), {}));
  }
  const double us = us_since(begin) / calls;
  for (const solve::Result& r : results) {
    hits += r.best[0].energy == optimum.energy ? 1 : 0;
    table.wrong_bits += distance(r.best[0].x, optimum.x);
    table.proved += r.status == qubo::Status::ProvedOptimal ? 1.0 : 0.0;
    table.nodes.push_back(static_cast<double>(r.nodes));
  }
  const double p = static_cast<double>(hits) / calls;
  const double needed = p >= 0.99 ? 1.0 : std::log(0.01) / std::log1p(-p);
  table.call_us.push_back(us);
  table.tts_us.push_back(us * needed);
  table.hits += hits;
  table.calls += calls;
}

std::vector<qubo::Problem> read_problems() {
  io::StreamReader reader(io::Input::open("-"));
  std::vector<qubo::Problem> problems;
  while (const auto frame = reader.next()) {
    if (frame->kind != io::FrameKind::Head) {
      problems.push_back(io::read_problem(*frame));
    }
  }
  return problems;
}

void run(const std::vector<qubo::Problem>& problems,
         const solve::Method& method,
         const solve::Settings& settings,
         int calls) {
  Table table;
  for (const qubo::Problem& p : problems) {
    const qubo::Matrix j(p.m, p.j);
    const auto exact = solve::make_exact(j, {}, {});
    const auto solver = method.make_solver(j, settings, {});
    std::vector<double> h(static_cast<std::size_t>(p.m));
    for (int q = 0; q < p.n; ++q) {
      std::ranges::copy(p.query(q), h.begin());
      solve::Result best = exact->solve(h, Rng(1), {});
      measure(
          *solver, h, {best.best[0].energy, std::move(best.best[0].x)}, calls, table);
    }
  }
  std::printf(
      "%-12s %6zu %8.2f %8.2f %8.2f  %7.3f %8.4f  %9.2f %9.2f %9.2f  %6.0f %6.0f\n",
      std::string(method.name).c_str(),
      table.call_us.size(),
      quantile(table.call_us, 0.5),
      quantile(table.call_us, 0.99),
      quantile(table.call_us, 1.0),
      100.0 * table.hits / table.calls,
      table.wrong_bits / table.calls,
      quantile(table.tts_us, 0.5),
      quantile(table.tts_us, 0.9),
      quantile(table.tts_us, 0.99),
      quantile(table.nodes, 0.5),
      quantile(table.nodes, 1.0));
  std::fflush(stdout);
}

}  // namespace
}  // namespace oa

/// bench-solve [CALLS [SOLVER [READS [SWEEPS [HOT COLD]]]]] <STREAM
int main(int argc, char** argv) {
  const int calls = argc > 1 ? std::atoi(argv[1]) : 20;
  const std::string only = argc > 2 ? argv[2] : "";
  oa::solve::Settings settings;
  settings.reads = argc > 3 ? std::atoi(argv[3]) : 0;
  settings.sweeps = argc > 4 ? std::atoi(argv[4]) : 0;
  settings.hot = argc > 6 ? std::atof(argv[5]) : 0.0;
  settings.cold = argc > 6 ? std::atof(argv[6]) : 0.0;
  if (const char* name = std::getenv("OA_TARGET")) {
    oa::num::use_simd_target(name);
  }
  const auto problems = oa::read_problems();
  std::printf("%-12s %6s %8s %8s %8s  %7s %8s  %9s %9s %9s  %6s %6s\n",
              "solver",
              "QUBOs",
              "us 50 %",
              "99 %",
              "max",
              "hits %",
              "bits off",
              "TTS 50 %",
              "90 %",
              "99 %",
              "nodes",
              "max");
  for (const auto& method : oa::solve::methods()) {
    if (only.empty() || only == method.name) {
      oa::run(problems, method, settings, calls);
    }
  }
}
