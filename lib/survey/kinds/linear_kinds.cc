// Attention by features phi: o_i = phi(q_i)'S / phi(q_i)'u with S = sum phi(k_j) v_j'
// and u = sum phi(k_j), over all tokens j, or j <= i if causal.
// The cost is linear in the tokens, and a decoder keeps only S and u.
// Kinds differ in their features: elementwise (linear, arXiv:2006.16236), random
// positive ones that approximate exp(q.k / sqrt d) (performer, arXiv:2009.14794),
// random sines and cosines of unit queries and keys (rfa, arXiv:2103.02143).
// n tokens with f features a head and width D cost 4nDf FLOPs besides maps and
// features, backward 3 times as many; see kernel/scan/linear_scan.h.
#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "survey/formula/features.h"
#include "survey/formula/limits.h"
#include "survey/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

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

int performer_features(const PerformerOptions& options, int d) {
  if (options.features > 0) {
    return options.features;
  }
  const double wanted = d * std::log(std::max(2.0, static_cast<double>(d)));
  return std::max(16, static_cast<int>(std::ceil(wanted / 16.0)) * 16);
}

Feature feature_of(PointFeature feature) {
  switch (feature) {
    case PointFeature::Identity: return Feature::Identity;
    case PointFeature::Relu: return Feature::Relu;
    case PointFeature::Exp: return Feature::Exp;
    case PointFeature::Elu: break;
  }
  return Feature::Elu;
}

Value linear_attention(Formula& f, const LinearOptions& o) {
  const HeadLayer layer(f.tokens(), o.maps);
  const bool has_exponentials =
      o.feature == PointFeature::Elu || o.feature == PointFeature::Exp;
  return layer.output(feature_attention(
      layer.heads(),
      {.feature = feature_of(o.feature),
       .epsilon = o.feature == PointFeature::Identity ? 1e-3F : 1e-6F,
       .per_token = has_exponentials ? 2 * layer.heads().width() : 0}));
}

/// Error message if `count` random directions are too many; else empty.
std::string refusal_of_directions(std::int64_t d, std::int64_t count) {
  return refusal_of_bytes("its random directions",
                          2 * count * d * std::int64_t{sizeof(float)});
}

/// Draws `count` directions of the width of a head.
template <class O>
std::shared_ptr<const Directions> directions(Formula& f, const O& o, int count) {
  const int width = std::max(1, f.dim() / o.maps.heads);
  f.refuse(refusal_of_directions(width, count));
  return f.constant<Directions>(
      "directions", [&] { return Directions(width, count, o.orthogonal, o.seed); });
}

Value performer(Formula& f, const PerformerOptions& o) {
  const int count = performer_features(o, std::max(1, f.dim() / o.maps.heads));
  const auto drawn = directions(f, o, count);
  const HeadLayer layer(f.tokens(), o.maps);
  return layer.output(feature_attention(
      layer.heads(),
      {.feature = Feature::Positive, .directions = drawn, .per_token = 2 * count}));
}

Value rfa(Formula& f, const RfaOptions& o) {
  f.require(!o.gate || f.causal(), "gate=true needs a causal layer");
  const auto drawn = directions(f, o, o.features);
  const HeadLayer layer(f.tokens(), o.maps);
  FeatureSettings settings{.feature = Feature::Fourier,
                           .directions = drawn,
                           .per_token = std::int64_t{4} * o.features,
                           .learns_sigma = true};
  if (o.gate) {
    settings.gate = linear_with_bias("Wg", f.tokens(), o.maps.heads);
  }
  // Features are noisy: dividing by a smaller sum of kernels breaks training.
  // With a gate, the sum is a mean.
  settings.epsilon = o.gate ? 0.1F : 1.0F;
  return layer.output(feature_attention(layer.heads(), settings));
}

template <class O, Value (*Build)(Formula&, const O&)>
constexpr Kind feature_kind(std::string_view name, std::string_view summary) {
  return formula_kind<O, Build>({.name = name,
                                 .family = kLowRankFamily,
                                 .summary = summary,
                                 .direction = Direction::Both,
                                 .permutes = true});
}

}  // namespace

const Kind kLinear = feature_kind<LinearOptions, linear_attention>(
    "linear", "elementwise features instead of softmax");
const Kind kPerformer = feature_kind<PerformerOptions, performer>(
    "performer", "random positive features that approximate softmax");
const Kind kRfa = feature_kind<RfaOptions, rfa>(
    "rfa", "random sines and cosines that approximate a Gaussian kernel");

}  // namespace oa::attention
