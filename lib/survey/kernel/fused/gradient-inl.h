// Gradients of logits (letters: fused.h), and their products with keys and queries.
// Kernels include this file once for each instruction set.
#if defined(OA_ATTENTION_KERNEL_FUSED_GRADIENT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_FUSED_GRADIENT_INL
#undef OA_ATTENTION_KERNEL_FUSED_GRADIENT_INL
#else
#define OA_ATTENTION_KERNEL_FUSED_GRADIENT_INL
#endif

#include "survey/kernel/fused/gradient.h"
#include "survey/kernel/fused/slope-inl.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace gradients {

namespace hn = hwy::HWY_NAMESPACE;
using panels::Bands;
using tile::Floats;

// A list of ranges of rows or keys, which merges adjacent ranges.
// The list stays short, because each band adds at most one range.
template <int Most>
class Ranges {
 public:
  void add(Run range) {
    if (count_ > 0 && all_[count_ - 1].end == range.begin) {
      all_[count_ - 1].end = range.end;
    } else {
      assert(count_ < all_.size());
      all_[count_++] = range;
    }
  }
  [[nodiscard]] std::span<const Run> get() const { return {all_.data(), count_}; }

 private:
  std::array<Run, Most> all_;
  std::size_t count_ = 0;
};

constexpr int kMaxBands = Bands(kTileRows).count;
constexpr int kMaxPanels =
    kBlockKeys / (tile::kVectors * static_cast<int>(hn::MaxLanes(Floats())));
using RowRanges = Ranges<kMaxBands>;

// Computes p and ds of one panel for the rows of bands that see some of the panel.
// Returns these rows.
inline RowRanges find_slopes(const GradientBlock& t,
                             const TileRows& rows,
                             const Bands& bands,
                             int b) {
  const GradientWorker& w = *t.worker;
  const int padded = panels::padded(t.k.width);
  const std::ptrdiff_t panel_size = std::ptrdiff_t{t.panel} * t.k.width;
  const std::uint64_t whole = ~std::uint64_t{0} >> (64 - t.panel);
  const int first = t.first + b * t.panel;
  const bool all = panels::all_see_whole(rows, first, b);
  RowRanges seeing;
  slopes::Slope slope{w.q.data(),
                      w.d_o.data(),
                      padded,
                      w.kt.data() + b * panel_size,
                      w.vt.data() + b * panel_size,
                      t.panel,
                      t.k.width,
                      w.minus_log.data(),
                      w.minus_d.data(),
                      w.p.data() + b * t.panel,
                      w.ds.data() + b * t.panel,
                      kWeightsStride,
                      rows.masks.data() + b,
                      rows.panels};
  for (int band = 0; band < bands.count; ++band) {
    const int size = bands.size(band);
    const panels::Sight sight =
        all ? panels::Sight{whole, whole}
            : panels::sight(rows, bands.begin(band), size, first, b);
    rows.seen[band * rows.panels + b] = sight.some;
    if (sight.some != 0) {
      seeing.add({bands.begin(band), bands.begin(band + 1)});
      const auto& functions =
          sight.every == whole ? slopes::kSlopes<false> : slopes::kSlopes<true>;
      functions[static_cast<std::size_t>(size - 1)](slope);
    }
    slope.skip(size);
  }
  return seeing;
}

using MultiplyFunction = void (*)(const tile::Product&, int, int);

// Adds ds' q to dk and p' d_o to dv for the keys of one panel.
inline void add_to_keys(const GradientBlock& t,
                        int b,
                        std::span<const Run> seeing,
                        MultiplyFunction multiply) {
  const GradientWorker& w = *t.worker;
  const int padded = panels::padded(t.k.width);
  const Bands bands(std::min(t.panel, t.count - b * t.panel));
  const auto add = [&](const float* left, const float* right, float* to) {
    std::array<tile::Stretch, kMaxBands> all;
    std::ranges::transform(seeing, all.begin(), [&](const Run& some) {
      return tile::Stretch{left + some.begin * kWeightsStride + b * t.panel,
                           right + some.begin * padded,
                           some.length()};
    });
    const std::span<tile::Stretch> stretches(all.data(), seeing.size());
    to += b * t.panel * padded;
    for (int band = 0; band < bands.count; ++band) {
      const int keys = bands.size(band);
      multiply(
          {stretches, 1, kWeightsStride, padded, to, padded, false}, keys, t.k.width);
      to += keys * padded;
      for (tile::Stretch& some : stretches) {
        some.a += keys;
      }
    }
  };
  add(w.p.data(), w.d_o.data(), w.dv.data());
  add(w.ds.data(), w.q.data(), w.dk.data());
}

// Adds scale ds k to dq for the rows of one band, over the panels that it sees.
inline void add_to_queries(const GradientBlock& t,
                           const TileRows& rows,
                           const Bands& bands,
                           int band,
                           MultiplyFunction multiply) {
  const GradientWorker& w = *t.worker;
  const int width = t.k.width;
  const int padded = panels::padded(width);
  Ranges<kMaxPanels> seen;  // keys
  for (int b = 0; b < t.panels; ++b) {
    if (rows.seen[band * rows.panels + b] != 0) {
      seen.add({b * t.panel, std::min((b + 1) * t.panel, t.count)});
    }
  }
  if (seen.get().empty()) {
    return;
  }
  const int row = bands.begin(band);
  std::array<tile::Stretch, kMaxPanels> all;
  std::ranges::transform(seen.get(), all.begin(), [&](const Run& some) {
    return tile::Stretch{w.ds.data() + row * kWeightsStride + some.begin,
                         w.k.data() + some.begin * padded,
                         some.length()};
  });
  multiply({{all.data(), seen.get().size()},
            kWeightsStride,
            1,
            padded,
            w.dq.data() + row * padded,
            padded,
            true},
           bands.size(band),
           width);
  int head = row / rows.queries;
  int query = row % rows.queries;
  for (int r = row; r < bands.begin(band + 1); ++r) {
    float* to = t.dq.row(rows.first_query + query) + (rows.first_head + head) * width;
    slopes::add_row(w.dq.data() + r * padded, t.heads->scale, width, to);
    if (++query == rows.queries) {
      query = 0;
      ++head;
    }
  }
}

}  // namespace gradients

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
