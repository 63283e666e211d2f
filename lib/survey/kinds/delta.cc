#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"
#include "oa/attention/head_options.h"
#include "survey/formula/recurrent.h"
#include "survey/formula/scans.h"
#include "survey/kinds/kinds.h"

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace oa::attention {
namespace {

template <auto Member>
constexpr auto delta_conv() {
  return field<Member>(
      "conv", "Tokens that the convolutions see", {.range = {.low = 1, .high = 64}});
}

struct DeltaOptions {
  int heads = 1;
  int conv = 4;

  static std::span<const Field<DeltaOptions>> fields() {
    static constexpr std::array kFields{heads_field<&DeltaOptions::heads>(),
                                        delta_conv<&DeltaOptions::conv>()};
    return kFields;
  }
};

struct KdaOptions {
  int heads = 1;
  int conv = 4;
  int rank = 16;

  static std::span<const Field<KdaOptions>> fields() {
    static constexpr std::array kFields{
        heads_field<&KdaOptions::heads>(),
        delta_conv<&KdaOptions::conv>(),
        field<&KdaOptions::rank>("rank",
                                 "Rank of the map that computes decays",
                                 {.range = {.low = 1, .high = 1 << 16}})};
    return kFields;
  }
};

/// The formula of all three kinds; `decay_of` computes logits of decays from tokens.
Value delta_rule(Formula& f,
                 int heads,
                 int taps,
                 const std::function<Value(Value x)>& decay_of) {
  require_heads(f, heads);
  const Value x = f.tokens();
  const std::array names{"Wq", "Wk", "Wv"};
  std::array<Value, 3> mapped;
  std::ranges::transform(names, mapped.begin(), [&](const char* name) {
    return linear(name, x, f.dim());
  });
  for (const std::string name : names) {
    f.place(name + ".conv", {taps, f.dim()}, parts::for_inputs(taps));
  }
  const Value step = sigmoid(linear_with_bias("Wb", x, heads));
  const GatedOutput out(f, heads);
  std::optional<Value> decay;
  if (decay_of) {
    decay = log_sigmoid(decay_of(x));
  }
  return out(each_reading(f, [&](Reading reading) {
    const auto near = [&](std::size_t i) {
      return silu(
          convolution(names[i] + std::string(".conv"), mapped[i], taps, reading));
    };
    return delta_scan({.q = unit_heads(near(0), heads),
                       .k = unit_heads(near(1), heads),
                       .v = near(2),
                       .step = step,
                       .log_decay = decay,
                       .heads = heads},
                      reading);
  }));
}

Value delta(Formula& f, const DeltaOptions& o) {
  return delta_rule(f, o.heads, o.conv, {});
}

Value gated_delta(Formula& f, const DeltaOptions& o) {
  return delta_rule(f, o.heads, o.conv, [&](Value x) {
    return linear_with_bias("Wa", x, o.heads, kDecayBias);
  });
}

Value kda(Formula& f, const KdaOptions& o) {
  return delta_rule(f, o.heads, o.conv, [&](Value x) {
    return linear_with_bias("Wa.1", linear("Wa.0", x, o.rank), f.dim(), kDecayBias);
  });
}

template <class O, Value (*Build)(Formula&, const O&)>
constexpr Kind delta_kind(std::string_view name, std::string_view summary) {
  return formula_kind<O, Build>({.name = name,
                                 .family = kRecurrentFamily,
                                 .summary = summary,
                                 .direction = Direction::Both});
}

}  // namespace

const Kind kDelta = delta_kind<DeltaOptions, delta>(
    "delta", "delta rule: each token corrects what the memory says of its key");
const Kind kGatedDelta = delta_kind<DeltaOptions, gated_delta>(
    "gated-delta", "delta rule with a decay of the memory for each head");
const Kind kKda = delta_kind<KdaOptions, kda>(
    "kda", "delta rule with a decay for each column of a key");

}  // namespace oa::attention
