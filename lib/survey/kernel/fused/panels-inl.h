// Panels of keys and which rows of a tile see them; included once for each
// instruction set, by kernels.
#if defined(OA_ATTENTION_KERNEL_FUSED_PANELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_FUSED_PANELS_INL
#undef OA_ATTENTION_KERNEL_FUSED_PANELS_INL
#else
#define OA_ATTENTION_KERNEL_FUSED_PANELS_INL
#endif

#include "survey/kernel/fused/tile-inl.h"
#include "survey/kernel/fused/tile.h"

#include <algorithm>
#include <bit>
#include <span>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace panels {

namespace hn = hwy::HWY_NAMESPACE;
using tile::Floats;
using tile::lanes;
using tile::scale_row;

HWY_INLINE int widest() {
  return tile::kVectors * lanes();
}

HWY_INLINE int padded(int width) {
  return (width + lanes() - 1) / lanes() * lanes();
}

#if HWY_TARGET == HWY_SCALAR
constexpr int kBlock = 1;

inline void transpose_block(const float* from,
                            std::ptrdiff_t,
                            float* to,
                            std::ptrdiff_t) {
  *to = *from;
}
#else
// Transposes kBlock x kBlock blocks in registers:
// first 4 x 4 blocks within 16 bytes of four rows, then blocks of 16 bytes.
#if HWY_TARGET <= HWY_AVX3
constexpr int kBlock = 16;
#else
constexpr int kBlock = 4;
#endif
using BlockRow = hn::CappedTag<float, kBlock>;

HWY_INLINE void transpose_fours(hn::Vec<BlockRow>* row) {
  const BlockRow d;
  const auto even_low = hn::InterleaveLower(d, row[0], row[2]);   // 00 20 01 21
  const auto even_high = hn::InterleaveUpper(d, row[0], row[2]);  // 02 22 03 23
  const auto odd_low = hn::InterleaveLower(d, row[1], row[3]);
  const auto odd_high = hn::InterleaveUpper(d, row[1], row[3]);
  row[0] = hn::InterleaveLower(d, even_low, odd_low);
  row[1] = hn::InterleaveUpper(d, even_low, odd_low);
  row[2] = hn::InterleaveLower(d, even_high, odd_high);
  row[3] = hn::InterleaveUpper(d, even_high, odd_high);
}

HWY_INLINE void transpose_block(const float* from,
                                std::ptrdiff_t from_stride,
                                float* to,
                                std::ptrdiff_t to_stride) {
  const BlockRow d;
  hn::Vec<BlockRow> row[kBlock];
  OA_UNROLL for (int j = 0; j < kBlock; ++j) {
    row[j] = hn::LoadU(d, from + j * from_stride);
  }
  OA_UNROLL for (int j = 0; j < kBlock; j += 4) {
    transpose_fours(row + j);
  }
#if HWY_TARGET <= HWY_AVX3
  OA_UNROLL for (int i = 0; i < 4; ++i) {
    const auto a = _mm512_shuffle_f32x4(row[i].raw, row[i + 4].raw, 0x88);
    const auto b = _mm512_shuffle_f32x4(row[i].raw, row[i + 4].raw, 0xDD);
    const auto e = _mm512_shuffle_f32x4(row[i + 8].raw, row[i + 12].raw, 0x88);
    const auto f = _mm512_shuffle_f32x4(row[i + 8].raw, row[i + 12].raw, 0xDD);
    row[i] = hn::Vec<BlockRow>{_mm512_shuffle_f32x4(a, e, 0x88)};
    row[i + 4] = hn::Vec<BlockRow>{_mm512_shuffle_f32x4(b, f, 0x88)};
    row[i + 8] = hn::Vec<BlockRow>{_mm512_shuffle_f32x4(a, e, 0xDD)};
    row[i + 12] = hn::Vec<BlockRow>{_mm512_shuffle_f32x4(b, f, 0xDD)};
  }
#endif
  OA_UNROLL for (int i = 0; i < kBlock; ++i) {
    hn::StoreU(row[i], d, to + i * to_stride);
  }
}
#endif

