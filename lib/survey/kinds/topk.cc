#include "survey/kernel/sparse/topk.h"

#include "oa/attention/formula/formula_attention.h"
#include "oa/attention/formula/heads.h"
#include "survey/formula/key_cache.h"
#include "survey/kernel/sparse/hard.h"
#include "survey/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <optional>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

struct TopkOptions {
  HeadOptions maps;
  int keep = 8;

  static std::span<const Field<TopkOptions>> fields() {
    static constexpr auto kFields = joined(
        head_fields<&TopkOptions::maps>(),
        std::array{field<&TopkOptions::keep>("k",
                                             "Number of keys that each query keeps",
                                             {.range = {.low = 1, .high = 1 << 20}})});
    return kFields;
  }
};

struct HardOptions {
  HeadOptions maps;
  HeadKeys keys = HeadKeys::Separate;

  static std::span<const Field<HardOptions>> fields() {
    static constexpr auto kFields =
        joined(head_fields<&HardOptions::maps>(),
               std::array{field<&HardOptions::keys>(
                   "keys", "Source of the keys", {.value_name = "SOURCE"})});
    return kFields;
  }
};

/// Operation of topk and hard.
/// Unlike topk with k = 1, hard has gradients for all keys.
class ChosenKeys : public HeadsOperation {
 public:
  ChosenKeys(const Heads& of, int keep, bool hard)
      : HeadsOperation(of,
                       {.name = hard ? "hard_attention" : "topk_softmax",
                        .output = false,
                        .settings = {{"k", keep}}}),
        keep_(keep),
        is_hard_(hard) {}

  parts::Cost cost() const override {
    parts::Cost cost;
    std::int64_t kept = 0;
    for (int i = 0; i < rows(); ++i) {
      const int seen = formula().causal() ? i + 1 : in(1).rows;
      cost.pairs += seen;
      kept += std::min(keep_, seen);
    }
    cost.forward = 2 * (cost.pairs + kept) * cols();
    cost.backward = (is_hard_ ? 14 * cost.pairs : 8 * kept) * cols();
    cost.exponentials = heads().heads * kept;
    cost.traffic = std::int64_t{4} * 4 * rows() * cols();
    return cost;
  }
  void reserve(const Arenas& arenas) override {
    HeadsShape shape = HeadsShape::of(heads().shapes());
    if (formula().decodes()) {
      shape.keys = formula().tokens_of_sequence();
      cache_ = KeyCache(heads(), shape.keys, arenas.state, KeyCache::Keys::Columns);
    } else {
      transposed_ = num::zeros(in(1).cols, in(1).rows, arenas.scratch);
    }
    const bool causal = formula().causal() && !formula().decodes();
    kept_ = topk_kept(shape, keep_, causal, arenas.kept);
    scratch_ = topk_scratch(kept_, formula().threads(), arenas.scratch);
    if (is_hard_ && arenas.backward) {
      sums_.log_sums = num::zeros(heads().heads, rows(), arenas.kept);
      hard_ = hard_scratch(heads().shapes(), formula().threads(), arenas.scratch);
    }
  }

  void forward(const ForwardRun& run) override {
    const HeadsView given = view(run.in);
    const int threads = formula().threads();
    if (formula().decodes()) {
      cache_.put(run.token, given);
      TopkKept kept = kept_;
      kept.keys = run.token + 1;
      topk_forward(cache_.heads(given, kept.keys),
                   cache_.transposed_keys(kept.keys),
                   run.out,
                   kept,
                   {},
                   scratch_,
                   threads);
    } else {
      transpose_keys(given, transposed_, threads);
      topk_forward(given, transposed_, run.out, kept_, sums_, scratch_, threads);
    }
  }
  void backward(const BackwardRun& run) override {
    const HeadsView given = view(run.in);
    const int threads = formula().threads();
    if (hard_) {
      hard_backward(
          given, kept_, sums_.log_sums, run.d_out, gradient(run), *hard_, threads);
    } else {
      topk_backward(given, kept_, run.d_out, gradient(run), scratch_, threads);
    }
  }

 private:
  int keep_;
  bool is_hard_;
  KeyCache cache_;   // of a decoder, which must keep all tokens
  View transposed_;  // keys
  TopkKept kept_;
  TopkSums sums_;
  TopkScratch scratch_;
  std::optional<HardScratch> hard_;
};

Value topk(Formula& f, const TopkOptions& o) {
  const HeadLayer layer(f.tokens(), o.maps);
  return layer.output(f.apply<ChosenKeys>(layer.heads(), o.keep, false));
}

Value hard(Formula& f, const HardOptions& o) {
  f.refuse(refusal_of_keys(f.site(), o.keys));
  const HeadLayer layer(f.tokens(), o.maps, 0, {.source = source_of(o.keys)});
  return layer.output(f.apply<ChosenKeys>(layer.heads(), 1, true));
}

template <class O, Value (*Build)(Formula&, const O&)>
constexpr Kind chosen_kind(std::string_view name, std::string_view summary) {
  return formula_kind<O, Build>({.name = name,
                                 .family = kChosenFamily,
                                 .summary = summary,
                                 .direction = Direction::Both,
                                 .takes_queries = true,
                                 .narrow_keys = true,
                                 .permutes = true});
}

}  // namespace

const Kind kTopk = chosen_kind<TopkOptions, topk>(
    "topk", "softmax over the k best keys of each query");
const Kind kHard = chosen_kind<HardOptions, hard>(
    "hard", "the best key of each query, with the gradient of softmax");

}  // namespace oa::attention
