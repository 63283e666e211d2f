#pragma once

#include "oa/num/matrix.h"
#include "oa/parts/cost.h"
#include "oa/parts/params.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oa::parts {

// The parts of models, forward and backward, one image at a time.
// A part is immutable and shared by threads: it has shapes and tensor numbers only.
// Weights and gradients are arguments.  State between forward and backward is in a
// Workspace, which each thread takes from an arena. cost() needs no memory.

enum class Bias : std::uint8_t { Yes, No };

/// y = x W' + b with x (rows,in), W (out,in), and an optional b.
class Linear {
 public:
  Linear(
      Layout& layout, const std::string& name, int in, int out, Bias bias = Bias::Yes)
      : Linear(layout, name, in, out, bias, for_inputs(in)) {}
  Linear(Layout& layout,
         const std::string& name,
         int in,
         int out,
         Bias bias,
         const Init& weight);
  /// Constructs a map with a bias initialised by `bias`.
  Linear(Layout& layout, const std::string& name, int in, int out, const Init& bias);

  /// Parameters: (in + 1) out, or in out without bias.
  /// FLOPs: 2 rows in out; backward takes twice as many.
  [[nodiscard]] Cost cost(int rows) const;

  void forward(const Weights& weights, num::ConstView x, num::View y) const;
  /// Adds dy'x and the column sums of dy to `gradient`.
  void gradients(num::ConstView x, num::ConstView dy, Values& gradient) const;
  /// Computes dx = dy W.
  void input_gradient(const Weights& weights, num::ConstView dy, num::View dx) const;
  /// Calls gradients() and input_gradient().
  void backward(const Weights& weights,
                num::ConstView x,
                num::ConstView dy,
                num::View dx,
                Values& gradient) const;
  /// Like backward(), but adds dy W to dx.
  void add_backward(const Weights& weights,
                    num::ConstView x,
                    num::ConstView dy,
                    num::View dx,
                    Values& gradient) const;
  [[nodiscard]] std::vector<int> tensors() const;

 private:
  int in_;
  int out_;
  int weight_;
  int bias_ = -1;  // -1: none
};

/// Layer normalisation of each row.
class Norm {
 public:
  struct Workspace {
    num::View unit;
    std::span<float> rstd;
  };

  Norm(Layout& layout, const std::string& name, int width);

  /// 2 width parameters; a workspace of rows * (width + 1) floats.
  [[nodiscard]] Cost cost(int rows) const;
  [[nodiscard]] Workspace workspace(int rows, Arena& arena) const;

  void forward(const Weights& weights,
               num::ConstView x,
               num::View y,
               const Workspace& workspace) const;
  /// dx may be dy.
  void backward(const Weights& weights,
                num::ConstView dy,
                num::View dx,
                Values& gradient,
                const Workspace& workspace) const;
  [[nodiscard]] std::vector<int> tensors() const { return {gain_, shift_}; }

 private:
  int width_;
  int gain_;
  int shift_;
};

enum class MapStyle : std::uint8_t {
  Normalized,  ///< y = LayerNorm(x W' + b): tensors name.0 and name.1
  Plain,       ///< y = x W': tensor name
};

/// The maps to Q, K and V.
class Projection {
 public:
  using Workspace = Norm::Workspace;

  Projection(Layout& layout,
             const std::string& name,
             int in,
             int out,
             MapStyle style = MapStyle::Normalized)
      : Projection(layout, name, in, out, style, for_inputs(in)) {}
  Projection(Layout& layout,
             const std::string& name,
             int in,
             int out,
             MapStyle style,
             const Init& weight);

  /// The cost of the linear map and of the normalisation, if there is one.
  [[nodiscard]] Cost cost(int rows) const;
  [[nodiscard]] Workspace workspace(int rows, Arena& arena) const;

  void forward(const Weights& weights,
               num::ConstView x,
               num::View y,
               const Workspace& workspace) const;
  /// Overwrites dy and adds to dx.
  void backward(const Weights& weights,
                num::ConstView x,
                num::View dy,
                num::View dx,
                Values& gradient,
                const Workspace& workspace) const;
  [[nodiscard]] std::vector<int> tensors() const;

 private:
  Linear linear_;
  std::optional<Norm> norm_;
};

/// y = W2 GELU(W1 x + b1) + b2: tensors `first` and `second`.
class Mlp {
 public:
  struct Workspace {
    num::View hidden;
    num::View slope;
    num::View dhidden;
  };

  Mlp(Layout& layout,
      const std::string& first,
      const std::string& second,
      int in,
      int hidden,
      int out);

  /// The cost of two linear maps, and a workspace of three times (rows,hidden).
  [[nodiscard]] Cost cost(int rows) const;
  [[nodiscard]] Workspace workspace(int rows, Arena& arena) const;

  void forward(const Weights& weights,
               num::ConstView x,
               num::View y,
               const Workspace& workspace) const;
  /// Adds to `gradient` only, for a first layer, whose input needs no gradient.
  void backward(const Weights& weights,
                num::ConstView x,
                num::ConstView dy,
                Values& gradient,
                const Workspace& workspace) const;
  /// Computes dx, too.
  void backward(const Weights& weights,
                num::ConstView x,
                num::ConstView dy,
                num::View dx,
                Values& gradient,
                const Workspace& workspace) const;

 private:
  int hidden_;
  Linear first_;
  Linear second_;
};

}  // namespace oa::parts
