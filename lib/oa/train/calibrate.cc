#include "oa/train/calibrate.h"

#include "oa/base/parallel.h"
#include "oa/train/source.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace oa::train {
namespace {

// Number of parts of the examples, whose sums are added in order.
constexpr int kCounters = 8;

std::vector<model::Moments> no_moments(const model::Config& config) {
  std::vector<model::Moments> all;
  for (int l = 0; l < config.layers; ++l) {
    all.emplace_back(l == 0 ? config.token_width() : config.dim);
  }
  return all;
}

}  // namespace

std::vector<model::Moments> input_moments(const model::Model& model,
                                          const Dataset& data,
                                          int examples,
                                          int threads) {
  parts::Weights weights(model.layout);
  weights.set(model.values);
  std::vector<std::vector<model::Moments>> parts(kCounters, no_moments(model.config));
  parallel_for(kCounters, threads, [&](std::int64_t p, int /*worker*/) {
    model::Network network(model.config);
    std::vector<model::Moments>& sums = parts[static_cast<std::size_t>(p)];
    Source source(data);
    const auto end = static_cast<int>((p + 1) * examples / kCounters);
    for (auto i = static_cast<int>(p * examples / kCounters); i < end; ++i) {
      (void)network.forward(weights, source.example(i).input);
      for (std::size_t l = 0; l < sums.size(); ++l) {
        sums[l].count(network.tokens(static_cast<int>(l)));
      }
    }
  });
  std::vector<model::Moments> all = std::move(parts.front());
  for (std::size_t p = 1; p < parts.size(); ++p) {
    for (std::size_t l = 0; l < all.size(); ++l) {
      std::ranges::transform(
          all[l].sums, parts[p][l].sums, all[l].sums.begin(), std::plus{});
    }
  }
  return all;
}

}  // namespace oa::train
