#include "survey/kernel/fused/rows.h"

#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <utility>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
#include "oa/num/register_tile-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace register_tile = num::HWY_NAMESPACE::register_tile;

HWY_INLINE HWY_ATTR hn::Mask<Floats> first_lanes(int count) {
  return hn::FirstN(Floats(), static_cast<std::size_t>(count));
}

HWY_INLINE HWY_ATTR float top_of_row(std::span<const Run> runs, const float* row) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto lowest = hn::Set(d, std::numeric_limits<float>::lowest());
  auto top = lowest;
  auto other = lowest;
  for (const Run run : runs) {
    int j = run.begin;
    for (; j + 2 * lanes <= run.end; j += 2 * lanes) {
      top = hn::Max(top, hn::LoadU(d, row + j));
      other = hn::Max(other, hn::LoadU(d, row + j + lanes));
    }
    if (j + lanes <= run.end) {
      top = hn::Max(top, hn::LoadU(d, row + j));
      j += lanes;
    }
    if (const int some = run.end - j; some > 0) {
      const auto x = load_some(row + j, some);
      top = hn::Max(top, hn::IfThenElse(first_lanes(some), x, lowest));
    }
  }
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(top, other)));
}

HWY_ATTR void tops_of_rows(const SeenRuns& seen,
                           num::ConstView logits,
                           std::span<float> tops) {
  for (int r = 0; r < logits.rows; ++r) {
    tops[static_cast<std::size_t>(r)] = top_of_row(seen.of(r), logits.row(r));
  }
}

// Queries first .. first+count-1 and some vectors of keys, which fit into registers.
struct Part {
  int first;
  int count;
  int key;  // the first
  int vectors;
  const std::uint64_t* bits;  // the seen keys of each query, null if it sees all
};

// Calls use(part) for the parts of a block with seen keys; fills the rest of `to` with
// 0.
template <class Use>
HWY_INLINE HWY_ATTR void for_parts(const SeenRuns& seen,
                                   bool masked,
                                   std::initializer_list<num::View> to,
                                   const Use& use) {
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  const int panel = register_tile::kVectors * lanes;
  const num::View& shape = *to.begin();
  const int bands = (shape.rows + register_tile::kRows - 1) / register_tile::kRows;
  for (int key = 0; key < shape.cols; key += panel) {
    const int vectors = (std::min(panel, shape.cols - key) + lanes - 1) / lanes;
    const bool whole = !masked && seen.every().begin <= key &&
                       key + vectors * lanes <= seen.every().end;
    for (int band = 0; band < bands; ++band) {
      const int first = band * shape.rows / bands;
      const int count = (band + 1) * shape.rows / bands - first;
      if (whole) {
        use(Part{first, count, key, vectors, nullptr});
        continue;
      }
      std::uint64_t bits[register_tile::kRows];
      std::uint64_t any = 0;
      for (int r = 0; r < count; ++r) {
        bits[r] = seen.bits(first + r, {key, key + vectors * lanes});
        any |= bits[r];
      }
      const int begin = std::min(std::countr_zero(any) / lanes, vectors);
      const int end = std::min((63 - std::countl_zero(any)) / lanes + 1, vectors);
      for (const num::View& x : to) {
        for (int r = first; r < first + count && end - begin < vectors; ++r) {
          std::fill_n(x.row(r) + key, vectors * lanes, 0.0F);
        }
      }
      for (int r = 0; r < count && any != 0; ++r) {
        bits[r] >>= begin * lanes;
      }
      if (any != 0) {
        use(Part{first, count, key + begin * lanes, end - begin, bits});
      }
    }
  }
}

template <class Rows>
using TileFunction = void (*)(const Rows&, const Part&);

// Returns make(i) for tiles of i / kVectors + 1 rows and i % kVectors + 1 vectors.
template <class Rows, class Make>
constexpr auto tile_table(Make make) {
  return [&]<int... I>(std::integer_sequence<int, I...> /*all*/) {
    return std::array<TileFunction<Rows>, sizeof...(I)>{
        make(std::integral_constant<int, I>())...};
  }
  (std::make_integer_sequence<int, register_tile::kRows * register_tile::kVectors>());
}
HWY_INLINE std::size_t tile_index(const Part& part) {
  return static_cast<std::size_t>((part.count - 1) * register_tile::kVectors +
                                  part.vectors - 1);
}

// Computes the products of a part's queries and keys.
template <int R, int V>
HWY_INLINE HWY_ATTR void multiply_part(const Part& part,
                                       const num::ConstView& q,
                                       const num::ConstView& k,
                                       Vector (&s)[R][V]) {
  register_tile::multiply_rows(
      q.row(part.first), q.stride, 1, k.data + part.key, k.stride, k.rows, s);
}

