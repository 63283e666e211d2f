// Attention by optimisation, the layer of the paper (keyed.h is the form with keys).
// The coefficients x of query i minimise |sum_j x_j u_j - q_i|^2 + lambda/m sum_j x_j
// over [0,1]^m or {0,1}^m, where u = value_scale V / m for m values.
// The quadratic problem has
//   J = 2 u u',  h_i = -2 u q_i + lambda/m,  o_i = a_i'V, optionally divided by m.
// In a causal layer, query i has the problem of the first i + 1 values.
// Multiplied by ((i + 1) / m)^2, all problems have the same J,
// and row i of h is multiplied by (i + 1) / m.  Besides projections and solver,
// n queries of width d cost 2m(m + 2n)d FLOPs; backward 2m(m + 4n)d,
// or 14mnd if J has low rank.  Most of the workspace is m*m and n*m floats.
#include "oa/attention/candidates.h"
#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/heads.h"
#include "oa/attention/kinds.h"
#include "oa/attention/kinds/keyed.h"
#include "oa/attention/kinds/keyed_steps.h"
#include "oa/num/box/admm.h"
#include "oa/num/gemm.h"
#include "oa/num/gram.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <span>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// Binary coefficients skip the fifth power, which would change only slopes at 0 and 1.
Normalization weights_of(const Site& site) {
  const bool plain = site.coefficients == Coefficients::Binary &&
                     site.normalization != Normalization::None;
  return plain ? Normalization::Sum : site.normalization;
}

/// Multiplies row i of x, which is h or its gradient, by (i + 1) / m in a causal layer.
void shrink_rows(const QueryRows& rows, int m, View x) {
  for (int i = rows.first; i < rows.last; ++i) {
    num::scale(row_block(x, i, 1), static_cast<float>(i + 1) / static_cast<float>(m));
  }
}

/// Sets row i of h to `value` after its i + 1 variables.
void fill_later(const QueryRows& rows, float value, View h) {
  for (int i = rows.first; i < rows.last; ++i) {
    std::fill(h.row(i) + i + 1, h.row(i) + h.cols, value);
  }
}

/// Predicts without storing J, for some queries at a time.
/// Memory is linear in the number of tokens.
class ThinSolver {
 public:
  ThinSolver(const Site& site,
             const OptimizingOptions& options,
             int queries,
             int keys,
             Arena& scratch)
      // 0: coefficients are not rounded
      : levels_(site.coefficients == Coefficients::Binary ||
                        site.coefficients == Coefficients::Levels
                    ? site.levels
                    : 0),
        warm_(options.warm),
        how_(weights_of(site)),
        scale_(static_cast<float>(site.value_scale / keys)),
        output_scale_(site.divide_output ? 1.0F / static_cast<float>(keys) : 1.0F),
        transposed_(num::zeros(site.dim, keys, scratch)),
        rows_(std::min(kRows, queries)),
        h_(num::zeros(rows_, keys, scratch)),
        x_(num::zeros(rows_, keys, scratch)),
        sums_(num::zeros(rows_, scratch)),
        penalty_(num::zeros(keys, scratch)),
        restricted_(options.candidates > 0) {
    if (restricted_) {
      candidates_.emplace(std::min(options.candidates, keys), site.dim, scratch);
    } else {
      solver_.emplace(rows_, keys, site.dim, scratch);
    }
    const auto per_coefficient = static_cast<float>(site.lambda / keys);
    settings_.iterations = options.thin;
    if (site.coefficients == Coefficients::Lasso) {
      settings_.constraint = num::Constraint::Absolute;
      settings_.penalty = per_coefficient;
    } else {
      per_coefficient_ = per_coefficient;
    }
  }

