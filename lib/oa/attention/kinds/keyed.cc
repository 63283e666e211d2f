// Optimising attention with keys k.
// In each head, the coefficients x of query i minimise
//   1/2 x'Jx + h_i'x,  J = alpha k k',  h_i = lambda - beta k q_i,
// and the output is o_i = x'V / max(1, |x|_1).  Learned are alpha, beta > 0, lambda
// and, for marginal coefficients, the temperature (keyed_head.h).  Besides maps and
// solver, m values and n queries of width D cost 2m(m + 2n)D FLOPs, backward 2m(m +
// 4n)D.
#include "oa/attention/kinds/keyed.h"

#include "oa/attention/formula/loops.h"
#include "oa/attention/kinds/keyed_head.h"
#include "oa/attention/kinds/keyed_steps.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/num/boltzmann.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

KeySource source_of(OptimizingKeys keys) {
  return keys == OptimizingKeys::Own      ? KeySource::Own
         : keys == OptimizingKeys::Shared ? KeySource::Shared
                                          : KeySource::Separate;
}

// The initial length of an isometric map's columns.  Training changes long columns
// relatively little: 50 times less than the columns of other maps.
constexpr double kIsometricLength = 64.0;

double stretch_of(const OptimizingOptions& options) {
  return options.isometric ? kIsometricLength : 0.0;
}

/// The initial logarithm of alpha or beta, for `scale` without the isometric length.
double initial_log(const OptimizingOptions& options, double scale) {
  return std::log(scale) - (options.isometric ? 2.0 * std::log(kIsometricLength) : 0.0);
}

std::string refusal_of_isometric(const Site& site, const OptimizingOptions& options) {
  if (options.keys != OptimizingKeys::Shared || options.unit ||
      options.maps.heads > 1) {
    return "isometric=true needs keys=shared, unit=false and one head";
  }
  if (site.seen_by_keys() > site.dim) {
    return "isometric=true: keys see " + format(site.seen_by_keys()) +
           " numbers, more than their width of " + format(site.dim);
  }
  return {};
}

std::string refusal_of_paper(const Site& site, const OptimizingOptions& options) {
  if (site.causal && site.divide_output) {
    return "divide_output has no causal form: queries see different numbers of values";
  }
  if (site.causal && options.thin > 0) {
    return "thin has no causal form";
  }
  if (site.causal && site.coefficients == Coefficients::Lasso) {
    return "coefficients of the lasso have no causal form";
  }
  if (site.key_width > 0) {
    return "keys=paper are values, which see all columns of the tokens";
  }
  return {};
}

std::string refusal_of_marginals(const Site& site, const OptimizingOptions& options) {
  constexpr int kMax{num::Boltzmann::kMaxVariables};
  if (options.keys == OptimizingKeys::Paper) {
    return "coefficients marginal need keys=own, shared or separate";
  }
  const int keys = site.keys(site.tokens);
  return keys > kMax
             ? "coefficients marginal are sums over all subsets of at most " +
                   format(kMax) + " keys, not " + format(keys) +
                   " (continuous ones and the mean field of oa.torch have no limit)"
             : "";
}

/// Indices of tensors with a number for each head.  If log_alpha is -1, alpha is 0.
struct ScaleTensors {
  int log_alpha = -1;
  int log_beta = -1;
  int penalty = -1;
  int log_temperature = -1;  // -1 unless coefficients are marginal
};

class KeyedOptimum : public HeadsOperation {
 public:
  KeyedOptimum(const Heads& of, const KeyForm& form, ScaleTensors tensors)
      : HeadsOperation(of,
                       {.name = "keyed_optimum",
                        .output = false,
                        .settings = {{"coefficients",
                                      field_text(of.q.formula->site().coefficients)},
                                     {"levels", of.q.formula->site().levels},
                                     {"normalization", field_text(form.how)},
                                     {"unit", form.unit},
                                     {"centre", form.centred}}}),
        form_(form),
        tensors_(tensors),
        site_(formula().site()) {}

  parts::Cost cost() const override {
    const std::int64_t n = rows();
    const std::int64_t m = in(1).rows;
    return {.forward = 2 * m * (m + 2 * n) * cols(),
            .backward = 12 * m * n * cols(),
            .pairs = site_.causal ? n * (n + 1) / 2 : n * m};
  }
  void reserve(const Arenas& arenas) override {
    const Resources resources{.kept = arenas.kept,
                              .scratch = arenas.scratch,
                              .backward = arenas.backward,
                              .threads = formula().threads()};
    if (formula().decodes()) {
      steps_.emplace(
          site_,
          KeyedSteps::Form{.heads = heads().heads,
                           .width = heads().width(),
                           .unit = form_.unit,
                           .own = in(1).id == in(2).id,
                           .how = form_.how},
          formula().tokens_of_sequence(),
          Resources{
              .kept = arenas.state, .scratch = arenas.scratch, .backward = false});
      return;
    }
    for (int h = 0; h < heads().heads; ++h) {
      values_.push_back(num::zeros(in(2).rows, cols(), arenas.scratch));
    }
    // Heads share scratch memory in turn, unless it is also kept memory.
    const bool apart = &arenas.kept != &arenas.scratch;
    const std::size_t mark = arenas.scratch.mark();
    for (int h = 0; h < heads().heads; ++h) {
      if (apart) {
        arenas.scratch.release(mark);
      }
      solvers_.emplace_back(
          site_, form_, heads().width(), formula().tokens_of_sequence(), resources);
    }
  }
  void set_stage(const Stage& stage) override {
    for (KeyedHead& solver : solvers_) {
      solver.set_stage(stage);
    }
  }

