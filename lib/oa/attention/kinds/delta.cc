// Kinds whose state each token corrects: one step of the regression of values on keys.
// For each head, with queries and keys of length 1,
//
//     q, k, v = SiLU(convolution of Wq x, Wk x, Wv x over the last tokens)
//     b = sigmoid(Wb x + bias)
//     S_t = a S_{t-1} + b k (v - a S_{t-1}'k)'
//     y = S_t'q
//     o = Wo (RMSNorm of each head of y o SiLU(Wg x))
//
// delta (Yang et al., arXiv:2406.06484):
//     a = 1
// gated-delta (Yang, Kautz and Hatamizadeh, arXiv:2412.06464):
//     a = sigmoid(Wa x + bias)
// kda (Kimi team, arXiv:2510.26692): gated-delta with an a for each column of a key
//
// A sequence of n tokens costs n D (6 d + 6 min(n, 32) + 6 taps) FLOPs beside its maps,
// d = D / heads.  Decoding keeps D d + 3 D (taps - 1) floats, independent of the number
// of tokens.
#include "oa/attention/head_maps.h"
#include "oa/attention/kinds.h"
#include "oa/attention/kinds/delta_parts.h"
#include "oa/attention/layer_of.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

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

template <DeltaRule R>
DeltaForm form_at(const Site& site) {
  if constexpr (R == DeltaRule::Kda) {
    const auto o = options_of<KdaOptions>(site);
    return {.rule = R, .heads = o.heads, .conv = o.conv, .rank = o.rank};
  } else {
    const auto o = options_of<DeltaOptions>(site);
    return {.rule = R, .heads = o.heads, .conv = o.conv};
  }
}

template <DeltaRule R>
struct PartsOf : DeltaParts {
  PartsOf(const Site& site, parts::Layout& layout)
      : DeltaParts(form_at<R>(site), site, layout) {}
};

/// Sets the memory to that before the first token.
void clear(const DeltaMemory& memory) {
  for (const View& last : memory.last) {
    num::fill(last, 0.0F);
  }
  std::ranges::fill(memory.state, 0.0F);
}

class Delta : public Attention {
 public:
  Delta(const Site& site,
        const DeltaParts& parts,
        int tokens,
        const Resources& resources)
      : parts_(parts),
        orders_(readings_at(site)),
        threads_(resources.threads),
        at_(parts.tokens(tokens, resources.kept, resources.backward)),
        y_(num::zeros(tokens, parts.dim, resources.kept)),
        out_(parts.out.workspace(
            tokens, resources.kept, resources.scratch, resources.backward)),
        memory_(parts.memory(resources.scratch)) {
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      readings_.push_back(
          parts.reading(tokens, at_, resources.kept, resources.backward));
    }
    if (orders_.size() > 1) {
      other_ = num::zeros(tokens, parts.dim, resources.scratch);
    }
    const DeltaShape shape = parts.shape(threads_);
    std::size_t bytes = delta_scan_bytes(shape);
    if (resources.backward) {
      d_ = parts.slots(tokens, resources.scratch);
      d_y_ = num::zeros(tokens, parts.dim, resources.scratch);
      bytes = std::max(bytes, delta_scan_backward_bytes(shape));
    }
    scan_arena_ = resources.scratch.part(bytes);
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    parts_.map_tokens(weights, x, at_);
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      clear(memory_);
      parts_.read(weights,
                  orders_[i],
                  at_,
                  readings_[i],
                  memory_,
                  threads_,
                  i == 0 ? y_ : other_,
                  scan_arena_);
    }
    if (orders_.size() > 1) {
      num::add(other_, y_);
      num::scale(y_, 0.5F);
    }
    parts_.out.forward(weights, x, y_, out_, o);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    parts_.out.backward(weights, x, y_, d_o, out_, d_y_, dx, gradient);
    num::scale(d_y_, 1.0F / static_cast<float>(orders_.size()));
    for (const View& sum : {d_.mapped[0],
                            d_.mapped[kDeltaKey],
                            d_.mapped[kDeltaValue],
                            d_.strength,
                            d_.log_decay}) {
      num::fill(sum, 0.0F);
    }
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      parts_.read_backward(weights,
                           orders_[i],
                           at_,
                           readings_[i],
                           d_y_,
                           threads_,
                           d_,
                           gradient,
                           scan_arena_);
    }
    parts_.maps_backward(weights, x, at_, d_, dx, gradient);
  }

  ConstView queries() const override { return readings_[0].after[0]; }
  ConstView values() const override { return readings_[0].after[kDeltaValue]; }

  /// Keeps the state S of each head and the last inputs of the convolutions.
  class Decoder : public attention::Decoder {
   public:
    Decoder(const Site& /*site*/,
            const DeltaParts& parts,
            int /*tokens*/,
            const Resources& resources)
        : parts_(parts),
          memory_(parts.memory(resources.kept)),
          at_(parts.tokens(1, resources.scratch, false)),
          reading_(parts.reading(1, at_, resources.scratch, false)),
          y_(num::zeros(1, parts.dim, resources.scratch)),
          out_(parts.out.workspace(1, resources.scratch, resources.scratch, false)),
          scan_arena_(resources.scratch.part(delta_scan_bytes(parts.shape(1)))) {}

    void step(const parts::Weights& weights, ConstView x, View y) override {
      parts_.map_tokens(weights, x, at_);
      parts_.read(
          weights, Reading::FromFirst, at_, reading_, memory_, 1, y_, scan_arena_);
      parts_.out.forward(weights, x, y_, out_, y);
    }
    void restart() override { clear(memory_); }

   private:
    DeltaParts parts_;
    DeltaMemory memory_;
    DeltaTokens at_;
    DeltaReading reading_;
    View y_;
    GatedOutput::Workspace out_;
    Arena scan_arena_;
  };

 private:
  DeltaParts parts_;
  std::span<const Reading> orders_;
  int threads_;
  DeltaTokens at_;
  std::vector<DeltaReading> readings_;
  View y_;  // averaged over readings
  GatedOutput::Workspace out_;
  DeltaMemory memory_;
  View other_;  // y of the second reading
  DeltaSlots d_;
  View d_y_;
  Arena scan_arena_;
};

template <DeltaRule R>
class DeltaOf : public Delta {
 public:
  using Parts = PartsOf<R>;
  using Delta::Delta;
};

template <DeltaRule R>
std::string refusal_at(const Site& site) {
  return refusal_of_heads(site.dim, form_at<R>(site).heads, 1);
}

template <DeltaRule R, class Options>
constexpr Kind delta_kind(std::string_view name, std::string_view summary) {
  return {.name = name,
          .family = kRecurrentFamily,
          .summary = summary,
          .direction = Direction::Both,
          .options = options_from<Options>(),
          .refusal = &refusal_at<R>,
          .declare = &declare<DeltaOf<R>>};
}

}  // namespace

const Kind kDelta = delta_kind<DeltaRule::Plain, DeltaOptions>(
    "delta", "delta rule: each token corrects what the memory says of its key");
const Kind kGatedDelta = delta_kind<DeltaRule::Gated, DeltaOptions>(
    "gated-delta", "delta rule with a decay of the memory for each head");
const Kind kKda = delta_kind<DeltaRule::Kda, KdaOptions>(
    "kda", "delta rule with a decay for each column of a key");

}  // namespace oa::attention
