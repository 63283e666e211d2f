// Softmax over learned blocks of keys: a logit for each pair of blocks, or for each
// distance of blocks, decides whether its keys are seen; its gradient is
// straight-through. See kernel/sparse/learned_mask.h.  With noise in training,
// decisions vary from image to image.  Forward costs only the visible keys; backward
// goes over all pairs, because any block may be worth seeing.
#include "oa/attention/kernel/sparse/learned_mask.h"

#include "oa/attention/exact_core.h"
#include "oa/attention/head_maps.h"
#include "oa/attention/kernel/fused/fused.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/limits.h"
#include "oa/attention/masked.h"

#include <array>
#include <optional>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct LearnedMaskOptions {
  HeadOptions maps;
  int block = 7;
  bool relative = false;
  double temperature = 1.0;
  double penalty = 1e-3;
  bool noise = true;

  static std::span<const Field<LearnedMaskOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&LearnedMaskOptions::maps>(),
        std::array{
            field<&LearnedMaskOptions::block>(
                "block", "Tokens of a block", {.range = {.low = 1, .high = 1 << 16}}),
            field<&LearnedMaskOptions::relative>(
                "relative", "One logit for each distance instead of each pair"),
            field<&LearnedMaskOptions::temperature>(
                "temperature",
                "Temperature of the sigmoid in the backward pass",
                {.range = {.low = 0, .high = 1000, .above_low = true}}),
            field<&LearnedMaskOptions::penalty>(
                "penalty",
                "Penalty on the share of blocks that are seen",
                {.range = {.low = 0}}),
            field<&LearnedMaskOptions::noise>(
                "noise", "Add logistic noise to the decisions of training")});
    return kFields;
  }
};

struct LearnedMaskParts {
  LearnedMaskOptions options;
  HeadMaps maps;
  MaskShape shape;
  int theta;  // tensor

  LearnedMaskParts(const Site& site, parts::Layout& layout)
      : options(options_of<LearnedMaskOptions>(site)),
        maps(site, options.maps, layout),
        shape{.block = options.block,
              .blocks = (site.tokens + options.block - 1) / options.block,
              .relative = options.relative},
        // Initially all blocks are seen.
        theta(layout.declare(
            site.prefix + "mask", {shape.parameters()}, parts::constant(1.0))) {}

  /// The cost with all blocks seen, an upper bound for trained masks.
  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    parts::Cost cost = maps.cost(tokens);
    const parts::Cost core = masked_cost(maps, full_pattern(site, tokens), site.dim);
    cost += core;
    return cost;
  }

  [[nodiscard]] std::span<const float> logits(const parts::Weights& weights) const {
    return weights.values().vector(theta).first(count());
  }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(shape.parameters());
  }
};

class LearnedMask : public Attention {
 public:
  using Parts = LearnedMaskParts;

  LearnedMask(const Site& site,
              const Parts& parts,
              int tokens,
              const Resources& resources)
      : parts_(parts),
        causal_(site.causal),
        tokens_(tokens),
        threads_(resources.threads),
        at_(parts.maps.workspace(tokens, resources)),
        gates_(num::zeros(parts.shape.parameters(), resources.kept)),
        tiles_(HeadsShape::of(heads()),
               plan_fused(HeadsShape::of(heads())),
               threads_,
               resources.scratch) {
    if (resources.backward) {
      log_sums_ = num::zeros(parts.maps.heads(), tokens, resources.kept);
      gradient_ = mask_scratch(heads(), parts.shape, threads_, resources.scratch);
    }
  }

  void draw_noise(const std::optional<Rng>& rng) override {
    noise_ = parts_.options.noise ? rng : std::nullopt;
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.maps.forward(weights, x, at_);
    open_gates(parts_.logits(weights), temperature(), noise_, gates());
    fused_forward(heads(),
                  mask_pattern(parts_.shape, gates(), tokens_, causal_),
                  at_.mixed,
                  log_sums_,
                  tiles_);
    parts_.maps.finish(weights, o, at_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const ConstView dmixed = parts_.maps.begin_backward(weights, d_o, gradient, at_);
    const std::span<float> d_theta =
        gradient.vector(parts_.theta).first(parts_.count());
    mask_backward(heads(),
                  {.shape = parts_.shape,
                   .gates = gates(),
                   .temperature = temperature(),
                   .causal = causal_},
                  {.o = at_.mixed, .log_sums = log_sums_},
                  dmixed,
                  {.q = at_.dq, .k = at_.dk, .v = at_.dv},
                  d_theta,
                  *gradient_,
                  threads_);
    (void)mask_penalty(
        parts_.logits(weights), static_cast<float>(parts_.options.penalty), d_theta);
    parts_.maps.backward(weights, x, dx, gradient, at_);
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }
  std::vector<Count> counts() const override {
    return counts_of(tiles_, mask_pattern(parts_.shape, gates(), tokens_, causal_));
  }

  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const Parts& parts,
            int tokens,
            const Resources& resources)
        : parts_(parts),
          tokens_(tokens),
          gates_(num::zeros(parts.shape.parameters(), resources.scratch)),
          inner_(parts.maps, {Pattern::of_runs(tokens, {0}, {})}, tokens, resources) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      if (!opened_) {
        const auto gates = gates_.first(parts_.count());
        open_gates(parts_.logits(weights),
                   static_cast<float>(parts_.options.temperature),
                   std::nullopt,
                   gates);
        inner_.use(mask_pattern(parts_.shape, gates, tokens_, true));
        opened_ = true;
      }
      inner_.step(weights, x, y);
    }
    void restart() override {
      opened_ = false;
      inner_.restart();
    }

   private:
    Parts parts_;
    int tokens_;
    std::span<float> gates_;
    MaskedDecoder inner_;
    bool opened_ = false;
  };

 private:
  HeadsView heads() const { return heads_of(parts_.maps, at_); }
  std::span<float> gates() const { return gates_.first(parts_.count()); }
  float temperature() const { return static_cast<float>(parts_.options.temperature); }

  Parts parts_;
  bool causal_;
  int tokens_;
  int threads_;
  HeadMaps::Workspace at_;
  std::span<float> gates_;
  FusedScratch tiles_;
  View log_sums_;
  std::optional<MaskScratch> gradient_;
  std::optional<Rng> noise_;
};

std::string refusal_of_learned_mask(const Site& site) {
  const auto options = options_of<LearnedMaskOptions>(site);
  const std::int64_t blocks =
      (std::int64_t{site.tokens} + options.block - 1) / options.block;
  const std::int64_t numbers = options.relative ? 2 * blocks - 1 : blocks * blocks;
  const std::string refusal = refusal_of_bytes("its mask", 4 * numbers);
  return refusal.empty() ? refusal_of_heads_at<LearnedMaskOptions>(site) : refusal;
}

}  // namespace

const Kind kLearnedMask{
    .name = "learned-mask",
    .family = kChosenFamily,
    .summary = "softmax over blocks of keys that a learned mask chooses",
    .direction = Direction::Both,
    .options = options_from<LearnedMaskOptions>(),
    .refusal = &refusal_of_learned_mask,
    .declare = &declare<LearnedMask>,
};

}  // namespace oa::attention
