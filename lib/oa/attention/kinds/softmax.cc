#include "oa/attention/coefficients.h"
#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/loops.h"
#include "oa/attention/kernel/decode.h"
#include "oa/attention/kinds.h"
#include "oa/base/index.h"
#include "oa/num/activation.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace oa::attention {
namespace {

enum class Score : std::uint8_t {
  Softmax,
  Sigmoid,  ///< each key by itself: p / max(1, sum p)
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

constexpr double kFirstBias =
    -2.0;  // initial bias of logits in loops: few weights are large

struct SoftmaxOptions {
  HeadOptions maps;
  double scale = 1.0;
  HeadKeys keys = HeadKeys::Separate;
  Score score = Score::Softmax;
  int loops = 1;

  static std::span<const Field<SoftmaxOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&SoftmaxOptions::maps>(),
        std::array{
            field<&SoftmaxOptions::scale>(
                "scale", "Factor of the logits", {.range = {.low = 1e-3, .high = 1e6}}),
            field<&SoftmaxOptions::keys>(
                "keys", "Source of the keys", {.value_name = "SOURCE"}),
            field<&SoftmaxOptions::score>(
                "score", "How logits become weights", {.value_name = "HOW"}),
            loops_field<&SoftmaxOptions::loops>()});
    return kFields;
  }
};

/// How logits become weights.
struct Weighing {
  Score score = Score::Softmax;
  Normalization sigmoid = Normalization::Capped;  ///< of its weights
  int bias = -1;  ///< tensor of the logits of sigmoid; -1: none
};

std::vector<Setting> settings_of(const Weighing& weighing) {
  return weighing.score == Score::Softmax
             ? std::vector<Setting>{}
             : std::vector<Setting>{{"normalization", field_text(weighing.sigmoid)}};
}

class DenseSoftmax : public HeadsOperation {
 public:
  DenseSoftmax(const Heads& of, const Weighing& weighing)
      : HeadsOperation(
            of,
            {.name = weighing.score == Score::Sigmoid ? "sigmoid_attention" : "softmax",
             .output = false,
             .settings = settings_of(weighing)}),
        causal_(formula().causal()),
        sigmoid_(weighing.score == Score::Sigmoid),
        how_(weighing.sigmoid),
        bias_(weighing.bias),
        scale_(of.scale),
        several_(of.heads > 1) {}

  parts::Cost cost() const override {
    const std::int64_t n = rows();
    const std::int64_t keys = in(1).rows;
    parts::Cost cost;
    cost.pairs = causal_ ? n * (n + 1) / 2 : n * keys;
    cost.forward = 4 * cost.pairs * cols();
    cost.backward = 8 * cost.pairs * cols();
    cost.exponentials = heads().heads * cost.pairs;
    // Counts the traffic of scores: written, read for the maximum,
    // read and written as weights, divided, and read again.
    cost.traffic = 4 * (4 * n * cols() + 6 * heads().heads * n * keys);
    return cost;
  }
  void reserve(const Arenas& arenas) override {
    Arena& scratch = arenas.scratch;
    if (formula().decodes()) {
      reserve_for_tokens(arenas);
      return;
    }
    const int keys = in(1).rows;
    const int d = heads().width();
    p_ = num::zeros(heads().heads * rows(), keys, arenas.kept);
    transposed_ = num::zeros(d, keys, scratch);
    if (several_) {
      q_ = num::zeros(rows(), d, scratch);
      k_ = num::zeros(keys, d, scratch);
      v_ = num::zeros(keys, d, scratch);
      o_ = num::zeros(rows(), d, scratch);
    }
    if (sigmoid_) {
      sums_ = num::zeros(std::int64_t{rows()} * heads().heads, arenas.kept);
    }
    if (bias_ >= 0) {
      minus_bias_ = num::zeros(keys, scratch);
    }
    if (arenas.backward) {
      dp_ = num::zeros(rows(), keys, scratch);
      if (several_) {
        dq_ = num::zeros(rows(), d, scratch);
        dk_ = num::zeros(keys, d, scratch);
        dv_ = num::zeros(keys, d, scratch);
      }
    }
  }

