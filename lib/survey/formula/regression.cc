#include "oa/base/index.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"
#include "survey/formula/scans.h"
#include "survey/kernel/regression/mesa.h"
#include "survey/kernel/regression/ttt.h"

#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

std::vector<Value> inputs_of(const RidgeRegressionInput& in) {
  std::vector<Value> all{in.q, in.k, in.v, in.b, in.ridge};
  if (in.gate) {
    all.push_back(*in.gate);
  }
  return all;
}

class RidgeRegression : public Operation {
 public:
  explicit RidgeRegression(const RidgeRegressionInput& in)
      : Operation({.name = "ridge_regression",
                   .in = inputs_of(in),
                   .rows = in.v.rows,
                   .cols = in.v.cols,
                   .reads_inputs = true,
                   .shows = true,
                   .settings = {{"heads", in.heads}, {"steps", in.steps}}}),
        decodes_(in.q.formula->decodes()),
        shape_{.heads = in.heads,
               .width = in.v.cols / in.heads,
               .steps = in.steps,
               .causal = in.gate.has_value(),
               .threads = in.q.formula->threads()} {}

  parts::Cost cost() const override {
    return {.forward = mesa_flops(shape_, rows()),
            .backward = mesa_backward_flops(shape_, rows()),
            .traffic = std::int64_t{4} * rows() * 5 * cols()};
  }
  void reserve(const Arenas& arenas) override {
    z_ = num::zeros(rows(), cols(), arenas.kept);
    if (shape_.causal) {
      decay_ = num::zeros(rows(), shape_.heads, arenas.kept);
    }
    if (arenas.backward) {
      const int states = mesa_states(shape_, rows());
      states_ = num::zeros(states * mesa_state_size(shape_), arenas.kept);
    }
  }
  std::size_t temporary(bool backward) const override {
    return backward ? mesa_backward_bytes(shape_) : mesa_bytes(shape_);
  }
  std::int64_t state() const override {
    return states_.empty() ? mesa_state_size(shape_) : 0;
  }

  void forward(const ForwardRun& run) override {
    if (shape_.causal) {
      num::logistic(run.in[5], -1.0F, decay_);
    }
    if (decodes_) {
      mesa_step(shape_, input(run.in), run.out, run.state, run.temporary);
    } else {
      mesa_forward(shape_,
                   input(run.in),
                   run.out,
                   z_,
                   states_.empty() ? run.state : states_,
                   run.temporary);
    }
  }
  void backward(const BackwardRun& run) override {
    const View ridge = run.d_in[4].d;
    const View gate = shape_.causal ? run.d_in[5].d : View{};
    num::fill(ridge, 0.0F);
    mesa_backward(shape_,
                  input(run.in),
                  z_,
                  states_,
                  run.d_out,
                  {.q = run.d_in[0].d,
                   .k = run.d_in[1].d,
                   .v = run.d_in[2].d,
                   .log_gate = gate,
                   .b = run.d_in[3].d,
                   .ridge = {ridge.data, at(ridge.cols)}},
                  run.temporary);
    for (int i = 0; i < gate.rows; ++i) {
      for (int h = 0; h < gate.cols; ++h) {
        gate(i, h) *= 1.0F - decay_(i, h);
      }
    }
  }

 private:
  [[nodiscard]] MesaInput input(std::span<const ConstView> in) const {
    return {.q = in[0],
            .k = in[1],
            .v = in[2],
            .gate = decay_,
            .b = in[3],
            .ridge = {in[4].data, at(in[4].cols)}};
  }

  bool decodes_;
  MesaShape shape_;
  View z_;  // (H + L)^-1 q
  View decay_;
  std::span<float> states_;
};

/// Indices of tensors.
struct TrainedTensors {
  int gain;
  int shift;
  int start;
};

