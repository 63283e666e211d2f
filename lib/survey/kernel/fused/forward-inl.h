// Tiles of the forward pass: begin and end of rows, and their weights.
// Kernels include this file once for each instruction set.
#if defined(OA_ATTENTION_KERNEL_FUSED_FORWARD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_FUSED_FORWARD_INL
#undef OA_ATTENTION_KERNEL_FUSED_FORWARD_INL
#else
#define OA_ATTENTION_KERNEL_FUSED_FORWARD_INL
#endif

#include "survey/kernel/fused/panels-inl.h"
#include "survey/kernel/fused/values-inl.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace forward {

namespace hn = hwy::HWY_NAMESPACE;
using panels::Bands;
using tile::Floats;
using tile::lanes;

inline void prepare_panel(const HeadRows& k,
                          const HeadRows& v,
                          int first,
                          int panel,
                          bool all_seen,
                          const PackedPanel& to) {
  panels::pack_panel(k, first, panel, to.keys);
  const int count = std::min(panel, k.rows - first);
  *to.careful = !all_seen && panels::needs_care(v, first, count) ? 1 : 0;
}

// Lists the panels that some query of the tile sees, and returns their number.  Unless
// the pattern is a band, marks panels that are known to be visible to every query.
inline int list_panels(const FusedTile& t) {
  const FusedWorker& w = *t.worker;
  const Pattern& pattern = *t.rows.pattern;
  const int panel = t.rows.panel;
  const int first = t.rows.first_query;
  const int end = first + t.rows.queries;
  int count = 0;
  if (pattern.is_band()) {
    const int end_key = pattern.band_row(end - 1).end;
    for (int p = pattern.band_row(first).begin / panel; p * panel < end_key; ++p) {
      w.panels[count++] = p;
    }
    return count;
  }
  if (pattern.alike(first, end - 1)) {
    for (const Run& run : pattern.runs(first)) {
      int p = run.begin / panel;
      p += count > 0 && w.panels[count - 1] == p ? 1 : 0;
      for (; p * panel < run.end; ++p) {
        const bool whole = run.begin <= p * panel && (p + 1) * panel <= run.end;
        w.marks[p] = whole ? PanelMark::Whole : PanelMark::Some;
        w.panels[count++] = p;
      }
    }
    return count;
  }
  const int all = panels_of(pattern.keys(), panel);
  std::fill(w.marks.data(), w.marks.data() + all, PanelMark::None);
  for (int q = first; q < end; ++q) {
    if (q == first || !pattern.alike(q - 1, q)) {
      for (const Run& run : pattern.runs(q)) {
        std::fill(w.marks.data() + run.begin / panel,
                  w.marks.data() + (run.end - 1) / panel + 1,
                  PanelMark::Some);
      }
    }
  }
  for (int p = 0; p < all; ++p) {
    if (w.marks[p] != PanelMark::None) {
      w.panels[count++] = p;
    }
  }
  return count;
}

// True if list_panels() found that every query sees the whole panel.
// False for narrow panels, which need kernels with masks.
inline bool sees_whole(const FusedTile& t, int panel) {
  return !t.rows.pattern->is_band() && t.rows.panel == panels::widest() &&
         t.worker->marks[panel] == PanelMark::Whole;
}

// Calls use(row, count, head, query) for the rows of each head in a band.
template <class Use>
HWY_INLINE void for_heads(const FusedTile& t, const Bands& bands, int band, Use use) {
  const int queries = t.rows.queries;
  const int end = bands.begin(band + 1);
  int row = bands.begin(band);
  int h = row < queries ? 0 : row / queries;
  int i = row - h * queries;
  while (row < end) {
    const int count = std::min(end - row, queries - i);
    use(row, count, t.rows.first_head + h, t.rows.first_query + i);
    row += count;
    i = 0;
    ++h;
  }
}

// Calls use(row, head, query) for each row of a band.
template <class Use>
HWY_INLINE void for_rows(const FusedTile& t, const Bands& bands, int band, Use use) {
  for_heads(t, bands, band, [&](int row, int count, int head, int query) {
    for (int r = 0; r < count; ++r) {
      use(row + r, head, query + r);
    }
  });
}

