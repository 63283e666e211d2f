#include "oa/attention/kernel/decode.h"
#include "oa/base/arena.h"
#include "peer.h"
#include "survey/kernel/delta/delta_scan.h"
#include "survey/kernel/fused/fused.h"
#include "survey/kernel/scan/gated_scan.h"
#include "survey/kernel/scan/selective_scan.h"

#include <algorithm>
#include <cmath>

namespace peers {
namespace {

using namespace oa;
using namespace oa::attention;

constexpr std::size_t kArena = std::size_t{64} << 20;

num::ConstView view(const AlignedFloats& data, int rows) {
  const int cols = static_cast<int>(data.size()) / rows;
  return {data.data(), rows, cols, cols};
}

Run fused(const Problem& p, const Data& data) {
  struct State {
    Arena arena{kArena};
    HeadsView heads;
    Pattern pattern;
    AlignedFloats o;
    std::unique_ptr<FusedScratch> scratch;
  };
  const auto s = std::make_shared<State>();
  s->heads = {view(data.q, p.queries),
              view(data.k, p.keys),
              view(data.v, p.keys),
              p.heads,
              p.groups,
              1.0F / std::sqrt(static_cast<float>(p.width))};
  s->pattern = p.window > 0 ? Pattern::band(p.queries, p.keys, p.window - 1, 0)
               : p.causal   ? Pattern::causal(p.queries)
                            : Pattern::all(p.queries, p.keys);
  s->o.resize(data.q.size());
  const HeadsShape shape = HeadsShape::of(s->heads);
  s->scratch = std::make_unique<FusedScratch>(shape, plan_fused(shape), 1, s->arena);
  const int cols = p.heads * p.width;
  return {[=] {
            fused_forward(s->heads,
                          s->pattern,
                          {s->o.data(), p.queries, cols, cols},
                          {},
                          *s->scratch);
          },
          [=] { return s->o.data(); }};
}

Run decoding(const Problem& p, const Data& data) {
  struct State {
    explicit State(std::size_t bytes) : arena(bytes) {}
    Arena arena;
    std::unique_ptr<DecodeScratch> scratch;
    std::unique_ptr<DecodeCache> cache;
    AlignedFloats o;
  };
  const auto s =
      std::make_shared<State>(static_cast<std::size_t>(p.cache_bytes()) + kArena);
  s->scratch = std::make_unique<DecodeScratch>(p.heads, p.width, s->arena);
  s->cache =
      std::make_unique<DecodeCache>(p.keys,
                                    p.groups,
                                    p.width,
                                    p.half ? CacheNumbers::Half : CacheNumbers::Float,
                                    s->arena);
  const auto cols = static_cast<std::size_t>(p.groups * p.width);
  for (int j = 0; j < p.keys; ++j) {
    const std::size_t first = static_cast<std::size_t>(j) * cols;
    s->cache->put(j,
                  std::span(data.k).subspan(first, cols),
                  std::span(data.v).subspan(first, cols));
  }
  s->o.resize(data.q.size());
  const DecodeQuery query{.q = data.q,
                          .heads = p.heads,
                          .groups = p.groups,
                          .scale = 1.0F / std::sqrt(static_cast<float>(p.width))};
  return {[=] { decode(query, *s->cache, p.keys, s->o, 1, *s->scratch); },
          [=] { return s->o.data(); }};
}

Run gated(const Problem& p, const Data& data) {
  const GatedShape shape{p.heads, p.width, p.width, 1.0F, 1};
  struct State {
    Arena arena{kArena};
    num::Buffer state;
    AlignedFloats o;
  };
  const auto s = std::make_shared<State>();
  s->state = num::Buffer(static_cast<std::size_t>(gated_state_size(shape)));
  s->o.resize(data.v.size());
  const int cols = p.heads * p.width;
  return {[=, &data] {
            std::ranges::fill(s->state.span(), 0.0F);
            gated_scan(shape,
                       {view(data.q, p.keys),
                        view(data.k, p.keys),
                        view(data.decay, p.keys),
                        view(data.v, p.keys)},
                       {s->o.data(), p.keys, cols, cols},
                       s->state.span(),
                       s->arena);
          },
          [=] { return s->o.data(); }};
}

Run delta(const Problem& p, const Data& data) {
  const DeltaShape shape{p.heads, p.width, p.width, 1};
  struct State {
    Arena arena{kArena};
    num::Buffer state;
    AlignedFloats o;
  };
  const auto s = std::make_shared<State>();
  s->state = num::Buffer(static_cast<std::size_t>(delta_state_size(shape)));
  s->o.resize(data.v.size());
  const int cols = p.heads * p.width;
  return {[=, &data] {
            std::ranges::fill(s->state.span(), 0.0F);
            delta_scan(shape,
                       {.q = view(data.q, p.keys),
                        .k = view(data.k, p.keys),
                        .v = view(data.v, p.keys),
                        .step = view(data.step, p.keys),
                        .log_decay = view(data.decay, p.keys),
                        .read = {}},
                       {s->o.data(), p.keys, cols, cols},
                       s->state.span(),
                       {},
                       s->arena);
          },
          [=] { return s->o.data(); }};
}

/// States are p.width; a = -1 .. -states for each channel, as models begin.
Run selective(const Problem& p, const Data& data) {
  const int channels = static_cast<int>(data.v.size()) / p.keys;
  const SelectiveShape shape{channels, p.width, 1};
  struct State {
    Arena arena{kArena};
    num::Buffer state;
    num::Matrix a;
    AlignedFloats o;
  };
  const auto s = std::make_shared<State>();
  s->state = num::Buffer(static_cast<std::size_t>(selective_state_size(shape)));
  s->a = num::Matrix(p.width, channels);
  for (int j = 0; j < p.width; ++j) {
    std::fill_n(s->a.row(j), channels, -static_cast<float>(j + 1));
  }
  s->o.resize(data.v.size());
  return {[=, &data] {
            std::ranges::fill(s->state.span(), 0.0F);
            const SelectiveInput in{.x = view(data.v, p.keys),
                                    .dt = view(data.decay, p.keys),
                                    .b = view(data.k, p.keys),
                                    .c = view(data.q, p.keys),
                                    .a = s->a,
                                    .skip = {}};
            selective_scan(shape,
                           in,
                           {s->o.data(), p.keys, channels, channels},
                           s->state.span(),
                           {},
                           s->arena);
          },
          [=] { return s->o.data(); }};
}

}  // namespace

Run ours(const Problem& p, const Data& data) {
  switch (p.kind) {
    case Problem::Kind::Gated: return gated(p, data);
    case Problem::Kind::Delta: return delta(p, data);
    case Problem::Kind::Selective: return selective(p, data);
    case Problem::Kind::Attention: break;
  }
  return p.decodes() ? decoding(p, data) : fused(p, data);
}

}  // namespace peers