class TrainedModel : public Operation {
 public:
  TrainedModel(const TrainedModelInput& in,
               Reading reading,
               const TrainedTensors& tensors)
      : Operation({.name = "trained_model",
                   .in = {in.q, in.k, in.v, in.eta},
                   .rows = in.v.rows,
                   .cols = in.v.cols,
                   .reads_inputs = true,
                   .shows = true,
                   .settings = {{"heads", in.heads},
                                {"batch", in.batch},
                                reversed_in(reading)}}),
        decodes_(in.q.formula->decodes()),
        reading_(reading),
        tensors_(tensors),
        shape_{.heads = in.heads,
               .width = in.v.cols / in.heads,
               .batch = in.batch,
               .threads = in.q.formula->threads()} {}

  parts::Cost cost() const override {
    return {.forward = ttt_flops(shape_, rows()),
            .backward = ttt_backward_flops(shape_, rows()),
            .traffic = std::int64_t{4} * rows() * 4 * cols()};
  }
  void reserve(const Arenas& arenas) override {
    if (arenas.backward) {
      const int states = ttt_states(shape_, rows());
      states_ = num::zeros(states * ttt_state_size(shape_), arenas.kept);
    }
  }
  std::size_t temporary(bool backward) const override {
    return backward ? ttt_backward_bytes(shape_) : ttt_bytes(shape_);
  }
  /// A decoder stores two states: at the start of the batch, and the current one.
  std::int64_t state() const override {
    return decodes_          ? 2 * ttt_state_size(shape_)
           : states_.empty() ? ttt_state_size(shape_)
                             : 0;
  }

  void forward(const ForwardRun& run) override {
    const TttInput from = input(run.in, run.weights);
    if (decodes_) {
      ttt_step(shape_, from, run.token, run.out, run.state, run.temporary);
    } else {
      ttt_forward(shape_,
                  from,
                  in_order(reading_, run.out),
                  states_.empty() ? run.state : states_,
                  run.temporary);
    }
  }
  void backward(const BackwardRun& run) override {
    ttt_backward(shape_,
                 input(run.in, run.weights),
                 states_,
                 in_order(reading_, ConstView(run.d_out)),
                 {.q = in_order(reading_, run.d_in[0].d),
                  .k = in_order(reading_, run.d_in[1].d),
                  .v = in_order(reading_, run.d_in[2].d),
                  .eta = in_order(reading_, run.d_in[3].d),
                  .gain = run.gradient.vector(tensors_.gain),
                  .shift = run.gradient.vector(tensors_.shift),
                  .start = run.gradient.matrix(tensors_.start)},
                 run.temporary);
  }

 private:
  [[nodiscard]] TttInput input(std::span<const ConstView> in,
                               const parts::Weights& weights) const {
    return {.q = in_order(reading_, in[0]),
            .k = in_order(reading_, in[1]),
            .v = in_order(reading_, in[2]),
            .eta = in_order(reading_, in[3]),
            .gain = weights.values().vector(tensors_.gain),
            .shift = weights.values().vector(tensors_.shift),
            .start = weights.values().matrix(tensors_.start)};
  }

  bool decodes_;
  Reading reading_;
  TrainedTensors tensors_;
  TttShape shape_;
  std::span<float> states_;
};

}  // namespace

Value ridge_regression(const RidgeRegressionInput& in) {
  in.q.formula->show(in.q, in.v);
  return in.q.formula->apply<RidgeRegression>(in);
}

Value trained_model(const TrainedModelInput& in, Reading reading) {
  Formula& f = *in.q.formula;
  f.show(in.q, in.v);
  // Moves outputs of keys away from 0, where the normalisation LN would be steep.
  constexpr double kStart = 0.5;
  const int dim = in.v.cols;
  const TrainedTensors tensors{
      .gain = f.tensor("inner_norm.weight", {dim}, parts::constant(1.0)),
      .shift = f.tensor("inner_norm.bias", {dim}, parts::constant(0.0)),
      .start = f.tensor("start", {dim, dim / in.heads}, parts::gaussian(kStart))};
  return f.apply<TrainedModel>(in, reading, tensors);
}

}  // namespace oa::attention
