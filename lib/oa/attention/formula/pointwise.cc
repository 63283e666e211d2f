#include "oa/attention/formula/pointwise.h"

#include "oa/attention/kernel/activation.h"
#include "oa/num/activation.h"
#include "oa/num/rows.h"

#include <functional>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

/// to = d_out, unless it is in the same memory.
void begin_with(View d_out, View to) {
  if (to.data != d_out.data) {
    num::copy(d_out, to);
  }
}

OperationForm in_place_of(Value x) {
  return {.in = {x}, .rows = x.rows, .cols = x.cols, .in_place = true};
}

/// A function that computes its slope, too, unless that has no data.
class Pointwise : public Operation {
 public:
  using Function = std::function<void(ConstView x, View y, View slope)>;

  Pointwise(Value x, Function function)
      : Operation(in_place_of(x)),
        function_(std::move(function)) {}

  void reserve(const Arenas& memory) override {
    if (memory.backward) {
      slope_ = num::zeros(rows(), cols(), memory.kept);
    }
  }
  void forward(const ForwardRun& run) override {
    function_(run.in[0], run.out, slope_);
  }
  void backward(const BackwardRun& run) override {
    begin_with(run.d_out, run.d_in[0].d);
    num::multiply(slope_, run.d_in[0].d);
  }

 private:
  Function function_;
  View slope_;
};

OperationForm by_output(Value x) {
  OperationForm form = in_place_of(x);
  form.reads_output = true;
  return form;
}

class MinusExp : public Operation {
 public:
  explicit MinusExp(Value x) : Operation(by_output(x)) {}

  void forward(const ForwardRun& run) override { minus_exp(run.in[0], run.out); }
  void backward(const BackwardRun& run) override {
    begin_with(run.d_out, run.d_in[0].d);
    num::multiply(run.out, run.d_in[0].d);
  }
};

class Logistic : public Operation {
 public:
  explicit Logistic(Value x) : Operation(by_output(x)) {}

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
      : Operation({.in = {a, b},
                   .rows = a.rows,
                   .cols = a.cols,
                   .reads_inputs = true,
                   .in_place = true}) {}

  void forward(const ForwardRun& run) override {
    begin_with_input(run);
    num::multiply(run.in[1], run.out);
  }
  void backward(const BackwardRun& run) override {
    num::copy(run.d_out, run.d_in[1].d);
    num::multiply(run.in[0], run.d_in[1].d);
    begin_with(run.d_out, run.d_in[0].d);
    num::multiply(run.in[1], run.d_in[0].d);
  }

 private:
  static void begin_with_input(const ForwardRun& run) {
    if (run.in[0].data != run.out.data) {
      num::copy(run.in[0], run.out);
    }
  }
};

class Mean : public Operation {
 public:
  Mean(Value a, Value b)
      : Operation({.in = {a, b}, .rows = a.rows, .cols = a.cols, .in_place = true}) {}

  void forward(const ForwardRun& run) override {
    if (run.in[0].data != run.out.data) {
      num::copy(run.in[0], run.out);
    }
    num::add(run.in[1], run.out);
    num::scale(run.out, 0.5F);
  }
  void backward(const BackwardRun& run) override {
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {
      begin_with(run.d_out, run.d_in[i].d);
      num::scale(run.d_in[i].d, 0.5F);
    }
  }
};

Value pointwise(Value x, Pointwise::Function function) {
  return x.formula->apply<Pointwise>(x, std::move(function));
}

}  // namespace

Value silu(Value x) {
  return pointwise(x, [](ConstView from, View y, View slope) { silu(from, y, slope); });
}

Value sigmoid(Value x) {
  return pointwise(x,
                   [](ConstView from, View y, View slope) { sigmoid(from, y, slope); });
}

Value relu(Value x) {
  return pointwise(x, num::relu);
}

Value softplus(Value x, float shift) {
  return pointwise(x, [shift](ConstView from, View y, View slope) {
    softplus(from, y, slope);
    for (int i = 0; shift != 0.0F && i < y.rows; ++i) {
      for (int c = 0; c < y.cols; ++c) {
        y(i, c) += shift;
      }
    }
  });
}

Value log_sigmoid(Value x, float factor) {
  return pointwise(x, [factor](ConstView from, View y, View slope) {
    log_sigmoid(from, factor, y, slope);
  });
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

Value mean(Value a, Value b) {
  return a.formula->apply<Mean>(a, b);
}

}  // namespace oa::attention
