// Attention by features, o_i = phi(q_i)'S / phi(q_i)'u with S = sum phi(k_j) v_j' and u
// = sum phi(k_j), over all tokens or those up to i.  Its cost is linear in the tokens,
// and decoding keeps only S and u.  The kinds differ in their features: elementwise
// (linear, arXiv:2006.16236), random positive ones that approximate exp(q.k / sqrt d)
// (performer, arXiv:2009.14794), random sines and cosines of unit queries and keys
// (rfa, arXiv:2103.02143).  With f features a head and token it costs 4nDf FLOPs beside
// maps and features, backward 3 times as many; see kernel/scan/linear_scan.h.
#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/scan/linear_scan.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/limits.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oa::attention {

/// Elementwise features.
enum class PointFeature : std::uint8_t { Elu, Identity, Relu, Exp };

}  // namespace oa::attention

namespace oa {

template <>
struct EnumNames<attention::PointFeature> {
  static constexpr std::array kAll{"elu", "identity", "relu", "exp"};
};

}  // namespace oa

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

constexpr Range kFeatureCount{.low = 0, .high = 1 << 16};

struct LinearOptions {
  HeadOptions maps;
  PointFeature feature = PointFeature::Elu;

  static std::span<const Field<LinearOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&LinearOptions::maps>(),
        std::array{field<&LinearOptions::feature>(
            "feature", "Feature map, applied to each number of queries and keys")});
    return kFields;
  }
};

struct PerformerOptions {
  HeadOptions maps;
  int features = 0;
  bool orthogonal = true;
  std::int64_t seed = 1;

  static std::span<const Field<PerformerOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&PerformerOptions::maps>(),
        std::array{
            field<&PerformerOptions::features>("features",
                                               "Number of random features (0: d log d, "
                                               "rounded up to a multiple of 16)",
                                               {.range = kFeatureCount}),
            field<&PerformerOptions::orthogonal>(
                "orthogonal", "Orthogonal directions within each block"),
            field<&PerformerOptions::seed>(
                "seed", "Seed of the random directions", {.range = kSeedRange})});
    return kFields;
  }
};

struct RfaOptions {
  HeadOptions maps;
  int features = 64;
  bool orthogonal = true;
  std::int64_t seed = 1;
  bool gate = false;

  static std::span<const Field<RfaOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&RfaOptions::maps>(),
        std::array{
            field<&RfaOptions::features>(
                "features",
                "Number of random directions, each with a sine and a cosine",
                {.range = {.low = 1, .high = 1 << 16}}),
            field<&RfaOptions::orthogonal>("orthogonal",
                                           "Orthogonal directions within each block"),
            field<&RfaOptions::seed>(
                "seed", "Seed of the random directions", {.range = kSeedRange}),
            field<&RfaOptions::gate>("gate", "In causal layers: learn a forget gate")});
    return kFields;
  }
};

/// Random directions, shared by all heads and threads.
struct Directions {
  num::Matrix columns;  // d x m
  num::Matrix rows;     // m x d

  Directions(int d, int m, bool orthogonal, std::int64_t seed)
      : columns(d, m),
        rows(m, d) {
    Rng rng(static_cast<std::uint64_t>(seed));
    const auto draw = [&](Arena& arena) {
      draw_directions(rng, orthogonal, columns, rows, arena);
    };
    Arena arena((static_cast<std::size_t>(d) + 2) * static_cast<std::size_t>(d) *
                    sizeof(double) +
                2 * Arena::kAlignment);
    draw(arena);
  }
};

int performer_features(const PerformerOptions& options, int d) {
  if (options.features > 0) {
    return options.features;
  }
  const double wanted = d * std::log(std::max(2.0, static_cast<double>(d)));
  return std::max(16, static_cast<int>(std::ceil(wanted / 16.0)) * 16);
}