  std::span<const Problem> pose(const ForwardRun& run, const QueryRows& rows) override {
    pose_heads(run, rows);
    problems_.clear();
    for (int h = 0; h < heads().heads; ++h) {
      const View values = values_[at(h)];
      num::fill(values, 0.0F);
      copy_rows(of_head(run.in[2], h), of_head(values, h));
      problems_.push_back({.j = solvers_[at(h)].j(),
                           .h = solvers_[at(h)].h(),
                           .v = values,
                           .output_scale = 1.0F,
                           .causal = site_.causal});
    }
    return problems_;
  }
  void forward(const ForwardRun& run) override {
    if (steps_) {
      step(run);
      return;
    }
    pose_heads(run, {0, rows()});
    for (int h = 0; h < heads().heads; ++h) {
      solvers_[at(h)].forward(of_head(run.in[2], h), of_head(run.out, h));
    }
  }
  void backward(const BackwardRun& run) override {
    const HeadsGradient to = gradient(run);
    for (int h = 0; h < heads().heads; ++h) {
      KeyedScalesGradient scales;
      solvers_[at(h)].backward(
          of_head(run.in[2], h),
          of_head(ConstView(run.d_out), h),
          scales_of(run.weights, h),
          {.q = of_head(to.q, h), .k = of_head(to.k, h), .v = of_head(to.v, h)},
          scales);
      add(scales.log_alpha, tensors_.log_alpha, h, run.gradient);
      add(scales.log_beta, tensors_.log_beta, h, run.gradient);
      add(scales.penalty, tensors_.penalty, h, run.gradient);
      add(scales.log_temperature, tensors_.log_temperature, h, run.gradient);
    }
  }

  const CoefficientLayer* coefficients() const override {
    return &solvers_.front().coefficients();
  }
  float residual() const override {
    float worst = 0.0F;
    for (const KeyedHead& solver : solvers_) {
      worst = std::max(worst, solver.residual());
    }
    return worst;
  }

 private:
  template <class Matrix>
  [[nodiscard]] Matrix of_head(Matrix all, int head) const {
    return columns(all, head * heads().width(), heads().width());
  }
  [[nodiscard]] KeyedScales scales_of(const parts::Weights& weights, int head) const {
    const auto number = [&](int tensor) {
      return weights.values().vector(tensor)[at(head)];
    };
    const auto exponential = [&](int tensor, float otherwise) {
      return tensor < 0 ? otherwise : std::exp(number(tensor));
    };
    return {.alpha = exponential(tensors_.log_alpha, 0.0F),
            .beta = std::exp(number(tensors_.log_beta)),
            .penalty = number(tensors_.penalty),
            .temperature = exponential(tensors_.log_temperature, 1.0F)};
  }
  static void add(double from, int tensor, int head, parts::Values& gradient) {
    if (tensor >= 0) {
      gradient.vector(tensor)[at(head)] += static_cast<float>(from);
    }
  }
  void pose_heads(const ForwardRun& run, const QueryRows& rows) {
    for (int h = 0; h < heads().heads; ++h) {
      solvers_[at(h)].pose(of_head(run.in[0], h),
                           of_head(run.in[1], h),
                           scales_of(run.weights, h),
                           rows);
    }
  }
  void step(const ForwardRun& run) {
    if (run.token == 0) {
      steps_->restart();
    }
    for (int h = 0; h < heads().heads; ++h) {
      steps_->mix(h,
                  scales_of(run.weights, h),
                  of_head(run.in[0], h),
                  of_head(run.in[1], h),
                  of_head(run.in[2], h),
                  of_head(run.out, h));
    }
    steps_->next();
  }

  KeyForm form_;
  ScaleTensors tensors_;
  const Site& site_;
  std::vector<KeyedHead> solvers_;
  std::vector<View> values_;  // values in the problem of each head
  std::vector<Problem> problems_;
  std::optional<KeyedSteps> steps_;  // of a decoder
};

ScaleTensors scale_tensors(Formula& f, const OptimizingOptions& o) {
  const auto tensor = [&](const char* name, double start) {
    return f.tensor(name, {o.maps.heads}, parts::constant(start));
  };
  ScaleTensors tensors;
  if (o.alpha > 0.0) {
    tensors.log_alpha = tensor("log_alpha", initial_log(o, o.alpha));
  }
  tensors.log_beta = tensor("log_beta", initial_log(o, o.beta));
  tensors.penalty = tensor("penalty", o.penalty);
  if (f.site().coefficients == Coefficients::Marginal) {
    tensors.log_temperature = tensor("log_temperature", 0.0);
  }
  return tensors;
}

}  // namespace

