// Longformer (arXiv:2004.05150): a window, and global first tokens that see all and are
// seen by all.  Queries of global tokens use maps of queries, keys and values of their
// own; other queries use the common maps for all keys.  It has 3D^2 more parameters
// than softmax.
#include "oa/attention/exact_core.h"
#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/pattern/pattern_builder.h"
#include "oa/attention/kernel/pattern/patterns.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/masked.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct LongformerOptions {
  HeadOptions maps;
  int radius = 3;
  int globals = 1;

  static std::span<const Field<LongformerOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&LongformerOptions::maps>(),
        std::array{
            field<&LongformerOptions::radius>("radius",
                                              "Tokens seen on each side",
                                              {.range = {.low = 0, .high = 1 << 20}}),
            field<&LongformerOptions::globals>(
                "globals",
                "Number of first tokens that see all tokens and are seen by all",
                {.range = {.low = 0, .high = 1 << 20}})});
    return kFields;
  }
};

/// The pattern with only the queries from `first` on, or only those before.
Pattern rows_of_pattern(const Pattern& all, int first, bool from) {
  PatternBuilder some(all.keys());
  for (int q = 0; q < all.queries(); ++q) {
    if ((q >= first) == from) {
      for (const Run& run : all.runs(q)) {
        some.see(run.begin, run.end);
      }
    }
    some.end_query();
  }
  return some.take();
}

struct LongformerParts {
  LongformerOptions options;
  HeadMaps local;
  HeadMaps global;

  LongformerParts(const Site& site, parts::Layout& layout)
      : options(options_of<LongformerOptions>(site)),
        local(site, options.maps, layout),
        global(site_of_globals(site), maps_of_globals(), layout) {}

  [[nodiscard]] Pattern pattern(const Site& site, int tokens, bool locals) const {
    return rows_of_pattern(
        longformer_pattern(tokens, options.radius, options.globals, site.causal),
        options.globals,
        locals);
  }

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    return local.cost(tokens) + global.cost(tokens) +
           masked_cost(local, pattern(site, tokens, true), site.dim) +
           masked_cost(global, pattern(site, tokens, false), site.dim);
  }

 private:
  static Site site_of_globals(Site site) {
    site.prefix += "global.";
    return site;
  }
  [[nodiscard]] HeadOptions maps_of_globals() const {
    HeadOptions own = options.maps;
    own.output = false;  // the local Wo serves both
    return own;
  }
};

HeadsGradient gradient_in(const HeadMaps::Workspace& at) {
  return {.q = at.dq, .k = at.dk, .v = at.dv};
}

class Longformer : public Attention {
 public:
  using Parts = LongformerParts;

  Longformer(const Site& site,
             const Parts& parts,
             int tokens,
             const Resources& resources)
      : parts_(parts),
        globals_(std::min(parts.options.globals, tokens)),
        local_(parts.local.workspace(tokens, resources)),
        global_(parts.global.workspace(tokens, resources)),
        local_core_(HeadsShape::of(heads_of(parts.local, local_)),
                    parts.pattern(site, tokens, true),
                    resources),
        global_core_(HeadsShape::of(heads_of(parts.global, global_)),
                     parts.pattern(site, tokens, false),
                     resources) {
    if (resources.backward) {
      dx_ = num::zeros(tokens, site.width, resources.scratch);
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.local.forward(weights, x, local_);
    parts_.global.forward(weights, x, global_);
    local_core_.forward(heads_of(parts_.local, local_), local_.mixed);
    global_core_.forward(heads_of(parts_.global, global_), global_.mixed);
    num::copy(global_.mixed.top(globals_), local_.mixed.top(globals_));
    parts_.local.finish(weights, o, local_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const ConstView d = parts_.local.begin_backward(weights, d_o, gradient, local_);
    // A query without keys has no gradient, so each core ignores the other's rows.
    local_core_.backward(
        heads_of(parts_.local, local_), local_.mixed, d, gradient_in(local_));
    global_core_.backward(
        heads_of(parts_.global, global_), global_.mixed, d, gradient_in(global_));
    parts_.local.backward(weights, x, dx, gradient, local_);
    parts_.global.backward(weights, x, dx_, gradient, global_);
    num::add(dx_, dx);
  }

  ConstView queries() const override { return local_.q; }
  ConstView values() const override { return local_.v; }
  /// Counts of the local part.
  std::vector<Count> counts() const override { return local_core_.counts(); }

  /// Keeps the keys and values of all tokens by the common maps, and those of global
  /// tokens by their maps, too.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& site,
            const Parts& parts,
            int tokens,
            const Resources& resources)
        : parts_(parts),
          local_(parts.local, {parts.pattern(site, tokens, true)}, tokens, resources),
          global_(parts.global,
                  {Pattern::causal(std::clamp(parts.options.globals, 1, tokens))},
                  std::clamp(parts.options.globals, 1, tokens),
                  resources) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      View mixed = local_.mix(weights, x);
      if (step_ < parts_.options.globals) {
        num::copy(global_.mix(weights, x), mixed);
      }
      ++step_;
      local_.finish(weights, y);
    }
    void restart() override {
      step_ = 0;
      local_.restart();
      global_.restart();
    }

   private:
    Parts parts_;
    MaskedDecoder local_;
    MaskedDecoder global_;
    int step_ = 0;
  };

 private:
  Parts parts_;
  int globals_;
  HeadMaps::Workspace local_;
  HeadMaps::Workspace global_;
  ExactCore local_core_;
  ExactCore global_core_;
  View dx_;
};

}  // namespace

const Kind kLongformer{
    .name = "longformer",
    .family = kPatternFamily,
    .summary = "softmax over near and global tokens",
    .direction = Direction::Both,
    .options = options_from<LongformerOptions>(),
    .refusal = &refusal_of_heads_at<LongformerOptions>,
    .declare = &declare<Longformer>,
};

}  // namespace oa::attention