/// The parts of all three kinds.
struct FeatureParts {
  HeadMaps maps;
  Feature feature;
  std::shared_ptr<const Directions> directions;
  std::optional<parts::Linear> gate;
  int inverse_sigma = -1;      // tensor
  float epsilon = 1e-6F;       ///< of the denominator
  std::int64_t per_token = 0;  ///< exponentials, sines and cosines of a head

  [[nodiscard]] LinearShape shape(const Site& site, int threads) const {
    LinearShape s;
    s.heads = maps.heads();
    s.key_width = s.value_width = maps.head_dim();
    s.features.kind = feature;
    s.features.head_width = maps.head_dim();
    if (directions) {
      s.features.directions = directions->columns;
      s.features.transposed = directions->rows;
    }
    s.causal = site.causal;
    s.clamped = feature == Feature::Fourier || feature == Feature::Identity;
    s.epsilon = epsilon;
    s.threads = threads;
    return s;
  }

  /// Features of a head and token, without padding.
  [[nodiscard]] int features() const {
    return !directions
               ? maps.head_dim()
               : directions->columns.cols() * (feature == Feature::Fourier ? 2 : 1);
  }

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const std::int64_t n = tokens;
    parts::Cost cost = maps.cost(tokens);
    if (gate) {
      cost += gate->cost(tokens);
    }
    const std::int64_t products =
        4 * n * site.dim * features() +
        (directions ? 4 * n * site.dim * directions->columns.cols() : 0);
    cost.forward += products;
    cost.backward += 3 * products;
    cost.exponentials = n * maps.heads() * per_token;
    cost.traffic = 4 * 4 * n * site.dim;
    return cost;
  }

  [[nodiscard]] LinearInput input(const parts::Weights& weights,
                                  const HeadMaps::Workspace& at,
                                  ConstView gate_logits) const {
    return {.q = at.q,
            .k = at.k,
            .v = at.v,
            .gate = gate_logits,
            .inverse_sigma = inverse_sigma < 0
                                 ? std::span<const float>{}
                                 : weights.values()
                                       .vector(inverse_sigma)
                                       .first(static_cast<std::size_t>(maps.heads()))};
  }
};

class FeatureAttention : public Attention {
 public:
  FeatureAttention(const Site& site,
                   const FeatureParts& parts,
                   int tokens,
                   const Resources& resources)
      : parts_(parts),
        shape_(parts.shape(site, resources.threads)),
        at_(parts.maps.workspace(tokens, resources)),
        sum_(num::zeros(tokens, parts.maps.heads(), resources.kept)),
        reference_(num::zeros(tokens, parts.maps.heads(), resources.kept)) {
    if (parts_.gate) {
      gate_ = num::zeros(tokens, parts.maps.heads(), resources.kept);
    }
    if (shape_.causal) {
      state_ = num::zeros(linear_state_size(shape_), resources.scratch);
    }
    std::size_t bytes = linear_scratch_bytes(shape_);
    if (resources.backward) {
      bytes = std::max(bytes, linear_backward_scratch_bytes(shape_, tokens));
      if (parts_.gate) {
        dgate_ = num::zeros(tokens, parts.maps.heads(), resources.scratch);
      }
    }
    temporary_ = resources.scratch.part(bytes);
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.maps.forward(weights, x, at_);
    if (parts_.gate) {
      parts_.gate->forward(weights, x, gate_);
    }
    if (shape_.causal) {
      std::ranges::fill(state_, 0.0F);
      clamps_ = linear_scan(shape_, input(weights), output(), state_, temporary_);
    } else {
      clamps_ = linear_sums(shape_, input(weights), output(), temporary_);
    }
    parts_.maps.finish(weights, o, at_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const ConstView dmixed = parts_.maps.begin_backward(weights, d_o, gradient, at_);
    std::array<float, 1024> sigma{};  // for the largest number of heads
    const auto heads = static_cast<std::size_t>(parts_.maps.heads());
    const bool learns_sigma = parts_.inverse_sigma >= 0;
    linear_backward(shape_,
                    input(weights),
                    output(),
                    dmixed,
                    {.q = at_.dq,
                     .k = at_.dk,
                     .v = at_.dv,
                     .gate = dgate_,
                     .inverse_sigma = learns_sigma ? std::span(sigma).first(heads)
                                                   : std::span<float>{}},
                    temporary_);
    for (std::size_t h = 0; learns_sigma && h < heads; ++h) {
      gradient.vector(parts_.inverse_sigma)[h] += sigma[h];
    }
    parts_.maps.backward(weights, x, dx, gradient, at_);
    if (parts_.gate) {
      parts_.gate->add_backward(weights, x, dgate_, dx, gradient);
    }
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }

  std::vector<Count> counts() const override {
    return shape_.clamped ? std::vector<Count>{{"clamps", clamps_}}
                          : std::vector<Count>{};
  }

  /// Keeps S, u and a reference of each head, independent of the number of tokens.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& site,
            const FeatureParts& parts,
            int /*tokens*/,
            const Resources& resources)
        : parts_(parts),
          shape_(parts.shape(site, 1)),
          at_(parts.maps.workspace_of_token(resources)),
          sum_(num::zeros(1, parts.maps.heads(), resources.scratch)),
          reference_(num::zeros(1, parts.maps.heads(), resources.scratch)),
          state_(num::zeros(linear_state_size(shape_), resources.kept)) {
      if (parts_.gate) {
        gate_ = num::zeros(1, parts.maps.heads(), resources.scratch);
      }
      temporary_ = resources.scratch.part(linear_scratch_bytes(shape_));
    }