  void solve(ConstView q, ConstView v, View o) {
    num::transpose(v, transposed_);
    std::fill_n(penalty_.data(), v.rows, per_coefficient_);
    if (!restricted_) {
      solver_->prepare(v, scale_, settings_);
    }
    // Queries of one step are `steps` apart.  The next step has the next query of each.
    const int steps = (o.rows + rows_ - 1) / rows_;
    for (int step = 0; step < steps; ++step) {
      const int count = (o.rows - step + steps - 1) / steps;
      const View found = x_.top(count);
      num::matmul({q.row(step), count, q.cols, q.stride * steps},
                  transposed_,
                  h_.top(count),
                  -2.0F * scale_,
                  penalty_);
      solve_rows(v, h_.top(count), found, warm_ && step > 0);
      if (levels_ > 0) {
        round_to_levels(levels_, found);
      }
      normalize(how_, found, sums_, found);
      num::matmul(
          found, v, {o.row(step), count, o.cols, o.stride * steps}, output_scale_);
    }
  }

 private:
  void solve_rows(ConstView v, ConstView h, View found, bool warm) {
    if (!restricted_) {
      solver_->solve(h, found, warm);
      return;
    }
    const auto keys = static_cast<std::size_t>(h.cols);
    for (int i = 0; i < h.rows; ++i) {
      candidates_->solve(
          v, scale_, settings_.iterations, {h.row(i), keys}, {found.row(i), keys});
    }
  }

  static constexpr int kRows = 48;  // stays in the cache with four rows of tokens

  int levels_;
  bool warm_;
  Normalization how_;
  float scale_;
  float output_scale_;
  float per_coefficient_ = 0.0F;
  num::AdmmSettings settings_;
  View transposed_;  // V'
  int rows_;
  View h_;
  View x_;
  std::span<float> sums_;
  std::span<float> penalty_;
  bool restricted_;
  std::optional<num::LowRankAdmm> solver_;  // over all values
  std::optional<Candidates> candidates_;    // over the best values of each query
};

std::vector<Setting> settings_of(const Site& site) {
  return {{"coefficients", field_text(site.coefficients)},
          {"levels", site.levels},
          {"normalization", field_text(weights_of(site))},
          {"lambda", site.lambda},
          {"value_scale", site.value_scale},
          {"divide_output", site.divide_output},
          {"causal", site.causal}};
}

class PaperOptimum : public Operation {
 public:
  PaperOptimum(Value q, Value v, const OptimizingOptions& options)
      : Operation({.name = "optimum",
                   .in = {q, v},
                   .rows = q.rows,
                   .cols = v.cols,
                   .reads_inputs = true,
                   .shows = true,
                   .settings = settings_of(q.formula->site())}),
        options_(options),
        site_(q.formula->site()),
        tokens_(q.formula->tokens_of_sequence()),
        threads_(q.formula->threads()),
        decodes_(q.formula->decodes()),
        how_(weights_of(site_)),
        scale_(static_cast<float>(site_.value_scale / v.rows)),
        per_coefficient_(site_.coefficients == Coefficients::Lasso
                             ? 0.0F
                             : static_cast<float>(site_.lambda / v.rows)) {
    problem_.output_scale =
        site_.divide_output ? 1.0F / static_cast<float>(v.rows) : 1.0F;
    problem_.causal = site_.causal;
  }

  parts::Cost cost() const override {
    const int m = in(1).rows;
    const auto mmd = parts::product_flops(m, m, cols());
    const auto nmd = parts::product_flops(rows(), m, cols());
    return {.forward = mmd + 2 * nmd,
            .backward = num::Gram::is_low_rank(m, cols()) ? 7 * nmd : mmd + 4 * nmd,
            .pairs = site_.causal ? std::int64_t{1} * tokens_ * (tokens_ + 1) / 2
                                  : std::int64_t{1} * rows() * m};
  }
  void reserve(const Arenas& arenas) override {
    const int n = rows();
    const int m = in(1).rows;
    // Exact solvers and posed problems need a stored J.
    if (decodes_) {
      reserve_for_tokens(arenas);
    } else if (options_.thin > 0 && !arenas.backward && !site_.solver.optima) {
      thin_.emplace(site_, options_, n, m, arenas.scratch);
    } else {
      reserve_problems(n, m, arenas);
    }
  }

