#include "oa/train/evaluate.h"

#include "oa/attention/coefficients.h"
#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

namespace oa::train {
namespace {

constexpr int kChunk = 64;  // examples per job; sums are added in the order of jobs

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
    LayerStatistics& to = sum.layers[at(l)];
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

/// Rows of scores of the longest example.  Models without positions accept examples
/// longer than those in training.
int most_score_rows(const model::Config& config, const Dataset& data) {
  int tokens = config.tokens();
  for (const Sequences::Place& place : data.sequences.places) {
    tokens = std::max(tokens, place.length);
  }
  return config.score_rows(tokens);
}

std::int64_t jobs_of(std::int64_t examples) {
  return (examples + kChunk - 1) / kChunk;
}

Evaluation none_of(const model::Model& model) {
  Evaluation none;
  none.layers.resize(at(model.config.layers));
  return none;
}

/// Returns the sums of each job.
std::vector<Evaluation> evaluate_jobs(const model::Model& model,
                                      const attention::SolverSettings& solver,
                                      const LossSettings& loss,
                                      const Dataset& data,
                                      int first,
                                      int last,
                                      int threads) {
  parts::Weights weights(model.layout);
  weights.set(model.values);
  const int score_rows = most_score_rows(model.config, data);
  const std::int64_t jobs = jobs_of(last - first);
  std::vector<Evaluation> parts(at(jobs), none_of(model));
  std::vector<std::unique_ptr<model::Network>> networks(at(threads));
  parallel_for(jobs, threads, [&](std::int64_t job, int worker) {
    auto& network = networks[at(worker)];
    if (!network) {
      network = std::make_unique<model::Network>(model.config, solver);
    }
    Source source(data);
    num::Matrix unused(score_rows, model.config.scores());
    const int begin = first + static_cast<int>(job) * kChunk;
    for (int i = begin; i < std::min(begin + kChunk, last); ++i) {
      evaluate_example(
          *network, weights, loss, source.example(i), unused, parts[at(job)]);
    }
  });
  return parts;
}

Evaluation add_up(const std::vector<Evaluation>& parts, const Evaluation& none) {
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

/// Calls f for each sum of a job, in the same order on all ranks.
template <class E, class F>
void each_sum(E& part, F&& f) {
  f(part.examples);
  f(part.tally);
  f(part.loss);
  f(part.residual);
  for (auto& layer : part.layers) {
    f(layer);
  }
}

Bytes bytes_of(const std::vector<Evaluation>& parts) {
  Bytes bytes;
  for (const Evaluation& part : parts) {
    each_sum(part, [&](const auto& number) {
      const auto more = std::as_bytes(std::span(&number, 1));
      bytes.insert(bytes.end(), more.begin(), more.end());
    });
  }
  return bytes;
}

void take_parts(std::span<const std::byte> bytes,
                const Evaluation& none,
                std::vector<Evaluation>& parts) {
  while (!bytes.empty()) {
    Evaluation& part = parts.emplace_back(none);
    each_sum(part, [&](auto& number) {
      if (bytes.size() < sizeof number) {
        throw InputError("an evaluation from another process is cut short");
      }
      std::memcpy(&number, bytes.data(), sizeof number);
      bytes = bytes.subspan(sizeof number);
    });
  }
}

}  // namespace

Evaluation evaluate(const model::Model& model,
                    const attention::SolverSettings& solver,
                    const LossSettings& loss,
                    const Dataset& data,
                    int first,
                    int last,
                    int threads) {
  return add_up(evaluate_jobs(model, solver, loss, data, first, last, threads),
                none_of(model));
}

ExampleRange evaluated_examples(int rank, int count, int first, int last) {
  const Share jobs = share(jobs_of(last - first), rank, count);
  const auto example = [&](std::int64_t job) {
    return static_cast<int>(std::min<std::int64_t>(first + job * kChunk, last));
  };
  return {example(jobs.first), example(jobs.last)};
}

ExampleRange evaluated_examples(const Ranks& ranks, int first, int last) {
  return evaluated_examples(ranks.rank(), ranks.count(), first, last);
}

Evaluation evaluate(Ranks& ranks,
                    const model::Model& model,
                    const attention::SolverSettings& solver,
                    const LossSettings& loss,
                    const Dataset& share,
                    int threads) {
  const Evaluation none = none_of(model);
  const std::vector<Evaluation> own =
      evaluate_jobs(model, solver, loss, share, 0, share.count(), threads);
  std::vector<Evaluation> parts;
  for (const Bytes& bytes : gather(ranks, bytes_of(own))) {
    take_parts(bytes, none, parts);
  }
  return add_up(parts, none);
}

}  // namespace oa::train
