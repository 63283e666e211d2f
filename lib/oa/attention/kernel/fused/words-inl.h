// Two bfloat16 or four integers in a word, for tiles of fused attention; included once,
// for AVX-512 with BF16 and VNNI, by kernels.
#ifndef OA_ATTENTION_KERNEL_FUSED_WORDS_INL
#define OA_ATTENTION_KERNEL_FUSED_WORDS_INL

#include "oa/attention/kernel/fused/panels-inl.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace words {

namespace hn = hwy::HWY_NAMESPACE;
using tile::Floats;
using tile::lanes;
using tile::Vector;

inline constexpr int kLanes = 16;
using Integers = hn::RebindToSigned<Floats>;

/// Numbers i .. i+15 of a row of `count`, padded with zeros.
HWY_INLINE Vector load(const float* row, int i, int count) {
  const int some = std::clamp(count - i, 0, kLanes);
  return Vector{
      _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << some) - 1), row + i)};
}

/// Raises `squares` by the squares of a row.
HWY_INLINE void look_at(const float* row, int count, Vector& squares) {
  auto sum = hn::Zero(Floats());
  for (int i = 0; i < count; i += kLanes) {
    const auto x = load(row, i, count);
    sum = hn::MulAdd(x, x, sum);
  }
  squares = hn::Max(sum, squares);
}

/// Row i; prefetches a later one, because rows are read in pieces and the hardware
/// prefetcher does not recognise that.
HWY_INLINE const float* row_ahead(const HeadRows& rows, int i, int column) {
  constexpr int kAhead = 12;
  if (i + kAhead < rows.rows) {
    const float* later = rows.row(i + kAhead) + column;
    hwy::Prefetch(later);
    hwy::Prefetch(later + kLanes);
  }
  return rows.row(i);
}

/// bfloat16 of a, then of b
HWY_INLINE Vector rounded(Vector a, Vector b) {
  return Vector{reinterpret_cast<__m512>(_mm512_cvtne2ps_pbh(b.raw, a.raw))};
}
/// The nearest bfloat16 in the lower half of each word.
HWY_INLINE hn::Vec<Integers> rounded(Vector x) {
  return {_mm512_cvtepu16_epi32(reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(x.raw)))};
}
HWY_INLINE Vector float_of_lower(hn::Vec<Integers> word) {
  return hn::BitCast(Floats(), hn::ShiftLeft<16>(word));
}
HWY_INLINE Vector float_of_upper(hn::Vec<Integers> word) {
  return hn::BitCast(Floats(), hn::And(word, hn::Set(Integers(), -65536)));
}
/// A word of two lower halves.
HWY_INLINE hn::Vec<Integers> joined(hn::Vec<Integers> lower, hn::Vec<Integers> upper) {
  return hn::Or(lower, hn::ShiftLeft<16>(upper));
}

/// Packs values of keys first .. first+panel-1: row i has those of keys first+2i and
/// first+2i+1 interleaved.  Returns whether all are finite.
inline bool pack_values(const HeadRows& v, int first, int panel, float* packed) {
  const Integers di;
  const int padded = panels::padded(v.width);
  auto zeros = hn::Zero(Floats());
  for (int j = 0; j < panel; ++j) {
    float* to = packed + j / 2 * padded;
    for (int i = 0; i < padded; i += kLanes) {
      const int key = first + j;
      const auto half = rounded(key < v.rows ? load(row_ahead(v, key, i), i, v.width)
                                             : hn::Zero(Floats()));
      zeros = hn::MulAdd(float_of_lower(half), hn::Zero(Floats()), zeros);
      const auto other = hn::BitCast(di, hn::LoadU(Floats(), to + i));
      hn::StoreU(hn::BitCast(Floats(), j % 2 == 0 ? half : joined(other, half)),
                 Floats(),
                 to + i);
    }
  }
  return hn::GetLane(hn::SumOfLanes(Floats(), zeros)) == 0.0F;
}

/// Packs keys: fill(key, i, words) writes words i .. i+15 of a key, and word i of all
/// keys makes row i of `packed`.
template <class Fill>
HWY_INLINE void pack_rows(int count, int panel, int used, Fill fill, float* packed) {
  alignas(64) float row[64 * kLanes];
  for (int i = 0; i < used; i += kLanes) {
    for (int j = 0; j < count; ++j) {
      fill(j, i, row + j * kLanes);
    }
    HeadRows rows(
        num::ConstView{row, count, kLanes, kLanes}, 0, std::min(kLanes, used - i));
    panels::pack_panel(rows, 0, panel, packed + i * panel);
  }
}

/// Two bfloat16 in a word.
struct Bf16 {
  static constexpr int kKeys = 2;
  static constexpr bool kValuesPacked = true;
  static constexpr int kExponentDegree =
      3;  // its error is far below that of rounded weights