  std::span<const Problem> pose(const ForwardRun& run, const QueryRows& rows) override {
    if (thin_) {
      return {};
    }
    num::transpose(run.in[1], transposed_);
    num::matmul(run.in[1], transposed_, j_, gram(run.in[1]).scale);
    std::fill_n(penalty_.data(), j_.rows, per_coefficient_);
    num::matmul(rows_of(run.in[0], rows),
                transposed_,
                rows_of(h_, rows),
                -2.0F * scale_,
                penalty_);
    if (site_.causal) {
      shrink_rows(rows, j_.rows, h_);
      fill_later(rows, 0.0F, h_);
    }
    problem_.j = j_;
    problem_.h = h_;
    problem_.v = run.in[1];
    return {&problem_, 1};
  }
  void forward(const ForwardRun& run) override {
    if (steps_) {
      step(run);
      return;
    }
    if (thin_) {
      thin_->solve(run.in[0], run.in[1], run.out);
      return;
    }
    pose(run, {0, rows()});
    if (site_.causal) {
      fill_later({0, rows()}, kExcluded, h_);
    }
    x_ = layer_->forward(gram(run.in[1]), h_, rounded_);
    weigh(how_, x_, sums_, a_, run.in[1], problem_.output_scale, run.out);
  }
  void backward(const BackwardRun& run) override {
    const ConstView q = run.in[0];
    const ConstView v = run.in[1];
    const View dq = run.d_in[0].d;
    const View dv = run.d_in[1].d;
    num::matmul(run.d_out, transposed_, da_, problem_.output_scale);
    num::fill(dv, 0.0F);
    num::matmul_transposed_add(a_, run.d_out, dv, problem_.output_scale);
    normalize_backward(how_, x_, a_, sums_, da_, da_);
    const bool low_rank = xv_.rows > 0;
    if (low_rank) {
      layer_->backward(gram(v), h_, da_, dh_);
    } else {
      layer_->backward(gram(v), h_, da_, dh_, dj_);
    }
    num::matmul(dh_, v, dq, -2.0F * scale_);
    num::matmul_transposed_add(before_shrinking(), q, dv, -2.0F * scale_);
    if (low_rank) {
      // dj = (dh'x + x'dh)/2 has at most the rank of V:
      // computes 2 dj V by products with V.
      num::matmul_transposed_add(layer_->relaxed(), dq, dv, -scale_);
      num::matmul(layer_->relaxed(), v, xv_);
      num::matmul_transposed_add(dh_, xv_, dv, gram(v).scale);
    } else {
      num::matmul_add(dj_, v, dv, 2.0F * gram(v).scale);
    }
    if (site_.causal) {
      shrink_rows({0, rows()}, v.rows, dq);
    }
  }

  const CoefficientLayer* coefficients() const override {
    return layer_ ? &*layer_ : nullptr;
  }
  float residual() const override { return layer_ ? layer_->residual(j_) : 0.0F; }

 private:
  void reserve_problems(int n, int m, const Arenas& arenas) {
    const Resources resources{.kept = arenas.kept,
                              .scratch = arenas.scratch,
                              .backward = arenas.backward,
                              .threads = threads_};
    layer_.emplace(site_, tokens_, resources);
    transposed_ = num::zeros(cols(), m, arenas.kept);
    j_ = num::zeros(m, m, arenas.kept);
    h_ = num::zeros(n, m, arenas.kept);
    if (CoefficientLayer::rounds(site_)) {
      rounded_ = num::zeros(n, m, arenas.kept);
    }
    a_ = num::zeros(n, m, arenas.kept);
    sums_ = num::zeros(n, arenas.kept);
    penalty_ = num::zeros(m, arenas.scratch);
    if (!arenas.backward) {
      return;
    }
    da_ = num::zeros(n, m, arenas.scratch);
    dh_ = num::zeros(n, m, arenas.scratch);
    if (num::Gram::is_low_rank(m, cols()) && !layer_->differentiates_j()) {
      xv_ = num::zeros(n, cols(), arenas.scratch);
    } else {
      dj_ = num::zeros(m, m, arenas.scratch);
    }
  }

