#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/maps.h"
#include "survey/formula/recurrent.h"
#include "survey/formula/softmax.h"
#include "survey/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace oa::attention {
namespace {

struct LinformerOptions {
  HeadOptions maps;
  int mixtures = 0;
  bool shared = true;

  static std::span<const Field<LinformerOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&LinformerOptions::maps>(),
        std::array{
            field<&LinformerOptions::mixtures>(
                "k",
                "Number of mixtures of keys (0: a fourth of the tokens, at most 64)",
                {.range = {.low = 0, .high = 1 << 16}}),
            field<&LinformerOptions::shared>(
                "shared", "Mix values with the same weights as keys")});
    return kFields;
  }
};

Value linformer(Formula& f, const LinformerOptions& o) {
  const HeadLayer layer(f.tokens(), o.maps);
  const int count =
      o.mixtures > 0 ? o.mixtures : std::clamp(f.site().tokens / 4, 1, 64);
  const auto mixtures = [&](const char* name) {
    return f.parameter(
        name, {count, f.site().tokens}, parts::gaussian(1.0 / std::sqrt(count)));
  };
  Heads mixed = layer.heads();
  const Value keys = mixtures("E");
  const Value values = o.shared ? keys : mixtures("F");
  mixed.k = mixtures_of(keys, layer.heads().k);
  mixed.v = mixtures_of(values, layer.heads().v);
  return layer.output(fused_softmax(mixed, {Pattern::all(mixed.q.rows, count)}));
}

}  // namespace

const Kind kLinformer = formula_kind<LinformerOptions, linformer>({
    .name = "linformer",
    .family = kLowRankFamily,
    .summary = "softmax over learned mixtures of the keys",
    .takes_queries = true,
    .narrow_keys = true,
});

}  // namespace oa::attention