// Returns the mask of a row's seen keys, from lane `first` on.
HWY_INLINE HWY_ATTR hn::Mask<Floats> seen_lanes(std::uint64_t bits, int first) {
  bits >>= first;
  std::uint8_t bytes[sizeof(bits)];
  std::memcpy(bytes, &bits, sizeof(bits));
  return hn::LoadMaskBits(Floats(), bytes);
}

// A reference is raised once a logit exceeds it by more: weights are at most 2^8.
constexpr float kSlack = 8.0F;

// Scales the sums of a row, and its weights left of a key.
HWY_NOINLINE HWY_ATTR void scale_row(const WeightRows& t,
                                     int r,
                                     int key,
                                     float factor) {
  const Floats d;
  float* sums = t.sums.row(r);
  hn::Store(hn::Mul(hn::Set(d, factor), hn::Load(d, sums)), d, sums);
  t.rows[static_cast<std::size_t>(r)].sum *= factor;
  num::scale({t.p.row(r), 1, key, t.p.stride}, factor);
  num::scale({t.o.row(r), 1, t.o.cols, t.o.stride}, factor);
}

// Raises the reference of a row if a logit exceeds its limit.
HWY_INLINE HWY_ATTR void raise_reference(const WeightRows& t,
                                         int r,
                                         int key,
                                         Vector tops) {
  const float top = hn::GetLane(hn::MaxOfLanes(Floats(), tops));
  RowSum& row = t.rows[static_cast<std::size_t>(r)];
  if (top > row.limit) {
    const float reference = std::ceil(top);
    if (HWY_UNLIKELY(row.limit != RowSum::kUnset)) {
      scale_row(t, r, key, std::exp2(row.reference - reference));
    }
    row.reference = reference;
    row.limit = reference + kSlack;
  }
}

// Computes the weights of R queries and V vectors of keys.
template <int R, int V, bool Masked>
HWY_ATTR void weigh_tile(const WeightRows& t, const Part& part) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const RowSum* rows = &t.rows[static_cast<std::size_t>(part.first)];
  float* sums = t.sums.row(part.first);
  float* p = t.p.row(part.first) + part.key;
  const std::ptrdiff_t stride = t.p.stride;
  Vector s[R][V];
  multiply_part(part, t.q, t.k, s);
  auto above = hn::MaskFromVec(hn::Zero(d));
  Vector top[R];
  OA_UNROLL for (int r = 0; r < R; ++r) {
    OA_UNROLL for (int v = 0; v < V; ++v) {
      if constexpr (Masked) {
        s[r][v] = hn::IfThenElse(seen_lanes(part.bits[r], v * lanes),
                                 s[r][v],
                                 hn::Set(d, std::numeric_limits<float>::lowest()));
      }
      top[r] = v == 0 ? s[r][0] : hn::Max(top[r], s[r][v]);
    }
    above = hn::Or(above, hn::Gt(top[r], hn::Set(d, rows[r].limit)));
  }
  if (HWY_UNLIKELY(!hn::AllFalse(d, above))) {
    OA_UNROLL for (int r = 0; r < R; ++r) {
      raise_reference(t, part.first + r, part.key, top[r]);
    }
  }
  OA_UNROLL for (int r = 0; r < R; ++r) {
    const auto shift = hn::Set(d, -rows[r].reference);
    auto sum = hn::Load(d, sums + r * num::kLane);
    OA_UNROLL for (int v = 0; v < V; ++v) {
      auto weight = exp2_shifted(d, s[r][v], shift);
      if constexpr (Masked) {
        // NaN is not below `least`, so it is kept.
        weight = hn::IfThenZeroElse(hn::Lt(s[r][v], hn::Set(d, rows[r].least)), weight);
      }
      sum = hn::Add(sum, weight);
      hn::Store(weight, d, p + r * stride + v * lanes);
    }
    hn::Store(sum, d, sums + r * num::kLane);
  }
}

template <bool Masked>
constexpr auto kWeigh = tile_table<WeightRows>([](auto i) -> TileFunction<WeightRows> {
  return &weigh_tile<i / register_tile::kVectors + 1,
                     i % register_tile::kVectors + 1,
                     Masked>;
});

