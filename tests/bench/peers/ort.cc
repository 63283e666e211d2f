// ONNX Runtime's operators MultiHeadAttention and GroupQueryAttention, each as a model
// of one node, which is written here.
#include "peer.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include <onnxruntime_c_api.h>

namespace peers {
namespace {

// -- protobuf, as far as a model of one node needs it
std::string varint(std::uint64_t value) {
  std::string all;
  for (; value >= 128; value >>= 7) {
    all += static_cast<char>(value | 128);
  }
  return all + static_cast<char>(value);
}
std::string number(int field, std::int64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) +
         varint(static_cast<std::uint64_t>(value));
}
std::string bytes(int field, std::string_view value) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(value.size()) +
         std::string(value);
}

struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;
  bool whole = false;  ///< of int32, not float
};

std::string value_info(const Tensor& t) {
  std::string dims;
  for (const std::int64_t size : t.shape) {
    dims += bytes(1, number(1, size));
  }
  const std::string type = number(1, t.whole ? 6 : 1) + bytes(2, dims);
  return bytes(1, t.name) + bytes(2, bytes(1, type));
}

using Attributes = std::initializer_list<std::pair<const char*, std::int64_t>>;

std::string model(const std::string& op,
                  const std::vector<Tensor>& in,
                  const std::vector<Tensor>& out,
                  Attributes attributes) {
  std::string node;
  std::string graph_ends;
  for (const Tensor& t : in) {
    node += bytes(1, t.name);
    graph_ends += bytes(11, value_info(t));
  }
  for (const Tensor& t : out) {
    node += bytes(2, t.name);
    graph_ends += bytes(12, value_info(t));
  }
  node += bytes(4, op);
  for (const auto& [name, value] : attributes) {
    node += bytes(5, bytes(1, name) + number(3, value) + number(20, 2));
  }
  node += bytes(7, "com.microsoft");
  const std::string graph = bytes(1, node) + bytes(2, "g") + graph_ends;
  return number(1, 8) + bytes(7, graph) +
         bytes(8, bytes(1, "com.microsoft") + number(2, 1)) +
         bytes(8, bytes(1, "") + number(2, 17));
}

// -- the runtime
const OrtApi& api() {
  static const OrtApi* all = OrtGetApiBase()->GetApi(ORT_API_VERSION);
  return *all;
}

void check(OrtStatus* status) {
  if (status != nullptr) {
    std::fprintf(stderr, "onnxruntime: %s\n", api().GetErrorMessage(status));
    std::exit(1);
  }
}

struct Session {
  OrtSession* session = nullptr;
  OrtMemoryInfo* memory = nullptr;
  std::vector<AlignedFloats> floats;
  std::vector<std::vector<std::int32_t>> wholes;
  std::vector<OrtValue*> in;
  std::vector<OrtValue*> out;
  std::vector<const char*> in_names;
  std::vector<const char*> out_names;

  explicit Session(const std::string& bytes_of_model) {
    static OrtEnv* env = [] {
      OrtEnv* made = nullptr;
      check(api().CreateEnv(ORT_LOGGING_LEVEL_ERROR, "peers", &made));
      return made;
    }();
    OrtSessionOptions* options = nullptr;
    check(api().CreateSessionOptions(&options));
    check(api().SetIntraOpNumThreads(options, 1));
    check(api().SetInterOpNumThreads(options, 1));
    check(api().CreateSessionFromArray(
        env, bytes_of_model.data(), bytes_of_model.size(), options, &session));
    api().ReleaseSessionOptions(options);
    check(api().CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory));
  }

  OrtValue* value(AlignedFloats data, const std::vector<std::int64_t>& shape) {
    AlignedFloats& kept = floats.emplace_back(std::move(data));
    OrtValue* made = nullptr;
    check(api().CreateTensorWithDataAsOrtValue(memory,
                                               kept.data(),
                                               kept.size() * sizeof(float),
                                               shape.data(),
                                               shape.size(),
                                               ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
                                               &made));
    return made;
  }
  OrtValue* value(std::int32_t x, const std::vector<std::int64_t>& shape) {
    std::vector<std::int32_t>& kept = wholes.emplace_back(1, x);
    OrtValue* made = nullptr;
    check(api().CreateTensorWithDataAsOrtValue(memory,
                                               kept.data(),
                                               sizeof(std::int32_t),
                                               shape.data(),
                                               shape.size(),
                                               ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32,
                                               &made));
    return made;
  }
  void run() {
    check(api().Run(session,
                    nullptr,
                    in_names.data(),
                    in.data(),
                    in.size(),
                    out_names.data(),
                    out_names.size(),
                    out.data()));
  }
};