    void step(const parts::Weights& weights, ConstView x, View y) override {
      parts_.maps.forward(weights, x, at_);
      if (parts_.gate) {
        parts_.gate->forward(weights, x, gate_);
      }
      (void)linear_scan(shape_,
                        parts_.input(weights, at_, gate_),
                        {.o = at_.mixed, .sum = sum_, .reference = reference_},
                        state_,
                        temporary_);
      parts_.maps.finish(weights, y, at_);
    }
    void restart() override { std::ranges::fill(state_, 0.0F); }

   private:
    FeatureParts parts_;
    LinearShape shape_;
    HeadMaps::Workspace at_;
    View sum_;
    View reference_;
    std::span<float> state_;
    View gate_;
    Arena temporary_;
  };

 private:
  LinearInput input(const parts::Weights& weights) const {
    return parts_.input(weights, at_, gate_);
  }
  LinearOutput output() const {
    return {.o = at_.mixed, .sum = sum_, .reference = reference_};
  }

  FeatureParts parts_;
  LinearShape shape_;
  HeadMaps::Workspace at_;
  View sum_;
  View reference_;
  View gate_;
  View dgate_;
  std::span<float> state_;
  Arena temporary_;
  std::int64_t clamps_ = 0;
};

Feature feature_of(PointFeature feature) {
  switch (feature) {
    case PointFeature::Identity: return Feature::Identity;
    case PointFeature::Relu: return Feature::Relu;
    case PointFeature::Exp: return Feature::Exp;
    case PointFeature::Elu: break;
  }
  return Feature::Elu;
}

FeatureParts linear_parts(const Site& site, parts::Layout& layout) {
  const auto options = options_of<LinearOptions>(site);
  FeatureParts all{.maps = HeadMaps(site, options.maps, layout),
                   .feature = feature_of(options.feature),
                   .directions = {},
                   .gate = {}};
  if (options.feature == PointFeature::Identity) {
    all.epsilon = 1e-3F;
  }
  const bool has_exponentials =
      options.feature == PointFeature::Elu || options.feature == PointFeature::Exp;
  all.per_token = has_exponentials ? 2 * all.maps.head_dim() : 0;
  return all;
}

