#include "oa/num/gram.h"

#include "oa/num/gemm.h"

namespace oa::num {
namespace {

ConstView first_columns(ConstView x, int count) {
  return {x.data, x.rows, count, x.stride};
}

/// Returns x * factor.
View times_factor(ConstView x, const Gram& gram, View between) {
  const View product{between.data, x.rows, gram.factor.cols, between.stride};
  matmul(x, gram.factor, product);
  return product;
}

}  // namespace

Gram Gram::top(int count) const {
  Gram some{first_columns(j.top(count), count)};
  if (factor.cols > 0) {
    some.factor = factor.top(count);
    some.transposed = first_columns(transposed, count);
    some.scale = scale;
  }
  return some;
}

View room_between(int n, int m, Arena& arena) {
  const bool may_be_thin = Gram::is_low_rank(m, 1);
  return may_be_thin ? zeros(n, m / 4, arena) : View{};
}

void multiply(ConstView x, const Gram& gram, View between, View y) {
  if (gram.low_rank()) {
    matmul(times_factor(x, gram, between), gram.transposed, y, gram.scale);
  } else {
    matmul(x, gram.j, y);
  }
}

void multiply_add(ConstView x, const Gram& gram, View between, View y) {
  if (gram.low_rank()) {
    matmul_add(times_factor(x, gram, between), gram.transposed, y, gram.scale);
  } else {
    matmul_add(x, gram.j, y);
  }
}

}  // namespace oa::num