// Resets the sums before the first band of a tile.
inline void begin_tile(const FusedTile& t, int bands) {
  const FusedWorker& w = *t.worker;
  std::fill_n(w.started.data(), bands, std::uint8_t{0});
  std::fill_n(w.minus_reference.data(), t.rows.rows(), 0.0F);
  std::fill_n(w.sums.data(), t.rows.rows() * lanes(), 0.0F);
}

// Reads the queries of a band.
inline void begin_band(const FusedTile& t, const Bands& bands, int band) {
  const FusedWorker& w = *t.worker;
  const int width = t.k.width;
  const std::ptrdiff_t stride = t.heads->q.stride;
  const auto factor =
      static_cast<float>(static_cast<double>(t.heads->scale) * std::numbers::log2e);
  for_heads(t, bands, band, [&](int row, int count, int head, int query) {
    const float* q = t.heads->q.row(query) + head * width;
    float* to = w.q.data() + row * width;
    for (; count > 0; --count, q += stride, to += width) {
      panels::scale_row(q, factor, width, to);
    }
  });
  std::fill_n(w.limit.data() + bands.begin(band), bands.size(band), tile::kUnset);
}

// Returns the logarithm of the sum of exponentials of a row.
inline float log_sum(float sum, float minus_reference) {
  int exponent = 0;  // the reference is added as a number
  const float fraction = std::frexp(sum, &exponent);
  const double log2_sum = static_cast<double>(std::log2(fraction)) + exponent -
                          static_cast<double>(minus_reference);
  return static_cast<float>(log2_sum / std::numbers::log2e);
}

inline void end_band(const FusedTile& t, const Bands& bands, int band) {
  const Floats d;
  const FusedWorker& w = *t.worker;
  const int width = t.k.width;
  const int padded = panels::padded(width);
  const int begin = bands.begin(band);
  float sums[tile::kRows] = {};
  for (int r = 0; r < bands.size(band) && w.started[band] != 0; ++r) {
    sums[r] = hn::GetLane(
        hn::SumOfLanes(d, hn::Load(d, w.sums.data() + (begin + r) * lanes())));
  }
  for_heads(t, bands, band, [&](int row, int count, int head, int query) {
    const float* from = w.o.data() + row * padded;
    float* o = t.o.row(query) + head * width;
    for (int r = 0; r < count; ++r, from += padded, o += t.o.stride) {
      const float sum = sums[row + r - begin];
      if (sum != 0.0F) {
        panels::scale_row(from, 1.0F / sum, width, o);
      } else {
        std::fill(o, o + width, 0.0F);
      }
    }
    for (int r = 0; r < count && t.log_sums.data != nullptr; ++r) {
      const float sum = sums[row + r - begin];
      t.log_sums(head, query + r) = sum != 0.0F
                                        ? log_sum(sum, w.minus_reference[row + r])
                                        : -std::numeric_limits<float>::infinity();
    }
  });
}

// Returns the first rows of a tile with panel `index` of its block.
inline tile::Score score_of(const FusedTile& t, int index, const float* packed) {
  const FusedWorker& w = *t.worker;
  const FusedPlan& plan = *t.plan;
  const int width = t.k.width;
  const int before = index * plan.panel;
  return {w.q.data(),
          width,
          packed,
          plan.panel,
          width,
          w.p.data() + before,
          plan.keys,
          before,
          w.minus_reference.data(),
          w.limit.data(),
          w.sums.data(),
          w.masks.data() + index,
          t.rows.panels,
          0,
          w.o.data(),
          panels::padded(width)};
}

// Computes the weights of a band that sees a part of a panel.
inline void weigh_some(tile::Score score, int rows, panels::Sight sight) {
  const int first = std::countr_zero(sight.some) / lanes();
  const int last = (63 - std::countl_zero(sight.some)) / lanes();
  score.first_bit = first * lanes();
  score.k += score.first_bit;
  score.p += score.first_bit;
  score.p_before += score.first_bit;
  const int function = (rows - 1) * tile::kVectors + last - first;
  tile::kMaskedTable[static_cast<std::size_t>(function)](score);
}

