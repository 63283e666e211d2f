// How fast files of single problems are read, format by format: a random graph, and for
// the formats of matrices a dense one, is written and read again.
//   bench-problem FOLDER [MEGABYTES [FORMAT]]
// The floor is the rate at which the same file is cut into lines, and nothing else.
#include "oa/base/rng.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/quadratic/problem_file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace oa {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The cut of a random graph, the one thing that every format can hold.
qubo::Quadratic random_cut(int n, std::int64_t edges) {
  Rng rng(1);
  qubo::Quadratic f(n);
  f.sense = qubo::Sense::Max;
  std::vector<qubo::Term> terms;
  for (std::int64_t e = 0; e < edges; ++e) {
    const auto a = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(n)));
    const auto b = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(n)));
    const double w = rng.below(2) == 0 ? -1.0 : 1.0;
    if (a != b) {
      terms.insert(terms.end(), {{a, b, -2.0 * w}, {a, a, w}, {b, b, w}});
    }
  }
  f.add(terms);
  return f;
}

double cut_into_lines(const std::string& path) {
  const auto begin = Clock::now();
  io::Input input = io::Input::open(path);
  io::LineReader lines(input);
  for (std::string_view line; lines.next(line);) {
  }
  return seconds_since(begin);
}

void measure(const qubo::Quadratic& f,
             const io::ProblemFormatInfo& format,
             const std::string& folder) {
  const std::string path = folder + "/bench" + std::string(format.suffix());
  {
    io::Output output(path);
    io::write_quadratic(output, f, format.format, "bench");
    output.commit();
  }
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  double best = INFINITY;
  for (int k = 0; k < 3; ++k) {
    const auto begin = Clock::now();
    io::Input input = io::Input::open(path);
    const io::ProblemFile file = io::read_problems(input, format.format, {});
    best = std::min(best, seconds_since(begin));
    if (file.problems.size() != 1 || file.problems[0].f.pairs() != f.pairs()) {
      std::fprintf(stderr, "%s: not what was written\n", path.c_str());
      std::exit(1);
    }
  }
  const bool text = format.format != io::ProblemFormat::Npy &&
                    format.format != io::ProblemFormat::Bqm;
  std::printf("%-8s %9.1f %9d %10lld %9.3f %8.0f",
              std::string(format.name).c_str(),
              megabytes,
              f.size(),
              static_cast<long long>(f.pairs()),
              best,
              megabytes / best);
  if (text) {
    std::printf(" %8.0f", megabytes / cut_into_lines(path));
  }
  std::printf("\n");
  std::fflush(stdout);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const double megabytes = argc > 2 ? std::atof(argv[2]) : 100.0;
  // A line has some 14 bytes; a number of a matrix 2 or 3.
  const auto sparse = oa::random_cut(100'000, std::llround(megabytes * 1e6 / 14.0));
  const int side = std::clamp(static_cast<int>(std::sqrt(megabytes * 1e6 / 2.5)),
                              2,
                              oa::io::kMaxMatrixVariables);
  const auto dense = oa::random_cut(side, std::int64_t{side} * side / 4);
  std::printf("%-8s %9s %9s %10s %9s %8s %8s\n",
              "format",
              "MB",
              "variables",
              "pairs",
              "seconds",
              "MB/s",
              "floor");
  const std::string only = argc > 3 ? argv[3] : "";
  for (const oa::io::ProblemFormatInfo& format : oa::io::problem_formats()) {
    if (!format.written || (!only.empty() && only != format.name)) {
      continue;
    }
    const bool matrix = format.format == oa::io::ProblemFormat::Csv ||
                        format.format == oa::io::ProblemFormat::Txt ||
                        format.format == oa::io::ProblemFormat::Npy;
    oa::measure(matrix ? dense : sparse, format, folder);
  }
}
