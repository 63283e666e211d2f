#pragma once

#include "oa/attention/batch.h"
#include "oa/attention/count.h"
#include "oa/attention/kernel/heads.h"
#include "oa/attention/kind_options.h"
#include "oa/attention/resources.h"
#include "oa/attention/site.h"
#include "oa/base/rng.h"
#include "oa/parts/cost.h"
#include "oa/parts/params.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oa::attention {

class CoefficientLayer;
class Formula;

/// The problems of one head of an optimising attention for one sequence, query i:
///   min 1/2 x'Jx + h_i'x,   o_i = output_scale * a_i'V, summed over the heads.
struct Problem {
  num::ConstView j;  ///< (m,m), bitwise symmetric
  num::ConstView h;  ///< (n,m)
  num::ConstView v;  ///< (m,d)
  float output_scale = 1.0F;
  bool causal = false;  ///< query i has only the first i + 1 variables
};

/// An attention layer at work for batches of one shape:
/// reads tokens x (m,width), writes o (n,dim).  Each thread has its own Attention.
class Attention {
 public:
  Attention() = default;
  Attention(const Attention&) = delete;
  Attention& operator=(const Attention&) = delete;
  virtual ~Attention() = default;

  virtual void forward(const parts::Weights& weights,
                       num::ConstView x,
                       num::View o) = 0;

  /// Computes dx and adds the gradients of parameters,
  /// after forward() of the same batch.
  virtual void backward(const parts::Weights& weights,
                        num::ConstView x,
                        num::ConstView d_o,
                        num::View dx,
                        parts::Values& gradient) = 0;

  /// Sets the generator of noise for the next forward() of kinds with noise in
  /// training.  Empty, the default, means no noise.
  virtual void draw_noise(const std::optional<Rng>& /*rng*/) {}

  /// Sets the stage of kinds that learn in stages; by default the last stage.
  virtual void set_stage(const Stage& /*stage*/) {}

  /// Returns the problems of each head for x (one sequence);
  /// empty for kinds without problems.  Computes only the given rows of h.
  virtual std::span<const Problem> pose(const parts::Weights& weights,
                                        num::ConstView x,
                                        const QueryRows& rows);

  // The functions below are for statistics after a forward of one sequence.

  /// Q and V, if the kind has them; tokens may be in another order.
  [[nodiscard]] virtual num::ConstView queries() const { return {}; }
  [[nodiscard]] virtual num::ConstView values() const { return {}; }
  /// The weights of values (queries,keys) of each head.
  /// Empty for kinds without weights and kinds with coefficients.
  [[nodiscard]] virtual std::vector<num::Matrix> value_weights() const { return {}; }
  /// The layer that computes coefficients, or null.
  [[nodiscard]] virtual const CoefficientLayer* coefficients() const { return nullptr; }
  /// The residual of the solved problems; see num::box_qp_residual().
  [[nodiscard]] virtual float residual() const { return 0.0F; }
  /// Parameters and counts of all heads, in the order of oa-bench(1).
  [[nodiscard]] virtual std::vector<Count> counts() const { return {}; }
};

/// A causal layer that processes one sequence token by token.
class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  /// Computes y (1,dim),
  /// the row that forward() computes for x (1,width) after all earlier tokens.
  virtual void step(const parts::Weights& weights, num::ConstView x, num::View y) = 0;
  /// Starts a new sequence.
  virtual void restart() = 0;
};

/// A declared attention layer: its site and its tensor numbers.
/// Immutable; threads share it.
class Layer {
 public:
  Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  virtual ~Layer() = default;

  /// The cost without the solver's work, which depends on the data.
  [[nodiscard]] parts::Cost cost(const Batch& batch) const { return cost(batch, 1); }
  /// The cost, with memory for `threads` threads.
  [[nodiscard]] virtual parts::Cost cost(const Batch& batch, int threads) const = 0;
  /// Makes an attention, which takes cost().saved bytes of resources.kept and
  /// cost().workspace bytes of resources.scratch.
  [[nodiscard]] virtual std::unique_ptr<Attention> make(
      const Batch& batch, const Resources& resources) const = 0;
  /// Makes a decoder for up to `tokens` tokens with its state in resources.kept.
  /// Null if the kind cannot decode.
  [[nodiscard]] virtual std::unique_ptr<Decoder> make_decoder(
      int tokens, const Resources& resources) const = 0;
  /// The operations for a sequence of `tokens`; the last one computes the output.
  [[nodiscard]] virtual std::unique_ptr<const Formula> formula(int tokens) const = 0;
};

/// The directions in which queries of a kind can look.
enum class Direction : std::uint8_t {
  Both,           ///< all tokens, or none after its own in a causal layer
  Bidirectional,  ///< all tokens; the layer cannot be causal
};

/// A setting of the model or the training that only some layers read:
/// its name, and the option that it needs, such as "keys=paper", or nothing.
struct KindSetting {
  std::string_view name;
  std::string_view with{};
};

/// A kind of attention: its name, its needs, and the function that declares a layer.
/// HACKING.md tells how to add one.
struct Kind {
  std::string_view name;
  std::string_view family;  ///< kinds that choose and weigh keys in similar ways
  std::string_view summary;
  Direction direction = Direction::Bidirectional;
  bool has_problem = false;    ///< coefficients are minimisers of a QUBO
  bool takes_queries = false;  ///< queries may be learned, or come from other tokens
  bool narrow_keys = false;    ///< keys and queries may see a part of the width
  bool positions = true;       ///< tokens have positions
  bool permutes = false;       ///< permuted tokens give permuted rows
  std::string_view head = "mlp.net";  ///< prefix of the classifier's tensors
  KindOptions options{};
  std::span<const KindSetting> settings{};
  /// Error message if this kind cannot be used at `site`; else empty.
  std::string (*refusal)(const Site& site) = nullptr;
  std::unique_ptr<const Layer> (*declare)(const Site& site,
                                          parts::Layout& layout) = nullptr;
};

inline constexpr std::string_view kDenseFamily = "softmax over all keys";
inline constexpr std::string_view kPatternFamily = "softmax over a pattern";
inline constexpr std::string_view kChosenFamily = "softmax over chosen keys";
inline constexpr std::string_view kLowRankFamily = "kernel or low rank";
inline constexpr std::string_view kRecurrentFamily = "recurrent";
inline constexpr std::string_view kKeylessFamily = "no keys";

/// Lists the kinds in the order of the manual: kinds of the core,
/// of liboa-survey.so if it is in the folder of this library, and of other libraries.
[[nodiscard]] std::vector<const Kind*> all_kinds();
/// Finds a kind; opens libraries only if the core has no kind of this name.
[[nodiscard]] const Kind* find_kind(std::string_view name);
/// The family of a kind, or "other" for an unknown name.
[[nodiscard]] std::string_view family_of(std::string_view name);
/// True if the kind has an option, and the option applies together with `texts`.
[[nodiscard]] bool takes_option(const Kind& kind,
                                const OptionTexts& texts,
                                const std::string& name);
/// "optimizing, softmax, ...", for messages.
[[nodiscard]] std::string kind_names();

}  // namespace oa::attention
