// The weights of a tile of fused attention.
// Kernels include this file once for each instruction set.
#if defined(OA_ATTENTION_KERNEL_FUSED_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_FUSED_TILE_INL
#undef OA_ATTENTION_KERNEL_FUSED_TILE_INL
#else
#define OA_ATTENTION_KERNEL_FUSED_TILE_INL
#endif

#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
#include "survey/kernel/fused/tile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace tile {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

/// A register tile is kRows x (kVectors vectors), which an inner loop keeps in
/// registers: 6 x 4 vectors and a row of the right factor take 28 of 32 registers;
/// 6 x 2 take 14 of 16.  A panel has as many keys as a tile is wide.
inline constexpr int kRows = kBandRows;
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int kVectors = 4;
#else
inline constexpr int kVectors = 2;
#endif

#ifndef OA_UNROLL
// Unrolls loops completely, so that arrays of vectors stay in registers.
#define OA_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_INLINE int lanes() {
  return static_cast<int>(hn::Lanes(Floats()));
}

/// Sets to[i] = factor * from[i] for i < count.
/// Calls look(x) with each vector, padded with zeros.
template <class Look>
HWY_INLINE void scale_row(
    const float* from, float factor, int count, float* to, const Look& look) {
  const Floats d;
  int i = 0;
  for (; i + lanes() <= count; i += lanes()) {
    const auto x = hn::LoadU(d, from + i);
    hn::StoreU(hn::Mul(hn::Set(d, factor), x), d, to + i);
    look(x);
  }
  if (i < count) {
    const auto x = load_some(from + i, count - i);
    store_some(hn::Mul(hn::Set(d, factor), x), to + i, count - i);
    look(x);
  }
}

HWY_INLINE void scale_row(const float* from, float factor, int count, float* to) {
  scale_row(from, factor, count, to, [](Vector /*x*/) {});
}

// Each row has a reference, so that weights 2^(logit - reference) neither overflow nor
// vanish.  References are integers: a change affects only exponents,
// so results do not depend on earlier keys, bit for bit.

/// A reference is raised once a logit (in base 2) exceeds it by more than kSlack.
/// Weights are then at most 2^8, and their sums are far from overflow.
inline constexpr float kSlack = 8.0F;
/// The limit of a row that has seen no key: any logit sets its reference.
inline constexpr float kUnset = -1e29F;

/// Some rows of queries and some keys of one panel.
struct Score {
  const float* q;  ///< rows of `depth` floats, scaled by scale * log2(e)
  std::ptrdiff_t q_stride;
  const float* k;  ///< `depth` rows of keys, `k_stride` apart
  std::ptrdiff_t k_stride;
  int depth;
  float* p;  ///< weights: 2^(logit - reference)
  std::ptrdiff_t p_stride;
  std::ptrdiff_t p_before;     ///< weights of these rows before p
  float* minus_reference;      ///< one a row
  float* limit;                ///< one a row: reference + kSlack, or kUnset
  float* sums;                 ///< a vector a row
  const std::uint64_t* masks;  ///< allowed keys of each row, a bit each
  std::ptrdiff_t masks_stride;
  int first_bit;  ///< of the key where p begins
  float* o;       ///< the partial sums of these rows' outputs
  std::ptrdiff_t o_stride;

  /// Advances by `rows` rows.
  HWY_INLINE void skip(int rows) {
    q += rows * q_stride;
    p += rows * p_stride;
    minus_reference += rows;
    limit += rows;
    sums += rows * lanes();
    masks += rows * masks_stride;
    o += rows * o_stride;
  }
};

/// Rescales the sums of a row for a reference that rises by `rise`.
HWY_NOINLINE inline void rescale_row(const Score& t, int r, float rise) {
  const Floats d;
  const auto factor = hn::Set(d, std::exp2(-rise));
  float* sums = t.sums + r * lanes();
  hn::StoreU(hn::Mul(factor, hn::LoadU(d, sums)), d, sums);
  const float* end = t.p + r * t.p_stride;
  for (float* p = t.p + r * t.p_stride - t.p_before; p < end; p += lanes()) {
    hn::StoreU(hn::Mul(factor, hn::LoadU(d, p)), d, p);
  }
  float* o = t.o + r * t.o_stride;
  for (std::ptrdiff_t j = 0; j < t.o_stride; j += lanes()) {
    hn::StoreU(hn::Mul(factor, hn::LoadU(d, o + j)), d, o + j);
  }
}

/// Raises the reference of a row if a logit exceeds the row's limit.
template <int V>
HWY_INLINE void raise_reference(const Score& t, int r, const Vector (&s)[V]) {
  const Floats d;
  auto top = s[0];
  OA_UNROLL for (int v = 1; v < V; ++v) {
    top = hn::Max(top, s[v]);
  }
  const float most = hn::GetLane(hn::MaxOfLanes(d, top));
  if (most > t.limit[r]) {
    const float reference = std::ceil(most);
    if (HWY_UNLIKELY(t.limit[r] != kUnset)) {
      rescale_row(t, r, reference + t.minus_reference[r]);
    }
    t.minus_reference[r] = -reference;
    t.limit[r] = reference + kSlack;
  }
}