Run run_of(const std::shared_ptr<Session>& s) {
  s->run();
  return {[s] { s->run(); },
          [s] {
            void* data = nullptr;
            check(api().GetTensorMutableData(s->out[0], &data));
            return static_cast<const float*>(data);
          }};
}

Run multi_head(const Problem& p, const Data& data) {
  const std::vector<std::int64_t> shape{1, p.keys, p.heads * p.width};
  const auto s = std::make_shared<Session>(
      model("MultiHeadAttention",
            {{"q", shape}, {"k", shape}, {"v", shape}},
            {{"o", shape}},
            {{"num_heads", p.heads}, {"unidirectional", p.causal ? 1 : 0}}));
  s->floats.reserve(8);
  s->in = {s->value(data.q, shape), s->value(data.k, shape), s->value(data.v, shape)};
  s->out = {s->value(AlignedFloats(data.q.size()), shape)};
  s->in_names = {"q", "k", "v"};
  s->out_names = {"o"};
  return run_of(s);
}

/// Where keys and values are in the cache already, the last of them is given as new.
Run grouped(const Problem& p, const Data& data) {
  const std::int64_t fresh = p.queries;
  const std::vector<std::int64_t> q{1, fresh, p.heads * p.width};
  const std::vector<std::int64_t> kv{1, fresh, p.groups * p.width};
  const std::vector<std::int64_t> past{1, p.groups, p.keys, p.width};
  const auto s = std::make_shared<Session>(
      model("GroupQueryAttention",
            {{"q", q},
             {"k", kv},
             {"v", kv},
             {"pk", past},
             {"pv", past},
             {"last", {1}, true},
             {"all", {}, true}},
            {{"o", q}, {"nk", past}, {"nv", past}},
            {{"num_heads", p.heads},
             {"kv_num_heads", p.groups},
             {"local_window_size", p.window > 0 ? p.window : -1}}));
  const auto tail = [&](const AlignedFloats& rows) {
    return AlignedFloats(rows.end() - fresh * p.groups * p.width, rows.end());
  };
  const auto by_heads = [&](const AlignedFloats& rows) {
    AlignedFloats transposed(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto d = static_cast<std::size_t>(p.width);
      const auto groups = static_cast<std::size_t>(p.groups);
      const std::size_t token = i / (d * groups);
      const std::size_t group = i / d % groups;
      transposed[(group * static_cast<std::size_t>(p.keys) + token) * d + i % d] =
          rows[i];
    }
    return transposed;
  };
  s->floats.reserve(8);
  s->wholes.reserve(8);
  OrtValue* keys = s->value(by_heads(data.k), past);
  OrtValue* values = s->value(by_heads(data.v), past);
  s->in = {s->value(data.q, q),
           s->value(tail(data.k), kv),
           s->value(tail(data.v), kv),
           keys,
           values,
           s->value(p.keys - 1, {1}),
           s->value(p.keys, {})};
  s->out = {s->value(AlignedFloats(data.q.size()), q), keys, values};
  s->in_names = {"q", "k", "v", "pk", "pv", "last", "all"};
  s->out_names = {"o", "nk", "nv"};
  return run_of(s);
}

}  // namespace

Run onnxruntime(const Problem& p, const Data& data) {
  if (p.kind != Problem::Kind::Attention || p.half) {
    return {};
  }
  return p.groups < p.heads || p.window > 0 || p.decodes() ? grouped(p, data)
                                                           : multi_head(p, data);
}

}  // namespace peers