  void forward(const ForwardRun& run) override {
    if (cache_) {
      step(run, view(run.in));
      return;
    }
    if (formula().decodes()) {
      step_one_by_one(run, view(run.in));
      return;
    }
    for (int head = 0; head < heads().heads; ++head) {
      const View p = weights_of(head);
      const View mixed = several_ ? o_ : run.out;
      num::transpose(columns(run.in[1], head, k_), transposed_);
      std::ranges::fill(minus_bias_, -bias_of(run.weights, head));
      num::matmul(columns(run.in[0], head, q_),
                  transposed_,
                  p,
                  sigmoid_ ? -scale_ : 1.0F,
                  minus_bias_);
      if (sigmoid_) {
        weigh_one_by_one(p, head);
      } else if (causal_) {
        softmax_until_own(p);
      } else {
        num::softmax(p, scale_, p);
      }
      num::matmul(p, columns(run.in[2], head, v_), mixed);
      return_columns(mixed, head, run.out);
    }
  }
  void backward(const BackwardRun& run) override {
    const HeadsGradient to = gradient(run);
    const View dq = several_ ? dq_ : to.q;
    const View dk = several_ ? dk_ : to.k;
    const View dv = several_ ? dv_ : to.v;
    for (int head = 0; head < heads().heads; ++head) {
      const ConstView p = weights_of(head);
      const ConstView dout = columns(run.d_out, head, o_);
      num::transpose(columns(run.in[2], head, v_), transposed_);
      num::matmul(dout, transposed_, dp_);
      num::fill(dv, 0.0F);
      num::matmul_transposed_add(p, dout, dv);
      if (sigmoid_) {
        one_by_one_backward(p, head, run.gradient);
      } else {
        num::softmax_backward(p, dp_, scale_, dp_);
      }
      num::matmul(dp_, columns(run.in[1], head, k_), dq);
      num::fill(dk, 0.0F);
      num::matmul_transposed_add(dp_, columns(run.in[0], head, q_), dk);
      return_columns(dq, head, to.q);
      return_columns(dk, head, to.k);
      return_columns(dv, head, to.v);
    }
  }

  std::vector<num::Matrix> value_weights(
      std::span<const ConstView> /*in*/) const override {
    std::vector<num::Matrix> all;
    for (int head = 0; head < heads().heads; ++head) {
      const View p = weights_of(head);
      copy_rows(p, all.emplace_back(p.rows, p.cols));
    }
    return all;
  }

 private:
  View weights_of(int head) const { return row_block(p_, head * rows(), rows()); }

  /// Copies the columns of a head with padding; one head alone is returned as it is.
  ConstView columns(ConstView all, int head, View to) const {
    if (!several_) {
      return all;
    }
    copy_rows(attention::columns(all, head * to.cols, to.cols), to);
    return to;
  }
  void return_columns(ConstView from, int head, View all) const {
    if (several_) {
      copy_rows(from, attention::columns(all, head * from.cols, from.cols));
    }
  }

  void softmax_until_own(View p) const {
    for (int i = 0; i < p.rows; ++i) {
      const View seen{p.row(i), 1, i + 1, p.stride};
      num::softmax(seen, scale_, seen);
      std::fill(p.row(i) + i + 1, p.row(i) + p.stride, 0.0F);
    }
  }

  std::span<float> sums_of(int head) const {
    const auto n = static_cast<std::size_t>(rows());
    return sums_.subspan(static_cast<std::size_t>(head) * n, n);
  }

  /// Computes weights from negative logits in p.
  void weigh_one_by_one(View p, int head) const {
    num::logistic(p, 1.0F, p);
    for (int i = 0; causal_ && i < p.rows; ++i) {
      std::fill(p.row(i) + i + 1, p.row(i) + p.stride, 0.0F);
    }
    normalize(how_, p, sums_of(head), p);
  }

  float bias_of(const parts::Weights& weights, int head) const {
    return bias_ < 0 ? 0.0F
                     : weights.values().vector(bias_)[static_cast<std::size_t>(head)];
  }

  /// Replaces dp_ by the gradient of q k'.
  void one_by_one_backward(ConstView a, int head, parts::Values& gradient) const {
    const auto sums = sums_of(head);
    normalize_backward(how_, a, a, sums, dp_, dp_);
    double of_bias = 0.0;
    for (int i = 0; i < a.rows; ++i) {
      const float cap = std::max(1.0F, sums[static_cast<std::size_t>(i)]);
      for (int k = 0; k < a.cols; ++k) {
        const float weight = cap * a(i, k);
        dp_(i, k) *= scale_ * weight * (1.0F - weight);
        of_bias += double{dp_(i, k)};
      }
    }
    if (bias_ >= 0) {
      gradient.vector(bias_)[static_cast<std::size_t>(head)] +=
          static_cast<float>(of_bias / double{scale_});
    }
  }

