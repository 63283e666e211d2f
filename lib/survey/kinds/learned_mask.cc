#include "survey/kernel/sparse/learned_mask.h"

#include "oa/attention/formula/formula_attention.h"
#include "survey/formula/limits.h"
#include "survey/formula/softmax.h"
#include "survey/kernel/fused/fused.h"
#include "survey/kinds/kinds.h"

#include <array>
#include <optional>
#include <vector>

namespace oa::attention {
namespace {

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

class MaskedSoftmax : public HeadsOperation {
 public:
  MaskedSoftmax(const Heads& of,
                const LearnedMaskOptions& options,
                const MaskShape& shape,
                int theta)
      : HeadsOperation(of,
                       {.name = "masked_softmax",
                        .settings = {{"block", shape.block},
                                     {"blocks", shape.blocks},
                                     {"relative", shape.relative},
                                     {"temperature", options.temperature}}}),
        options_(options),
        shape_(shape),
        theta_(theta) {}

  /// The cost if all blocks are seen: an upper bound for trained masks.
  parts::Cost cost() const override {
    return softmax_cost(heads(), full_pattern(formula()));
  }
  void reserve(const Arenas& arenas) override {
    gates_ = num::zeros(shape_.parameters(), arenas.kept).first(count());
    if (formula().decodes()) {
      const Pattern none = Pattern::of_runs(formula().tokens_of_sequence(), {0}, {});
      cached_.emplace(heads(), OrderedPattern{none}, arenas);
      return;
    }
    const int threads = formula().threads();
    const HeadsShape shape = HeadsShape::of(heads().shapes());
    tiles_.emplace(shape, plan_fused(shape), threads, arenas.scratch);
    if (arenas.backward) {
      log_sums_ = num::zeros(heads().heads, rows(), arenas.kept);
      gradient_ = mask_scratch(heads().shapes(), shape_, threads, arenas.scratch);
    }
  }
  void draw_noise(const std::optional<Rng>& rng) override {
    noise_ = options_.noise ? rng : std::nullopt;
  }

  void forward(const ForwardRun& run) override {
    if (run.token == 0) {
      open_gates(logits(run.weights), temperature(), noise_, gates_);
    }
    if (!cached_) {
      fused_forward(view(run.in), pattern(), run.out, log_sums_, *tiles_);
      return;
    }
    if (run.token == 0) {
      cached_->use(pattern());
    }
    cached_->step(run.token, view(run.in), run.out);
  }
  void backward(const BackwardRun& run) override {
    const std::span<float> d_theta = run.gradient.vector(theta_).first(count());
    mask_backward(view(run.in),
                  {.shape = shape_,
                   .gates = gates_,
                   .temperature = temperature(),
                   .causal = formula().causal()},
                  {.o = run.out, .log_sums = log_sums_},
                  run.d_out,
                  gradient(run),
                  d_theta,
                  *gradient_,
                  formula().threads());
    (void)mask_penalty(
        logits(run.weights), static_cast<float>(options_.penalty), d_theta);
  }

  std::vector<Count> counts() const override { return counts_of(*tiles_, pattern()); }

 private:
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(shape_.parameters());
  }
  [[nodiscard]] std::span<const float> logits(const parts::Weights& weights) const {
    return weights.values().vector(theta_).first(count());
  }
  [[nodiscard]] float temperature() const {
    return static_cast<float>(options_.temperature);
  }
  [[nodiscard]] Pattern pattern() const {
    return mask_pattern(
        shape_, gates_, formula().tokens_of_sequence(), formula().causal());
  }

  LearnedMaskOptions options_;
  MaskShape shape_;
  int theta_;  // tensor
  std::span<float> gates_;
  std::optional<FusedScratch> tiles_;
  std::optional<CachedSoftmax> cached_;  // also has the keys and values of a decoder
  View log_sums_;
  std::optional<MaskScratch> gradient_;
  std::optional<Rng> noise_;
};

Value learned_mask(Formula& f, const LearnedMaskOptions& o) {
  const std::int64_t blocks = (std::int64_t{f.site().tokens} + o.block - 1) / o.block;
  const std::int64_t numbers = o.relative ? 2 * blocks - 1 : blocks * blocks;
  f.refuse(refusal_of_bytes("its mask", 4 * numbers));
  const HeadLayer layer(f.tokens(), o.maps);
  const MaskShape shape{
      .block = o.block, .blocks = static_cast<int>(blocks), .relative = o.relative};
  // Initially all blocks are seen.
  const int theta = f.tensor("mask", {shape.parameters()}, parts::constant(1.0));
  return layer.output(f.apply<MaskedSoftmax>(layer.heads(), o, shape, theta));
}

}  // namespace

const Kind kLearnedMask = formula_kind<LearnedMaskOptions, learned_mask>({
    .name = "learned-mask",
    .family = kChosenFamily,
    .summary = "softmax over blocks of keys that a learned mask chooses",
    .direction = Direction::Both,
});

}  // namespace oa::attention
