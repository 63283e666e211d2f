#include "oa/parts/layers.h"

#include "oa/num/activation.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

namespace oa::parts {

using num::ConstView;
using num::View;

Linear::Linear(Layout& layout, const std::string& name, int in, int out)
    : weight_(layout.add(name + ".weight", {out, in}, for_inputs(in))),
      bias_(layout.add(name + ".bias", {out}, for_inputs(in))) {}

void Linear::forward(const Weights& weights, ConstView x, View y) const {
  num::matmul(x, weights.transposed(weight_), y, 1.0F, weights.values().vector(bias_));
}

void Linear::input_gradient(const Weights& weights, ConstView dy, View dx) const {
  num::matmul(dy, weights.values().matrix(weight_), dx);
}

void Linear::add_input_gradient(const Weights& weights, ConstView dy, View dx) const {
  num::matmul_add(dy, weights.values().matrix(weight_), dx);
}

void Linear::gradients(ConstView x, ConstView dy, Values& gradient) const {
  num::matmul_transposed_add(dy, x, gradient.matrix(weight_));
  num::add_rows(dy, gradient.vector(bias_));
}

Norm::Norm(Layout& layout, const std::string& name, int rows, int width)
    : gain_(layout.add(name + ".weight", {width}, constant(1.0))),
      shift_(layout.add(name + ".bias", {width}, constant(0.0))),
      unit_(rows, width),
      rstd_(static_cast<std::size_t>(rows)) {}

void Norm::forward(const Weights& weights, ConstView x, View y) {
  num::layer_norm(x,
                  weights.values().vector(gain_),
                  weights.values().vector(shift_),
                  unit_,
                  rstd_.span(),
                  y);
}

void Norm::backward(const Weights& weights, ConstView dy, View dx, Values& gradient) {
  num::layer_norm_backward(dy,
                           unit_,
                           rstd_.span(),
                           weights.values().vector(gain_),
                           dx,
                           gradient.vector(gain_),
                           gradient.vector(shift_));
}

Projection::Projection(
    Layout& layout, const std::string& name, int rows, int in, int out)
    : linear_(layout, name + ".0", in, out),
      norm_(layout, name + ".1", rows, out) {}

void Projection::forward(const Weights& weights, ConstView x, View y) {
  linear_.forward(weights, x, y);
  norm_.forward(weights, y, y);
}

void Projection::backward(
    const Weights& weights, ConstView x, View dy, View dx, Values& gradient) {
  norm_.backward(weights, dy, dy, gradient);
  linear_.gradients(x, dy, gradient);
  linear_.add_input_gradient(weights, dy, dx);
}

Mlp::Mlp(Layout& layout,
         const std::string& first,
         const std::string& second,
         int rows,
         int in,
         int hidden,
         int out)
    : first_(layout, first, in, hidden),
      second_(layout, second, hidden, out),
      hidden_(rows, hidden),
      slope_(rows, hidden),
      dhidden_(rows, hidden) {}

void Mlp::forward(const Weights& weights, ConstView x, View y) {
  first_.forward(weights, x, hidden_);
  num::gelu(hidden_, hidden_, slope_);
  second_.forward(weights, hidden_, y);
}

void Mlp::backward(const Weights& weights,
                   ConstView x,
                   ConstView dy,
                   Values& gradient) {
  second_.gradients(hidden_, dy, gradient);
  second_.input_gradient(weights, dy, dhidden_);
  num::multiply(slope_, dhidden_);
  first_.gradients(x, dhidden_, gradient);
}

void Mlp::backward(
    const Weights& weights, ConstView x, ConstView dy, View dx, Values& gradient) {
  backward(weights, x, dy, gradient);
  first_.input_gradient(weights, dhidden_, dx);
}

}  // namespace oa::parts