  static int depth(int width) { return (width + 1) / 2; }
  template <int V>
  HWY_INLINE static void squared_lengths(const float* keys,
                                         std::ptrdiff_t stride,
                                         int width,
                                         Vector (&squares)[V]) {
    tile::sums_of_squares<Bf16>(keys, stride, depth(width), squares);
  }
  static int query_words(int width) { return depth(width); }

  HWY_INLINE static Vector multiply_add(Vector a, Vector b, Vector sum) {
    return Vector{_mm512_dpbf16_ps(
        sum.raw, reinterpret_cast<__m512bh>(a.raw), reinterpret_cast<__m512bh>(b.raw))};
  }
  template <int R, int V>
  HWY_INLINE static void logits(const tile::Score& t, Vector (&s)[R][V]) {
    tile::dot<Bf16>(
        t.q, t.q_stride, t.k, t.k_stride, t.depth, tile::kNoStart, *t.prefetch, s);
  }
  HWY_INLINE static Vector scaled(Vector factor, Vector word) {
    const auto w = hn::BitCast(Integers(), word);
    const auto lower = rounded(hn::Mul(factor, float_of_lower(w)));
    const auto upper = rounded(hn::Mul(factor, float_of_upper(w)));
    return hn::BitCast(Floats(), joined(lower, upper));
  }
  template <int V>
  HWY_INLINE static void store_weights(const Vector (&e)[V], float* p) {
    OA_UNROLL for (int v = 0; v + 1 < V; v += 2) {
      hn::StoreU(rounded(e[v], e[v + 1]), Floats(), p + v * (kLanes / 2));
    }
    if constexpr (V % 2 != 0) {
      _mm256_storeu_ps(p + (V - 1) * (kLanes / 2),
                       reinterpret_cast<__m256>(_mm512_cvtneps_pbh(e[V - 1].raw)));
    }
  }
  static void pack_query(
      const float* q, float factor, int width, float* to, Vector& squares) {
    look_at(q, width, squares);
    const int words = depth(width);
    for (int i = 0; i < words; i += kLanes) {
      const auto f = hn::Set(Floats(), factor);
      const auto two = rounded(hn::Mul(f, load(q, 2 * i, width)),
                               hn::Mul(f, load(q, 2 * i + kLanes, width)));
      if (i + kLanes <= words) {
        hn::StoreU(two, Floats(), to + i);
      } else {
        _mm512_mask_storeu_ps(
            to + i, static_cast<__mmask16>((1U << (words - i)) - 1), two.raw);
      }
    }
  }
  static void pack_keys(const HeadRows& k, int first, int panel, float* packed) {
    pack_rows(
        std::min(panel, k.rows - first),
        panel,
        depth(k.width),
        [&](int j, int i, float* to) {
          const float* row = row_ahead(k, first + j, 2 * i);
          hn::Store(
              rounded(load(row, 2 * i, k.width), load(row, 2 * i + kLanes, k.width)),
              Floats(),
              to);
        },
        packed);
  }
  /// Number 0 or 1 of a word.
  static float part(float word, int which) {
    const auto bits = std::bit_cast<std::uint32_t>(word);
    return std::bit_cast<float>(which == 0 ? bits << 16 : bits & 0xFFFF0000U);
  }
};

/// Four integers in a word for queries and keys, two bfloat16 for weights and values.
/// The processor multiplies unsigned by signed numbers.  Queries are stored with 128
/// added; each key contributes -128 times its sum:
///   logit = factor of q * factor of k * (sum of (q + 128) k - 128 sum of k)
/// After the words of a query comes its factor; after those of a key its contribution
/// and its factor.
struct Int8 : Bf16 {
  static int depth(int width) { return (width + 3) / 4; }
  static int query_words(int width) { return depth(width) + 1; }
  template <int V>
  HWY_INLINE static void squared_lengths(const float* keys,
                                         std::ptrdiff_t stride,
                                         int width,
                                         Vector (&squares)[V]) {
    const Floats d;
    const float* factors = keys + (depth(width) + 1) * stride;
    OA_UNROLL for (int v = 0; v < V; ++v) {
      auto sum = hn::Zero(Integers());
      for (int i = 0; i < depth(width); ++i) {
        const auto word =
            hn::BitCast(Integers(), hn::LoadU(d, keys + i * stride + v * kLanes));
        const __m512i sizes = _mm512_abs_epi8(word.raw);
        sum = {_mm512_dpbusd_epi32(sum.raw, sizes, sizes)};
      }
      const auto factor = hn::LoadU(d, factors + v * kLanes);
      squares[v] = hn::Mul(hn::ConvertTo(d, sum), hn::Mul(factor, factor));
    }
  }

