// Scaled dot-product attention with all its weights in memory, o =
// softmax(QK'/sqrt(d))V head by head: the plain form that the fused kinds are measured
// against.  Beside its maps it costs 4nmD FLOPs and Hnm exponentials, backward 8nmD
// FLOPs; it keeps q, k, v, what the heads yield and Hnm weights.
#include "oa/attention/head_maps.h"
#include "oa/attention/kinds.h"
#include "oa/attention/layer_of.h"
#include "oa/attention/masked.h"
#include "oa/num/activation.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct SoftmaxOptions {
  HeadOptions maps;

  [[nodiscard]] int groups() const { return maps.heads; }

  static const FieldTable<SoftmaxOptions>& fields() {
    static constexpr auto kFields = head_fields<&SoftmaxOptions::maps>();
    static constexpr FieldTable<SoftmaxOptions> kTable{"", kFields};
    return kTable;
  }
};

struct SoftmaxParts {
  HeadMaps maps;

  SoftmaxParts(const Site& site, parts::Layout& layout)
      : maps(site,
             options_of<SoftmaxOptions>(site).maps,
             options_of<SoftmaxOptions>(site).maps.heads,
             layout) {}

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
        at_(maps_.workspace(tokens, resources)),
        p_(num::zeros(maps_.heads() * at_.q.rows, at_.k.rows, resources.kept)) {
    const int keys = at_.k.rows;
    Arena& scratch = resources.scratch;
    const int d = maps_.head_dim();
    turned_ = num::zeros(d, keys, scratch);
    if (maps_.heads() > 1) {
      q_ = num::zeros(at_.q.rows, d, scratch);
      k_ = num::zeros(keys, d, scratch);
      v_ = num::zeros(keys, d, scratch);
      o_ = num::zeros(at_.q.rows, d, scratch);
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
      num::transpose(columns(at_.k, head, k_), turned_);
      num::matmul(columns(at_.q, head, q_), turned_, p);
      if (causal_) {
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
      num::transpose(columns(at_.v, head, v_), turned_);
      num::matmul(dout, turned_, dp_);
      num::fill(dv, 0.0F);
      num::matmul_transposed_add(p, dout, dv);
      num::softmax_backward(p, dp_, maps_.scale(), dp_);
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

  struct TokenByToken : MaskedDecoder {
    TokenByToken(const Site& /*site*/,
                 const Parts& parts,
                 int tokens,
                 const Resources& resources)
        : MaskedDecoder(parts.maps, Pattern::causal(tokens), tokens, resources) {}
  };

 private:
  View weights_of(int head) const {
    const int n = at_.q.rows;
    return {p_.row(head * n), n, p_.cols, p_.stride};
  }

  /// The columns of a head as a matrix with padding of its own; all of it, if there is
  /// one head only.
  ConstView columns(ConstView all, int head, View to) const {
    if (maps_.heads() == 1) {
      return all;
    }
    for (int i = 0; i < all.rows; ++i) {
      std::copy_n(all.row(i) + head * to.cols, to.cols, to.row(i));
    }
    return to;
  }
  void return_columns(ConstView from, int head, View all) const {
    if (maps_.heads() == 1) {
      return;
    }
    for (int i = 0; i < from.rows; ++i) {
      std::copy_n(from.row(i), from.cols, all.row(i) + head * from.cols);
    }
  }

  void softmax_until_own(View p) const {
    for (int i = 0; i < p.rows; ++i) {
      const View seen{p.row(i), 1, i + 1, p.stride};
      num::softmax(seen, maps_.scale(), seen);
      std::fill(p.row(i) + i + 1, p.row(i) + p.stride, 0.0F);
    }
  }

  HeadMaps maps_;
  bool causal_;
  HeadMaps::Workspace at_;
  View p_;       // a head's weights behind the other's
  View turned_;  // K', then V', of a head
  View q_;       // of a head, as all below
  View k_;
  View v_;
  View o_;
  View dp_;
  View dq_;
  View dk_;
  View dv_;
};

}  // namespace

const Kind kSoftmax{
    .name = "softmax",
    .summary = "scaled dot products, all weights in memory",
    .direction = Direction::Both,
    .takes_queries = true,
    .narrow_keys = true,
    .permutes = true,
    .options = options_from<SoftmaxOptions>(),
    .refusal = &refusal_of_heads_at<SoftmaxOptions>,
    .declare = &declare<Softmax>,
};

}  // namespace oa::attention
