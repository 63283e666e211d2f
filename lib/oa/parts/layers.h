#pragma once

#include "oa/num/matrix.h"
#include "oa/parts/cost.h"
#include "oa/parts/params.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace oa::parts {

// The parts models are made of, forward and backward, one image at a time.  A part is
// what it declared: its shape and the numbers of its tensors.  It is small, never
// changes and is shared by threads; weights and gradients are handed in.  A part that
// remembers something from its way forward, or needs memory on the way, has a
// Workspace: its workspace() takes one from an arena, each thread its own.  cost() says
// what all of this amounts to before there is any memory.

enum class Bias : std::uint8_t { Yes, No };

/// y = x W' + b  with x (rows,in), W (out,in); b may be left out
class Linear {
 public:
  Linear(
      Layout& layout, const std::string& name, int in, int out, Bias bias = Bias::Yes);

  /// (in + 1) out parameters, or in out without bias; 2 rows in out FLOPs, backward
  /// twice as many.
  [[nodiscard]] Cost cost(int rows) const;

  void forward(const Weights& weights, num::ConstView x, num::View y) const;
  /// Adds dy'x and the sum of the rows of dy to `gradient`.
  void gradients(num::ConstView x, num::ConstView dy, Values& gradient) const;
  /// dx = dy W
  void input_gradient(const Weights& weights, num::ConstView dy, num::View dx) const;
  /// Both.
  void backward(const Weights& weights,
                num::ConstView x,
                num::ConstView dy,
                num::View dx,
                Values& gradient) const;
  /// Both, with dx += dy W.
  void add_backward(const Weights& weights,
                    num::ConstView x,
                    num::ConstView dy,
                    num::View dx,
                    Values& gradient) const;

 private:
  int in_;
  int out_;
  int weight_;
  int bias_ = -1;  // or there is none
};

/// Layer normalisation of each row.
class Norm {
 public:
  struct Workspace {
    num::View unit;
    std::span<float> rstd;
  };

  Norm(Layout& layout, const std::string& name, int width);

  /// 2 width parameters; a workspace of (rows,width) and (rows) floats.
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
             MapStyle style = MapStyle::Normalized);

  /// That of the linear map and, if there is one, of the normalisation.
  [[nodiscard]] Cost cost(int rows) const;
  [[nodiscard]] Workspace workspace(int rows, Arena& arena) const;

  void forward(const Weights& weights,
               num::ConstView x,
               num::View y,
               const Workspace& workspace) const;
  /// Overwrites dy; dx += its share.
  void backward(const Weights& weights,
                num::ConstView x,
                num::View dy,
                num::View dx,
                Values& gradient,
                const Workspace& workspace) const;

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

  /// That of two linear maps, and a workspace of three times (rows,hidden).
  [[nodiscard]] Cost cost(int rows) const;
  [[nodiscard]] Workspace workspace(int rows, Arena& arena) const;

  void forward(const Weights& weights,
               num::ConstView x,
               num::View y,
               const Workspace& workspace) const;
  /// Adds to `gradient` only; for a part whose input is data.
  void backward(const Weights& weights,
                num::ConstView x,
                num::ConstView dy,
                Values& gradient,
                const Workspace& workspace) const;
  /// The same, and dx = its share.
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
