#include "oa/attention/formula/maps.h"

#include <utility>

namespace oa::attention {
namespace {

class LinearMap : public Operation {
 public:
  LinearMap(Value x, int width, parts::Linear map)
      : Operation({.name = "linear",
                   .in = {x},
                   .rows = x.rows,
                   .cols = width,
                   .reads_inputs = true,
                   .adds = true}),
        map_(map) {}

  parts::Cost cost() const override { return map_.cost(rows()); }
  void forward(const ForwardRun& run) override {
    map_.forward(run.weights, run.in[0], run.out);
  }
  void backward(const BackwardRun& run) override {
    const Target& to = run.d_in[0];
    if (to.add) {
      map_.add_backward(run.weights, run.in[0], run.d_out, to.d, run.gradient);
    } else {
      map_.backward(run.weights, run.in[0], run.d_out, to.d, run.gradient);
    }
  }

 private:
  parts::Linear map_;
};

/// Adds a linear map.  `bias` tells whether the map has a bias, or how a bias begins.
Value linear_by(const std::string& name, Value x, int width, const auto& bias) {
  Formula& f = *x.formula;
  return f.apply<LinearMap>(x, width, f.part<parts::Linear>(name, x.cols, width, bias));
}

}  // namespace

Value linear(const std::string& name, Value x, int width) {
  return linear_by(name, x, width, parts::Bias::No);
}

Value linear_with_bias(const std::string& name, Value x, int width) {
  return linear_with_bias(name, x, width, parts::for_inputs(x.cols));
}

Value linear_with_bias(const std::string& name,
                       Value x,
                       int width,
                       const parts::Init& bias) {
  return linear_by(name, x, width, bias);
}

}  // namespace oa::attention
