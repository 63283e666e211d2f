// Rates of sequences through a pipe, as causal attention poses them:
//   bench-sequence write N | oa-anneal --solver exact --no-times | bench-sequence score
// `write` writes N sequences of 16 queries with 33 to 48 variables, `score` reads what
// was found, adds values up and reports rates.
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/rng.h"
#include "oa/io/stream/example_reader.h"
#include "oa/io/stream/problem_io.h"
#include "oa/score/aggregate.h"

#include <chrono>
#include <cmath>
#include <iostream>
#include <string_view>
#include <vector>

namespace {

using namespace oa;

constexpr int kVariables = 48;
constexpr int kQueries = 16;
constexpr int kWidth = 64;
constexpr int kDistinct = 256;  // sequences that differ; making them is not measured

/// Recall: tokens have keys of length 1, a query is the key of a token, not quite, and
/// asks for  min 1/2 |K'x - q|^2 + |x|_1 / 4.
qubo::Problem recall(Rng rng) {
  constexpr int kKeyWidth = 32;
  std::vector<std::vector<double>> keys;
  for (int i = 0; i < kVariables; ++i) {
    std::vector<double>& key = keys.emplace_back();
    for (int k = 0; k < kKeyWidth; ++k) {
      key.push_back(rng.normal() / std::sqrt(double{kKeyWidth}));
    }
  }
  const auto dot = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      sum += a[k] * b[k];
    }
    return static_cast<float>(sum);
  };
  qubo::Problem p;
  p.m = kVariables;
  p.n = kQueries;
  p.d = kWidth;
  p.v.assign(std::size_t{kVariables} * kWidth, 1.0F);
  for (const auto& a : keys) {
    for (const auto& b : keys) {
      p.j.push_back(dot(a, b));
    }
  }
  for (int i = 0; i < kQueries; ++i) {
    p.sizes.push_back(kVariables - kQueries + 1 + i);
    std::vector<double> query = keys[rng.below(kVariables - kQueries)];
    for (double& x : query) {
      x += 0.05 * rng.normal();
    }
    for (int k = 0; k < p.sizes.back(); ++k) {
      p.h.push_back(0.25F - dot(keys[static_cast<std::size_t>(k)], query));
    }
  }
  p.targets.per_row = 1;
  p.targets.numbers.assign(kQueries, 0);
  return p;
}

void write(std::int64_t count) {
  std::vector<qubo::Problem> made;
  const Rng rng(1);
  for (std::uint64_t k = 0; k < kDistinct; ++k) {
    made.push_back(recall(rng.fork(k)));
  }
  io::Output output("-");
  io::StreamWriter writer(output);
  writer.head({}, {}, io::Series::Tasks);
  for (std::int64_t index = 0; index < count; ++index) {
    qubo::Problem& p = made[static_cast<std::size_t>(index % kDistinct)];
    p.index = index;
    io::write_problem(writer, p);
  }
  writer.finish(true);
  output.commit();
}

void add_up() {
  const auto begin = std::chrono::steady_clock::now();
  io::StreamReader reader(io::Input::open("-"));
  io::ExampleReader examples(reader);
  num::Matrix o(kQueries, kWidth);
  std::int64_t sequences = 0;
  std::int64_t proved = 0;
  double chosen = 0.0;
  for (auto frames = examples.next(); !frames.empty(); frames = examples.next()) {
    if (frames.front().kind == io::FrameKind::Head) {
      continue;
    }
    std::vector<qubo::SolvedProblem> heads;
    for (const io::Frame& frame : frames) {
      heads.push_back(io::read_solution(frame));
    }
    if (heads.front().problem.n != kQueries || heads.front().problem.d != kWidth) {
      throw InputError("a sequence of another shape than `write` writes");
    }
    score::aggregate(heads, attention::Normalization::Capped, o);
    ++sequences;
    for (int i = 0; i < kQueries; ++i) {
      chosen += double{o(i, 0)};
      proved += heads.front().status[static_cast<std::size_t>(i)] ==
                        qubo::Status::ProvedOptimal
                    ? 1
                    : 0;
    }
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  std::cout << sequences << " sequences, " << proved << " problems proved, mean output "
            << format_fixed(chosen / static_cast<double>(sequences * kQueries), 3)
            << ", " << format_fixed(spent.count(), 2) << " s, "
            << format_fixed(1e6 * spent.count() / static_cast<double>(sequences), 1)
            << " us each\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "write" && argc == 3) {
    write(parse_int(argv[2]).value_or(10000));
  } else if (what == "score") {
    add_up();
  } else {
    std::cerr << "usage: bench-sequence write N | oa-anneal | bench-sequence score\n";
    return 2;
  }
  return 0;
}
