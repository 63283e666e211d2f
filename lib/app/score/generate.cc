#include "app/score/generate.h"

#include "oa/base/error.h"
#include "oa/base/rng.h"
#include "oa/base/utf8.h"
#include "oa/io/tensor/model_io.h"
#include "oa/io/text/characters.h"
#include "oa/model/network.h"
#include "oa/train/exact_forward.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace oa::app {
namespace {

std::vector<std::int32_t> tokens_of(const std::string& text,
                                    const std::vector<char32_t>& alphabet) {
  std::vector<std::int32_t> tokens;
  for (const char32_t sign : io::signs_of(text).signs) {
    const auto found = std::ranges::find(alphabet, sign);
    if (found == alphabet.end()) {
      throw InputError("the character '" + utf8(sign) +
                       "' of the prompt is not in the model's alphabet");
    }
    tokens.push_back(static_cast<std::int32_t>(found - alphabet.begin()));
  }
  return tokens;
}

std::int32_t draw(std::span<const float> scores, double temperature, Rng& rng) {
  const auto top = std::ranges::max_element(scores);
  if (temperature <= 0.0) {
    return static_cast<std::int32_t>(top - scores.begin());
  }
  std::vector<double> sums;
  double sum = 0.0;
  for (const float score : scores) {
    sum += std::exp(static_cast<double>(score - *top) / temperature);
    sums.push_back(sum);
  }
  const double at = rng.uniform() * sum;
  const auto found = std::ranges::upper_bound(sums, at);
  return static_cast<std::int32_t>(
      std::min<std::ptrdiff_t>(found - sums.begin(), std::ssize(sums) - 1));
}

}  // namespace

Generated generate(const std::string& path,
                   const GenerateOptions& options,
                   Context& context) {
  const model::Model model = io::read_model_file(path);
  const std::vector<char32_t> alphabet = io::signs_of(model.config.alphabet).signs;
  if (alphabet.empty()) {
    throw InputError(path + ": not a model of a text (oa-train makes one)");
  }
  if (options.prompt.empty()) {
    throw UsageError("generate", " needs a prompt (the beginning of the text)");
  }
  std::vector<std::int32_t> tokens = tokens_of(options.prompt, alphabet);
  train::ExactCount count;
  attention::SolverSettings solver;
  solver.optima = train::exact_optima(&count);
  model::Network network(model.config, solver);
  parts::Weights weights(model.layout);
  weights.set(model.values);
  Rng rng(options.seed);
  Generated result;
  result.text = options.prompt;
  for (std::int64_t step = 0; step < options.count && !context.interrupted(); ++step) {
    const std::size_t seen =
        std::min(tokens.size(), static_cast<std::size_t>(model.config.length));
    const num::ConstView scores = network.forward(
        weights,
        model::Input(std::span(tokens).last(seen), {}, static_cast<int>(seen)));
    const auto width = static_cast<std::size_t>(scores.cols);
    tokens.push_back(
        draw({scores.row(scores.rows - 1), width}, options.temperature, rng));
    result.text += utf8(alphabet[static_cast<std::size_t>(tokens.back())]);
  }
  result.qubos = count.qubos;
  result.proved = count.proved;
  return result;
}

}  // namespace oa::app