FeatureParts performer_parts(const Site& site, parts::Layout& layout) {
  const auto options = options_of<PerformerOptions>(site);
  FeatureParts all{.maps = HeadMaps(site, options.maps, layout),
                   .feature = Feature::Positive,
                   .directions = {},
                   .gate = {}};
  const int d = all.maps.head_dim();
  const int m = performer_features(options, d);
  all.directions =
      std::make_shared<const Directions>(d, m, options.orthogonal, options.seed);
  all.per_token = 2 * m;
  return all;
}

FeatureParts rfa_parts(const Site& site, parts::Layout& layout) {
  const auto options = options_of<RfaOptions>(site);
  FeatureParts all{.maps = HeadMaps(site, options.maps, layout),
                   .feature = Feature::Fourier,
                   .directions = {},
                   .gate = {}};
  all.directions = std::make_shared<const Directions>(
      all.maps.head_dim(), options.features, options.orthogonal, options.seed);
  if (options.gate) {
    all.gate.emplace(layout, site.prefix + "Wg", site.width, all.maps.heads());
  }
  // Noise of the features hides smaller sums of kernels, and a division by them breaks
  // trainings.  With a gate the sum is a mean.
  all.epsilon = options.gate ? 0.1F : 1.0F;
  all.inverse_sigma = layout.declare(
      site.prefix + "inverse_sigma", {all.maps.heads()}, parts::constant(1.0));
  all.per_token = 4 * options.features;
  return all;
}

template <FeatureParts (*kDeclare)(const Site&, parts::Layout&)>
class FeatureAttentionOf : public FeatureAttention {
 public:
  struct Parts : FeatureParts {
    Parts(const Site& site, parts::Layout& layout)
        : FeatureParts(kDeclare(site, layout)) {}
  };
  using FeatureAttention::FeatureAttention;
};

template <class O, FeatureParts (*kDeclare)(const Site&, parts::Layout&)>
constexpr Kind feature_kind(std::string_view name,
                            std::string_view summary,
                            std::string (*refusal)(const Site&)) {
  return {.name = name,
          .family = kLowRankFamily,
          .summary = summary,
          .direction = Direction::Both,
          .permutes = true,
          .options = options_from<O>(),
          .refusal = refusal,
          .declare = &declare<FeatureAttentionOf<kDeclare>>};
}

/// Why there cannot be so many random directions; empty if there can.
std::string refusal_of_directions(std::int64_t d, std::int64_t count) {
  return refusal_of_bytes("its random directions",
                          2 * count * d * std::int64_t{sizeof(float)});
}

std::string refusal_of_performer(const Site& site) {
  const auto options = options_of<PerformerOptions>(site);
  const int d = std::max(1, site.dim / options.maps.heads);
  const std::string refusal = refusal_of_directions(d, performer_features(options, d));
  return refusal.empty() ? refusal_of_heads_at<PerformerOptions>(site) : refusal;
}

std::string refusal_of_rfa(const Site& site) {
  const auto options = options_of<RfaOptions>(site);
  if (options.gate && !site.causal) {
    return "gate=true needs a causal layer";
  }
  const std::string refusal =
      refusal_of_directions(site.dim / options.maps.heads, options.features);
  return refusal.empty() ? refusal_of_heads_at<RfaOptions>(site) : refusal;
}

}  // namespace

const Kind kLinear =
    feature_kind<LinearOptions, linear_parts>("linear",
                                              "elementwise features instead of softmax",
                                              &refusal_of_heads_at<LinearOptions>);
const Kind kPerformer = feature_kind<PerformerOptions, performer_parts>(
    "performer",
    "random positive features that approximate softmax",
    &refusal_of_performer);
const Kind kRfa = feature_kind<RfaOptions, rfa_parts>(
    "rfa",
    "random sines and cosines that approximate a Gaussian kernel",
    &refusal_of_rfa);

}  // namespace oa::attention
