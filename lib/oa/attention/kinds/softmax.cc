// Scaled dot-product attention with all weights in memory, o = softmax(QK'/sqrt(d))V
// head by head: the baseline of the fused kinds.  Beside its maps it costs 4nmD FLOPs
// and Hnm exponentials, backward 8nmD FLOPs.  It saves q, k, v, the output of the heads
// and Hnm weights.
#include "oa/attention/coefficients.h"
#include "oa/attention/head_maps.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/masked.h"
#include "oa/num/activation.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace oa::attention {
namespace {

enum class Score : std::uint8_t {
  Softmax,
  Sigmoid,  ///< each key on its own: p / max(1, sum p)
};

}  // namespace
}  // namespace oa::attention

namespace oa {

template <>
struct EnumNames<attention::Score> {
  static constexpr std::array kAll{"softmax", "sigmoid"};
};

}  // namespace oa

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct SoftmaxOptions {
  HeadOptions maps;
  double scale = 1.0;
  HeadKeys keys = HeadKeys::Separate;
  Score score = Score::Softmax;

  static std::span<const Field<SoftmaxOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&SoftmaxOptions::maps>(),
        std::array{
            field<&SoftmaxOptions::scale>(
                "scale", "Factor of the logits", {.range = {.low = 1e-3, .high = 1e6}}),
            field<&SoftmaxOptions::keys>(
                "keys", "Source of the keys", {.value_name = "SOURCE"}),
            field<&SoftmaxOptions::score>(
                "score", "How logits become weights", {.value_name = "HOW"})});
    return kFields;
  }
};

std::string refusal_of_softmax(const Site& site) {
  const std::string keys = refusal_of_keys(site, options_of<SoftmaxOptions>(site).keys);
  return keys.empty() ? refusal_of_heads_at<SoftmaxOptions>(site) : keys;
}

struct SoftmaxParts {
  SoftmaxOptions options;
  HeadMaps maps;

  SoftmaxParts(const Site& site, parts::Layout& layout)
      : options(options_of<SoftmaxOptions>(site)),
        maps(site,
             options.maps,
             layout,
             {.source = source_of(options.keys), .scale = options.scale}) {}

  [[nodiscard]] parts::Cost cost(const Site& site, int tokens) const {
    const auto n = std::int64_t{site.queries(tokens)};
    parts::Cost cost = maps.cost(tokens);
    cost.pairs = site.causal ? n * (n + 1) / 2 : n * site.keys(tokens);
    cost.forward += 4 * cost.pairs * site.dim;
    cost.backward += 8 * cost.pairs * site.dim;
    cost.exponentials = maps.heads() * cost.pairs;
    // Scores are written, read for their maximum, read and written as weights, divided
    // and read again.
    cost.traffic = 4 * (4 * n * site.dim + 6 * maps.heads() * n * site.keys(tokens));
    return cost;
  }
};

class Softmax : public Attention {
 public:
  using Parts = SoftmaxParts;

  Softmax(const Site& site, const Parts& parts, int tokens, const Resources& resources)
      : maps_(parts.maps),
        causal_(site.causal),
        sigmoid_(parts.options.score == Score::Sigmoid),
        at_(maps_.workspace(tokens, resources)),
        p_(num::zeros(maps_.heads() * at_.q.rows, at_.k.rows, resources.kept)) {
    const int keys = at_.k.rows;
    Arena& scratch = resources.scratch;
    const int d = maps_.head_dim();
    transposed_ = num::zeros(d, keys, scratch);
    if (maps_.heads() > 1) {
      q_ = num::zeros(at_.q.rows, d, scratch);
      k_ = num::zeros(keys, d, scratch);
      v_ = num::zeros(keys, d, scratch);
      o_ = num::zeros(at_.q.rows, d, scratch);
    }
    if (sigmoid_) {
      sums_ = num::zeros(std::int64_t{at_.q.rows} * maps_.heads(), resources.kept);
    }
    if (resources.backward) {
      dp_ = num::zeros(at_.q.rows, keys, scratch);
      if (maps_.heads() > 1) {
        dq_ = num::zeros(at_.q.rows, d, scratch);
        dk_ = num::zeros(keys, d, scratch);
        dv_ = num::zeros(keys, d, scratch);
      }
    }
  }

