#include "oa/train/evaluate.h"

#include "oa/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace oa::train {
namespace {

constexpr int kChunk = 64;  // examples a job takes; sums run over jobs in order

double cosine(num::ConstView q, num::ConstView v) {
  if (q.rows == 0 || q.rows != v.rows) {
    return 0.0;
  }
  double sum = 0.0;
  for (int i = 0; i < q.rows; ++i) {
    double qv = 0.0;
    double qq = 0.0;
    double vv = 0.0;
    for (int k = 0; k < q.cols; ++k) {
      const auto a = static_cast<double>(q(i, k));
      const auto b = static_cast<double>(v(i, k));
      qv += a * b;
      qq += a * a;
      vv += b * b;
    }
    sum += qv / std::sqrt(qq * vv + 1e-30);
  }
  return sum / q.rows;
}

double share_of_ones(const attention::CoefficientLayer& layer) {
  const num::ConstView x = layer.relaxed();
  int ones = 0;
  for (int i = 0; i < x.rows; ++i) {
    ones += static_cast<int>(
        std::count_if(x.row(i), x.row(i) + x.cols, [](float v) { return v > 0.5F; }));
  }
  return static_cast<double>(ones) / (static_cast<double>(x.rows) * x.cols);
}

void look_at_layers(const model::Network& network, Evaluation& sum) {
  for (int l = 0; l < network.config().layers; ++l) {
    const attention::Attention& attention = network.attention(l);
    LayerStatistics& to = sum.layers[static_cast<std::size_t>(l)];
    to.similarity += cosine(attention.queries(), attention.values());
    if (const auto* layer = attention.coefficients()) {
      to.ones += share_of_ones(*layer);
      sum.residual = std::max(sum.residual, static_cast<double>(attention.residual()));
    }
  }
}

void evaluate_example(model::Network& network,
                      const parts::Weights& weights,
                      const LossSettings& loss,
                      const Source::Example& example,
                      num::Matrix& unused,
                      Evaluation& sum) {
  const Objective objective = network.config().objective;
  const num::ConstView scores = network.forward(weights, example.input);
  sum.loss +=
      loss_of(objective, scores, example.answer, loss, unused.view().top(scores.rows));
  sum.tally += model::judge(objective, scores, example.answer);
  ++sum.examples;
  look_at_layers(network, sum);
}

/// Rows of scores of the longest example: a model without positions may have been made
/// for shorter ones.
int most_score_rows(const model::Config& config, const Dataset& data) {
  int tokens = config.tokens();
  for (const Sequences::Place& place : data.sequences.places) {
    tokens = std::max(tokens, place.length);
  }
  return config.score_rows(tokens);
}

}  // namespace

Evaluation evaluate(const model::Model& model,
                    const attention::SolverSettings& solver,
                    const LossSettings& loss,
                    const Dataset& data,
                    int first,
                    int last,
                    int threads) {
  parts::Weights weights(model.layout);
  weights.set(model.values);
  const int score_rows = most_score_rows(model.config, data);
  const int jobs = (last - first + kChunk - 1) / kChunk;
  Evaluation none;
  none.layers.resize(static_cast<std::size_t>(model.config.layers));
  std::vector<Evaluation> parts(static_cast<std::size_t>(jobs), none);
  std::vector<std::unique_ptr<model::Network>> networks(
      static_cast<std::size_t>(threads));
  parallel_for(jobs, threads, [&](std::int64_t job, int worker) {
    auto& network = networks[static_cast<std::size_t>(worker)];
    if (!network) {
      network = std::make_unique<model::Network>(model.config, solver);
    }
    Source source(data);
    num::Matrix unused(score_rows, model.config.scores());
    const int begin = first + static_cast<int>(job) * kChunk;
    for (int i = begin; i < std::min(begin + kChunk, last); ++i) {
      evaluate_example(*network,
                       weights,
                       loss,
                       source.example(i),
                       unused,
                       parts[static_cast<std::size_t>(job)]);
    }
  });
  Evaluation all = none;
  for (const Evaluation& part : parts) {
    all.examples += part.examples;
    all.tally += part.tally;
    all.loss += part.loss;
    all.residual = std::max(all.residual, part.residual);
    for (std::size_t l = 0; l < all.layers.size(); ++l) {
      all.layers[l].ones += part.layers[l].ones;
      all.layers[l].similarity += part.layers[l].similarity;
    }
  }
  const double count = std::max(1, all.examples);
  all.loss /= count;
  for (LayerStatistics& layer : all.layers) {
    layer.ones /= count;
    layer.similarity /= count;
  }
  return all;
}

}  // namespace oa::train
