#include "peer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <ggml-cpu.h>
#include <ggml.h>

namespace peers {
namespace {

struct State {
  ggml_context* context = nullptr;
  ggml_cgraph* graph = nullptr;
  ggml_cplan plan{};
  std::vector<std::uint8_t> work;
  ggml_tensor* result = nullptr;
  AlignedFloats transposed;  // the output, token by token

  explicit State(std::size_t bytes) : context(ggml_init({bytes, nullptr, false})) {
    ggml_cpu_init();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ggml_free(context); }

  void finish(ggml_tensor* tensor) {
    result = tensor;
    graph = ggml_new_graph(context);
    ggml_build_forward_expand(graph, tensor);
    plan = ggml_graph_plan(graph, 1, nullptr);
    work.resize(plan.work_size);
    plan.work_data = work.data();
  }
};

ggml_tensor* filled(ggml_context* context,
                    const AlignedFloats& data,
                    std::int64_t a,
                    std::int64_t b,
                    std::int64_t c) {
  ggml_tensor* t = ggml_new_tensor_3d(context, GGML_TYPE_F32, a, b, c);
  std::memcpy(t->data, data.data(), data.size() * sizeof(float));
  return t;
}

/// (d, tokens, heads) as a view of rows of tokens.
ggml_tensor* heads_of(ggml_context* context,
                      const AlignedFloats& data,
                      int width,
                      int heads,
                      int tokens,
                      bool half) {
  ggml_tensor* t = ggml_new_tensor_3d(
      context, half ? GGML_TYPE_F16 : GGML_TYPE_F32, width, heads, tokens);
  if (half) {
    ggml_fp32_to_fp16_row(data.data(),
                          static_cast<ggml_fp16_t*>(t->data),
                          static_cast<std::int64_t>(data.size()));
  } else {
    std::memcpy(t->data, data.data(), data.size() * sizeof(float));
  }
  return ggml_permute(context, t, 0, 2, 1, 3);
}

ggml_tensor* mask_of(ggml_context* context, const Problem& p) {
  ggml_tensor* mask = ggml_new_tensor_2d(context, GGML_TYPE_F16, p.keys, p.queries);
  auto* to = static_cast<ggml_fp16_t*>(mask->data);
  const ggml_fp16_t no = ggml_fp32_to_fp16(-INFINITY);
  const ggml_fp16_t yes = ggml_fp32_to_fp16(0.0F);
  for (int i = 0; i < p.queries; ++i) {
    for (int j = 0; j < p.keys; ++j) {
      const bool seen = j <= i && (p.window == 0 || i - j < p.window);
      to[std::ptrdiff_t{i} * p.keys + j] = seen ? yes : no;
    }
  }
  return mask;
}

ggml_tensor* selective(ggml_context* context, const Problem& p, const Data& data) {
  const std::int64_t channels = static_cast<std::int64_t>(data.v.size()) / p.keys;
  const std::int64_t n = p.keys;
  const std::int64_t states = p.width;
  ggml_tensor* s = ggml_new_tensor_4d(context, GGML_TYPE_F32, states, 1, channels, 1);
  std::memset(s->data, 0, ggml_nbytes(s));
  ggml_tensor* x = filled(context, data.v, 1, channels, n);
  // ggml takes the softplus of these numbers.
  AlignedFloats before(data.decay);
  std::ranges::transform(before, before.begin(), [](float step) {
    return static_cast<float>(std::log(std::expm1(static_cast<double>(step))));
  });
  ggml_tensor* dt = filled(context, before, channels, n, 1);
  ggml_tensor* a = ggml_new_tensor_2d(context, GGML_TYPE_F32, states, channels);
  for (std::int64_t i = 0; i < states * channels; ++i) {
    static_cast<float*>(a->data)[i] = -static_cast<float>(i % states + 1);
  }
  ggml_tensor* b = filled(context, data.k, states, 1, n);
  ggml_tensor* c = filled(context, data.q, states, 1, n);
  ggml_tensor* ids = ggml_new_tensor_1d(context, GGML_TYPE_I32, 1);
  static_cast<std::int32_t*>(ids->data)[0] = 0;
  return ggml_ssm_scan(context, s, x, dt, a, b, c, ids, 1);
}

ggml_tensor* gated(ggml_context* context, const Problem& p, const Data& data) {
  const int n = p.keys;
  ggml_tensor* g = filled(context, data.decay, p.width, p.heads, n);
  for (std::int64_t i = 0; i < ggml_nelements(g); ++i) {
    static_cast<float*>(g->data)[i] = std::exp(static_cast<float*>(g->data)[i]);
  }
  ggml_tensor* state = ggml_new_tensor_2d(
      context, GGML_TYPE_F32, std::int64_t{p.width} * p.width * p.heads, 1);
  std::memset(state->data, 0, ggml_nbytes(state));
  return ggml_gated_linear_attn(context,
                                filled(context, data.k, p.width, p.heads, n),
                                filled(context, data.v, p.width, p.heads, n),
                                filled(context, data.q, p.width, p.heads, n),
                                g,
                                state,
                                1.0F);
}

// ggml divides outputs by the root of the width.
ggml_tensor* delta(ggml_context* context, const Problem& p, const Data& data) {
  const int n = p.keys;
  AlignedFloats q(data.q);
  for (float& value : q) {
    value *= std::sqrt(static_cast<float>(p.width));
  }
  ggml_tensor* state =
      ggml_new_tensor_4d(context, GGML_TYPE_F32, p.width, p.width, p.heads, 1);
  std::memset(state->data, 0, ggml_nbytes(state));
  return ggml_gated_delta_net(context,
                              filled(context, q, p.width, p.heads, n),
                              filled(context, data.k, p.width, p.heads, n),
                              filled(context, data.v, p.width, p.heads, n),
                              filled(context, data.decay, 1, p.heads, n),
                              filled(context, data.step, 1, p.heads, n),
                              state,
                              1);
}

ggml_tensor* attention(ggml_context* context, const Problem& p, const Data& data) {
  ggml_tensor* q = heads_of(context, data.q, p.width, p.heads, p.queries, false);
  ggml_tensor* k = heads_of(context, data.k, p.width, p.groups, p.keys, p.half);
  ggml_tensor* v = heads_of(context, data.v, p.width, p.groups, p.keys, p.half);
  ggml_tensor* mask = p.causal ? mask_of(context, p) : nullptr;
  ggml_tensor* o = ggml_flash_attn_ext(context,
                                       q,
                                       k,
                                       v,
                                       mask,
                                       1.0F / std::sqrt(static_cast<float>(p.width)),
                                       0.0F,
                                       0.0F);
  ggml_flash_attn_ext_set_prec(o, GGML_PREC_F32);
  return o;
}

}  // namespace

Run ggml(const Problem& p, const Data& data) {
  const std::size_t bytes =
      (std::size_t{64} << 20) +
      4 * (2 * data.q.size() + data.k.size() + 2 * data.v.size() + data.decay.size()) +
      (p.causal
           ? 2 * static_cast<std::size_t>(p.queries) * static_cast<std::size_t>(p.keys)
           : 0);
  const auto s = std::make_shared<State>(bytes);
  switch (p.kind) {
    case Problem::Kind::Gated: s->finish(gated(s->context, p, data)); break;
    case Problem::Kind::Delta: s->finish(delta(s->context, p, data)); break;
    case Problem::Kind::Selective: s->finish(selective(s->context, p, data)); break;
    case Problem::Kind::Attention: s->finish(attention(s->context, p, data)); break;
  }
  return {[=] { ggml_graph_compute(s->graph, &s->plan); },
          [=] { return static_cast<const float*>(s->result->data); }};
}

}  // namespace peers
