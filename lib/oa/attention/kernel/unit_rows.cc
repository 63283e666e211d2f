#include "oa/attention/kernel/unit_rows.h"

#include "oa/attention/kernel/heads.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

// The epsilon of layer normalisation: even rows of zeros have a gradient.
constexpr float kEpsilon = 1e-5F;

/// Adds four sums in parallel: a single sum would wait for each addition.
float dot(const float* a, const float* b, int count) {
  float sums[4] = {};
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    for (int l = 0; l < 4; ++l) {
      sums[l] += a[k + l] * b[k + l];
    }
  }
  for (; k < count; ++k) {
    sums[0] += a[k] * b[k];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Subtracts the mean of all rows; padding stays 0.
void centre(View x) {
  const float share = 1.0F / static_cast<float>(x.rows);
  for (int first = 0; first < x.cols; first += num::kLane) {
    const int count = std::min(num::kLane, x.cols - first);
    float mean[num::kLane] = {};
    for (int i = 0; i < x.rows; ++i) {
      for (int c = 0; c < count; ++c) {
        mean[c] += x.row(i)[first + c];
      }
    }
    for (int i = 0; i < x.rows; ++i) {
      for (int c = 0; c < count; ++c) {
        x.row(i)[first + c] -= share * mean[c];
      }
    }
  }
}

}  // namespace

void make_unit_rows(ConstView x, bool centred, View unit, std::span<float> length) {
  copy_rows(x, unit);
  if (centred) {
    centre(unit);
  }
  for (int i = 0; i < x.rows; ++i) {
    float* row = unit.row(i);
    const float size = std::sqrt(dot(row, row, x.cols) + kEpsilon);
    length[static_cast<std::size_t>(i)] = size;
    for (int c = 0; c < x.cols; ++c) {
      row[c] /= size;
    }
  }
}

void make_unit_backward(ConstView unit,
                        std::span<const float> length,
                        bool centred,
                        View d) {
  for (int i = 0; i < d.rows; ++i) {
    const float* u = unit.row(i);
    float* row = d.row(i);
    const float along = dot(u, row, d.cols);
    const float share = 1.0F / length[static_cast<std::size_t>(i)];
    for (int c = 0; c < d.cols; ++c) {
      row[c] = share * (row[c] - along * u[c]);
    }
  }
  if (centred) {
    centre(d);
  }
}

void make_unit_heads(ConstView x, View unit, View lengths) {
  const int width = x.cols / lengths.rows;
  for (int h = 0; h < lengths.rows; ++h) {
    make_unit_rows(columns(x, h * width, width),
                   false,
                   columns(unit, h * width, width),
                   first_of_row(lengths, h, x.rows));
  }
}

void make_unit_heads_backward(ConstView unit, View lengths, View d) {
  const int width = unit.cols / lengths.rows;
  for (int h = 0; h < lengths.rows; ++h) {
    make_unit_backward(columns(unit, h * width, width),
                       first_of_row(lengths, h, unit.rows),
                       false,
                       columns(d, h * width, width));
  }
}

}  // namespace oa::attention
