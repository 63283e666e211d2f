#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::num {

// Products of small matrices: the bulk of all arithmetic.  Each element is summed by
// fused multiply-adds over increasing k, for any shape, so a product of a matrix with
// its transpose is bitwise symmetric.  Kernels read the padding of b and write the
// padding of c: zeros give zeros. c must not overlap another operand.

/// Computes c (M,N) = scale * a (M,K) b (K,N) + 1 bias'.
/// `bias` has c.stride floats or is empty.
void matmul(ConstView a,
            ConstView b,
            View c,
            float scale = 1.0F,
            std::span<const float> bias = {});

/// c (M,N) += scale * a (M,K) b (K,N)
void matmul_add(ConstView a, ConstView b, View c, float scale = 1.0F);

/// c (M,N) += scale * a' b  with a (K,M), b (K,N)
void matmul_transposed_add(ConstView a, ConstView b, View c, float scale = 1.0F);

/// t (N,M) = a' with a (M,N); the padding of t becomes zero.
void transpose(ConstView a, View t);

}  // namespace oa::num
