#pragma once

#include "oa/num/matrix.h"
#include "oa/parts/params.h"

#include <string>

namespace oa::parts {

// The parts models are made of, forward and backward, one image at a time.  A part
// knows the numbers of its tensors; weights and gradients are handed in.  A part that
// must remember something from its way forward keeps it and belongs to one thread.

/// y = x W' + b  with x (rows,in), W (out,in)
class Linear {
 public:
  Linear(Layout& layout, const std::string& name, int in, int out);

  void forward(const Weights& weights, num::ConstView x, num::View y) const;
  /// dx = dy W
  void input_gradient(const Weights& weights, num::ConstView dy, num::View dx) const;
  /// dx += dy W
  void add_input_gradient(const Weights& weights,
                          num::ConstView dy,
                          num::View dx) const;
  /// Adds dy'x and the sum of the rows of dy to `gradient`.
  void gradients(num::ConstView x, num::ConstView dy, Values& gradient) const;

 private:
  int weight_;
  int bias_;
};

/// Layer normalisation of each row.
class Norm {
 public:
  Norm(Layout& layout, const std::string& name, int rows, int width);

  void forward(const Weights& weights, num::ConstView x, num::View y);
  /// dx may be dy.
  void backward(const Weights& weights,
                num::ConstView dy,
                num::View dx,
                Values& gradient);

 private:
  int gain_;
  int shift_;
  num::Matrix unit_;
  num::Buffer rstd_;
};

/// y = LayerNorm(x W' + b): tensors name.0 and name.1, the maps to Q, K and V.
class Projection {
 public:
  Projection(Layout& layout, const std::string& name, int rows, int in, int out);

  void forward(const Weights& weights, num::ConstView x, num::View y);
  /// Overwrites dy; dx += its share.
  void backward(const Weights& weights,
                num::ConstView x,
                num::View dy,
                num::View dx,
                Values& gradient);

 private:
  Linear linear_;
  Norm norm_;
};

/// y = W2 GELU(W1 x + b1) + b2: tensors `first` and `second`.
class Mlp {
 public:
  Mlp(Layout& layout,
      const std::string& first,
      const std::string& second,
      int rows,
      int in,
      int hidden,
      int out);

  void forward(const Weights& weights, num::ConstView x, num::View y);
  /// Adds to `gradient` only; for a part whose input is data.
  void backward(const Weights& weights,
                num::ConstView x,
                num::ConstView dy,
                Values& gradient);
  /// The same, and dx = its share.
  void backward(const Weights& weights,
                num::ConstView x,
                num::ConstView dy,
                num::View dx,
                Values& gradient);

 private:
  Linear first_;
  Linear second_;
  num::Matrix hidden_;
  num::Matrix slope_;
  num::Matrix dhidden_;
};

}  // namespace oa::parts
