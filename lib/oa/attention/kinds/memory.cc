// Learned slots between tokens, similar to Memformer (arXiv:2010.06891).  First the
// slots read the sequence, C = slot values + softmax(slot queries K'/sqrt(d)) V; then
// each token reads the slots, o = softmax(Q (slot keys)'/sqrt(d)) C.  With M slots it
// costs 8nMD FLOPs beside its maps, and 2HnM exponentials.
#include "oa/attention/exact_core.h"
#include "oa/attention/head_maps.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/num/rows.h"

#include <array>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

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

struct MemoryParts {
  HeadMaps maps;
  int slots;
  int query;  // tensors
  int key;
  int value;

  MemoryParts(const Site& site, parts::Layout& layout)
      : maps(site, options_of<MemoryOptions>(site).maps, layout),
        slots(options_of<MemoryOptions>(site).slots),
        query(declare_slots(site, "slots.query", layout)),
        key(declare_slots(site, "slots.key", layout)),
        value(declare_slots(site, "slots.value", layout)) {}

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const auto n = std::int64_t{site.queries(tokens)};
    parts::Cost cost = maps.cost(tokens);
    cost.pairs = (n + site.keys(tokens)) * slots;
    cost.forward += 4 * cost.pairs * site.dim;
    cost.backward += 10 * cost.pairs * site.dim;
    cost.exponentials = maps.heads() * cost.pairs;
    cost.traffic = 4 * (2 * n + 2 * site.keys(tokens) + 5 * slots) * site.dim;
    return cost;
  }

 private:
  int declare_slots(const Site& site, const char* name, parts::Layout& layout) const {
    return layout.declare(site.prefix + name, {slots, site.dim}, parts::gaussian(1.0));
  }
};

class Memory : public Attention {
 public:
  using Parts = MemoryParts;

  Memory(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : parts_(parts),
        at_(parts.maps.workspace(tokens, resources)),
        content_(num::zeros(parts.slots, site.dim, resources.kept)),
        written_(num::zeros(parts.slots, site.dim, resources.kept)),
        write_(HeadsShape::of(slots_read(content_)),
               Pattern::all(parts.slots, at_.k.rows),
               resources),
        read_(HeadsShape::of(tokens_read(content_)),
              Pattern::all(at_.q.rows, parts.slots),
              resources) {
    if (resources.backward) {
      dslots_ = num::zeros(parts.slots, site.dim, resources.scratch);
      dcontent_ = num::zeros(parts.slots, site.dim, resources.scratch);
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.maps.forward(weights, x, at_);
    write_.forward(slots_read(slots(weights, parts_.query)), written_);
    num::copy(written_, content_);
    num::add(slots(weights, parts_.value), content_);
    read_.forward(tokens_read(slots(weights, parts_.key)), at_.mixed);
    parts_.maps.finish(weights, o, at_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const ConstView dmixed = parts_.maps.begin_backward(weights, d_o, gradient, at_);
    read_.backward(tokens_read(slots(weights, parts_.key)),
                   at_.mixed,
                   dmixed,
                   {.q = at_.dq, .k = dslots_, .v = dcontent_});
    num::add(dslots_, gradient.matrix(parts_.key));
    num::add(dcontent_, gradient.matrix(parts_.value));
    write_.backward(slots_read(slots(weights, parts_.query)),
                    written_,
                    dcontent_,
                    {.q = dslots_, .k = at_.dk, .v = at_.dv});
    num::add(dslots_, gradient.matrix(parts_.query));
    parts_.maps.backward(weights, x, dx, gradient, at_);
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }
  std::vector<Count> counts() const override { return read_.counts(); }

 private:
  static ConstView slots(const parts::Weights& weights, int tensor) {
    return weights.values().matrix(tensor);
  }
  HeadsView slots_read(ConstView slot_queries) const {
    HeadsView all = heads_of(parts_.maps, at_);
    all.q = slot_queries;
    return all;
  }
  HeadsView tokens_read(ConstView slot_keys) const {
    HeadsView all = heads_of(parts_.maps, at_);
    all.k = slot_keys;
    all.v = content_;
    return all;
  }

  Parts parts_;
  HeadMaps::Workspace at_;
  View content_;
  View written_;  // content_ without the slot values
  ExactCore write_;
  ExactCore read_;
  View dslots_;
  View dcontent_;
};

}  // namespace

const Kind kMemory{
    .name = "memory",
    .family = kLowRankFamily,
    .summary = "learned slots that read the tokens and are read by them",
    .takes_queries = true,
    .narrow_keys = true,
    .permutes = true,
    .options = options_from<MemoryOptions>(),
    .refusal = &refusal_of_heads_at<MemoryOptions>,
    .declare = &declare<Memory>,
};

}  // namespace oa::attention