  void forward(const parts::Weights& weights, ConstView x, View o) override {
    maps_.forward(weights, x, at_);
    for (int head = 0; head < maps_.heads(); ++head) {
      const View p = weights_of(head);
      const View mixed = maps_.heads() > 1 ? o_ : at_.mixed;
      num::transpose(columns(at_.k, head, k_), transposed_);
      num::matmul(
          columns(at_.q, head, q_), transposed_, p, sigmoid_ ? -maps_.scale() : 1.0F);
      if (sigmoid_) {
        weigh_one_by_one(p, head);
      } else if (causal_) {
        softmax_until_own(p);
      } else {
        num::softmax(p, maps_.scale(), p);
      }
      num::matmul(p, columns(at_.v, head, v_), mixed);
      return_columns(mixed, head, at_.mixed);
    }
    maps_.finish(weights, o, at_);
  }

  void backward(const parts::Weights& weights,
                ConstView x,
                ConstView d_o,
                View dx,
                parts::Values& gradient) override {
    const ConstView dmixed = maps_.begin_backward(weights, d_o, gradient, at_);
    const bool several = maps_.heads() > 1;
    const View dq = several ? dq_ : at_.dq;
    const View dk = several ? dk_ : at_.dk;
    const View dv = several ? dv_ : at_.dv;
    for (int head = 0; head < maps_.heads(); ++head) {
      const ConstView p = weights_of(head);
      const ConstView dout = columns(dmixed, head, o_);
      num::transpose(columns(at_.v, head, v_), transposed_);
      num::matmul(dout, transposed_, dp_);
      num::fill(dv, 0.0F);
      num::matmul_transposed_add(p, dout, dv);
      if (sigmoid_) {
        one_by_one_backward(p, head);
      } else {
        num::softmax_backward(p, dp_, maps_.scale(), dp_);
      }
      num::matmul(dp_, columns(at_.k, head, k_), dq);
      num::fill(dk, 0.0F);
      num::matmul_transposed_add(dp_, columns(at_.q, head, q_), dk);
      return_columns(dq, head, at_.dq);
      return_columns(dk, head, at_.dk);
      return_columns(dv, head, at_.dv);
    }
    maps_.backward(weights, x, dx, gradient, at_);
  }

  ConstView queries() const override { return at_.q; }
  ConstView values() const override { return at_.v; }
  std::vector<num::Matrix> value_weights() const override {
    std::vector<num::Matrix> heads;
    for (int head = 0; head < maps_.heads(); ++head) {
      const View p = weights_of(head);
      copy_rows(p, heads.emplace_back(p.rows, p.cols));
    }
    return heads;
  }

  class Decoder;

 private:
  View weights_of(int head) const {
    const int n = at_.q.rows;
    return {p_.row(head * n), n, p_.cols, p_.stride};
  }

  /// A copy of a head's columns with padding; all columns, if there is only one head.
  ConstView columns(ConstView all, int head, View to) const {
    if (maps_.heads() == 1) {
      return all;
    }
    copy_rows(attention::columns(all, head * to.cols, to.cols), to);
    return to;
  }
  void return_columns(ConstView from, int head, View all) const {
    if (maps_.heads() > 1) {
      copy_rows(from, attention::columns(all, head * from.cols, from.cols));
    }
  }

  void softmax_until_own(View p) const {
    for (int i = 0; i < p.rows; ++i) {
      const View seen{p.row(i), 1, i + 1, p.stride};
      num::softmax(seen, maps_.scale(), seen);
      std::fill(p.row(i) + i + 1, p.row(i) + p.stride, 0.0F);
    }
  }

  std::span<float> sums_of(int head) const {
    const auto n = static_cast<std::size_t>(at_.q.rows);
    return sums_.subspan(static_cast<std::size_t>(head) * n, n);
  }

