// Softmax of the tokens' own products, Q = K = X: an ablation of the maps of queries
// and keys.  A normalised token is most similar to itself, S_ii = sqrt(D), so the layer
// nearly copies its input unless a temperature is learned or the diagonal is excluded.
// Without options it has no parameters.  Decoding keeps one row a token, or two with a
// map of values.
#include "oa/attention/exact_core.h"
#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/pattern/pattern_builder.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/base/number.h"
#include "oa/num/rows.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct IdentityOptions {
  int heads = 1;
  bool values = false;
  bool output = false;
  bool temperature = false;
  bool self = true;

  static std::span<const Field<IdentityOptions>> fields() {
    static constexpr std::array kFields{
        heads_field<&IdentityOptions::heads>(),
        field<&IdentityOptions::values>("values", "Apply a learned map to the values"),
        field<&IdentityOptions::output>("output",
                                        "Apply a learned map after the heads"),
        field<&IdentityOptions::temperature>("temperature",
                                             "Multiply logits by a learned factor"),
        field<&IdentityOptions::self>("self", "Each token sees itself")};
    return kFields;
  }
};

Pattern pattern_of(const IdentityOptions& options, const Site& site, int tokens) {
  if (options.self) {
    return site.causal ? Pattern::causal(tokens) : Pattern::all(tokens, tokens);
  }
  PatternBuilder others(tokens);
  for (int i = 0; i < tokens; ++i) {
    others.see(0, i);
    if (!site.causal) {
      others.see(i + 1, tokens);
    }
    others.end_query();
  }
  return others.take();
}

struct IdentityParts {
  IdentityOptions options;
  std::optional<parts::Linear> value;
  std::optional<parts::Linear> output;
  int factor = -1;  // tensor

  IdentityParts(const Site& site, parts::Layout& layout)
      : options(options_of<IdentityOptions>(site)) {
    if (options.values) {
      value.emplace(layout, site.prefix + "Wv", site.width, site.dim, parts::Bias::No);
    }
    if (options.output) {
      output.emplace(layout, site.prefix + "Wo", site.dim, site.dim, parts::Bias::No);
    }
    if (options.temperature) {
      factor = layout.declare(site.prefix + "temperature", {1}, parts::constant(1.0));
    }
  }

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    parts::Cost cost;
    if (value) {
      cost += value->cost(tokens);
    }
    if (output) {
      cost += output->cost(tokens);
    }
    cost.pairs = pattern_of(options, site, tokens).pairs();
    cost.forward += 4 * cost.pairs * site.dim;
    cost.backward += 10 * cost.pairs * site.dim;
    cost.exponentials = options.heads * cost.pairs;
    cost.traffic = std::int64_t{4} * 3 * tokens * site.dim;
    return cost;
  }

  [[nodiscard]] HeadsView heads(const parts::Weights& weights,
                                ConstView q,
                                ConstView k,
                                ConstView v) const {
    const float own = 1.0F / std::sqrt(static_cast<float>(q.cols / options.heads));
    return {.q = q,
            .k = k,
            .v = v,
            .heads = options.heads,
            .groups = options.heads,
            .scale = factor < 0 ? own : own * weights.values().vector(factor)[0]};
  }
};

HeadsShape shape_of(const IdentityOptions& options, int queries, int keys, int dim) {
  return {.queries = queries,
          .keys = keys,
          .heads = options.heads,
          .groups = options.heads,
          .width = dim / options.heads};
}

class IdentityQk : public Attention {
 public:
  using Parts = IdentityParts;

