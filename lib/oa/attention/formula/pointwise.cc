#include "oa/attention/formula/pointwise.h"

#include "oa/attention/kernel/activation.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"

#include <functional>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// Copies `from` to `to`, unless both are the same memory.
void begin_with(ConstView from, View to) {
  if (to.data != from.data) {
    num::copy(from, to);
  }
}

OperationForm in_place_of(std::string_view name,
                          Value x,
                          std::vector<Setting> settings = {}) {
  return {.name = name,
          .in = {x},
          .rows = x.rows,
          .cols = x.cols,
          .in_place = true,
          .settings = std::move(settings)};
}

/// A function of single numbers, with its slope if backward needs one.
class Pointwise : public Operation {
 public:
  using Function = std::function<void(ConstView x, View y, View slope)>;

  Pointwise(OperationForm form, bool always_slope, Function function)
      : Operation(std::move(form)),
        always_slope_(always_slope),
        function_(std::move(function)) {}

  void reserve(const Arenas& arenas) override {
    if (arenas.backward || always_slope_) {
      slope_ =
          num::zeros(rows(), cols(), arenas.backward ? arenas.kept : arenas.scratch);
    }
  }
  View replaceable() const override { return slope_; }
  void forward(const ForwardRun& run) override {
    function_(run.in[0], run.out, slope_);
  }
  void backward(const BackwardRun& run) override {
    const View d = run.d_in[0].d;
    begin_with(slope_, d);
    num::multiply(run.d_out, d);
  }

 private:
  bool always_slope_;
  Function function_;
  View slope_;
};

OperationForm by_output(std::string_view name, Value x) {
  OperationForm form = in_place_of(name, x);
  form.reads_output = true;
  return form;
}

class MinusExp : public Operation {
 public:
  explicit MinusExp(Value x) : Operation(by_output("minus_exp", x)) {}

  void forward(const ForwardRun& run) override { minus_exp(run.in[0], run.out); }
  void backward(const BackwardRun& run) override {
    begin_with(run.d_out, run.d_in[0].d);
    num::multiply(run.out, run.d_in[0].d);
  }
};

class Logistic : public Operation {
 public:
  explicit Logistic(Value x) : Operation(by_output("logistic", x)) {}

  void forward(const ForwardRun& run) override {
    num::logistic(run.in[0], -1.0F, run.out);
  }
  void backward(const BackwardRun& run) override {
    for (int i = 0; i < rows(); ++i) {
      for (int c = 0; c < cols(); ++c) {
        const float y = run.out(i, c);
        run.d_in[0].d(i, c) = run.d_out(i, c) * (y * (1.0F - y));
      }
    }
  }
};

class Product : public Operation {
 public:
  Product(Value a, Value b)
      : Operation({.name = "product",
                   .in = {a, b},
                   .rows = a.rows,
                   .cols = a.cols,
                   .reads_inputs = true,
                   .in_place = true}) {}

  void forward(const ForwardRun& run) override {
    begin_with(run.in[0], run.out);
    num::multiply(run.in[1], run.out);
  }
  void backward(const BackwardRun& run) override {
    num::copy(run.d_out, run.d_in[1].d);
    num::multiply(run.in[0], run.d_in[1].d);
    begin_with(run.d_out, run.d_in[0].d);
    num::multiply(run.in[1], run.d_in[0].d);
  }
};

/// Computes factor (a + b).
class Sum : public Operation {
 public:
  Sum(Value a, Value b, float factor)
      : Operation({.name = "sum",
                   .in = {a, b},
                   .rows = a.rows,
                   .cols = a.cols,
                   .in_place = true,
                   .settings = {{"factor", factor}}}),
        factor_(factor) {}

  void forward(const ForwardRun& run) override {
    begin_with(run.in[0], run.out);
    num::add(run.in[1], run.out);
    num::scale(run.out, factor_);
  }
  void backward(const BackwardRun& run) override {
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {
      begin_with(run.d_out, run.d_in[i].d);
      num::scale(run.d_in[i].d, factor_);
    }
  }

 private:
  float factor_;
};

class Scaled : public Operation {
 public:
  Scaled(Value x, float factor)
      : Operation(in_place_of("scaled", x, {{"factor", factor}})),
        factor_(factor) {}

  void forward(const ForwardRun& run) override {
    begin_with(run.in[0], run.out);
    num::scale(run.out, factor_);
  }
  void backward(const BackwardRun& run) override {
    begin_with(run.d_out, run.d_in[0].d);
    num::scale(run.d_in[0].d, factor_);
  }

 private:
  float factor_;
};

Value pointwise(std::string_view name,
                Value x,
                Pointwise::Function function,
                std::vector<Setting> settings = {}) {
  return x.formula->apply<Pointwise>(
      in_place_of(name, x, std::move(settings)), false, std::move(function));
}

}  // namespace

Value silu(Value x) {
  return pointwise(
      "silu", x, [](ConstView from, View y, View slope) { silu(from, y, slope); });
}

Value sigmoid(Value x) {
  return pointwise("sigmoid", x, [](ConstView from, View y, View slope) {
    sigmoid(from, y, slope);
  });
}

Value relu(Value x) {
  return x.formula->apply<Pointwise>(in_place_of("relu", x), true, num::relu);
}

Value gelu(Value x) {
  return x.formula->apply<Pointwise>(in_place_of("gelu", x), true, num::gelu);
}

Value softplus(Value x, float shift) {
  return pointwise("softplus",
                   x,
                   [shift](ConstView from, View y, View slope) {
                     softplus(from, y, slope);
                     for (int i = 0; shift != 0.0F && i < y.rows; ++i) {
                       for (int c = 0; c < y.cols; ++c) {
                         y(i, c) += shift;
                       }
                     }
                   },
                   {{"shift", shift}});
}

Value log_sigmoid(Value x, float factor) {
  return pointwise("log_sigmoid",
                   x,
                   [factor](ConstView from, View y, View slope) {
                     log_sigmoid(from, factor, y, slope);
                   },
                   {{"factor", factor}});
}

Value minus_exp(Value x) {
  return x.formula->apply<MinusExp>(x);
}

Value logistic(Value x) {
  return x.formula->apply<Logistic>(x);
}

Value operator*(Value a, Value b) {
  return a.formula->apply<Product>(a, b);
}

Value operator+(Value a, Value b) {
  return a.formula->apply<Sum>(a, b, 1.0F);
}

Value operator*(float factor, Value x) {
  return x.formula->apply<Scaled>(x, factor);
}

Value mean(Value a, Value b) {
  return a.formula->apply<Sum>(a, b, 0.5F);
}

}  // namespace oa::attention