HWY_ATTR void weights_of_rows(const SeenRuns& seen, const WeightRows& t) {
  const Floats d;
  const bool cut = std::ranges::any_of(t.rows, [](const RowSum& row) {
    return row.least != -std::numeric_limits<float>::infinity();
  });
  num::fill(t.sums, 0.0F);
  for_parts(seen, cut, {t.p}, [&](const Part& part) HWY_ATTR {
    const auto& functions = part.bits == nullptr ? kWeigh<false> : kWeigh<true>;
    functions[tile_index(part)](t, part);
  });
  for (int r = 0; r < t.p.rows; ++r) {
    t.rows[static_cast<std::size_t>(r)].sum +=
        hn::GetLane(hn::SumOfLanes(d, hn::Load(d, t.sums.row(r))));
  }
}

// Computes the weights and gradients of R queries and V vectors of keys.
template <int R, int V, bool Masked>
HWY_ATTR void slope_tile(const SlopeRows& t, const Part& part) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const float* log2_sums = &t.log2_sums[static_cast<std::size_t>(part.first)];
  const float* deltas = &t.deltas[static_cast<std::size_t>(part.first)];
  float* p = t.p.row(part.first) + part.key;
  float* ds = t.ds.row(part.first) + part.key;
  const std::ptrdiff_t stride = t.p.stride;
  Vector s[R][V];
  multiply_part(part, t.q, t.k, s);
  OA_UNROLL for (int r = 0; r < R; ++r) {
    const auto log_sum = hn::Set(d, log2_sums[r]);
    OA_UNROLL for (int v = 0; v < V; ++v) {
      auto weight = exp2_below_128(d, hn::Sub(s[r][v], log_sum));
      if constexpr (Masked) {
        weight = hn::IfThenElseZero(seen_lanes(part.bits[r], v * lanes), weight);
      }
      hn::Store(weight, d, p + r * stride + v * lanes);
    }
  }
  multiply_part(part, t.d_o, t.v, s);
  OA_UNROLL for (int r = 0; r < R; ++r) {
    const auto delta = hn::Set(d, deltas[r]);
    OA_UNROLL for (int v = 0; v < V; ++v) {
      const auto weight = hn::Load(d, p + r * stride + v * lanes);
      auto slope = hn::Mul(weight, hn::Sub(s[r][v], delta));
      if constexpr (Masked) {  // hides values that are infinite or NaN
        slope = hn::IfThenZeroElse(hn::Eq(weight, hn::Zero(d)), slope);
      }
      hn::Store(slope, d, ds + r * stride + v * lanes);
    }
  }
}

template <bool Masked>
constexpr auto kSlope = tile_table<SlopeRows>([](auto i) -> TileFunction<SlopeRows> {
  return &slope_tile<i / register_tile::kVectors + 1,
                     i % register_tile::kVectors + 1,
                     Masked>;
});

HWY_ATTR void slopes_of_rows(const SeenRuns& seen, const SlopeRows& t) {
  for_parts(seen, false, {t.p, t.ds}, [&](const Part& part) HWY_ATTR {
    const auto& functions = part.bits == nullptr ? kSlope<false> : kSlope<true>;
    functions[tile_index(part)](t, part);
  });
}

HWY_ATTR void deltas_of_rows(num::ConstView o,
                             num::ConstView d_o,
                             std::span<float> deltas) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int r = 0; r < o.rows; ++r) {
    auto product = hn::Zero(d);
    for (int j = 0; j < o.cols; j += lanes) {
      const int some = o.cols - j;
      product = hn::MulAdd(
          load_some(o.row(r) + j, some), load_some(d_o.row(r) + j, some), product);
    }
    deltas[static_cast<std::size_t>(r)] = hn::GetLane(hn::SumOfLanes(d, product));
  }
}

// 0 times a finite number is 0 or -0, else NaN; bits are collected faster than a sum.
HWY_ATTR bool finite_rows(num::ConstView x) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto bits = hn::Zero(d);
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.cols; j += lanes) {
      bits = hn::Or(bits, hn::Mul(load_some(x.row(i) + j, x.cols - j), hn::Zero(d)));
    }
  }
  return hn::AllTrue(d, hn::Eq(bits, hn::Zero(d)));
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(tops_of_rows);
HWY_EXPORT(weights_of_rows);
HWY_EXPORT(slopes_of_rows);
HWY_EXPORT(deltas_of_rows);
HWY_EXPORT(finite_rows);

/// Calls use(run) for the parts of a query's runs within `keys`, relative to its begin.
template <class Use>
void for_runs(const Pattern& pattern, int query, Run keys, const Use& use) {
  const auto part = [&](const Run& run) {
    const int begin = std::max(run.begin, keys.begin);
    const int end = std::min(run.end, keys.end);
    if (begin < end) {
      use(Run{begin - keys.begin, end - keys.begin});
    }
  };
  if (pattern.is_band()) {
    part(pattern.band_row(query));
    return;
  }
  const std::span<const Run> all = pattern.runs(query);
  auto run = std::ranges::upper_bound(all, keys.begin, {}, &Run::end);
  for (; run != all.end() && run->begin < keys.end; ++run) {
    part(*run);
  }
}

}  // namespace

