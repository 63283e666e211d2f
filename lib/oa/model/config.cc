#include "oa/model/config.h"

#include "oa/attention/kind.h"
#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace oa::model {
namespace {

// Every field once: what describes, parses and compares goes through here.
template <class C, class F>
void each_field(C& c, F&& f) {
  f("attention", c.attention);
  f("coefficients", c.coefficients);
  f("normalization", c.normalization);
  f("rows", c.rows);
  f("cols", c.cols);
  f("patch", c.patch);
  f("stride", c.stride);
  f("margin", c.margin);
  f("classes", c.classes);
  f("dim", c.dim);
  f("queries", c.queries);
  f("layers", c.layers);
  f("embedding", c.embedding);
  f("patch_norm", c.patch_norm);
  f("token_mlp", c.token_mlp);
  f("query_positions", c.query_positions);
  f("head", c.head);
  f("pooling", c.pooling);
  f("lambda", c.lambda);
  f("value_scale", c.value_scale);
  f("divide_output", c.divide_output);
}

void require(bool good, const std::string& where, const std::string& what) {
  if (!good) {
    throw InputError(where + ": " + what);
  }
}

constexpr int kMaxExtent = 1 << 16;  // keeps products of three within 64 bits
constexpr std::int64_t kMaxNumbers = std::int64_t{1} << 26;

/// About how many numbers the parameters and the memory for one image are, each large
/// matrix counted once.
std::int64_t numbers_of(const Config& c) {
  const std::int64_t m = c.tokens();
  const std::int64_t n = c.query_count();
  const std::int64_t dim = c.dim;
  const std::int64_t patch = std::int64_t{c.patch} * c.patch;
  const std::int64_t width = std::max(patch, dim);
  const std::int64_t pooled = c.pooling == Pooling::Concat ? n * dim : dim;
  const std::int64_t classifier =
      c.head > 0 ? (pooled + c.classes) * c.head : pooled * c.classes;
  const std::int64_t layer = m * (m + n + width) + n * dim + width * dim +
                             (dim + std::max(m, n)) * c.token_mlp;
  return c.layers * layer + classifier + std::int64_t{c.rows} * c.cols;
}

}  // namespace

void check(const Config& c, const std::string& where) {
  for (const auto& [name, value] : {std::pair("rows", c.rows),
                                    std::pair("cols", c.cols),
                                    std::pair("patch", c.patch),
                                    std::pair("stride", c.stride),
                                    std::pair("classes", c.classes),
                                    std::pair("dim", c.dim),
                                    std::pair("layers", c.layers)}) {
    require(value >= 1 && value <= kMaxExtent,
            where,
            std::string(name) + " is " + format(value) + " (expected 1 to " +
                format(kMaxExtent) + ")");
  }
  for (const auto& [name, value] : {std::pair("margin", c.margin),
                                    std::pair("queries", c.queries),
                                    std::pair("token_mlp", c.token_mlp),
                                    std::pair("head", c.head)}) {
    require(value >= 0 && value <= kMaxExtent,
            where,
            std::string(name) + " is " + format(value) + " (expected 0 to " +
                format(kMaxExtent) + ")");
  }
  const auto fits = [&](int pixels) {
    const int room = pixels + 2 * c.margin - c.patch;
    return room >= 0 && room % c.stride == 0;
  };
  require(fits(c.rows) && fits(c.cols),
          where,
          "images of " + format(c.rows) + "x" + format(c.cols) +
              " are not covered by patches of " + format(c.patch) + " every " +
              format(c.stride) + " pixels");
  require(static_cast<std::int64_t>(c.grid_rows()) * c.grid_cols() <= kMaxExtent,
          where,
          "more than " + format(kMaxExtent) + " patches");
  const std::int64_t numbers = numbers_of(c);
  require(numbers <= kMaxNumbers,
          where,
          "a model of " + format(numbers) + " numbers (expected at most " +
              format(kMaxNumbers) + ")");
  require(std::isfinite(c.lambda) && std::isfinite(c.value_scale),
          where,
          "a scale is not finite");
  const attention::Kind* kind = attention::find_kind(c.attention);
  require(kind != nullptr,
          where,
          "attention '" + c.attention + "' is not known (expected " +
              attention::kind_names() + ")");
  require(
      c.layers == 1 || c.queries == 0, where, "learned queries need a single layer");
  require(kind->takes_queries || c.queries == 0,
          where,
          "attention '" + c.attention + "' has no queries to learn");
}

std::map<std::string, std::string> describe(const Config& config) {
  std::map<std::string, std::string> all;
  each_field(config, [&](const char* name, const auto& value) {
    all[std::string("oa.") + name] = field_text(value);
  });
  return all;
}

Config parse_config(const std::map<std::string, std::string>& metadata,
                    const std::string& where) {
  Config config;
  each_field(config, [&](const char* name, auto& value) {
    const auto found = metadata.find(std::string("oa.") + name);
    if (found != metadata.end()) {
      require(parse_field(found->second, value),
              where,
              "metadata oa." + std::string(name) + " is '" + found->second + "'");
    }
  });
  check(config, where);
  return config;
}

Config infer_config(const Shapes& shapes, const std::string& where) {
  const auto shape = [&](const char* name, std::size_t rank) {
    const auto found = shapes.find(name);
    require(found != shapes.end() && found->second.size() == rank,
            where,
            std::string("no tensor ") + name + " of rank " + format(int(rank)) +
                " (expected a model file)");
    for (const auto extent : found->second) {
      require(extent >= 1 && extent <= kMaxExtent,
              where,
              std::string("an extent of ") + name + " is out of range");
    }
    return found->second;
  };
  Config c;
  const bool mlp = shapes.contains("mlp.0.weight");
  c.attention = mlp ? "mlp" : shapes.contains("Wk.0.weight") ? "softmax" : "optimizing";
  c.divide_output = c.attention == "optimizing";
  const auto map = shape(mlp ? "mlp.0.weight" : "Wv.0.weight", 2);
  c.dim = static_cast<int>(map[0]);
  c.patch = static_cast<int>(std::lround(std::sqrt(static_cast<double>(map[1]))));
  c.stride = c.patch;
  c.classes =
      static_cast<int>(shape(mlp ? "softmax.1.weight" : "mlp.net.1.weight", 2)[0]);
  if (!mlp) {
    // One row more than patches; the image is square.
    const auto patches = static_cast<double>(shape("pos_embedding", 3)[1] - 1);
    c.rows = c.cols = static_cast<int>(std::lround(std::sqrt(patches))) * c.patch;
  }
  check(c, where);
  return c;
}

}  // namespace oa::model