  /// p contains the negative logits.
  void weigh_one_by_one(View p, int head) const {
    num::logistic(p, 1.0F, p);
    for (int i = 0; causal_ && i < p.rows; ++i) {
      std::fill(p.row(i) + i + 1, p.row(i) + p.stride, 0.0F);
    }
    normalize(Normalization::Capped, p, sums_of(head), p);
  }

  /// dp_ becomes the gradient of q k'.
  void one_by_one_backward(ConstView a, int head) const {
    const auto sums = sums_of(head);
    normalize_backward(Normalization::Capped, a, a, sums, dp_, dp_);
    for (int i = 0; i < a.rows; ++i) {
      const float cap = std::max(1.0F, sums[static_cast<std::size_t>(i)]);
      for (int k = 0; k < a.cols; ++k) {
        const float weight = cap * a(i, k);
        dp_(i, k) *= maps_.scale() * weight * (1.0F - weight);
      }
    }
  }

  HeadMaps maps_;
  bool causal_;
  bool sigmoid_;
  HeadMaps::Workspace at_;
  View p_;                 // the weights of all heads, stacked
  std::span<float> sums_;  // of the weights before the cap
  View transposed_;        // K', then V', of a head
  View q_;                 // of one head, like all below
  View k_;
  View v_;
  View o_;
  View dp_;
  View dq_;
  View dk_;
  View dv_;
};

class Softmax::Decoder : public attention::Decoder {
 public:
  Decoder(const Site& /*site*/,
          const Parts& parts,
          int tokens,
          const Resources& resources)
      : maps_(parts.maps) {
    if (parts.options.score == Score::Softmax) {
      softmax_.emplace(
          maps_, OrderedPattern{Pattern::causal(tokens)}, tokens, resources);
    } else {
      cache_.emplace(maps_, tokens, resources);
      weights_ = num::zeros(tokens, resources.scratch);
    }
  }

  void step(const parts::Weights& weights, ConstView x, View y) override {
    if (softmax_) {
      softmax_->step(weights, x, y);
      return;
    }
    cache_->append(maps_, weights, x);
    for (int head = 0; head < maps_.heads(); ++head) {
      weigh_one_by_one(head);
    }
    maps_.finish(weights, y, cache_->token());
  }
  void restart() override {
    if (softmax_) {
      softmax_->restart();
    } else {
      cache_->clear();
    }
  }

 private:
  void weigh_one_by_one(int head) {
    const HeadsView all = cache_->heads(maps_);
    const int d = maps_.head_dim();
    const int first = head * d;
    float sum = 0.0F;
    for (int j = 0; j < all.k.rows; ++j) {
      float dot = 0.0F;
      for (int c = first; c < first + d; ++c) {
        dot += all.q(0, c) * all.k(j, c);
      }
      const float weight = 1.0F / (1.0F + std::exp(-all.scale * dot));
      weights_[static_cast<std::size_t>(j)] = weight;
      sum += weight;
    }
    float* mixed = cache_->token().mixed.row(0);
    std::fill_n(mixed + first, d, 0.0F);
    for (int j = 0; j < all.k.rows; ++j) {
      const float share = weights_[static_cast<std::size_t>(j)] / std::max(1.0F, sum);
      for (int c = first; c < first + d; ++c) {
        mixed[c] += share * all.v(j, c);
      }
    }
  }

  HeadMaps maps_;
  std::optional<MaskedDecoder> softmax_;
  std::optional<HeadsCache> cache_;  // for sigmoid weights
  std::span<float> weights_;
};

}  // namespace

const Kind kSoftmax{
    .name = "softmax",
    .family = kDenseFamily,
    .summary = "scaled dot products, all weights in memory",
    .direction = Direction::Both,
    .takes_queries = true,
    .narrow_keys = true,
    .permutes = true,
    .options = options_from<SoftmaxOptions>(),
    .refusal = &refusal_of_softmax,
    .declare = &declare<Softmax>,
};

}  // namespace oa::attention
