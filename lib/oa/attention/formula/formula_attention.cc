#include "oa/attention/formula/formula_attention.h"

#include "oa/attention/each_sequence.h"
#include "oa/base/index.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <utility>

namespace oa::attention {

using num::ConstView;
using num::View;

FormulaLayer::FormulaLayer(const Site& site, parts::Layout& layout, BuildFormula build)
    : site_(site),
      build_(std::move(build)),
      layout_(layout),
      parameters_(-layout.parameter_count()) {
  layout_.share_names(true);
  Formula formula(
      site_, site.tokens, Formula::Purpose::Declaration, 1, layout_, constants_);
  (void)build_(formula);
  parameters_ += layout_.parameter_count();
  layout = layout_;
  layout.share_names(false);
}

std::unique_ptr<const Formula> FormulaLayer::built(int tokens,
                                                   Formula::Purpose purpose,
                                                   int threads) const {
  parts::Layout layout = layout_;
  Constants constants = constants_;
  auto made =
      std::make_unique<Formula>(site_, tokens, purpose, threads, layout, constants);
  (void)build_(*made);
  return made;
}

parts::Cost FormulaLayer::cost(const Batch& batch, int threads) const {
  parts::Cost cost;
  for (int s = 0; s < batch.sequences(); ++s) {
    if (site_.keys(batch.length(s)) > 0) {
      const auto made = built(batch.length(s), Formula::Purpose::Sequence, 1);
      for (const Formula::Applied& applied : made->operations()) {
        cost += applied.operation->cost();
      }
    }
  }
  cost.parameters = parameters_;
  Arena kept;
  Arena scratch;
  (void)make(batch, {.kept = kept, .scratch = scratch, .threads = threads});
  cost.saved = kept.high_water();
  cost.workspace = scratch.high_water();
  return cost;
}

std::unique_ptr<Attention> FormulaLayer::make(const Batch& batch,
                                              const Resources& resources) const {
  const auto make_one = [&](int tokens) {
    return std::make_unique<FormulaAttention>(
        built(tokens, Formula::Purpose::Sequence, resources.threads), resources);
  };
  if (batch.sequences() == 1 && site_.keys(batch.rows()) > 0) {
    return make_one(batch.rows());
  }
  return each_sequence(site_, batch, make_one);
}

std::unique_ptr<Decoder> FormulaLayer::make_decoder(int tokens,
                                                    const Resources& resources) const {
  if (!site_.causal) {
    return nullptr;
  }
  return std::make_unique<FormulaDecoder>(
      built(tokens, Formula::Purpose::Decoder, resources.threads), resources);
}

std::unique_ptr<const Formula> FormulaLayer::formula(int tokens) const {
  return built(tokens, Formula::Purpose::Sequence, 1);
}

std::string refusal_of_formula(const Site& site, const BuildFormula& build) {
  parts::Layout layout;
  layout.share_names(true);
  Constants constants;
  try {
    Formula formula(site, site.tokens, Formula::Purpose::Refusal, 1, layout, constants);
    (void)build(formula);
  } catch (const Formula::Refused& refused) {
    return refused.why;
  }
  return "";
}

namespace {

/// Reserves the operations' memory.
std::unique_ptr<const Formula> reserved(std::unique_ptr<const Formula> formula,
                                        const Arenas& arenas) {
  for (const Formula::Applied& applied : formula->operations()) {
    applied.operation->reserve(arenas);
  }
  return formula;
}

}  // namespace

FormulaRunner::FormulaRunner(std::unique_ptr<const Formula> formula,
                             const Arenas& arenas)
    : formula_(reserved(std::move(formula), arenas)),
      plan_(*formula_, arenas) {
  std::size_t bytes = 0;
  for (const Formula::Applied& applied : formula_->operations()) {
    const Operation& operation = *applied.operation;
    inputs_.emplace_back(operation.form().in.size());
    std::size_t forward = operation.temporary(false);
    if (formula_->decodes()) {
      states_.push_back(num::zeros(operation.state(), arenas.state));
    } else {
      forward += bytes_of(operation.state());
    }
    bytes = std::max({bytes, forward, arenas.backward ? operation.temporary(true) : 0});
  }
  temporary_ = arenas.scratch.part(bytes);
}

ConstView FormulaRunner::value(int id) const {
  if (id <= 0) {
    return {};
  }
  const int tensor = formula_->nodes()[at(id)].tensor;
  return tensor < 0 ? ConstView(plan_.value(id)) : weights_->values().matrix(tensor);
}

void FormulaRunner::find_inputs(const parts::Weights& weights,
                                ConstView x,
                                ConstView o) {
  weights_ = &weights;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const OperationForm& form = formula_->operations()[i].operation->form();
    for (std::size_t j = 0; j < inputs_[i].size(); ++j) {
      const int id = form.in[j].id;
      const int tensor = formula_->nodes()[at(id)].tensor;
      inputs_[i][j] = id == 0                    ? x
                      : tensor >= 0              ? weights.values().matrix(tensor)
                      : plan_.value(id).rows > 0 ? ConstView(plan_.value(id))
                                                 : o;
    }
  }
}

