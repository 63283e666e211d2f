#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"
#include "survey/formula/recurrent.h"
#include "survey/formula/scans.h"
#include "survey/kinds/kinds.h"

#include <array>
#include <cmath>

namespace oa::attention {
namespace {

struct MambaOptions {
  int expand = 2;
  int states = 16;
  int conv = 4;
  int rank = 0;

  static std::span<const Field<MambaOptions>> fields() {
    static constexpr std::array kFields{
        field<&MambaOptions::expand>("expand",
                                     "Channels for each column of the width",
                                     {.range = {.low = 1, .high = 64}}),
        field<&MambaOptions::states>(
            "states", "States of a channel", {.range = {.low = 1, .high = 1024}}),
        field<&MambaOptions::conv>("conv",
                                   "Tokens that the convolution sees",
                                   {.range = {.low = 1, .high = 64}}),
        field<&MambaOptions::rank>(
            "rank",
            "Rank of the map that computes time steps (0: 1/16 of the width)",
            {.range = {.low = 0, .high = 1 << 16}})};
    return kFields;
  }
};

/// The initial bias: softplus gives steps from 1e-3 to 1e-1, uniform in the logarithm.
constexpr parts::Init kStepBias{
    .draw = parts::Init::Draw::Uniform, .spread = 2.3275, .value = -4.5798};

Value mamba(Formula& f, const MambaOptions& o) {
  const int channels = o.expand * f.dim();
  const int rank = o.rank > 0 ? o.rank : (f.dim() + 15) / 16;
  const Value u = linear("Win", f.tokens(), channels);
  const Value z = silu(linear("Wz", f.tokens(), channels));
  std::optional<Value> a;
  const Value y = each_reading(f, [&](Reading reading) {
    const Value x = silu(convolution("conv.weight", u, o.conv, reading, "conv.bias"));
    const Value low = linear("Wr", x, rank);
    const Value b = linear("Wb", x, o.states);
    const Value c = linear("Wc", x, o.states);
    const Value dt = softplus(linear_with_bias("Wdt", low, channels, kStepBias));
    if (!a) {
      a = minus_exp(
          f.parameter("log_a", {o.states, channels}, {.of_row = [](int state) {
                        return std::log(state + 1.0);
                      }}));
    }
    return selective_scan({.x = x, .dt = dt, .b = b, .c = c, .a = *a}, reading);
  });
  return linear("Wout", y * z, f.dim());
}

}  // namespace

const Kind kMamba = formula_kind<MambaOptions, mamba>({
    .name = "mamba",
    .family = kRecurrentFamily,
    .summary = "selective state space: a memory that depends on the token",
    .direction = Direction::Both,
});

}  // namespace oa::attention