// Packs keys first .. first+panel-1 transposed:
// row i of `packed` is element i of each key.  Keys after the last are zeros.
inline void pack_panel(const HeadRows& from, int first, int panel, float* packed) {
  const int count = std::min(panel, from.rows - first);
  const float* k = from.row(first);
  const int wide = from.width / kBlock * kBlock;
  const int full = count / kBlock * kBlock;
  for (int j = 0; j < full; j += kBlock) {
    for (int i = 0; i < wide; i += kBlock) {
      transpose_block(
          k + j * from.stride + i, from.stride, packed + i * panel + j, panel);
    }
  }
  for (int i = 0; i < from.width; ++i) {
    float* to = packed + i * panel;
    for (int j = i < wide ? full : 0; j < count; ++j) {
      to[j] = k[j * from.stride + i];
    }
    if (count < panel) {
      std::fill(to + count, to + panel, 0.0F);
    }
  }
}

/// Checks whether all numbers are finite: 0 times a finite number is 0 or -0, else NaN.
/// Collecting bits is faster than a sum.
class Finite {
 public:
  HWY_INLINE Finite() : bits_(hn::Zero(Floats())) {}
  HWY_INLINE void look(tile::Vector x) {
    bits_ = hn::Or(bits_, hn::Mul(x, hn::Zero(Floats())));
  }
  [[nodiscard]] HWY_INLINE bool all() const {
    return hn::AllTrue(Floats(), hn::Eq(bits_, hn::Zero(Floats())));
  }

 private:
  tile::Vector bits_;
};

/// True if a number in rows first .. first+count-1 is not finite.
inline bool needs_care(const HeadRows& from, int first, int count) {
  Finite finite;
  for (int j = 0; j < count; ++j) {
    const float* v = from.row(first + j);
    int i = 0;
    for (; i + lanes() <= from.width; i += lanes()) {
      finite.look(hn::LoadU(Floats(), v + i));
    }
    if (i < from.width) {
      finite.look(load_some(v + i, from.width - i));
    }
  }
  return !finite.all();
}

/// The rows of a tile, spread evenly over register tiles, e.g. 49 = 4 * 6 + 5 * 5.
/// A register tile of one row would wait for the latency of its few multiply-adds.
struct Bands {
  int rows;
  int count;
  int least;   ///< rows of a band
  int larger;  ///< bands with one more row; they come first

  constexpr explicit Bands(int all)
      : rows(all),
        count((all + tile::kRows - 1) / tile::kRows),
        least(count == 0 ? 0 : all / count),
        larger(all - count * least) {}
  [[nodiscard]] int begin(int band) const {
    return std::min(band * least + std::min(band, larger), rows);
  }
  [[nodiscard]] int size(int band) const { return begin(band + 1) - begin(band); }
};

/// The bits of a run within the panel that starts at key `first`.
HWY_INLINE std::uint64_t bits_of(Run run, int first, int panel) {
  const int begin = std::max(run.begin - first, 0);
  const int end = std::min(run.end - first, panel);
  if (begin >= end) {
    return 0;
  }
  return ~std::uint64_t{0} >> (64 - (end - begin)) << begin;
}

inline std::uint64_t bits_of(std::span<const Run> runs, int first, int panel) {
  std::uint64_t bits = 0;
  auto run = std::ranges::upper_bound(runs, first, {}, &Run::end);
  for (; run != runs.end() && run->begin < first + panel; ++run) {
    bits |= bits_of(*run, first, panel);
  }
  return bits;
}

/// True if every query of the tile is known to see every key of the panel, for a band.
inline bool all_see(const TileRows& t, int first) {
  if (!t.pattern->is_band()) {
    return false;
  }
  return t.pattern->band_row(t.first_query + t.queries - 1).begin <= first &&
         first + t.panel <= t.pattern->band_row(t.first_query).end;
}

/// True if all queries of the tile see all keys of the panel,
/// for a pattern of runs whose queries are alike.  No masks are needed then.
inline bool alike_see(const TileRows& t, int first) {
  if (t.pattern->is_band()) {
    return false;
  }
  return t.pattern->alike(t.first_query, t.first_query + t.queries - 1) &&
         bits_of(t.pattern->runs(t.first_query), first, t.panel) ==
             ~std::uint64_t{0} >> (64 - t.panel);
}