  IdentityQk(const Site& site,
             const Parts& parts,
             int tokens,
             const Resources& resources)
      : parts_(parts),
        core_(shape_of(parts.options, tokens, tokens, site.dim),
              pattern_of(parts.options, site, tokens),
              resources),
        mixed_(num::zeros(tokens, site.dim, resources.kept)) {
    if (parts_.value) {
      v_ = num::zeros(tokens, site.dim, resources.kept);
    }
    if (resources.backward) {
      dq_ = num::zeros(tokens, site.dim, resources.scratch);
      dv_ = num::zeros(tokens, site.dim, resources.scratch);
      if (parts_.output) {
        dmixed_ = num::zeros(tokens, site.dim, resources.scratch);
      }
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    if (parts_.value) {
      parts_.value->forward(weights, x, v_);
    }
    core_.forward(parts_.heads(weights, x, x, values_of(x)), mixed_);
    if (parts_.output) {
      parts_.output->forward(weights, mixed_, o);
    } else {
      num::copy(mixed_, o);
    }
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    if (parts_.output) {
      parts_.output->backward(weights, mixed_, d_o, dmixed_, gradient);
    }
    core_.backward(parts_.heads(weights, x, x, values_of(x)),
                   mixed_,
                   parts_.output ? ConstView(dmixed_) : d_o,
                   {.q = dq_, .k = dx, .v = dv_});
    if (parts_.factor >= 0) {
      // Logits are linear in q and in the factor: dq = factor * (the sum in dfactor).
      const float factor = weights.values().vector(parts_.factor)[0];
      gradient.vector(parts_.factor)[0] +=
          factor == 0.0F ? 0.0F : static_cast<float>(num::dot(x, dq_)) / factor;
    }
    num::add(dq_, dx);
    if (parts_.value) {
      parts_.value->add_backward(weights, x, dv_, dx, gradient);
    } else {
      num::add(dv_, dx);
    }
  }

  ConstView values() const override { return v_; }
  std::vector<Count> counts() const override { return core_.counts(); }

  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& site,
            const Parts& parts,
            int tokens,
            const Resources& resources)
        : parts_(parts),
          list_(csr_scratch(Pattern::all(1, tokens), 1, resources.scratch)),
          tokens_(num::zeros(tokens, site.dim, resources.kept)) {
      if (parts_.value) {
        values_ = num::zeros(tokens, site.dim, resources.kept);
      }
      mixed_ = num::zeros(1, site.dim, resources.scratch);
    }

    void step(const parts::Weights& weights, ConstView x, View y) override {
      num::copy(x, row_block(tokens_, step_, 1));
      if (parts_.value) {
        parts_.value->forward(weights, x, row_block(values_, step_, 1));
      }
      ++step_;
      const int seen = parts_.options.self ? step_ : step_ - 1;
      csr_forward(parts_.heads(weights,
                               x,
                               tokens_.top(seen),
                               (parts_.value ? values_ : tokens_).top(seen)),
                  Pattern::all(1, seen),
                  mixed_,
                  {},
                  list_,
                  1);
      if (parts_.output) {
        parts_.output->forward(weights, mixed_, y);
      } else {
        num::copy(mixed_, y);
      }
    }
    void restart() override { step_ = 0; }

   private:
    Parts parts_;
    CsrScratch list_;
    View tokens_;
    View values_;
    View mixed_;
    int step_ = 0;
  };

 private:
  ConstView values_of(ConstView x) const { return parts_.value ? ConstView(v_) : x; }

  Parts parts_;
  ExactCore core_;
  View mixed_;
  View v_;
  View dq_;
  View dv_;
  View dmixed_;
};

std::string refusal_of_identity(const Site& site) {
  if (site.width != site.dim) {
    return "tokens of " + format(site.width) + " numbers must have " +
           format(site.dim) + " numbers, because they are the queries";
  }
  const int heads = options_of<IdentityOptions>(site).heads;
  return refusal_of_heads(site.dim, heads, heads);
}

}  // namespace

const Kind kIdentityQk{
    .name = "identity-qk",
    .family = kDenseFamily,
    .summary = "softmax of products of tokens, without maps of queries and keys",
    .direction = Direction::Both,
    .permutes = true,
    .options = options_from<IdentityOptions>(),
    .refusal = &refusal_of_identity,
    .declare = &declare<IdentityQk>,
};

}  // namespace oa::attention
