#pragma once

#include "oa/attention/kind_spec.h"
#include "oa/attention/site.h"
#include "oa/base/coefficients.h"
#include "oa/base/field_table.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace oa::model {

enum class Embedding : std::uint8_t { Linear, Mlp };
enum class Pooling : std::uint8_t { Mean, Concat };

/// Everything that decides what a model computes; a model file's metadata.  The
/// defaults are the reference reproduction's: its checkpoints carry no metadata.
struct Config {
  /// One kind for all layers or one for each, see attention::parse_kind_specs().
  std::string attention = "optimizing";
  Coefficients coefficients = Coefficients::Binary;
  attention::Normalization normalization = attention::Normalization::Sum;
  int rows = 28;  ///< pixels of an image
  int cols = 28;
  int window = 4;  ///< side of the square that a patch sees; "oa.patch"
  int stride = 4;  ///< between patches; less than `window`: they overlap
  int margin = 0;  ///< background added on every side
  int classes = 10;
  int dim = 64;     ///< width of queries and values
  int queries = 0;  ///< learned query vectors; 0: one query per patch
  int layers = 1;
  Embedding embedding = Embedding::Linear;
  bool patch_norm = true;        ///< layer normalisation of each patch
  int token_mlp = 0;             ///< hidden units after the attention; 0: none
  bool query_positions = false;  ///< a learned vector per query enters the token MLP
  int head = 0;                  ///< hidden units of the classifier; 0: linear
  Pooling pooling = Pooling::Mean;
  double lambda = 1.0;        ///< the penalty is lambda / m per coefficient
  double value_scale = 1.0;   ///< the problem's values are value_scale * V / m
  bool divide_output = true;  ///< o = a'V / m instead of a'V

  [[nodiscard]] int grid_rows() const { return steps(rows); }
  [[nodiscard]] int grid_cols() const { return steps(cols); }
  [[nodiscard]] int tokens() const { return grid_rows() * grid_cols(); }  ///< m
  [[nodiscard]] int query_count() const { return queries > 0 ? queries : tokens(); }
  [[nodiscard]] int window_size() const { return window * window; }
  /// Width of a token: where the embedding is linear, the patch is the token.
  [[nodiscard]] int token_width() const {
    return embedding == Embedding::Mlp ? dim : window_size();
  }

  bool operator==(const Config&) const = default;

 private:
  [[nodiscard]] int steps(int pixels) const {
    return (pixels + 2 * margin - window) / stride + 1;
  }
};

/// Every field once: name in metadata, option of the command line, range.
[[nodiscard]] const FieldTable<Config>& config_fields();

/// The kinds of a model's layers, as many as it has.  Throws InputError, which begins
/// with "model", if the text names none or another number of them.
[[nodiscard]] std::vector<attention::KindSpec> attention_layers(const Config& config);

/// Throws InputError, which begins with `where`, if no model can be like this.
void check(const Config& config, const std::string& where);

/// As metadata: "oa.attention" -> "optimizing", every field.
[[nodiscard]] std::map<std::string, std::string> describe(const Config& config);

/// The inverse.  Fields that are missing keep their defaults; other keys are not looked
/// at.  Throws InputError on a value that is not one.
[[nodiscard]] Config parse_config(const std::map<std::string, std::string>& metadata,
                                  const std::string& where);

/// A tensor's name and shape.
using Shapes = std::map<std::string, std::vector<std::int64_t>>;

/// The configuration of a reference checkpoint, from the names and shapes of its
/// tensors.  Throws InputError if it is none.
[[nodiscard]] Config infer_config(const Shapes& shapes, const std::string& where);

}  // namespace oa::model

namespace oa {

template <>
struct EnumNames<model::Embedding> {
  static constexpr std::array kAll{"linear", "mlp"};
};
template <>
struct EnumNames<model::Pooling> {
  static constexpr std::array kAll{"mean", "concat"};
};

}  // namespace oa
