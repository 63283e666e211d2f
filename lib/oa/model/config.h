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

/// Everything that decides what a model computes; a model file's metadata.  A model
/// takes pictures, cut into patches, or sequences of tokens.  The
/// defaults are the reference reproduction's: its checkpoints carry no metadata.
struct Config {
  /// One kind for all layers or one for each, see attention::parse_kind_specs().
  std::string attention = "optimizing";
  Coefficients coefficients = Coefficients::Binary;
  int levels = 2;  ///< of a coefficient, where they are not continuous
  Encoding encoding = Encoding::Binary;  ///< of these levels as spins
  attention::Normalization normalization = attention::Normalization::Sum;
  int channels = 1;  ///< of an image; colours one behind the other
  int rows = 28;     ///< pixels of an image
  int cols = 28;
  bool resized = false;   ///< pictures get this size before the model sees them
  bool grey = false;      ///< pictures in colour become grey before
  bool inverted = false;  ///< dark becomes bright before
  int window = 4;         ///< side of the square that a patch sees; "oa.patch"
  int stride = 4;         ///< between patches; less than `window`: they overlap
  int margin = 0;         ///< background added on every side
  int length = 0;         ///< most tokens of a sequence; 0: the model takes pictures
  int vocabulary = 0;     ///< ids of tokens are below it; 0: they have none
  int vector_width = 0;   ///< of tokens that are vectors; 0: they are not
  int asking = 0;         ///< the last so many tokens ask, those before answer; 0: both
  std::string alphabet;   ///< of a text: its characters in the order of their ids
  Objective objective = Objective::Class;
  int classes = 10;  ///< what is asked for is below it
  int dim = 64;      ///< width of queries and values
  int queries = 0;   ///< learned query vectors; 0: one query per patch
  int layers = 1;
  bool causal = false;    ///< no token sees a later one
  bool positions = true;  ///< of tokens, learned
  bool previous = false;  ///< a token of a sequence brings the one before it along
  bool residual = false;  ///< what enters a layer is added to what its attention yields
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
  [[nodiscard]] bool takes_sequences() const { return length > 0; }
  /// m, of the longest sequence.
  [[nodiscard]] int tokens() const {
    return takes_sequences() ? length : grid_rows() * grid_cols();
  }
  /// What the last attention yields rows for.
  [[nodiscard]] int query_count() const { return query_count(tokens()); }
  [[nodiscard]] int query_count(int sequence_tokens) const {
    return queries > 0 ? queries : asking > 0 ? asking : sequence_tokens;
  }
  [[nodiscard]] int window_size() const { return channels * window * window; }
  /// Width of a token.  Where the embedding is linear, the patch or the vector is the
  /// token; a vector stands before the embedding of its id.
  [[nodiscard]] int token_width() const {
    if (takes_sequences()) {
      return (vector_width > 0 && embedding == Embedding::Linear ? vector_width : 0) +
             (vocabulary > 0 || embedding == Embedding::Mlp ? dim : 0);
    }
    return embedding == Embedding::Mlp ? dim : window_size();
  }
  /// Columns of a token that keys and queries see, if it has others for values; or 0.
  [[nodiscard]] int key_width() const {
    return vector_width > 0 && vocabulary > 0 && embedding == Embedding::Linear
               ? vector_width
               : 0;
  }
  /// Numbers for each row that is asked about.
  [[nodiscard]] int scores() const {
    return objective == Objective::Cells ? classes + 1 : classes;
  }
  /// Rows of scores for a sequence of so many tokens.
  [[nodiscard]] int score_rows(int sequence_tokens) const {
    return objective == Objective::Class ? 1 : query_count(sequence_tokens);
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

/// Of the names of a layer's tensors: "", "layers.1.", ...
[[nodiscard]] std::string layer_prefix(int layer);

/// Where the attention of a layer stands.
[[nodiscard]] attention::Site site_of(const Config& config,
                                      int layer,
                                      const attention::KindSpec& spec);

/// How a layer whose problems are solved elsewhere makes weights of coefficients, and
/// in how many heads.
[[nodiscard]] attention::Normalization weights_of(const Config& config, int layer);
[[nodiscard]] int heads_of(const Config& config, int layer);

/// Makes coefficients and levels agree where only one of them was said: two levels are
/// binary coefficients.  False if coefficients have levels but nobody said how many.
[[nodiscard]] bool agree_on_levels(bool said_coefficients,
                                   bool said_levels,
                                   Config& config);

/// Throws InputError, which begins with `where`, if no model can be like this.
void check(const Config& config, const std::string& where);

/// As metadata: "oa.attention" -> "optimizing", every field.  Heads are written where a
/// kind has several by default, so that files do not depend on that default.
[[nodiscard]] std::map<std::string, std::string> describe(const Config& config);

/// The inverse.  Missing fields keep their defaults, but a kind without its option
/// heads has one head.  Ignores other keys.  Throws InputError on an invalid value.
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