  void reserve_for_tokens(const Arenas& arenas) {
    steps_.emplace(
        site_,
        KeyedSteps::Form{.width = cols(), .own = true, .how = weights_of(site_)},
        tokens_,
        Resources{.kept = arenas.state, .scratch = arenas.scratch, .backward = false});
  }
  /// For m values the problem is multiplied by m^2, so that J does not depend on m.
  void step(const ForwardRun& run) {
    if (run.token == 0) {
      steps_->restart();
    }
    const auto m = static_cast<float>(run.token + 1);
    const auto scale = static_cast<float>(site_.value_scale);
    steps_->mix(0,
                {.alpha = 2.0F * scale * scale,
                 .beta = 2.0F * scale * m,
                 .penalty = static_cast<float>(site_.lambda) * m},
                run.in[0],
                run.in[1],
                run.in[1],
                run.out);
    steps_->next();
  }

  [[nodiscard]] num::Gram gram(ConstView v) const {
    return {j_, v, transposed_, 2.0F * scale_ * scale_};
  }

  /// The gradient of h before shrink_rows(), which may have overwritten da_.
  ConstView before_shrinking() {
    if (!site_.causal) {
      return dh_;
    }
    num::copy(dh_, da_);
    shrink_rows({0, rows()}, j_.rows, da_);
    return da_;
  }

  OptimizingOptions options_;
  const Site& site_;
  int tokens_;
  int threads_;
  bool decodes_;
  Normalization how_;
  float scale_;
  float per_coefficient_;  // lambda / m; 0 if the solver has the penalty
  std::optional<CoefficientLayer> layer_;
  std::optional<ThinSolver> thin_;   // instead of layer_
  std::optional<KeyedSteps> steps_;  // of a decoder
  Problem problem_;
  View transposed_;  // V'
  View j_;
  View h_;
  View rounded_;  // coefficients, if they are rounded
  ConstView x_;
  View a_;
  std::span<float> sums_;
  std::span<float> penalty_;
  View da_;
  View dh_;
  View dj_;
  View xv_;  // instead of dj_
};

Value optimizing(Formula& f, const OptimizingOptions& o) {
  f.refuse(refusal_of_optimizing(f.site()));
  if (o.keys != OptimizingKeys::Paper) {
    return keyed_optimum(f, o);
  }
  const Value x = f.tokens();
  const Value q = queries_of(x);
  const Value v = projection("Wv", x, {0, f.site().keys(x.rows)}, f.dim());
  f.show(q, v);
  return f.apply<PaperOptimum>(q, v, o);
}

constexpr std::array kOptimizingSettings{KindSetting{"coefficients"},
                                         KindSetting{"levels"},
                                         KindSetting{"normalization"},
                                         KindSetting{"lambda", "keys=paper"},
                                         KindSetting{"value_scale", "keys=paper"},
                                         KindSetting{"divide_output", "keys=paper"},
                                         KindSetting{"gradient"},
                                         KindSetting{"exact"},
                                         KindSetting{"max_nodes"},
                                         KindSetting{"curriculum", "keys=own"},
                                         KindSetting{"curriculum", "keys=shared"},
                                         KindSetting{"curriculum", "keys=separate"},
                                         KindSetting{"temperature", "keys=paper"},
                                         KindSetting{"tolerance"},
                                         KindSetting{"admm_iterations"}};

constexpr Kind optimizing_kind() {
  Kind kind = formula_kind<OptimizingOptions, optimizing>({
      .name = "optimizing",
      .family = "optimizing",
      .summary = "coefficients minimise a QUBO or its relaxation",
      .direction = Direction::Both,
      .has_problem = true,
      .takes_queries = true,
      .narrow_keys = true,
      .permutes = true,
      .settings = kOptimizingSettings,
  });
  kind.options.applies = &optimizing_option_applies;
  return kind;
}

}  // namespace

const Kind kOptimizing = optimizing_kind();

}  // namespace oa::attention
