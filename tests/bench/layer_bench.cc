// A step of training through one layer, optimising attention beside softmax, in the
// shapes of recall, scenes and characters; 64 sequences, one thread:
//   bench-layer [ROUNDS]
// Tokens are drawn out of 32 vectors with noise, so that queries have keys to find.
#include "oa/attention/kind_spec.h"
#include "oa/base/arena.h"
#include "oa/base/number.h"
#include "oa/base/rng.h"
#include "oa/train/exact_forward.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

namespace oa {
namespace {

constexpr int kWidth = 64;
constexpr int kSequences = 64;

struct Shape {
  const char* name;
  int tokens;
  int queries;  ///< learned ones; 0: all tokens ask
  int heads;
  bool causal;
};

struct Way {
  const char* name;
  const char* kind;
  bool exact;
  attention::Stage stage;
};

num::Matrix drawn_tokens(int rows) {
  Rng rng(1);
  num::Matrix vectors(32, kWidth);
  for (int i = 0; i < 32; ++i) {
    for (int j = 0; j < kWidth; ++j) {
      vectors(i, j) = static_cast<float>(rng.normal());
    }
  }
  num::Matrix x(rows, kWidth);
  for (int i = 0; i < rows; ++i) {
    const auto which = static_cast<int>(rng.below(32));
    for (int j = 0; j < kWidth; ++j) {
      x(i, j) = vectors(which, j) + static_cast<float>(0.3 * rng.normal());
    }
  }
  return x;
}

/// Milliseconds of a step.
double measure(const Shape& shape, const Way& way, int rounds) {
  const auto spec = attention::parse_kind_specs(
      std::string(way.kind) + "heads=" + format(shape.heads), "");
  attention::Site site;
  site.tokens = shape.tokens;
  site.width = site.dim = kWidth;
  site.learned_queries = shape.queries;
  site.causal = shape.causal;
  site.options = spec.front().options;
  site.solver.optima = way.exact ? train::exact_optima() : attention::LevelSolver{};
  attention::check_site(*spec.front().kind, site, "");
  parts::Layout layout;
  const auto layer = spec.front().kind->declare(site, layout);
  parts::Values values(layout);
  parts::initialize(layout, Rng(2), values);
  parts::Weights weights(layout);
  weights.set(values);

  const auto batch =
      attention::Batch::of_lengths(std::vector<int>(kSequences, shape.tokens));
  const parts::Cost cost = layer->cost(batch);
  Arena kept(cost.saved);
  Arena scratch(cost.workspace);
  const auto attention = layer->make(batch, {.kept = kept, .scratch = scratch});
  attention->set_stage(way.stage);
  const num::Matrix x = drawn_tokens(batch.rows());
  num::Matrix o(kSequences * site.queries(shape.tokens), kWidth);
  num::Matrix dx(batch.rows(), kWidth);
  parts::Values gradient(layout);
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    attention->forward(weights, x, o);
    attention->backward(weights, x, o, dx, gradient);
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count());
  }
  return best;
}

void run(int rounds) {
  const Shape shapes[] = {{"recall", 48, 0, 1, true},
                          {"scenes", 49, 10, 4, false},
                          {"characters", 64, 0, 2, true}};
  const attention::Stage relaxed{.relaxed = true, .temperature = 0.6F};
  const Way ways[] = {{"softmax", "softmax:", false, {}},
                      {"relaxed", "optimizing:keys=separate,", false, relaxed},
                      {"threshold", "optimizing:keys=separate,", false, {}},
                      {"exact", "optimizing:keys=separate,", true, {}}};
  for (const Shape& shape : shapes) {
    double first = 0.0;
    for (const Way& way : ways) {
      const double time = measure(shape, way, rounds);
      first = first == 0.0 ? time : first;
      std::printf("%-11s %-10s %8.2f ms  %5.2f of softmax\n",
                  shape.name,
                  way.name,
                  time,
                  time / first);
    }
  }
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  try {
    oa::run(argc > 1 ? static_cast<int>(oa::parse_int(argv[1]).value_or(5)) : 5);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-layer: %s\n", error.what());
    return 1;
  }
}
