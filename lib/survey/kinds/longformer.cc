#include "oa/attention/formula/formula_attention.h"
#include "oa/num/rows.h"
#include "survey/formula/softmax.h"
#include "survey/kernel/pattern/pattern_builder.h"
#include "survey/kernel/pattern/patterns.h"
#include "survey/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace oa::attention {
namespace {

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

/// Returns the rows of a pattern for queries from `first` on, or for earlier queries.
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

/// Softmax of local heads, and of global heads for the first queries.
class LocalAndGlobal : public HeadsOperation {
 public:
  LocalAndGlobal(const Heads& local, const Heads& global, const LongformerOptions& o)
      : HeadsOperation(local,
                       {.name = "local_and_global_softmax",
                        .others = {global.q, global.k, global.v},
                        .settings = {{"radius", o.radius}, {"globals", o.globals}}}),
        global_(global),
        globals_(std::min(o.globals, formula().tokens_of_sequence())) {
    if (formula().works()) {
      const Pattern all = longformer_pattern(
          formula().tokens_of_sequence(), o.radius, o.globals, formula().causal());
      pattern_of_local_ = rows_of_pattern(all, o.globals, true);
      pattern_of_global_ = rows_of_pattern(all, o.globals, false);
    }
  }

  std::vector<Setting> tables() const override {
    return {table_of("local", pattern_of_local_),
            table_of("global", pattern_of_global_)};
  }
  parts::Cost cost() const override {
    return softmax_cost(heads(), pattern_of_local_) +
           softmax_cost(global_, pattern_of_global_);
  }
  void reserve(const Arenas& arenas) override {
    if (formula().decodes()) {
      const int globals = std::max(1, globals_);
      local_cache_.emplace(heads(), OrderedPattern{pattern_of_local_}, arenas);
      global_cache_.emplace(global_, OrderedPattern{Pattern::causal(globals)}, arenas);
      return;
    }
    const Resources resources{.kept = arenas.kept,
                              .scratch = arenas.scratch,
                              .backward = arenas.backward,
                              .threads = formula().threads()};
    local_core_.emplace(HeadsShape::of(heads().shapes()), pattern_of_local_, resources);
    global_core_.emplace(
        HeadsShape::of(global_.shapes()), pattern_of_global_, resources);
  }
  std::size_t temporary(bool backward) const override {
    return backward ? 0 : bytes_of(rows(), cols());
  }

  void forward(const ForwardRun& run) override {
    const HeadsView local = view(run.in.first(3));
    const HeadsView global = view(run.in.subspan(3));
    if (formula().decodes()) {
      local_cache_->step(run.token, local, run.out);
      if (run.token < globals_) {
        global_cache_->step(run.token, global, run.out);
      }
      return;
    }
    local_core_->forward(local, run.out);
    const View mixed = num::zeros(rows(), cols(), run.temporary);
    global_core_->forward(global, mixed);
    num::copy(mixed.top(globals_), run.out.top(globals_));
  }
  void backward(const BackwardRun& run) override {
    // Queries without keys have no gradient: each core skips rows of the other core.
    local_core_->backward(view(run.in.first(3)), run.out, run.d_out, gradient(run));
    global_core_->backward(
        view(run.in.subspan(3)),
        run.out,
        run.d_out,
        {.q = run.d_in[3].d, .k = run.d_in[4].d, .v = run.d_in[5].d});
  }

  /// Counts of the local core.
  std::vector<Count> counts() const override { return local_core_->counts(); }

 private:
  Heads global_;
  int globals_;
  Pattern pattern_of_local_ = Pattern::all(0, 0);
  Pattern pattern_of_global_ = Pattern::all(0, 0);
  std::optional<ExactCore> local_core_;
  std::optional<ExactCore> global_core_;
  std::optional<CachedSoftmax> local_cache_;
  std::optional<CachedSoftmax> global_cache_;
};

Value longformer(Formula& f, const LongformerOptions& o) {
  const Value x = f.tokens();
  const HeadLayer local(x, o.maps);
  HeadOptions own = o.maps;
  own.output = false;  // the local map Wo serves both
  const HeadLayer global = f.for_first_tokens(
      o.globals, [&] { return HeadLayer(x, own, 0, {.prefix = "global."}); });
  return local.output(f.apply<LocalAndGlobal>(local.heads(), global.heads(), o));
}

}  // namespace

const Kind kLongformer = formula_kind<LongformerOptions, longformer>({
    .name = "longformer",
    .family = kPatternFamily,
    .summary = "softmax over near and global tokens",
    .direction = Direction::Both,
});

}  // namespace oa::attention