  void reserve_for_tokens(const Arenas& arenas) {
    tokens_ = formula().tokens_of_sequence();
    if (!sigmoid_) {
      cache_.emplace(
          tokens_, heads().heads, heads().width(), CacheNumbers::Float, arenas.state);
      decoding_.emplace(heads().heads, heads().width(), arenas.scratch);
      return;
    }
    keys_ = num::zeros(cols(), tokens_, arenas.state);
    values_ = num::zeros(heads().heads * tokens_, heads().width(), arenas.state);
    p_ = num::zeros(1, tokens_, arenas.scratch);
    o_ = num::zeros(1, heads().width(), arenas.scratch);
    sums_ = num::zeros(1, arenas.scratch);
  }
  void step(const ForwardRun& run, const HeadsView& given) {
    const auto numbers = [&](auto row) { return std::span(row.row(0), at(cols())); };
    cache_->put(run.token, numbers(given.k), numbers(given.v));
    decode({.q = numbers(given.q),
            .heads = given.heads,
            .groups = given.heads,
            .scale = given.scale},
           *cache_,
           run.token + 1,
           numbers(run.out),
           formula().threads(),
           *decoding_);
  }
  void step_one_by_one(const ForwardRun& run, const HeadsView& given) const {
    const int token = run.token;
    const View p = attention::columns(p_, 0, token + 1);
    for (int head = 0; head < given.heads; ++head) {
      const int first = head * o_.cols;
      const View values = row_block(values_, head * tokens_, token + 1);
      copy_rows(attention::columns(given.v, first, o_.cols),
                row_block(values, token, 1));
      num::fill(p, -bias_of(run.weights, head));
      for (int c = first; c < first + o_.cols; ++c) {
        keys_(c, token) = given.k(0, c);
        num::add_scaled(attention::columns(row_block(keys_, c, 1), 0, p.cols),
                        -scale_ * given.q(0, c),
                        p);
      }
      num::logistic(p, 1.0F, p);
      normalize(how_, p, sums_, p);
      num::matmul(p, values, o_);
      copy_rows(o_, attention::columns(run.out, first, o_.cols));
    }
  }

  bool causal_;
  bool sigmoid_;
  Normalization how_;  // of sigmoid weights
  int bias_;           // tensor; -1: none
  float scale_;
  bool several_;                 // heads
  View p_;                       // the weights of all heads, stacked
  std::span<float> sums_;        // of the weights before the cap
  std::span<float> minus_bias_;  // of each key; empty: no bias
  View transposed_;              // K', then V', of a head
  View q_;                       // of one head, like all below
  View k_;
  View v_;
  View o_;
  View dp_;
  View dq_;
  View dk_;
  View dv_;
  std::optional<DecodeCache> cache_;  // a decoder's, unless keys are weighed alone
  std::optional<DecodeScratch> decoding_;
  int tokens_ = 0;  // a decoder's, whose p_ is that of one head, if they are
  View keys_;       // transposed
  View values_;     // a head after the other
};

Value softmax(Formula& f, const SoftmaxOptions& o) {
  f.refuse(refusal_of_keys(f.site(), o.keys));
  const HeadLayer layer(
      f.tokens(), o.maps, 0, {.source = source_of(o.keys), .scale = o.scale});
  // In loops, the weights of a sigmoid get a bias from keys and queries.
  const bool biased = o.loops > 1 && o.score == Score::Sigmoid;
  const auto read = [&](const Heads& heads, Normalization how) {
    const int bias =
        biased ? f.tensor("loop_bias", {o.maps.heads}, parts::constant(kFirstBias))
               : -1;
    return f.apply<DenseSoftmax>(heads, Weighing{o.score, how, bias});
  };
  const Heads last = refined(layer.heads(), o.loops, [&](const Heads& keys) {
    return read(keys, Normalization::None);
  });
  return layer.output(read(last, Normalization::Capped));
}

}  // namespace

const Kind kSoftmax = formula_kind<SoftmaxOptions, softmax>({
    .name = "softmax",
    .family = kDenseFamily,
    .summary = "scaled dot products, all weights in memory",
    .direction = Direction::Both,
    .takes_queries = true,
    .narrow_keys = true,
    .permutes = true,
});

}  // namespace oa::attention
