#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/pointwise.h"
#include "survey/formula/softmax.h"
#include "survey/kinds/kinds.h"

#include <array>

namespace oa::attention {
namespace {

struct MemoryOptions {
  HeadOptions maps;
  int slots = 16;

  static std::span<const Field<MemoryOptions>> fields() {
    static constexpr auto kFields =
        joined(head_fields<&MemoryOptions::maps>(),
               std::array{field<&MemoryOptions::slots>(
                   "slots",
                   "Number of learned slots",
                   {.range = {.low = 1, .high = 1 << 16}})});
    return kFields;
  }
};

Value memory(Formula& f, const MemoryOptions& o) {
  const HeadLayer layer(f.tokens(), o.maps);
  const auto slots = [&](const char* name) {
    return f.parameter(name, {o.slots, f.dim()}, parts::gaussian(1.0));
  };
  const Value slot_queries = slots("slots.query");
  const Value slot_keys = slots("slots.key");
  const Value slot_values = slots("slots.value");
  Heads written = layer.heads();
  written.q = slot_queries;
  Heads read = layer.heads();
  read.k = slot_keys;
  read.v =
      fused_softmax(written, {Pattern::all(o.slots, written.k.rows)}) + slot_values;
  return layer.output(fused_softmax(read, {Pattern::all(read.q.rows, o.slots)}));
}

}  // namespace

const Kind kMemory = formula_kind<MemoryOptions, memory>({
    .name = "memory",
    .family = kLowRankFamily,
    .summary = "learned slots that read the tokens and are read by them",
    .takes_queries = true,
    .narrow_keys = true,
    .permutes = true,
});

}  // namespace oa::attention