SeenRuns::SeenRuns(const Pattern& pattern, int first, int count, Run keys)
    : every_{0, keys.length()} {
  whole_ = pattern.is_band() &&
           pattern.band_row(first + count - 1).begin <= keys.begin &&
           keys.end <= pattern.band_row(first).end;
  if (whole_) {
    return;
  }
  runs_.reserve(static_cast<std::size_t>(count));
  ends_.reserve(static_cast<std::size_t>(count) + 1);
  for (int query = first; query < first + count; ++query) {
    Run longest;
    for_runs(pattern, query, keys, [&](Run run) {
      runs_.push_back(run);
      longest = run.length() > longest.length() ? run : longest;
    });
    ends_.push_back(runs_.size());
    every_ = {std::max(every_.begin, longest.begin), std::min(every_.end, longest.end)};
  }
}

std::uint64_t SeenRuns::bits(int row, Run keys) const {
  std::uint64_t bits = 0;
  for (const Run& run : of(row)) {
    const int begin = std::max(run.begin, keys.begin);
    const int end = std::min(run.end, keys.end);
    if (begin < end) {
      bits |= ~std::uint64_t{0} >> (64 - (end - begin)) << (begin - keys.begin);
    }
  }
  return bits;
}

void find_tops(const SeenRuns& seen, num::ConstView logits, std::span<float> tops) {
  HWY_DYNAMIC_DISPATCH(tops_of_rows)(seen, logits, tops);
}

void weigh_rows(const SeenRuns& seen, const WeightRows& rows) {
  HWY_DYNAMIC_DISPATCH(weights_of_rows)(seen, rows);
}

void slope_rows(const SeenRuns& seen, const SlopeRows& rows) {
  HWY_DYNAMIC_DISPATCH(slopes_of_rows)(seen, rows);
}

void find_deltas(num::ConstView o, num::ConstView d_o, std::span<float> deltas) {
  HWY_DYNAMIC_DISPATCH(deltas_of_rows)(o, d_o, deltas);
}

bool all_finite(num::ConstView x) {
  return HWY_DYNAMIC_DISPATCH(finite_rows)(x);
}

void add_weighted(
    num::ConstView a, bool transposed, num::ConstView b, bool finite, num::View c) {
  if (finite) {
    transposed ? num::matmul_transposed_add(a, b, c) : num::matmul_add(a, b, c);
    return;
  }
  for (int i = 0; i < c.rows; ++i) {
    for (int k = 0; k < b.rows; ++k) {
      const float factor = transposed ? a(k, i) : a(i, k);
      for (int j = 0; j < c.cols && factor != 0.0F; ++j) {
        c(i, j) += factor * b(k, j);
      }
    }
  }
}

std::vector<Run> seen_blocks(
    const Pattern& pattern, int first, int count, Run keys, int most) {
  std::vector<Run> blocks;
  const auto add = [&](int begin, int end) {
    for (; begin < end; begin += most) {
      blocks.push_back({begin, std::min(begin + most, end)});
    }
  };
  if (pattern.is_band()) {
    const int begin = pattern.band_row(first).begin / num::kLane * num::kLane;
    add(std::max(begin, keys.begin),
        std::min(pattern.band_row(first + count - 1).end, keys.end));
    return blocks;
  }
  // Panels of num::kLane keys.
  std::vector<std::uint8_t> seen(
      static_cast<std::size_t>(num::padded(keys.length()) / num::kLane + 1), 0);
  for (int q = first; q < first + count; ++q) {
    if (q == first || !pattern.alike(q - 1, q)) {
      for_runs(pattern, q, keys, [&](Run run) {
        std::fill(seen.begin() + run.begin / num::kLane,
                  seen.begin() + (run.end - 1) / num::kLane + 1,
                  std::uint8_t{1});
      });
    }
  }
  for (auto begin = seen.begin(); begin != seen.end();) {
    begin = std::find(begin, seen.end(), 1);
    const auto end = std::find(begin, seen.end(), 0);
    const auto key = [&](auto panel) {
      return keys.begin + static_cast<int>(panel - seen.begin()) * num::kLane;
    };
    add(key(begin), std::min(key(end), keys.end));
    begin = end;
  }
  return blocks;
}

}  // namespace oa::attention
#endif