/// Computes the mask of each row for a panel; returns the keys that all rows see.
inline std::uint64_t fill_masks(const TileRows& t, int first, int index) {
  std::uint64_t mask = 0;
  std::uint64_t every = ~std::uint64_t{0};
  for (int i = 0; i < t.queries; ++i) {
    const int query = t.first_query + i;
    if (t.pattern->is_band()) {
      mask = bits_of(t.pattern->band_row(query), first, t.panel);
    } else if (i == 0 || !t.pattern->alike(query - 1, query)) {
      mask = bits_of(t.pattern->runs(query), first, t.panel);
    }
    every &= mask;
    for (int h = 0; h < t.heads; ++h) {
      t.masks[(h * t.queries + i) * t.panels + index] = mask;
    }
  }
  return every;
}

/// True if the visible keys of one panel continue in the next.
HWY_INLINE bool follows(std::uint64_t before, std::uint64_t next, int panel) {
  return (before >> (panel - 1) & next & 1) != 0;
}

/// The keys of a panel that a band of rows sees.
struct Sight {
  std::uint64_t some;   ///< keys that some row sees
  std::uint64_t every;  ///< keys that every row sees
};

/// True if every row is known to see the whole panel.
/// Otherwise fills the masks of the panel for sight(), unless the pattern is a band.
inline bool all_see_whole(const TileRows& t, int first, int index) {
  // Narrow panels need kernels with masks.
  const std::uint64_t whole = ~std::uint64_t{0} >> (64 - t.panel);
  const bool wide = t.panel == widest();
  if (t.pattern->is_band()) {
    return wide && all_see(t, first);
  }
  return (wide && alike_see(t, first)) ||
         (fill_masks(t, first, index) == whole && wide);
}

/// True if all rows are known to see the same keys of a panel, stored in `seen`.
/// Otherwise fills the masks of the panel, unless the pattern is a band.
inline bool all_see_alike(const TileRows& t, int first, int index, Sight& seen) {
  if (all_see_whole(t, first, index)) {
    const std::uint64_t whole = ~std::uint64_t{0} >> (64 - t.panel);
    seen = {whole, whole};
    return true;
  }
  if (!t.pattern->is_band()) {
    return false;
  }
  const Run begins = t.pattern->band_row(t.first_query);
  const Run ends = t.pattern->band_row(t.first_query + t.queries - 1);
  seen = {bits_of(Run{begins.begin, ends.end}, first, t.panel),
          bits_of(Run{ends.begin, begins.end}, first, t.panel)};
  return seen.some == seen.every;
}

/// Returns the keys of a panel that rows row .. row+rows-1 see.
/// For a band, fills masks of rows that see a part of the panel.
inline Sight sight(const TileRows& t, int row, int rows, int first, int index) {
  const std::uint64_t whole = ~std::uint64_t{0} >> (64 - widest());
  const bool band = t.pattern->is_band();
  const int in_head = row < t.queries ? row : row % t.queries;
  if (band && in_head + rows <= t.queries) {
    const Run begins = t.pattern->band_row(t.first_query + in_head);
    const Run ends = t.pattern->band_row(t.first_query + in_head + rows - 1);
    const Sight all{bits_of(Run{begins.begin, ends.end}, first, t.panel),
                    bits_of(Run{ends.begin, begins.end}, first, t.panel)};
    if (all.some == 0 || all.every == whole) {
      return all;
    }
  }
  Sight sight{0, ~std::uint64_t{0}};
  for (int r = row; r < row + rows; ++r) {
    std::uint64_t& mask = t.masks[r * t.panels + index];
    if (band) {
      const int query = t.first_query + (r < t.queries ? r : r % t.queries);
      mask = bits_of(t.pattern->band_row(query), first, t.panel);
    }
    sight.some |= mask;
    sight.every &= mask;
  }
  return sight;
}

}  // namespace panels

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
