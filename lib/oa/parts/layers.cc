#include "oa/parts/layers.h"

#include "oa/num/activation.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

namespace oa::parts {

using num::ConstView;
using num::View;

Linear::Linear(Layout& layout,
               const std::string& name,
               int in,
               int out,
               Bias bias,
               const Init& weight)
    : in_(in),
      out_(out),
      weight_(layout.declare(name + ".weight", {out, in}, weight)) {
  if (bias == Bias::Yes) {
    bias_ = layout.declare(name + ".bias", {out}, for_inputs(in));
  }
}

Linear::Linear(
    Layout& layout, const std::string& name, int in, int out, const Init& bias)
    : Linear(layout, name, in, out, Bias::No) {
  bias_ = layout.declare(name + ".bias", {out}, bias);
}

std::vector<int> Linear::tensors() const {
  return bias_ < 0 ? std::vector{weight_} : std::vector{weight_, bias_};
}

Cost Linear::cost(int rows) const {
  const std::int64_t product = product_flops(rows, in_, out_);
  return {.parameters = (std::int64_t{bias_ >= 0 ? 1 : 0} + in_) * out_,
          .forward = product,
          .backward = 2 * product,
          .projections = product};
}

void Linear::forward(const Weights& weights, ConstView x, View y) const {
  const auto bias =
      bias_ >= 0 ? weights.values().vector(bias_) : std::span<const float>{};
  num::matmul(x, weights.transposed(weight_), y, 1.0F, bias);
}

void Linear::gradients(ConstView x, ConstView dy, Values& gradient) const {
  num::matmul_transposed_add(dy, x, gradient.matrix(weight_));
  if (bias_ >= 0) {
    num::add_rows(dy, gradient.vector(bias_));
  }
}

void Linear::input_gradient(const Weights& weights, ConstView dy, View dx) const {
  num::matmul(dy, weights.values().matrix(weight_), dx);
}

void Linear::backward(const Weights& weights,
                      ConstView x,
                      ConstView dy,
                      View dx,
                      Values& gradient) const {
  gradients(x, dy, gradient);
  input_gradient(weights, dy, dx);
}

void Linear::add_backward(const Weights& weights,
                          ConstView x,
                          ConstView dy,
                          View dx,
                          Values& gradient) const {
  gradients(x, dy, gradient);
  num::matmul_add(dy, weights.values().matrix(weight_), dx);
}

Norm::Norm(Layout& layout, const std::string& name, int width)
    : width_(width),
      gain_(layout.declare(name + ".weight", {width}, constant(1.0))),
      shift_(layout.declare(name + ".bias", {width}, constant(0.0))) {}

Cost Norm::cost(int rows) const {
  return {
      .parameters = std::int64_t{2} * width_,
      .workspace = bytes_taken([&](Arena& arena) { return workspace(rows, arena); })};
}

Norm::Workspace Norm::workspace(int rows, Arena& arena) const {
  return {num::zeros(rows, width_, arena), num::zeros(rows, arena)};
}

void Norm::forward(const Weights& weights,
                   ConstView x,
                   View y,
                   const Workspace& workspace) const {
  num::layer_norm(x,
                  weights.values().vector(gain_),
                  weights.values().vector(shift_),
                  workspace.unit,
                  workspace.rstd,
                  y);
}

void Norm::backward(const Weights& weights,
                    ConstView dy,
                    View dx,
                    Values& gradient,
                    const Workspace& workspace) const {
  num::layer_norm_backward(dy,
                           workspace.unit,
                           workspace.rstd,
                           weights.values().vector(gain_),
                           dx,
                           gradient.vector(gain_),
                           gradient.vector(shift_));
}

Projection::Projection(Layout& layout,
                       const std::string& name,
                       int in,
                       int out,
                       MapStyle style,
                       const Init& weight)
    : linear_(layout,
              style == MapStyle::Plain ? name : name + ".0",
              in,
              out,
              style == MapStyle::Plain ? Bias::No : Bias::Yes,
              weight) {
  if (style == MapStyle::Normalized) {
    norm_.emplace(layout, name + ".1", out);
  }
}

std::vector<int> Projection::tensors() const {
  std::vector<int> all = linear_.tensors();
  if (norm_) {
    const std::vector<int> more = norm_->tensors();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

Cost Projection::cost(int rows) const {
  return linear_.cost(rows) + (norm_ ? norm_->cost(rows) : Cost{});
}

Projection::Workspace Projection::workspace(int rows, Arena& arena) const {
  return norm_ ? norm_->workspace(rows, arena) : Workspace{};
}

void Projection::forward(const Weights& weights,
                         ConstView x,
                         View y,
                         const Workspace& workspace) const {
  linear_.forward(weights, x, y);
  if (norm_) {
    norm_->forward(weights, y, y, workspace);
  }
}

void Projection::backward(const Weights& weights,
                          ConstView x,
                          View dy,
                          View dx,
                          Values& gradient,
                          const Workspace& workspace) const {
  if (norm_) {
    norm_->backward(weights, dy, dy, gradient, workspace);
  }
  linear_.add_backward(weights, x, dy, dx, gradient);
}

Mlp::Mlp(Layout& layout,
         const std::string& first,
         const std::string& second,
         int in,
         int hidden,
         int out)
    : hidden_(hidden),
      first_(layout, first, in, hidden),
      second_(layout, second, hidden, out) {}

Cost Mlp::cost(int rows) const {
  Cost cost = first_.cost(rows) + second_.cost(rows);
  cost.workspace = bytes_taken([&](Arena& arena) { return workspace(rows, arena); });
  return cost;
}

Mlp::Workspace Mlp::workspace(int rows, Arena& arena) const {
  return {num::zeros(rows, hidden_, arena),
          num::zeros(rows, hidden_, arena),
          num::zeros(rows, hidden_, arena)};
}

void Mlp::forward(const Weights& weights,
                  ConstView x,
                  View y,
                  const Workspace& workspace) const {
  const View hidden = workspace.hidden;
  first_.forward(weights, x, hidden);
  num::gelu(hidden, hidden, workspace.slope);
  second_.forward(weights, hidden, y);
}

void Mlp::backward(const Weights& weights,
                   ConstView x,
                   ConstView dy,
                   Values& gradient,
                   const Workspace& workspace) const {
  second_.backward(weights, workspace.hidden, dy, workspace.dhidden, gradient);
  num::multiply(workspace.slope, workspace.dhidden);
  first_.gradients(x, workspace.dhidden, gradient);
}

void Mlp::backward(const Weights& weights,
                   ConstView x,
                   ConstView dy,
                   View dx,
                   Values& gradient,
                   const Workspace& workspace) const {
  backward(weights, x, dy, gradient, workspace);
  first_.input_gradient(weights, workspace.dhidden, dx);
}

}  // namespace oa::parts
