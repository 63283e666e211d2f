#include "survey/formula/recurrent.h"

#include "oa/attention/formula/maps.h"
#include "oa/attention/formula/pointwise.h"
#include "oa/attention/head_options.h"
#include "oa/attention/kernel/unit_rows.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/rms_norm.h"
#include "survey/kernel/scan/convolution.h"

#include <utility>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

class Convolution : public Operation {
 public:
  Convolution(Value x, int taps, Reading reading, int filter, int bias)
      : Operation({.name = "convolution",
                   .in = {x},
                   .rows = x.rows,
                   .cols = x.cols,
                   .reads_inputs = true,
                   .settings = {{"taps", taps}, reversed_in(reading)}}),
        taps_(taps),
        reading_(reading),
        filter_(filter),
        bias_(bias) {}

  parts::Cost cost() const override {
    const std::int64_t taps = std::int64_t{2} * taps_ * rows() * cols();
    return {.forward = taps, .backward = 2 * taps};
  }
  std::int64_t state() const override {
    return std::int64_t{taps_ - 1} * num::padded(cols());
  }
  void forward(const ForwardRun& run) override {
    const View last{run.state.data(), taps_ - 1, cols(), num::padded(cols())};
    convolve(in_order(reading_, run.in[0]),
             run.weights.values().matrix(filter_),
             bias_ < 0 ? std::span<const float>{} : run.weights.values().vector(bias_),
             last,
             in_order(reading_, run.out));
  }
  void backward(const BackwardRun& run) override {
    convolve_backward(in_order(reading_, run.in[0]),
                      run.weights.values().matrix(filter_),
                      in_order(reading_, ConstView(run.d_out)),
                      in_order(reading_, run.d_in[0].d),
                      run.gradient.matrix(filter_),
                      bias_ < 0 ? std::span<float>{} : run.gradient.vector(bias_));
  }

 private:
  int taps_;
  Reading reading_;
  int filter_;  // tensors
  int bias_;    // -1: none
};

class RmsNorm : public Operation {
 public:
  RmsNorm(Value x, int heads, int gain)
      : Operation({.name = "rms_norm",
                   .in = {x},
                   .rows = x.rows,
                   .cols = x.cols,
                   .reads_inputs = true,
                   .in_place = true,
                   .settings = {{"heads", heads}}}),
        heads_(heads),
        gain_(gain) {}

  void reserve(const Arenas& arenas) override {
    rstd_ = num::zeros(rows(), heads_, arenas.kept);
  }
  void forward(const ForwardRun& run) override {
    rms_norm(run.in[0], heads_, run.weights.values().vector(gain_), rstd_, run.out);
  }
  void backward(const BackwardRun& run) override {
    rms_norm_backward(run.in[0],
                      heads_,
                      run.weights.values().vector(gain_),
                      rstd_,
                      run.d_out,
                      run.d_in[0].d,
                      run.gradient.vector(gain_));
  }

 private:
  int heads_;
  int gain_;  // tensor
  View rstd_;
};

class UnitHeads : public Operation {
 public:
  UnitHeads(Value x, int heads)
      : Operation({.name = "unit_heads",
                   .in = {x},
                   .rows = x.rows,
                   .cols = x.cols,
                   .reads_output = true,
                   .in_place = true,
                   .settings = {{"heads", heads}}}),
        heads_(heads) {}

  void reserve(const Arenas& arenas) override {
    lengths_ = num::zeros(heads_, rows(), arenas.kept);
  }
  void forward(const ForwardRun& run) override {
    make_unit_heads(run.in[0], run.out, lengths_);
  }
  void backward(const BackwardRun& run) override {
    const View d = run.d_in[0].d;
    if (d.data != run.d_out.data) {
      num::copy(run.d_out, d);
    }
    make_unit_heads_backward(run.out, lengths_, d);
  }

 private:
  int heads_;
  View lengths_;
};

class Mixtures : public Operation {
 public:
  Mixtures(Value e, Value x)
      : Operation({.name = "mixtures",
                   .in = {e, x},
                   .rows = e.rows,
                   .cols = x.cols,
                   .reads_inputs = true,
                   .adds = true}) {}

  parts::Cost cost() const override {
    const std::int64_t mixing = parts::product_flops(rows(), in(1).rows, cols());
    return {.forward = mixing,
            .backward = 2 * mixing,
            .traffic = std::int64_t{8} * in(1).rows * cols()};
  }
  std::size_t temporary(bool backward) const override {
    return backward ? bytes_of(cols(), in(1).rows) : 0;
  }
  void forward(const ForwardRun& run) override {
    num::matmul(used(run.in[0]), run.in[1], run.out);
  }
  void backward(const BackwardRun& run) override {
    for (const Target& to : run.d_in) {
      if (!to.add) {
        num::fill(to.d, 0.0F);
      }
    }
    num::matmul_transposed_add(used(run.in[0]), run.d_out, run.d_in[1].d);
    const View transposed = num::zeros(cols(), in(1).rows, run.temporary);
    num::transpose(run.in[1], transposed);
    num::matmul_add(run.d_out, transposed, used(run.d_in[0].d));
  }

 private:
  template <class Matrix>
  [[nodiscard]] Matrix used(Matrix e) const {
    e.cols = in(1).rows;
    return e;
  }
};

}  // namespace

Value convolution(const std::string& name,
                  Value x,
                  int taps,
                  Reading reading,
                  const std::string& bias) {
  Formula& f = *x.formula;
  const parts::Init init = parts::for_inputs(taps);
  const int filter = f.tensor(name, {taps, x.cols}, init);
  const int shift = bias.empty() ? -1 : f.tensor(bias, {x.cols}, init);
  return f.apply<Convolution>(x, taps, reading, filter, shift);
}

Value rms_norm(const std::string& name, Value x, int heads) {
  Formula& f = *x.formula;
  return f.apply<RmsNorm>(x, heads, f.tensor(name, {x.cols}, parts::constant(1.0)));
}

Value unit_heads(Value x, int heads) {
  return x.formula->apply<UnitHeads>(x, heads);
}

Value mixtures_of(Value e, Value x) {
  return x.formula->apply<Mixtures>(e, x);
}

Value unit_map(const std::string& name, Value x, int heads, int taps) {
  const Formula& f = *x.formula;
  const Value mapped = linear(name, x, f.dim());
  if (f.causal()) {
    const Value near = convolution(name + ".conv", mapped, taps, Reading::FromFirst);
    return unit_heads(silu(near), heads);
  }
  if (const auto given = f.site().options.find("conv");
      given != f.site().options.end()) {
    f.refuse("conv=" + given->second + " has no effect (expected a causal layer)");
  }
  return unit_heads(mapped, heads);
}

void require_heads(const Formula& f, int heads) {
  f.refuse(refusal_of_heads(f.dim(), heads, 1));
}

GatedOutput::GatedOutput(Formula& f, int heads)
    : heads_(heads),
      gate_(silu(linear("Wg", f.tokens(), f.dim()))) {
  f.place("head_norm.weight", {f.dim()}, parts::constant(1.0));
  f.place("Wo.weight", {f.dim(), f.dim()}, parts::for_inputs(f.dim()));
}

Value GatedOutput::operator()(Value y) const {
  return linear("Wo", rms_norm("head_norm.weight", y, heads_) * gate_, y.cols);
}

}  // namespace oa::attention
