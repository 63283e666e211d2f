#include "oa/attention/formula/formula_attention.h"

#include "oa/base/index.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <utility>

namespace oa::attention {

using num::ConstView;
using num::View;

FormulaParts::FormulaParts(const Site& site, parts::Layout& layout, BuildFormula build)
    : build_(std::move(build)),
      layout_(layout) {
  layout_.share_names(true);
  Formula formula(
      site, site.tokens, Formula::Purpose::Sequence, 1, layout_, constants_);
  (void)build_(formula);
  layout = layout_;
  layout.share_names(false);
}

std::unique_ptr<const Formula> FormulaParts::formula(const Site& site,
                                                     int tokens,
                                                     Formula::Purpose purpose,
                                                     int threads) const {
  parts::Layout layout = layout_;
  Constants constants = constants_;
  auto made =
      std::make_unique<Formula>(site, tokens, purpose, threads, layout, constants);
  (void)build_(*made);
  return made;
}

parts::Cost FormulaParts::cost(const Site& site, int tokens) const {
  parts::Cost cost;
  const auto made = formula(site, tokens, Formula::Purpose::Sequence, 1);
  for (const Formula::Applied& applied : made->operations()) {
    cost += applied.operation->cost();
  }
  return cost;
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

FormulaRunner::FormulaRunner(std::unique_ptr<const Formula> formula,
                             const Arenas& memory,
                             Arena& states)
    : formula_(std::move(formula)),
      plan_(*formula_, memory, states) {
  std::size_t bytes = 0;
  for (const Formula::Applied& applied : formula_->operations()) {
    Operation& operation = *applied.operation;
    inputs_.emplace_back(operation.form().in.size());
    operation.reserve(memory);
    std::size_t forward = operation.temporary(false);
    if (formula_->decodes()) {
      states_.push_back(num::zeros(operation.state(), states));
    } else {
      forward += bytes_of(operation.state());
    }
    bytes = std::max({bytes, forward, memory.backward ? operation.temporary(true) : 0});
  }
  temporary_ = memory.scratch.part(bytes);
}

ConstView FormulaRunner::value(int id) const {
  return id <= 0 ? ConstView{} : ConstView(plan_.value(id));
}

void FormulaRunner::find_inputs(const parts::Weights& weights, ConstView x) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const OperationForm& form = formula_->operations()[i].operation->form();
    for (std::size_t j = 0; j < inputs_[i].size(); ++j) {
      const int id = form.in[j].id;
      const int tensor = formula_->nodes()[at(id)].tensor;
      inputs_[i][j] = id == 0       ? x
                      : tensor >= 0 ? weights.values().matrix(tensor)
                                    : ConstView(plan_.value(id));
    }
  }
}

void FormulaRunner::forward(const parts::Weights& weights, ConstView x, View o) {
  const auto& all = formula_->operations();
  find_inputs(weights, x);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Operation& operation = *all[i].operation;
    if (operation.form().once && token_ > 0) {
      continue;
    }
    const bool is_last = i + 1 == all.size();
    operation.forward({.weights = weights,
                       .in = inputs_[i],
                       .out = is_last && !plan_.copies_output() ? o : plan_.of(i).out,
                       .state = formula_->decodes()
                                    ? states_[i]
                                    : num::zeros(operation.state(), temporary_),
                       .token = token_,
                       .temporary = temporary_});
    temporary_.release(0);
  }
  if (plan_.copies_output()) {
    num::copy(plan_.of(all.size() - 1).out, o);
  }
  token_ += formula_->decodes() ? 1 : 0;
}

void FormulaRunner::backward(const parts::Weights& weights,
                             ConstView x,
                             ConstView d_o,
                             View dx,
                             parts::Values& gradient) {
  const auto& all = formula_->operations();
  bool reaches_tokens = false;
  find_inputs(weights, x);
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
    // The operation of the output only reads its gradient.
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

FormulaAttention::FormulaAttention(const Site& site,
                                   const FormulaParts& parts,
                                   int tokens,
                                   const Resources& resources)
    : runner_(
          parts.formula(site, tokens, Formula::Purpose::Sequence, resources.threads),
          {.kept = resources.kept,
           .scratch = resources.scratch,
           .backward = resources.backward},
          resources.kept) {}

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
  for (std::size_t i = 0; i < all.size(); ++i) {
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

FormulaDecoder::FormulaDecoder(const Site& site,
                               const FormulaParts& parts,
                               int tokens,
                               const Resources& resources)
    : runner_(
          parts.formula(site, tokens, Formula::Purpose::Decoder, resources.threads),
          {.kept = resources.scratch, .scratch = resources.scratch, .backward = false},
          resources.kept) {}

}  // namespace oa::attention
