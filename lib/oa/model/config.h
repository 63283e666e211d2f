#pragma once

#include "oa/attention/kind_spec.h"
#include "oa/attention/site.h"
#include "oa/base/coefficients.h"
#include "oa/base/field_table.h"
#include "oa/base/objective.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace oa::model {

enum class Embedding : std::uint8_t { Linear, Mlp };
enum class Pooling : std::uint8_t { Mean, Concat };

/// The settings that determine what a model computes, stored as metadata of model
/// files.  Inputs are pictures, cut into patches, or sequences of tokens.
/// Defaults are those of the reference, whose checkpoints have no metadata.
struct Config {
  /// One kind for all layers, or a list; see attention::parse_kind_specs().
  std::string attention = "optimizing";
  Coefficients coefficients = Coefficients::Binary;
  int levels = 2;                        ///< number of values of a coefficient
  Encoding encoding = Encoding::Binary;  ///< encoding of levels in spins
  attention::Normalization normalization = attention::Normalization::Sum;
  int channels = 1;  ///< planes of an image, one per colour
  int rows = 28;     ///< pixels of an image
  int cols = 28;
  bool resized = false;   ///< pictures are resized to this size
  bool grey = false;      ///< pictures in colour are converted to grey
  bool inverted = false;  ///< dark and bright are swapped
  int window = 4;         ///< side of a patch; "oa.patch"
  int stride = 4;         ///< distance of patches; below `window` they overlap
  int margin = 0;         ///< background pixels added on each side
  int length = 0;         ///< most tokens of a sequence; 0: the model takes pictures
  int vocabulary = 0;     ///< number of token ids; 0: no ids
  int vector_width = 0;   ///< width of vector tokens; 0: no vectors
  int asking = 0;  ///< last tokens that are queries only, while those before are keys
                   ///< only; 0: all are both
  std::string alphabet;  ///< characters of a text in the order of their ids
  Objective objective = Objective::Class;
  int classes = 10;
  int dim = 64;     ///< width of queries and values
  int queries = 0;  ///< learned query vectors; 0: one query for each patch
  int layers = 1;
  bool causal = false;    ///< tokens do not see later tokens
  bool positions = true;  ///< learned positions of tokens
  bool previous = false;  ///< tokens of a sequence also embed the previous id
  bool residual = false;  ///< residual layers: output = input + attention's output
  Embedding embedding = Embedding::Linear;
  bool patch_norm = true;        ///< layer normalisation of each patch
  int token_mlp = 0;             ///< hidden units of the token MLP; 0: no MLP
  bool query_positions = false;  ///< the token MLP also gets a learned vector per query
  int head = 0;                  ///< hidden units of the classifier; 0: linear
  Pooling pooling = Pooling::Mean;
  double lambda = 1.0;        ///< the penalty of each coefficient is lambda / m
  double value_scale = 1.0;   ///< values in problems are value_scale * V / m
  bool divide_output = true;  ///< o = a'V / m instead of a'V

  [[nodiscard]] int grid_rows() const { return steps(rows); }
  [[nodiscard]] int grid_cols() const { return steps(cols); }
  [[nodiscard]] bool takes_sequences() const { return length > 0; }
  /// The number m of keys in the longest sequence.
  [[nodiscard]] int tokens() const {
    return takes_sequences() ? length : grid_rows() * grid_cols();
  }
  /// The number of queries in the last attention.
  [[nodiscard]] int query_count() const { return query_count(tokens()); }
  [[nodiscard]] int query_count(int sequence_tokens) const {
    return queries > 0 ? queries : asking > 0 ? asking : sequence_tokens;
  }
  [[nodiscard]] int window_size() const { return channels * window * window; }
  /// Width of a token.  With a linear embedding, a token is its patch or vector.
  /// A vector is followed by the embedding of the token's id.
  [[nodiscard]] int token_width() const {
    if (takes_sequences()) {
      return (vector_width > 0 && embedding == Embedding::Linear ? vector_width : 0) +
             (vocabulary > 0 || embedding == Embedding::Mlp ? dim : 0);
    }
    return embedding == Embedding::Mlp ? dim : window_size();
  }
  /// Columns of a token that keys and queries use, if values use more; else 0.
  [[nodiscard]] int key_width() const {
    return vector_width > 0 && vocabulary > 0 && embedding == Embedding::Linear
               ? vector_width
               : 0;
  }
  /// The number of scores per row.
  [[nodiscard]] int scores() const {
    return objective == Objective::Cells ? classes + 1 : classes;
  }
  /// The number of rows of scores for a sequence.
  [[nodiscard]] int score_rows(int sequence_tokens) const {
    return objective == Objective::Class ? 1 : query_count(sequence_tokens);
  }

  bool operator==(const Config&) const = default;

 private:
  [[nodiscard]] int steps(int pixels) const {
    return (pixels + 2 * margin - window) / stride + 1;
  }
};

/// Descriptions of all fields: name in metadata, command-line option, range.
[[nodiscard]] const FieldTable<Config>& config_fields();

/// Parses the kinds of the layers.  Throws InputError, starting with "model",
/// if the text has no kind, or too many or too few kinds.
[[nodiscard]] std::vector<attention::KindSpec> attention_layers(const Config& config);

/// The prefix of a layer's tensor names: "", "layers.1.", ...
[[nodiscard]] std::string layer_prefix(int layer);

/// Makes the site of a layer's attention.
[[nodiscard]] attention::Site site_of(const Config& config,
                                      int layer,
                                      const attention::KindSpec& spec);

/// Normalisation,
/// output scale and heads of a layer whose problems are solved elsewhere.
[[nodiscard]] attention::Normalization weights_of(const Config& config, int layer);
[[nodiscard]] int heads_of(const Config& config, int layer);

/// Makes coefficients and levels agree if only one of them was set: two levels are
/// binary coefficients.  False if coefficients are levels without a number.
[[nodiscard]] bool agree_on_levels(bool said_coefficients,
                                   bool said_levels,
                                   Config& config);

/// Throws InputError, starting with `where`, if the settings contradict each other.
void check(const Config& config, const std::string& where);

/// Writes all fields as metadata: "oa.attention" -> "optimizing".  Writes heads even if
/// the default of the kind is several heads: files do not depend on defaults.
[[nodiscard]] std::map<std::string, std::string> describe(const Config& config);

/// Reads fields of describe().  Missing fields keep defaults, but a kind without option
/// heads has one head.  Ignores unknown keys.  Throws InputError for an invalid value.
[[nodiscard]] Config parse_config(const std::map<std::string, std::string>& metadata,
                                  const std::string& where);

/// Maps tensor names to shapes.
using Shapes = std::map<std::string, std::vector<std::int64_t>>;

/// Infers the configuration of a reference checkpoint from names and shapes of its
/// tensors.  Throws InputError if tensors do not match.
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