  template <int R, int V>
  HWY_INLINE static void logits(const tile::Score& t, Vector (&s)[R][V]) {
    const Floats d;
    const Integers di;
    const float* behind = t.k + t.depth * t.k_stride;
    hn::Vec<Integers> sum[R][V];
    OA_UNROLL for (int v = 0; v < V; ++v) {
      const auto first = hn::BitCast(di, hn::LoadU(d, behind + v * kLanes));
      OA_UNROLL for (int r = 0; r < R; ++r) {
        sum[r][v] = first;
      }
    }
    const float* q = t.q;
    const float* k = t.k;
    LinePrefetch lines = *t.prefetch;  // in registers
    for (int i = 0; i < t.depth; ++i, ++q, k += t.k_stride) {
      lines.fetch_next();
      hn::Vec<Integers> line[V];
      OA_UNROLL for (int v = 0; v < V; ++v) {
        line[v] = hn::BitCast(di, hn::LoadU(d, k + v * kLanes));
      }
      OA_UNROLL for (int r = 0; r < R; ++r) {
        const auto left = hn::BitCast(di, hn::Set(d, q[r * t.q_stride]));
        OA_UNROLL for (int v = 0; v < V; ++v) {
          sum[r][v] = {_mm512_dpbusd_epi32(sum[r][v].raw, left.raw, line[v].raw)};
        }
      }
    }
    *t.prefetch = lines;
    OA_UNROLL for (int v = 0; v < V; ++v) {
      const auto of_key = hn::LoadU(d, behind + t.k_stride + v * kLanes);
      OA_UNROLL for (int r = 0; r < R; ++r) {
        const auto of_query = hn::Set(d, q[r * t.q_stride]);
        s[r][v] = hn::Mul(hn::ConvertTo(d, sum[r][v]), hn::Mul(of_key, of_query));
      }
    }
  }

  /// Words i .. i+15 of a row of `width` numbers; returns the sum of the numbers before
  /// `more` is added.
  HWY_INLINE static int whole(
      const float* row, int i, int width, float inverse, int more, float* words) {
    auto* bytes = reinterpret_cast<std::int8_t*>(words);
    auto sum = hn::Zero(Integers());
    for (int part = 0; part < 4; ++part) {
      const auto x = load(row, 4 * i + part * kLanes, width);
      const auto n = hn::NearestInt(hn::Mul(x, hn::Set(Floats(), inverse)));
      sum = hn::Add(sum, n);
      const auto moved = hn::Add(n, hn::Set(Integers(), more));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes + part * kLanes),
                       _mm512_cvtepi32_epi8(moved.raw));
    }
    return hn::GetLane(hn::SumOfLanes(Integers(), sum));
  }

  /// The largest magnitude of a row over 127; NaN if some number is not finite.
  static float factor_of(const float* row, int width) {
    const Floats d;
    auto top = hn::Zero(d);
    auto zeros = hn::Zero(d);
    for (int i = 0; i < width; i += kLanes) {
      const auto x = load(row, i, width);
      top = hn::Max(top, hn::Abs(x));
      zeros = hn::MulAdd(x, hn::Zero(d), zeros);
    }
    return hn::GetLane(hn::MaxOfLanes(d, top)) / 127.0F +
           hn::GetLane(hn::SumOfLanes(d, zeros));
  }
  /// 0 instead of overflow: numbers that small become 0.
  static float inverse_of(float factor) {
    return factor > 1e-37F ? 1.0F / factor : 0.0F;
  }

  static void pack_query(
      const float* q, float factor, int width, float* to, Vector& squares) {
    pack_query(q, factor, width, 128, to, squares);
  }
  /// `more` is added to all numbers.
  static void pack_query(
      const float* q, float factor, int width, int more, float* to, Vector& squares) {
    look_at(q, width, squares);
    const float of_row = factor_of(q, width);
    const float inverse = inverse_of(of_row);
    const int words = depth(width);
    alignas(64) float some[kLanes];
    for (int i = 0; i < words; i += kLanes) {
      whole(q, i, width, inverse, more, some);
      std::copy_n(some, std::min(kLanes, words - i), to + i);
    }
    to[words] = of_row * factor;
  }
  static void pack_keys(const HeadRows& k, int first, int panel, float* packed) {
    const int count = std::min(panel, k.rows - first);
    const int words = depth(k.width);
    float* added = packed + words * panel;
    float* factors = added + panel;
    int sums[64] = {};
    std::fill(factors, factors + panel, 0.0F);
    for (int j = 0; j < count; ++j) {
      factors[j] = factor_of(k.row(first + j), k.width);
    }
    pack_rows(
        count,
        panel,
        words,
        [&](int j, int i, float* to) {
          const float inverse = inverse_of(factors[j]);
          sums[j] += whole(k.row(first + j), i, k.width, inverse, 0, to);
        },
        packed);
    for (int j = 0; j < panel; ++j) {
      added[j] = std::bit_cast<float>(-128 * sums[j]);
    }
  }
};

}  // namespace words

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // OA_ATTENTION_KERNEL_FUSED_WORDS_INL
