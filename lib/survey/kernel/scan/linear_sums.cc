#include "oa/num/gemm.h"
#include "oa/num/rows.h"
#include "survey/kernel/scan/linear_block.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <vector>

namespace oa::attention {
namespace {

using num::ConstView;
using num::View;

// S and u of a head, or their gradients.
struct HeadSums {
  HeadSums(int features, int values, Arena& arena)
      : matrix(num::zeros(features, values, arena)),
        u(num::zeros(1, features, arena)) {}
  View matrix;  // features x values
  View u;       // 1 x features

  void clear() const {
    num::fill(matrix, 0.0F);
    num::fill(u, 0.0F);
  }
};

struct SumsScratch : LinearBackwardScratch {
  SumsScratch(const LinearShape& s, bool backward, Arena& arena)
      : LinearBackwardScratch(s, arena),
        sums(features, values, arena),
        slopes(backward ? features : 0, values, arena),
        transposed(num::zeros(backward ? values : 0, features, arena)) {}

  [[nodiscard]] View packed(float* data, int count, int width) const {
    return {data, count, width, width};
  }

  HeadSums sums;
  HeadSums slopes;
  View transposed;
  std::int64_t clamps = 0;
};

float largest_logit(const LinearShape& s,
                    const LinearInput& in,
                    int head,
                    SumsScratch& x) {
  float largest = -1e30F;
  if (s.features.kind == Feature::Positive) {
    for_blocks(in.k.rows, head, head + 1, [&](TokenBlock b) {
      x.key.read(block_of(in.k, b, s.key_width), 1.0F);
      for (int i = 0; i < b.count; ++i) {
        largest = std::fmax(largest, x.key.largest(i));
      }
    });
  }
  return largest;
}

void read_block_keys(const LinearShape& s,
                     const LinearInput& in,
                     float reference,
                     SumsScratch& x,
                     const TokenBlock& b) {
  x.key.read(block_of(in.k, b, s.key_width), inverse_sigma_of(in, b.head));
  std::array<float, kScanSteps> references;
  references.fill(reference);
  x.key.finish(references.data());
  pack(block_of(in.v, b, s.value_width), 1.0F, x.v, x.values);
}

// Computes S and u of all keys.
void sum_keys(const LinearShape& s,
              const LinearInput& in,
              float reference,
              int head,
              SumsScratch& x) {
  x.sums.clear();
  for_blocks(in.k.rows, head, head + 1, [&](TokenBlock b) {
    read_block_keys(s, in, reference, x, b);
    const View phi = x.packed(x.key.phi(), b.count, x.features);
    num::matmul_transposed_add(phi, x.packed(x.v, b.count, x.values), x.sums.matrix);
    num::add_rows(phi, {x.sums.u.data, at(x.features)});
  });
}

void head_forward(const LinearShape& s,
                  const LinearInput& in,
                  const LinearOutput& out,
                  int head,
                  SumsScratch& x) {
  const float reference = largest_logit(s, in, head, x);
  sum_keys(s, in, reference, head, x);
  for_blocks(in.q.rows, head, head + 1, [&](TokenBlock b) {
    x.read_queries(s, in, b);
    const View phi = x.packed(x.query.phi(), b.count, x.features);
    const View o = x.packed(x.o, b.count, x.values);
    num::matmul(phi, x.sums.matrix, o);
    for (int i = 0; i < b.count; ++i) {
      const auto sum = static_cast<float>(num::dot(row_block(phi, i, 1), x.sums.u));
      out.sum(b.first + i, head) = sum;
      if (out.reference.data != nullptr) {
        out.reference(b.first + i, head) = reference;
      }
      x.clamps += s.clamped && std::fabs(sum) < s.epsilon ? 1 : 0;
      num::scale({o.row(i), 1, o.cols, o.stride}, 1.0F / denominator(s, sum));
    }
    unpack(x.o, x.values, block_of(out.o, b, s.value_width));
  });
}

void head_backward(const LinearShape& s,
                   const LinearInput& in,
                   const LinearOutput& out,
                   ConstView d_o,
                   const LinearGradient& to,
                   int head,
                   SumsScratch& x) {
  const int n = in.q.rows;
  const bool positive = s.features.kind == Feature::Positive && n > 0;
  const float reference = positive ? out.reference(0, head) : 0.0F;
  double sigma = 0.0;
  sum_keys(s, in, reference, head, x);
  num::transpose(x.sums.matrix, x.transposed);
  x.slopes.clear();
  for_blocks(n, head, head + 1, [&](TokenBlock b) {
    x.read_queries(s, in, b);
    x.read_slopes(s, out, d_o, b);
    const View phi = x.packed(x.query.phi(), b.count, x.features);
    const View slope = x.packed(x.slope, b.count, x.values);
    const View d_phi = x.packed(x.d_phi, b.count, x.features);
    num::matmul(slope, x.transposed, d_phi);
    num::matmul_transposed_add(phi, slope, x.slopes.matrix);
    for (int i = 0; i < b.count; ++i) {
      const View row{d_phi.row(i), 1, x.features, x.features};
      num::add_scaled(x.sums.u, x.sum_slope[at(i)], row);
      num::add_scaled(
          {phi.row(i), 1, x.features, x.features}, x.sum_slope[at(i)], x.slopes.u);
    }
    sigma += x.query.backward(x.d_phi, block_of(to.q, b, s.key_width));
  });
  num::transpose(x.slopes.matrix, x.transposed);
  for_blocks(n, head, head + 1, [&](TokenBlock b) {
    read_block_keys(s, in, reference, x, b);
    const View phi = x.packed(x.key.phi(), b.count, x.features);
    const View d_phi = x.packed(x.d_phi, b.count, x.features);
    num::matmul(phi, x.slopes.matrix, x.packed(x.dv, b.count, x.values));
    unpack(x.dv, x.values, block_of(to.v, b, s.value_width));
    num::matmul(x.packed(x.v, b.count, x.values),
                x.transposed,
                d_phi,
                1.0F,
                {x.slopes.u.data, at(x.features)});
    sigma += x.key.backward(x.d_phi, block_of(to.k, b, s.key_width));
  });
  if (!to.inverse_sigma.empty()) {
    to.inverse_sigma[at(head)] = static_cast<float>(sigma);
  }
}

}  // namespace

std::int64_t linear_sums(const LinearShape& shape,
                         const LinearInput& in,
                         const LinearOutput& out,
                         Arena& arena) {
  assert(!shape.causal && in.gate.data == nullptr);
  std::vector<std::int64_t> clamps(at(shape.heads));
  for_head_groups<SumsScratch>(
      shape.heads,
      shape.threads,
      arena,
      [&](SumsScratch& x, int begin, int end) {
        for (int h = begin; h < end; ++h) {
          head_forward(shape, in, out, h, x);
        }
        clamps[at(begin)] = x.clamps;
      },
      shape,
      false);
  return std::accumulate(clamps.begin(), clamps.end(), std::int64_t{0});
}

void linear_backward(const LinearShape& shape,
                     const LinearInput& in,
                     const LinearOutput& out,
                     ConstView d_o,
                     const LinearGradient& gradient,
                     Arena& arena) {
  if (shape.causal) {
    linear_backward_causal(shape, in, out, d_o, gradient, arena);
    return;
  }
  for_each_head<SumsScratch>(
      shape.heads,
      shape.threads,
      arena,
      [&](SumsScratch& x, int head) {
        head_backward(shape, in, out, d_o, gradient, head, x);
      },
      shape,
      true);
}

std::size_t linear_scratch_bytes(const LinearShape& shape) {
  return shape.causal
             ? linear_scan_scratch_bytes(shape)
             : head_groups_bytes<SumsScratch>(shape.heads, shape.threads, shape, false);
}

std::size_t linear_backward_scratch_bytes(const LinearShape& shape, int n) {
  return shape.causal
             ? linear_backward_causal_scratch_bytes(shape, n)
             : head_groups_bytes<SumsScratch>(shape.heads, shape.threads, shape, true);
}

}  // namespace oa::attention
