#pragma once

#include "oa/base/coefficients.h"
#include "oa/base/field.h"
#include "oa/num/matrix.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace oa::attention {

/// How coefficients x become weights a.
enum class Normalization : std::uint8_t {
  Sum,     ///< a = x / |x|_1
  Fifth,   ///< a = x^5 / sum |x|^5
  Capped,  ///< a = x / max(1, |x|_1)
  None,    ///< a = x
};

/// How gradients pass from coefficients to the problem.
enum class Backward : std::uint8_t {
  /// Those of the coefficients x = sigmoid(-(Jx + h)/T), at the solution of the box QP:
  /// (J + diag(T/s)) w = dx with s = sigmoid'; dh = -w, dJ = -sym(w x').  Coordinates
  /// at a bound that could easily leave it count too.  Behind a threshold it is a
  /// straight-through estimate.
  Smoothed,
  /// Exact for the box QP: J_FF w_F = dx_F over the coordinates F between bounds.
  Implicit,
  /// Through the iterations of ADMM, as automatic differentiation would; for
  /// comparison.
  Unrolled,
  /// Nothing passes, as in the reference's binarised model.
  None,
};

/// The exact minimisers over {0,1}^m for the rows of h, or over so many levels of
/// [0,1], instead of rounding; causal: of row i over its first i + 1 variables, others
/// are 0. x receives the answer.
using LevelSolver = std::function<void(
    num::ConstView j, num::ConstView h, bool causal, int levels, num::View x)>;

struct SolverSettings {
  float tolerance = 1e-7F;  ///< of the box QP, see num::DescentSettings
  Backward backward = Backward::Smoothed;
  float temperature = 0.05F;  ///< T
  int admm_iterations = 200;  ///< Unrolled, and before the exact steps of Lasso
  LevelSolver optima;         ///< if empty: the nearest level of the box QP
};

/// How far a training is, for layers that learn in stages.
struct Stage {
  bool relaxed = false;      ///< coefficients are not rounded yet
  float temperature = 0.3F;  ///< of the relaxation
};

/// What was said of a kind of attention behind its name, "groups" -> "4".
using OptionTexts = std::map<std::string, std::string>;

/// Where an attention layer stands and what it shall be like.  A kind looks at what
/// concerns it.
struct Site {
  std::string prefix;       ///< of the names of its tensors
  int tokens = 0;           ///< the most that a sequence may have
  int grid_cols = 0;        ///< tokens are a picture of so many columns; 0: a sequence
  int learned_queries = 0;  ///< vectors learned once for all; 0: a query for each token
  /// The last so many tokens of a sequence only ask, those before only answer; 0: each
  /// does both.  For kinds that take queries.
  int asking = 0;
  int key_width = 0;  ///< keys and queries see so many first columns of tokens; 0: all
  int width = 0;      ///< of the tokens that come in
  int dim = 0;        ///< of what goes out, all heads together
  bool causal = false;  ///< a query sees no token after its own
  OptionTexts options{};
  Coefficients coefficients = Coefficients::Binary;
  int levels = 2;  ///< of coefficients that have some
  Normalization normalization = Normalization::Sum;
  double lambda = 1.0;        ///< the penalty is lambda / m per coefficient
  double value_scale = 1.0;   ///< the problem's values are value_scale * V / m
  bool divide_output = true;  ///< o = a'V / m instead of a'V
  SolverSettings solver{};

  /// Queries of a sequence of so many tokens.
  [[nodiscard]] int queries(int sequence_tokens) const {
    return learned_queries > 0 ? learned_queries
           : asking > 0        ? asking
                               : sequence_tokens;
  }
  /// Its tokens that answer.
  [[nodiscard]] int keys(int sequence_tokens) const { return sequence_tokens - asking; }
  /// Of attention with keys of its own: capped, or none if that is asked for.
  [[nodiscard]] Normalization keyed_normalization() const {
    return normalization == Normalization::None ? Normalization::None
                                                : Normalization::Capped;
  }
  /// The columns of tokens that keys and queries see.
  [[nodiscard]] int seen_by_keys() const { return key_width > 0 ? key_width : width; }
};

}  // namespace oa::attention

namespace oa {

template <>
struct EnumNames<attention::Normalization> {
  static constexpr std::array kAll{"sum", "fifth", "capped", "none"};
};
template <>
struct EnumNames<attention::Backward> {
  static constexpr std::array kAll{"smoothed", "implicit", "unrolled", "none"};
};

}  // namespace oa
