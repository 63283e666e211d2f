#pragma once

#include "oa/attention/batch.h"
#include "oa/attention/coefficients.h"
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

/// The problems that a head of an optimising attention poses for one sequence, query i:
///   min 1/2 x'Jx + h_i'x,   o_i = output_scale * a_i'V, summed over the heads.
struct Problem {
  num::ConstView j;  ///< (m,m), bitwise symmetric
  num::ConstView h;  ///< (n,m)
  num::ConstView v;  ///< (m,d)
  float output_scale = 1.0F;
  bool causal = false;  ///< query i has the first i + 1 variables only
};

/// An attention layer at work on a batch of the shape it was made for: tokens x
/// (m,width) in, o (n,dim) out.  One per thread.
class Attention {
 public:
  Attention() = default;
  Attention(const Attention&) = delete;
  Attention& operator=(const Attention&) = delete;
  virtual ~Attention() = default;

  virtual void forward(const parts::Weights& weights,
                       num::ConstView x,
                       num::View o) = 0;

  /// dx = gradient with respect to x; parameters' gradients are added.  Follows the
  /// forward of the same batch.
  virtual void backward(const parts::Weights& weights,
                        num::ConstView x,
                        num::ConstView d_o,
                        num::View dx,
                        parts::Values& gradient) = 0;

  /// For kinds that are noisy while they train: where the next forward draws from; or
  /// nowhere, as at the beginning.
  virtual void draw_noise(const std::optional<Rng>& /*rng*/) {}

  /// For kinds that learn in stages; as at the end of training, if it is not called.
  virtual void set_stage(const Stage& /*stage*/) {}

  /// The problems for x, if this kind has any, one entry for each head; for a batch of
  /// one sequence.  Other rows of h than those of `rows` mean nothing.
  virtual std::span<const Problem> pose(const parts::Weights& weights,
                                        num::ConstView x,
                                        const QueryRows& rows);

  // For statistics, after a forward of one sequence:

  /// Q and V, where a kind has them.  Tokens may stand in another order in both.
  [[nodiscard]] virtual num::ConstView queries() const { return {}; }
  [[nodiscard]] virtual num::ConstView values() const { return {}; }
  /// What a query weighs values by, (queries,keys) for each head: those of a softmax,
  /// or a mean.  None where a kind has no such weights, or has them as coefficients.
  [[nodiscard]] virtual std::vector<num::Matrix> value_weights() const { return {}; }
  /// How the coefficients were found.
  [[nodiscard]] virtual const CoefficientLayer* coefficients() const { return nullptr; }
  /// How well those problems were solved; see num::box_qp_residual().
  [[nodiscard]] virtual float residual() const { return 0.0F; }
  /// What the kind chose and counted, in the order of oa-bench(1); of all heads.
  [[nodiscard]] virtual std::vector<Count> counts() const { return {}; }
};

/// A causal layer that meets one sequence token by token.
class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  /// y (1,dim) is the row that forward() would make of x (1,width) behind the tokens
  /// before.
  virtual void step(const parts::Weights& weights, num::ConstView x, num::View y) = 0;
  /// Begins a new sequence.
  virtual void restart() = 0;
};

/// An attention layer as it was declared: its site and the numbers of its tensors.  It
/// never changes, and threads may share it.
class Layer {
 public:
  Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  virtual ~Layer() = default;

  /// What a solver does is not counted: it depends on the data.
  [[nodiscard]] parts::Cost cost(const Batch& batch) const { return cost(batch, 1); }
  /// Some memory is for each thread.
  [[nodiscard]] virtual parts::Cost cost(const Batch& batch, int threads) const = 0;
  /// Takes cost().saved bytes of resources.kept and cost().workspace of
  /// resources.scratch.
  [[nodiscard]] virtual std::unique_ptr<Attention> make(
      const Batch& batch, const Resources& resources) const = 0;
  /// For a sequence of at most `tokens`; what it keeps between steps is in
  /// resources.kept.  Null where a kind cannot go token by token.
  [[nodiscard]] virtual std::unique_ptr<Decoder> make_decoder(
      int tokens, const Resources& resources) const = 0;
};

/// Which tokens a query of a kind can be kept from seeing.
enum class Direction : std::uint8_t {
  Both,           ///< sees all tokens, or none after its own, as the site says
  Bidirectional,  ///< sees all; cannot be causal
};

/// What a layer reads of its model and its training, beside what all layers do: the
/// name of a line in their tables, and the option of the kind that it needs,
/// "keys=paper", or nothing.
struct KindSetting {
  std::string_view name;
  std::string_view with{};
};

/// A kind of attention: what it is called, what it needs, how its layers are declared.
/// A new one is a file kinds/<name>.cc with one of these, and a line in kind.cc.
struct Kind {
  std::string_view name;
  std::string_view summary;
  Direction direction = Direction::Bidirectional;
  bool has_problem = false;    ///< coefficients minimise a QUBO
  bool takes_queries = false;  ///< queries may be learned, or those of other tokens
  bool narrow_keys = false;    ///< keys and queries may see a part of the width
  bool positions = true;       ///< tokens get positions
  bool permutes = false;       ///< tokens in another order give rows in that order
  std::string_view head = "mlp.net";  ///< prefix of the classifier's tensors
  KindOptions options{};
  std::span<const KindSetting> settings{};
  /// Why no layer of this kind can stand at a site; empty if one can.
  std::string (*refusal)(const Site& site) = nullptr;
  std::unique_ptr<const Layer> (*declare)(const Site& site, parts::Layout& layout);
};

/// In the order of the manual.
[[nodiscard]] std::span<const Kind* const> all_kinds();
[[nodiscard]] const Kind* find_kind(std::string_view name);
/// Whether the kind has an option, and it has a meaning beside those that are said.
[[nodiscard]] bool takes_option(const Kind& kind,
                                const OptionTexts& texts,
                                const std::string& name);
/// "optimizing, softmax, ...", for messages
[[nodiscard]] std::string kind_names();

}  // namespace oa::attention