ForwardRun FormulaRunner::call(std::size_t operation,
                               const parts::Weights& weights,
                               View out) {
  const Operation& called = *formula_->operations()[operation].operation;
  return {.weights = weights,
          .in = inputs_[operation],
          .out = out,
          .state = formula_->decodes() ? states_[operation]
                                       : num::zeros(called.state(), temporary_),
          .token = token_,
          .temporary = temporary_};
}

void FormulaRunner::forward(const parts::Weights& weights, ConstView x, View o) {
  const auto& all = formula_->operations();
  find_inputs(weights, x, o);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Operation& operation = *all[i].operation;
    if ((operation.form().once && token_ > 0) || token_ >= all[i].needed_for) {
      continue;
    }
    const View out = plan_.of(i).out;
    operation.forward(call(i, weights, out.rows > 0 ? out : o));
    temporary_.release(0);
  }
  if (plan_.copies_output()) {
    num::copy(plan_.of(all.size() - 1).out, o);
  }
  token_ += formula_->decodes() ? 1 : 0;
}

std::span<const Problem> FormulaRunner::pose(const parts::Weights& weights,
                                             ConstView x,
                                             const QueryRows& rows) {
  const auto& all = formula_->operations();
  find_inputs(weights, x, {});
  problems_.clear();
  posed_.clear();
  std::size_t last = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    last = all[i].operation->coefficients() != nullptr ? i : last;
  }
  for (std::size_t i = 0; i < all.size() && problems_.empty(); ++i) {
    Operation& operation = *all[i].operation;
    const auto posed = i == last
                           ? operation.pose(call(i, weights, plan_.of(i).out), rows)
                           : std::span<const Problem>{};
    if (posed.empty()) {
      operation.forward(call(i, weights, plan_.of(i).out));
    }
    for (Problem problem : posed) {
      problem.v = posed_values(i, weights, problem.v);
      problems_.push_back(problem);
    }
    temporary_.release(0);
  }
  return problems_;
}

ConstView FormulaRunner::posed_values(std::size_t operation,
                                      const parts::Weights& weights,
                                      ConstView values) {
  const auto& all = formula_->operations();
  for (std::size_t i = operation + 1; i < all.size(); ++i) {
    num::Matrix& next = posed_.emplace_back(values.rows, all[i].operation->form().cols);
    all[i].operation->forward({.weights = weights,
                               .in = {&values, 1},
                               .out = next,
                               .state = {},
                               .temporary = temporary_});
    values = next;
  }
  return values;
}

