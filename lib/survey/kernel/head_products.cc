#include "survey/kernel/head_products.h"

#include <algorithm>
#include <cassert>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

[[maybe_unused]] bool heads_match(ConstView vectors, int width, ConstView matrices) {
  return vectors.rows == matrices.rows && vectors.cols % width == 0 &&
         vectors.cols * width == matrices.cols;
}

// Computes y = a * b elementwise, for heads of one column.
void multiply_elements(ConstView a, ConstView b, View y) {
  for (int t = 0; t < y.rows; ++t) {
    std::transform(
        a.row(t), a.row(t) + y.cols, b.row(t), y.row(t), [](float p, float q) {
          return p * q;
        });
  }
}

}  // namespace

void head_outer(ConstView a, ConstView b, int width, View p) {
  assert(heads_match(a, width, p) && same_shape(a, b));
  if (width == 1) {
    multiply_elements(a, b, p);
    return;
  }
  for (int t = 0; t < p.rows; ++t) {
    float* to = p.row(t);
    for (int i = 0; i < a.cols; ++i) {
      const float* with = b.row(t) + i / width * width;
      for (int j = 0; j < width; ++j) {
        *to++ = a(t, i) * with[j];
      }
    }
  }
}

void head_sum_rows(ConstView p, ConstView a, int width, View y) {
  assert(heads_match(a, width, p) && same_shape(a, y));
  if (width == 1) {
    multiply_elements(p, a, y);
    return;
  }
  for (int t = 0; t < p.rows; ++t) {
    std::fill_n(y.row(t), y.cols, 0.0F);
    const float* from = p.row(t);
    for (int i = 0; i < a.cols; ++i) {
      float* to = y.row(t) + i / width * width;
      for (int j = 0; j < width; ++j) {
        to[j] += a(t, i) * *from++;
      }
    }
  }
}

void head_sum_columns(ConstView p, ConstView b, int width, View y) {
  assert(heads_match(b, width, p) && same_shape(b, y));
  if (width == 1) {
    multiply_elements(p, b, y);
    return;
  }
  for (int t = 0; t < p.rows; ++t) {
    const float* from = p.row(t);
    for (int i = 0; i < y.cols; ++i) {
      const float* with = b.row(t) + i / width * width;
      float sum = 0.0F;
      for (int j = 0; j < width; ++j) {
        sum += *from++ * with[j];
      }
      y(t, i) = sum;
    }
  }
}

}  // namespace oa::attention
