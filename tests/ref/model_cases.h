#pragma once

#include "oa/attention/kind.h"
#include "oa/model/config.h"

#include <functional>
#include <string>
#include <vector>

namespace oa::test {

/// Nine tokens, so that differences in double stay cheap.
inline model::Config small() {
  model::Config c;
  c.rows = c.cols = 12;
  c.dim = 20;
  c.classes = 7;
  c.coefficients = Coefficients::Continuous;
  c.value_scale = 3.0;  // some coefficients between bounds, some at them
  return c;
}

inline model::Config rich() {
  model::Config c = small();
  c.embedding = model::Embedding::Mlp;
  c.patch_norm = false;
  c.window = 6;
  c.margin = 1;
  c.token_mlp = 24;
  c.query_positions = true;
  c.head = 18;
  return c;
}

struct ModelCase {
  std::string name;
  model::Config config;
};

/// The kinds that PlainModel knows; each kind by itself has a plain version in
/// ref/kinds.
inline std::vector<std::string> kinds_of_plain_model() {
  return {"optimizing", "softmax", "uniform", "mlp", "query"};
}

/// Models with kinds_of_plain_model() and with every part that a model may have.
inline std::vector<ModelCase> model_cases() {
  std::vector<ModelCase> all{{"reference", small()}, {"best", rich()}};
  const auto add = [&](const char* name,
                       model::Config c,
                       const std::function<void(model::Config&)>& f) {
    f(c);
    all.push_back({name, c});
  };
  for (const std::string& kind : kinds_of_plain_model()) {
    add(kind.c_str(), small(), [&](model::Config& c) { c.attention = kind; });
    add(kind.c_str(), rich(), [&](model::Config& c) { c.attention = kind; });
  }
  add("fifth power", small(), [](model::Config& c) {
    c.normalization = attention::Normalization::Fifth;
  });
  add("weights as they are", small(), [](model::Config& c) {
    c.normalization = attention::Normalization::None;
    c.coefficients = Coefficients::Continuous;
  });
  add("lasso", small(), [](model::Config& c) { c.coefficients = Coefficients::Lasso; });
  add("two layers", rich(), [](model::Config& c) { c.layers = 2; });
  add("learned queries", rich(), [](model::Config& c) {
    c.queries = 3;
    c.pooling = model::Pooling::Concat;
  });
  add("not divided", rich(), [](model::Config& c) { c.divide_output = false; });
  add("normalised patches, MLP", rich(), [](model::Config& c) { c.patch_norm = true; });
  return all;
}

}  // namespace oa::test
