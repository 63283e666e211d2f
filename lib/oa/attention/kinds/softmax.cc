#include "oa/attention/coefficients.h"
#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/heads.h"
#include "oa/attention/kinds.h"
#include "oa/num/activation.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <cstdint>
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

class DenseSoftmax : public HeadsOperation {
 public:
  DenseSoftmax(const Heads& of, Score score)
      : HeadsOperation(
            of,
            {.name = score == Score::Sigmoid ? "sigmoid_attention" : "softmax",
             .output = false}),
        causal_(formula().causal()),
        sigmoid_(score == Score::Sigmoid),
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
    // Traffic of scores: written, read for their maximum, read and written as weights,
    // divided, and read again.
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
    if (formula().decodes()) {
      step(run.token, view(run.in), run.out);
      return;
    }
    for (int head = 0; head < heads().heads; ++head) {
      const View p = weights_of(head);
      const View mixed = several_ ? o_ : run.out;
      num::transpose(columns(run.in[1], head, k_), transposed_);
      num::matmul(
          columns(run.in[0], head, q_), transposed_, p, sigmoid_ ? -scale_ : 1.0F);
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
        one_by_one_backward(p, head);
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

  /// Copies a head's columns with padding; with one head, returns all columns.
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
    normalize(Normalization::Capped, p, sums_of(head), p);
  }

  /// Sets dp_ to the gradient of q k'.
  void one_by_one_backward(ConstView a, int head) const {
    const auto sums = sums_of(head);
    normalize_backward(Normalization::Capped, a, a, sums, dp_, dp_);
    for (int i = 0; i < a.rows; ++i) {
      const float cap = std::max(1.0F, sums[static_cast<std::size_t>(i)]);
      for (int k = 0; k < a.cols; ++k) {
        const float weight = cap * a(i, k);
        dp_(i, k) *= scale_ * weight * (1.0F - weight);
      }
    }
  }

  void reserve_for_tokens(const Arenas& arenas) {
    tokens_ = formula().tokens_of_sequence();
    keys_ = num::zeros(cols(), tokens_, arenas.state);
    values_ = num::zeros(heads().heads * tokens_, heads().width(), arenas.state);
    p_ = num::zeros(1, tokens_, arenas.scratch);
    o_ = num::zeros(1, heads().width(), arenas.scratch);
    sums_ = num::zeros(1, arenas.scratch);
  }
  void step(int token, const HeadsView& given, View mixed) const {
    const View p = attention::columns(p_, 0, token + 1);
    for (int head = 0; head < given.heads; ++head) {
      const int first = head * o_.cols;
      const View values = row_block(values_, head * tokens_, token + 1);
      copy_rows(attention::columns(given.v, first, o_.cols),
                row_block(values, token, 1));
      num::fill(p, 0.0F);
      for (int c = first; c < first + o_.cols; ++c) {
        keys_(c, token) = given.k(0, c);
        num::add_scaled(attention::columns(row_block(keys_, c, 1), 0, p.cols),
                        sigmoid_ ? -scale_ * given.q(0, c) : given.q(0, c),
                        p);
      }
      if (sigmoid_) {
        num::logistic(p, 1.0F, p);
        normalize(Normalization::Capped, p, sums_, p);
      } else {
        num::softmax(p, scale_, p);
      }
      num::matmul(p, values, o_);
      copy_rows(o_, attention::columns(mixed, first, o_.cols));
    }
  }

  bool causal_;
  bool sigmoid_;
  float scale_;
  bool several_;           // more than one head
  View p_;                 // the weights of all heads, stacked
  std::span<float> sums_;  // sums of the weights before the cap
  View transposed_;        // K', then V', of a head
  View q_;                 // of one head, as the next members
  View k_;
  View v_;
  View o_;
  View dp_;
  View dq_;
  View dk_;
  View dv_;
  int tokens_ = 0;  // a decoder's, whose p_ is that of one head
  View keys_;       // transposed
  View values_;     // a head after the other
};

Value softmax(Formula& f, const SoftmaxOptions& o) {
  f.refuse(refusal_of_keys(f.site(), o.keys));
  const HeadLayer layer(
      f.tokens(), o.maps, 0, {.source = source_of(o.keys), .scale = o.scale});
  return layer.output(f.apply<DenseSoftmax>(layer.heads(), o.score));
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
