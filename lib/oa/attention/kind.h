#pragma once

#include "oa/attention/coefficients.h"
#include "oa/attention/site.h"
#include "oa/base/arena.h"
#include "oa/parts/cost.h"
#include "oa/parts/params.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace oa::attention {

/// The problems an optimising attention poses for one image, query i:
///   min 1/2 x'Jx + h_i'x,   o_i = output_scale * a_i'V.
struct Problem {
  num::ConstView j;  ///< (m,m), bitwise symmetric
  num::ConstView h;  ///< (n,m)
  num::ConstView v;  ///< (m,d)
  float output_scale = 1.0F;
};

/// An attention layer at work: tokens x (m,width) in, o (n,dim) out, for one image at a
/// time, in memory of an arena.  One per thread.
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
  /// forward of the same image.
  virtual void backward(const parts::Weights& weights,
                        num::ConstView x,
                        num::ConstView d_o,
                        num::View dx,
                        parts::Values& gradient) = 0;

  /// The problems for x, if this kind has any.
  virtual const Problem* pose(const parts::Weights& weights, num::ConstView x);

  /// Q and V of the last forward, where a kind has them: for statistics.
  [[nodiscard]] virtual num::ConstView queries() const { return {}; }
  [[nodiscard]] virtual num::ConstView values() const { return {}; }
  /// How the coefficients of the last forward were found.
  [[nodiscard]] virtual const CoefficientLayer* coefficients() const { return nullptr; }
  /// How well those problems were solved; see num::box_qp_residual().
  [[nodiscard]] virtual float residual() const { return 0.0F; }
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
  [[nodiscard]] virtual parts::Cost cost() const = 0;
  /// With memory for one image: cost().workspace bytes of `arena`.
  [[nodiscard]] virtual std::unique_ptr<Attention> make(Arena& arena) const = 0;
};

/// A kind of attention: what it is called, what it needs, how its layers are declared.
/// A new one is a file <name>.cc with one of these, and a line in kind.cc.
struct Kind {
  std::string_view name;
  std::string_view summary;
  bool has_problem = false;    ///< coefficients minimise a QUBO
  bool takes_queries = false;  ///< learned queries make sense
  bool positions = false;      ///< tokens get positions
  std::string_view head;       ///< prefix of the classifier's tensors
  std::unique_ptr<const Layer> (*declare)(const Site& site, parts::Layout& layout);
};

/// In the order of the manual.
[[nodiscard]] std::span<const Kind* const> all_kinds();
[[nodiscard]] const Kind* find_kind(std::string_view name);
/// "optimizing, softmax, ...", for messages
[[nodiscard]] std::string kind_names();

}  // namespace oa::attention