void FormulaRunner::backward(const parts::Weights& weights,
                             ConstView x,
                             ConstView d_o,
                             View dx,
                             parts::Values& gradient) {
  const auto& all = formula_->operations();
  bool reaches_tokens = false;
  find_inputs(weights, x, {});
  for (std::size_t i = all.size(); i-- > 0;) {
    const Buffers& buffers = plan_.of(i);
    const OperationForm& form = all[i].operation->form();
    std::vector<Target> d_in;
    std::vector<View> sums;
    for (std::size_t j = 0; j < form.in.size(); ++j) {
      const int tensor = formula_->nodes()[at(form.in[j].id)].tensor;
      const Written& to = buffers.d_in[j];
      const View d = form.in[j].id == 0 ? dx
                     : tensor >= 0      ? gradient.matrix(tensor)
                                        : to.d;
      sums.push_back(d);
      d_in.push_back(to.part.rows > 0 ? Target{to.part} : Target{d, to.add});
      reaches_tokens = reaches_tokens || form.in[j].id == 0;
    }
    const bool is_last = i + 1 == all.size();
    // The gradient of the output is only read.
    const View given{const_cast<float*>(d_o.data), d_o.rows, d_o.cols, d_o.stride};
    all[i].operation->backward({.weights = weights,
                                .in = inputs_[i],
                                .out = buffers.out,
                                .d_out = is_last ? given : buffers.d_out,
                                .d_in = d_in,
                                .gradient = gradient,
                                .temporary = temporary_});
    temporary_.release(0);
    for (std::size_t j = 0; j < form.in.size(); ++j) {
      if (buffers.d_in[j].part.rows > 0) {
        num::add(d_in[j].d, sums[j]);
      }
    }
  }
  if (!reaches_tokens) {
    num::fill(dx, 0.0F);
  }
}

void FormulaRunner::restart() {
  for (const std::span<float> state : states_) {
    std::ranges::fill(state, 0.0F);
  }
  token_ = 0;
}

FormulaAttention::FormulaAttention(std::unique_ptr<const Formula> formula,
                                   const Resources& resources)
    : runner_(std::move(formula),
              {.kept = resources.kept,
               .scratch = resources.scratch,
               .state = resources.kept,
               .backward = resources.backward}) {}

void FormulaAttention::forward(const parts::Weights& weights, ConstView x, View o) {
  runner_.forward(weights, x, o);
}

void FormulaAttention::backward(const parts::Weights& weights,
                                ConstView x,
                                ConstView d_o,
                                View dx,
                                parts::Values& gradient) {
  runner_.backward(weights, x, d_o, dx, gradient);
}

void FormulaAttention::set_stage(const Stage& stage) {
  for (const Formula::Applied& applied : runner_.formula().operations()) {
    applied.operation->set_stage(stage);
  }
}

const CoefficientLayer* FormulaAttention::coefficients() const {
  const CoefficientLayer* last = nullptr;
  for (const Formula::Applied& applied : runner_.formula().operations()) {
    const CoefficientLayer* layer = applied.operation->coefficients();
    last = layer != nullptr ? layer : last;
  }
  return last;
}

float FormulaAttention::residual() const {
  float worst = 0.0F;
  for (const Formula::Applied& applied : runner_.formula().operations()) {
    worst = std::max(worst, applied.operation->residual());
  }
  return worst;
}

void FormulaAttention::draw_noise(const std::optional<Rng>& rng) {
  for (const Formula::Applied& applied : runner_.formula().operations()) {
    applied.operation->draw_noise(rng);
  }
}

ConstView FormulaAttention::queries() const {
  return runner_.value(runner_.formula().queries());
}

ConstView FormulaAttention::values() const {
  return runner_.value(runner_.formula().values());
}

std::vector<num::Matrix> FormulaAttention::value_weights() const {
  const auto& all = runner_.formula().operations();
  for (std::size_t i = all.size(); i-- > 0;) {
    auto found = all[i].operation->value_weights(runner_.inputs(i));
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

std::vector<Count> FormulaAttention::counts() const {
  for (const Formula::Applied& applied : runner_.formula().operations()) {
    std::vector<Count> counts = applied.operation->counts();
    if (!counts.empty()) {
      return counts;
    }
  }
  return {};
}

FormulaDecoder::FormulaDecoder(std::unique_ptr<const Formula> formula,
                               const Resources& resources)
    : runner_(std::move(formula),
              {.kept = resources.scratch,
               .scratch = resources.scratch,
               .state = resources.kept,
               .backward = false}) {}

}  // namespace oa::attention
