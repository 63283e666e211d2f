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

/// The map from coefficients x to weights a.
enum class Normalization : std::uint8_t {
  Sum,     ///< a = x / |x|_1
  Fifth,   ///< a = x^5 / sum |x|^5
  Capped,  ///< a = x / max(1, |x|_1)
  None,    ///< a = x
};

/// The gradient of the coefficients with respect to the problem.
enum class Backward : std::uint8_t {
  /// The gradient of x = sigmoid(-(Jx + h)/T) at the solution of the box QP.
  /// Solves (J + diag(T/s)) w = dx with s = sigmoid', and gives dh = -w,
  /// dJ = -sym(w x').  Includes coordinates at a bound that are almost free.
  /// A straight-through estimate if rounded.
  Smoothed,
  /// Exact for the box QP:
  /// J_FF w_F = dx_F, where F are the coordinates strictly between the bounds.
  Implicit,
  /// Through the iterations of ADMM,
  /// as automatic differentiation computes it (for comparison).
  Unrolled,
  /// No gradient, as in the reference's binarised model.
  None,
};

/// Computes the exact minimisers x of the rows of h over {0,1}^m,
/// or over `levels` levels of [0,1], instead of rounding.
/// If causal, only the first i + 1 variables of row i may differ from 0.
using LevelSolver = std::function<void(
    num::ConstView j, num::ConstView h, bool causal, int levels, num::View x)>;

struct SolverSettings {
  float tolerance = 1e-7F;  ///< of the box QP, see num::DescentSettings
  Backward backward = Backward::Smoothed;
  float temperature = 0.05F;  ///< T
  int admm_iterations = 200;  ///< for Unrolled, and before the exact steps of Lasso
  LevelSolver optima;         ///< empty: the nearest level of the box QP
};

/// The progress of a training, for layers that learn in stages.
struct Stage {
  bool relaxed = false;      ///< coefficients are not rounded yet
  float temperature = 0.3F;  ///< of the relaxation
};

/// The options of a kind as texts, "groups" -> "4".
using OptionTexts = std::map<std::string, std::string>;

/// The place of an attention layer in a model, and its settings.
/// No kind reads all of them.
struct Site {
  std::string prefix;       ///< of tensor names
  int tokens = 0;           ///< the most that a sequence may have
  int grid_cols = 0;        ///< columns of a picture of tokens; 0: a sequence
  int learned_queries = 0;  ///< number of learned queries; 0: one query for each token
  /// The number of last tokens that are queries only; earlier tokens have keys and
  /// values only.  0: every token has a query.  For kinds that take queries.
  int asking = 0;
  int key_width = 0;    ///< first columns of tokens that keys and queries see; 0: all
  int width = 0;        ///< of the input tokens
  int dim = 0;          ///< of the output, all heads together
  bool causal = false;  ///< a query sees no token after its own
  OptionTexts options{};
  Coefficients coefficients = Coefficients::Binary;
  int levels = 2;  ///< number of coefficient levels
  Normalization normalization = Normalization::Sum;
  double lambda = 1.0;        ///< the penalty is lambda / m per coefficient
  double value_scale = 1.0;   ///< the problem's values are value_scale * V / m
  bool divide_output = true;  ///< o = a'V / m instead of a'V
  SolverSettings solver{};

  /// The number of queries of a sequence.
  [[nodiscard]] int queries(int sequence_tokens) const {
    return learned_queries > 0 ? learned_queries
           : asking > 0        ? asking
                               : sequence_tokens;
  }
  /// The number of keys of a sequence.
  [[nodiscard]] int keys(int sequence_tokens) const { return sequence_tokens - asking; }
  /// The normalisation of kinds with separate keys: Capped, or None if set.
  [[nodiscard]] Normalization keyed_normalization() const {
    return normalization == Normalization::None ? Normalization::None
                                                : Normalization::Capped;
  }
  /// The number of columns that keys and queries see.
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