/// Returns a mask of the lanes whose bits are set.
HWY_INLINE hn::Mask<Floats> allowed(std::uint64_t bits) {
  std::uint8_t bytes[8];
  std::memcpy(bytes, &bits, 8);
  return hn::LoadMaskBits(Floats(), bytes);
}

inline constexpr float kNoStart[kRows] = {};

/// s = start + a b, where b has `depth` rows and `start` has one number a row.
template <int R, int V>
HWY_INLINE void dot(const float* a,
                    std::ptrdiff_t a_stride,
                    const float* b,
                    std::ptrdiff_t b_stride,
                    int depth,
                    const float* start,
                    Vector (&s)[R][V]) {
  const Floats d;
  OA_UNROLL for (int r = 0; r < R; ++r) {
    const auto first = hn::Set(d, start[r]);
    OA_UNROLL for (int v = 0; v < V; ++v) {
      s[r][v] = first;
    }
  }
  for (int i = 0; i < depth; ++i, ++a, b += b_stride) {
    Vector line[V];
    OA_UNROLL for (int v = 0; v < V; ++v) {
      line[v] = hn::LoadU(d, b + v * lanes());
    }
    OA_UNROLL for (int r = 0; r < R; ++r) {
      const auto left = hn::Set(d, a[r * a_stride]);
      OA_UNROLL for (int v = 0; v < V; ++v) {
        s[r][v] = hn::MulAdd(left, line[v], s[r][v]);
      }
    }
  }
}

/// Raises the references of rows whose logits s exceed their limits.
template <int R, int V>
HWY_INLINE void keep_limits(const Score& t, const Vector (&s)[R][V]) {
  const Floats d;
  auto above = hn::MaskFromVec(hn::Zero(d));
  OA_UNROLL for (int r = 0; r < R; ++r) {
    auto top = s[r][0];
    OA_UNROLL for (int v = 1; v < V; ++v) {
      top = hn::Max(top, s[r][v]);
    }
    above = hn::Or(above, hn::Gt(top, hn::Set(d, t.limit[r])));
  }
  if (HWY_UNLIKELY(!hn::AllFalse(d, above))) {
    OA_UNROLL for (int r = 0; r < R; ++r) {
      raise_reference(t, r, s[r]);
    }
  }
}

/// Kinds of rows: masked ones do not see all keys.
enum class Rows : std::uint8_t { Masked, Full };

/// Computes p = 2^(s - reference), 0 where masked, and adds p to the sums.
template <Rows Kind, int R, int V>
HWY_INLINE void weigh_logits(const Score& t, Vector (&s)[R][V]) {
  const Floats d;
  if constexpr (Kind == Rows::Masked) {
    OA_UNROLL for (int r = 0; r < R; ++r) {
      OA_UNROLL for (int v = 0; v < V; ++v) {
        s[r][v] = hn::IfThenElse(
            allowed(t.masks[r * t.masks_stride] >> (t.first_bit + v * lanes())),
            s[r][v],
            hn::Set(d, std::numeric_limits<float>::lowest()));
      }
    }
  }
  keep_limits(t, s);
  OA_UNROLL for (int r = 0; r < R; ++r) {
    float* sums = t.sums + r * lanes();
    auto sum = hn::Load(d, sums);
    OA_UNROLL for (int v = 0; v < V; ++v) {
      const auto shift = hn::Set(d, t.minus_reference[r]);
      s[r][v] = exp2_shifted(d, s[r][v], shift);
      sum = hn::Add(sum, s[r][v]);
      hn::StoreU(s[r][v], d, t.p + r * t.p_stride + v * lanes());
    }
    hn::Store(sum, d, sums);
  }
}

/// Computes the weights of R rows and V vectors of keys.
template <int R, int V, Rows Kind>
void weigh(const Score& t) {
  Vector s[R][V];
  dot(t.q, t.q_stride, t.k, t.k_stride, t.depth, kNoStart, s);
  weigh_logits<Kind>(t, s);
}

using ScoreFunction = void (*)(const Score&);

/// Returns the array make(0), ..., make(Count - 1), with numbers as integral constants.
template <class Function, int Count, class Make>
constexpr std::array<Function, Count> function_table(Make make) {
  return [&]<int... I>(std::integer_sequence<int, I...> /*all*/) {
    return std::array<Function, Count>{make(std::integral_constant<int, I>())...};
  }
  (std::make_integer_sequence<int, Count>());
}

/// Indexed by rows - 1 and vectors - 1; without masks by rows - 1, for whole panels.
inline constexpr auto kMaskedTable =
    function_table<ScoreFunction, kRows * kVectors>([](auto i) -> ScoreFunction {
      return &weigh<i / kVectors + 1, i % kVectors + 1, Rows::Masked>;
    });
inline constexpr auto kWholeTable = function_table<ScoreFunction, kRows>(
    [](auto i) -> ScoreFunction { return &weigh<i + 1, kVectors, Rows::Full>; });

}  // namespace tile

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