std::span<const Field<OptimizingOptions>> OptimizingOptions::fields() {
  static constexpr auto kFields = joined(
      std::array{
          field<&OptimizingOptions::thin>("thin",
                                          "In prediction: iterations of ADMM in "
                                          "low-rank form (0: solve to the minimum)",
                                          {.range = {.low = 0, .high = 100000}}),
          field<&OptimizingOptions::candidates>(
              "candidates",
              "With thin: number of values that a query may choose, the most similar "
              "ones (0: all)",
              {.range = {.low = 0, .high = 4096}}),
          field<&OptimizingOptions::warm>(
              "warm", "With thin: start from the solution of the previous token"),
          field<&OptimizingOptions::keys>(
              "keys", "Source of the keys", {.value_name = "SOURCE"})},
      joined(head_fields<&OptimizingOptions::maps>(),
             std::array{field<&OptimizingOptions::unit>(
                            "unit", "Scale keys and queries to length 1"),
                        field<&OptimizingOptions::centre>(
                            "centre", "Subtract the mean of the keys first"),
                        field<&OptimizingOptions::isometric>(
                            "isometric",
                            "Begin with a long map that keeps angles, and learns "
                            "slowly"),
                        field<&OptimizingOptions::alpha>(
                            "alpha",
                            "Initial penalty for choosing similar keys (0: none)",
                            {.range = {.low = 0, .high = 1e6}}),
                        field<&OptimizingOptions::beta>(
                            "beta",
                            "Initial reward of a key similar to the query",
                            {.range = {.low = 1e-3, .high = 1e6}}),
                        field<&OptimizingOptions::penalty>(
                            "penalty",
                            "Initial penalty of each chosen key",
                            {.range = {.low = -1e6, .high = 1e6}}),
                        loops_field<&OptimizingOptions::loops>()}));
  return kFields;
}

bool optimizing_option_applies(const OptionTexts& texts, const std::string& name) {
  const auto keys = texts.find("keys");
  const bool paper = keys == texts.end() || keys->second == "paper";
  const bool for_paper = name == "thin" || name == "candidates" || name == "warm";
  return name == "keys" || for_paper == paper;
}

std::string refusal_of_optimizing(const Site& site) {
  const auto options = options_of<OptimizingOptions>(site);
  const std::string keys = "keys=" + field_text(options.keys);
  for (const auto& [name, value] : site.options) {
    if (!optimizing_option_applies(site.options, name)) {
      return name + " has no meaning with " + keys;
    }
  }
  if (options.candidates > 0 && options.thin == 0) {
    return "candidates need thin, the number of sweeps over them";
  }
  if (options.warm && (options.thin == 0 || options.candidates > 0)) {
    return "warm needs thin, the number of iterations, over all values";
  }
  if (options.candidates > 0 && site.coefficients == Coefficients::Lasso) {
    return "candidates are for coefficients from 0 to 1, not for those of the lasso";
  }
  if (site.causal && site.solver.backward == Backward::Unrolled) {
    return "no unrolled gradient in causal layers";
  }
  if (site.coefficients == Coefficients::Marginal) {
    if (const std::string refused = refusal_of_marginals(site, options);
        !refused.empty()) {
      return refused;
    }
  }
  if (options.keys == OptimizingKeys::Paper) {
    return refusal_of_paper(site, options);
  }
  if (site.coefficients == Coefficients::Lasso) {
    return keys + " learn their penalty: coefficients cannot be those of the lasso";
  }
  if (options.keys == OptimizingKeys::Own && site.key_width > 0) {
    return "keys=own are values, which see all columns of the tokens";
  }
  if (options.keys == OptimizingKeys::Shared && site.learned_queries > 0) {
    return "keys=shared needs queries of tokens, not learned ones";
  }
  if (site.options.contains("centre") && options.centre &&
      (site.causal || !options.unit)) {
    return site.causal
               ? "centre=true sees later tokens (expected false in a causal layer)"
               : "centre=true has no meaning with unit=false";
  }
  if (const std::string refused =
          options.isometric ? refusal_of_isometric(site, options) : std::string{};
      !refused.empty()) {
    return refused;
  }
  return refusal_of_heads(site.dim, options.maps.heads, options.maps.heads);
}

Value keyed_optimum(Formula& f, const OptimizingOptions& o) {
  const HeadLayer layer(f.tokens(),
                        o.maps,
                        0,
                        {.source = source_of(o.keys),
                         .stretch = stretch_of(o),
                         .output_bias = parts::Bias::No});  // problems have no constant
  const auto optimum = [&](const Heads& heads, Normalization how) {
    const KeyForm form{
        .unit = o.unit, .centred = o.unit && o.centre && !f.causal(), .how = how};
    return f.apply<KeyedOptimum>(heads, form, scale_tensors(f, o));
  };
  const Heads last = refined(layer.heads(), o.loops, [&](const Heads& keys) {
    return optimum(keys, Normalization::None);
  });
  return layer.output(optimum(last, f.site().keyed_normalization()));
}

}  // namespace oa::attention
