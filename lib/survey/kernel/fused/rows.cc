#include "survey/kernel/fused/rows.h"

#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
// clang-format off: once for each target, so after foreach_target.h
#include "oa/attention/kernel/exponent-inl.h"
#include "oa/attention/kernel/partial_load-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

HWY_INLINE HWY_ATTR hn::Mask<Floats> first_lanes(int count) {
  return hn::FirstN(Floats(), static_cast<std::size_t>(count));
}

HWY_INLINE HWY_ATTR float top_of_row(std::span<const Run> runs, const float* row) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto lowest = hn::Set(d, std::numeric_limits<float>::lowest());
  auto top = lowest;
  auto other = lowest;
  for (const Run& run : runs) {
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

// Replaces the visible logits x of a row by make(x), others by 0; returns the sum.
template <class Make>
HWY_INLINE HWY_ATTR float fill_row(std::span<const Run> runs,
                                   int length,
                                   float* row,
                                   const Make& make) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  int done = 0;
  for (const Run& run : runs) {
    std::fill(row + done, row + run.begin, 0.0F);
    int j = run.begin;
    for (; j + lanes <= run.end; j += lanes) {
      const auto p = make(hn::LoadU(d, row + j));
      sum = hn::Add(sum, p);
      hn::StoreU(p, d, row + j);
    }
    if (const int some = run.end - j; some > 0) {
      const auto p =
          hn::IfThenElseZero(first_lanes(some), make(load_some(row + j, some)));
      sum = hn::Add(sum, p);
      store_some(p, row + j, some);
    }
    done = run.end;
  }
  std::fill(row + done, row + length, 0.0F);
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// A reference is raised once a logit exceeds it by more: weights are at most 2^8.
constexpr float kSlack = 8.0F;

HWY_ATTR void weights_of_rows(const SeenRuns& seen,
                              num::View logits,
                              std::span<RowSum> rows,
                              num::View o) {
  const Floats d;
  for (int r = 0; r < logits.rows; ++r) {
    const std::span<const Run> runs = seen.of(r);
    RowSum& row = rows[static_cast<std::size_t>(r)];
    const float top = top_of_row(runs, logits.row(r));
    if (top > row.limit) {
      const float reference = std::ceil(top);
      if (row.limit != RowSum::kUnset) {
        const float factor = std::exp2(row.reference - reference);
        row.sum *= factor;
        num::scale({o.row(r), 1, o.cols, o.stride}, factor);
      }
      row.reference = reference;
      row.limit = reference + kSlack;
    }
    const auto shift = hn::Set(d, -row.reference);
    const auto least = hn::Set(d, row.least);
    // NaN is not below `least`, so it is kept.
    row.sum += fill_row(runs, logits.cols, logits.row(r), [&](Vector s) HWY_ATTR {
      return hn::IfThenZeroElse(hn::Lt(s, least), exp2_shifted(Floats(), s, shift));
    });
  }
}

HWY_ATTR void slopes_of_rows(const SeenRuns& seen,
                             std::span<const float> log2_sums,
                             num::ConstView o,
                             num::ConstView d_o,
                             num::View logits,
                             num::View dp) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int r = 0; r < logits.rows; ++r) {
    auto product = hn::Zero(d);
    for (int j = 0; j < o.cols; j += lanes) {
      const int some = o.cols - j;
      product = hn::MulAdd(
          load_some(o.row(r) + j, some), load_some(d_o.row(r) + j, some), product);
    }
    const auto delta = hn::Set(d, hn::GetLane(hn::SumOfLanes(d, product)));
    const auto log_sum = hn::Set(d, log2_sums[static_cast<std::size_t>(r)]);
    float* p = logits.row(r);
    (void)fill_row(seen.of(r), logits.cols, p, [&](Vector s) HWY_ATTR {
      return exp2_below_128(Floats(), hn::Sub(s, log_sum));
    });
    float* slope = dp.row(r);
    for (int j = 0; j < logits.cols; j += lanes) {
      const auto weight = hn::LoadU(d, p + j);
      const auto x = hn::Mul(weight, hn::Sub(hn::LoadU(d, slope + j), delta));
      hn::StoreU(hn::IfThenZeroElse(hn::Eq(weight, hn::Zero(d)), x), d, slope + j);
    }
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

SeenRuns::SeenRuns(const Pattern& pattern, int first, int count, Run keys) {
  ends_.reserve(static_cast<std::size_t>(count) + 1);
  for (int query = first; query < first + count; ++query) {
    for_runs(pattern, query, keys, [&](Run run) { runs_.push_back(run); });
    ends_.push_back(runs_.size());
  }
}

void find_tops(const SeenRuns& seen, num::ConstView logits, std::span<float> tops) {
  HWY_DYNAMIC_DISPATCH(tops_of_rows)(seen, logits, tops);
}

void weigh_rows(const SeenRuns& seen,
                num::View logits,
                std::span<RowSum> rows,
                num::View o) {
  HWY_DYNAMIC_DISPATCH(weights_of_rows)(seen, logits, rows, o);
}

void slope_rows(const SeenRuns& seen,
                std::span<const float> log2_sums,
                num::ConstView o,
                num::ConstView d_o,
                num::View logits,
                num::View dp) {
  HWY_DYNAMIC_DISPATCH(slopes_of_rows)(seen, log2_sums, o, d_o, logits, dp);
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