/// Returns the packed keys of a panel; sets whether its values may be infinite or NaN.
inline const float* packed_panel(const FusedTile& t, int panel, int index) {
  const FusedWorker& w = *t.worker;
  const int first = panel * t.plan->panel;
  if (t.packed != nullptr) {
    w.careful[index] = t.careful[panel];
    return t.packed + panel * t.panel_floats;
  }
  const bool all_seen = panels::all_see(t.rows, first);
  const PackedPanel to{w.k.data(), w.careful.data() + index};
  prepare_panel(t.k, t.v, first, t.plan->panel, all_seen, to);
  return w.k.data();
}

// Computes the weights of all bands that see some of a panel; `score` has its first
// rows and sight_of(band) what a band sees.
template <class SightOf>
HWY_INLINE void weigh_bands(const FusedTile& t,
                            const Bands& bands,
                            tile::Score score,
                            int index,
                            bool begins,
                            const SightOf& sight_of) {
  const std::uint64_t whole = ~std::uint64_t{0} >> (64 - panels::widest());
  std::uint64_t* seen = t.rows.seen.data() + index;
  for (int band = 0; band < bands.count; ++band, seen += t.rows.panels) {
    const int rows = bands.size(band);
    const panels::Sight sight = sight_of(band);
    *seen = sight.some;
    if (begins) {
      begin_band(t, bands, band);
    }
    if (sight.every == whole) {
      tile::kWholeTable[static_cast<std::size_t>(rows - 1)](score);
    } else if (sight.some != 0) {
      weigh_some(score, rows, sight);
    }
    score.skip(rows);
  }
}

// Computes the weights of a panel, `number` of the panels that the tile sees and
// `index` in its block, for all rows.
inline void weigh_panel(
    const FusedTile& t, const Bands& bands, int number, int index, bool begins) {
  const std::uint64_t whole = ~std::uint64_t{0} >> (64 - panels::widest());
  const int panel = t.worker->panels[number];
  const float* packed = packed_panel(t, panel, index);
  const int first = panel * t.plan->panel;
  panels::Sight all_see{whole, whole};
  const bool alike =
      sees_whole(t, panel) || panels::all_see_alike(t.rows, first, index, all_see);
  tile::Score score = score_of(t, index, packed);
  if (alike && all_see.every == whole) {
    // The common case: no masks.
    weigh_bands(t, bands, score, index, begins, [&](int /*band*/) {
      return panels::Sight{whole, whole};
    });
    return;
  }
  if (alike) {
    score.masks = &all_see.some;
    score.masks_stride = 0;
  }
  weigh_bands(t, bands, score, index, begins, [&](int band) {
    return alike ? all_see
                 : panels::sight(
                       t.rows, bands.begin(band), bands.size(band), first, index);
  });
}

/// Computes the weights of `count` panels from `first` of the panels that the tile
/// sees, for all rows.  begins: reads the queries with the first panel.
inline void weigh_block(
    const FusedTile& t, const Bands& bands, int first, int count, bool begins) {
  for (int b = 0; b < count; ++b) {
    weigh_panel(t, bands, first + b, b, begins && b == 0);
  }
  if (t.plan->copies) {
    copy_values(t, t.worker->panels_of(first, count));
  }
}

/// Computes attention for a tile.
inline void run_tile(const FusedTile& t) {
  const FusedWorker& w = *t.worker;
  const Bands bands(t.rows.rows());
  begin_tile(t, bands.count);
  const int count = list_panels(t);
  for (int first = 0; first < count; first += t.rows.panels) {
    const int some = std::min(t.rows.panels, count - first);
    weigh_block(t, bands, first, some, first == 0);
    BlockSums sums(t, bands, w.panels_of(first, some));
    for (int band = 0; band < bands.count; ++band) {
      sums.add(band);
      if (first + some == count) {
        end_band(t, bands, band);
      }
    }
  }
  for (int band = 0; count == 0 && band < bands.count; ++band) {
    begin_band(t, bands, band);
    end_band(t, bands, band);
  }
}

}  // namespace forward

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
