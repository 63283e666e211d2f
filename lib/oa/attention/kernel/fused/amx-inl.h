// Tiles of fused attention in bfloat16 and integers with AMX, whose registers hold 16
// rows of 64 bytes; included once, for AVX-512 with AMX.  Panels, queries and weights
// have the layout of the vector kernels: 16 x 16 words of keys or values are a right
// factor, 16 words of 16 rows of queries or weights a left one.
#ifndef OA_ATTENTION_KERNEL_FUSED_AMX_INL
#define OA_ATTENTION_KERNEL_FUSED_AMX_INL

#include "oa/attention/kernel/fused/forward-inl.h"
#include "oa/attention/kernel/fused/words-inl.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace amx {

namespace hn = hwy::HWY_NAMESPACE;
using panels::Bands;
using tile::Floats;
using tile::Rows;
using tile::Vector;
using words::Integers;
using words::kLanes;

inline constexpr int kRows = 16;   // of a register
inline constexpr int kWords = 16;  // in a row
inline constexpr int kVectors = 4;
static_assert(kRows <= kMostBandRows && kVectors == tile::kVectors);

// Registers: four sums side by side; a left and a right factor; and factors for the
// remainder of a depth that is no multiple of kWords.
inline constexpr int kSum = 0;
inline constexpr int kLeft = 4;
inline constexpr int kRight = 5;
inline constexpr int kLeftRest = 6;
inline constexpr int kRightRest = 7;

// Inline assembly, because the compiler's intrinsics do not declare their memory
// access.

template <int Register>
HWY_INLINE void load(const float* from, std::ptrdiff_t stride) {
  asm volatile("tileloadd (%0,%1,4), %%tmm%c2" ::"r"(from), "r"(stride), "i"(Register)
               : "memory");
}
template <int Register>
HWY_INLINE void store(float* to, std::ptrdiff_t stride) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,4)" ::"r"(to), "r"(stride), "i"(Register)
               : "memory");
}
template <int Register>
HWY_INLINE void clear() {
  asm volatile("tilezero %%tmm%c0" ::"i"(Register));
}

/// Configures the registers' shapes for its lifetime.
class Shapes {
 public:
  explicit Shapes(int depth) {
    struct alignas(64) {
      std::uint8_t palette = 1;
      std::uint8_t start_row = 0;
      std::uint8_t none[14] = {};
      std::uint16_t bytes[16] = {};
      std::uint8_t rows[16] = {};
    } shapes;
    for (int i = 0; i < 8; ++i) {
      shapes.bytes[i] = kWords * sizeof(float);
      shapes.rows[i] = kRows;
    }
    if (const int rest = depth % kWords; rest != 0) {
      shapes.bytes[kLeftRest] = static_cast<std::uint16_t>(rest * sizeof(float));
      shapes.rows[kRightRest] = static_cast<std::uint8_t>(rest);
    }
    asm volatile("ldtilecfg %0" ::"m"(shapes));
  }
  ~Shapes() { asm volatile("tilerelease"); }
  Shapes(const Shapes&) = delete;
  Shapes& operator=(const Shapes&) = delete;
};

/// Two bfloat16 in a word.
struct Bf16 : words::Bf16 {
  template <int Sum, int Left, int Right>
  HWY_INLINE static void multiply_add_tile() {
    asm volatile(
        "tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(Sum), "i"(Left), "i"(Right));
  }
  /// Logits of a row from the sums of tiles.
  HWY_INLINE static void logits_of(const tile::Score& /*t*/,
                                   const float* sums,
                                   Vector (&s)[1][kVectors]) {
    OA_UNROLL for (int v = 0; v < kVectors; ++v) {
      s[0][v] = hn::Load(Floats(), sums + v * kLanes);
    }
  }
};

/// Four integers in a word for queries and keys.  Tiles multiply signed numbers, so
/// queries need no offset.
struct Int8 : words::Int8 {
  template <int Sum, int Left, int Right>
  HWY_INLINE static void multiply_add_tile() {
    asm volatile(
        "tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(Sum), "i"(Left), "i"(Right));
  }
  static void pack_query(
      const float* q, float factor, int width, float* to, Vector& squares) {
    words::Int8::pack_query(q, factor, width, 0, to, squares);
  }
  HWY_INLINE static void logits_of(const tile::Score& t,
                                   const float* sums,
                                   Vector (&s)[1][kVectors]) {
    const Floats d;
    const float* of_keys = t.k + (t.depth + 1) * t.k_stride;
    const auto of_query = hn::Set(d, t.q[t.depth]);
    OA_UNROLL for (int v = 0; v < kVectors; ++v) {
      const auto sum = hn::BitCast(Integers(), hn::Load(d, sums + v * kLanes));
      const auto of_key = hn::LoadU(d, of_keys + v * kLanes);
      s[0][v] = hn::Mul(hn::ConvertTo(d, sum), hn::Mul(of_key, of_query));
    }
  }
};

template <int... V>
HWY_INLINE void clear_sums(std::integer_sequence<int, V...> /*all*/) {
  (clear<kSum + V>(), ...);
}
template <int... V>
HWY_INLINE void load_sums(const float* from,
                          std::ptrdiff_t stride,
                          std::integer_sequence<int, V...> /*all*/) {
  (load<kSum + V>(from + V * kWords, stride), ...);
}
template <int... V>
HWY_INLINE void store_sums(float* to,
                           std::ptrdiff_t stride,
                           std::integer_sequence<int, V...> /*all*/) {
  (store<kSum + V>(to + V * kWords, stride), ...);
}

/// sums += left * right, for V registers of the right factor side by side
template <class Element, int Left, int Right, int... V>
HWY_INLINE void multiply_add(const float* left,
                             std::ptrdiff_t left_stride,
                             const float* right,
                             std::ptrdiff_t right_stride,
                             std::integer_sequence<int, V...> /*all*/) {
  load<Left>(left, left_stride);
  ((load<Right>(right + V * kWords, right_stride),
    Element::template multiply_add_tile<kSum + V, Left, Right>()),
   ...);
}

template <int V>
inline constexpr std::make_integer_sequence<int, V> kAll{};

/// Products of queries and keys of a panel, unscaled.
struct alignas(64) Products {
  float row[kRows][kVectors * kLanes];
};

template <class Element>
HWY_INLINE void multiply_keys(const tile::Score& t, Products& to) {
  clear_sums(kAll<kVectors>);
  const float* q = t.q;
  const float* k = t.k;
  int i = kWords;
  for (; i <= t.depth; i += kWords, q += kWords, k += kWords * t.k_stride) {
    multiply_add<Element, kLeft, kRight>(q, t.q_stride, k, t.k_stride, kAll<kVectors>);
  }
  if (i - kWords < t.depth) {
    multiply_add<Element, kLeftRest, kRightRest>(
        q, t.q_stride, k, t.k_stride, kAll<kVectors>);
  }
  store_sums(to.row[0], kVectors * kLanes, kAll<kVectors>);
}

/// The weights of a band and a panel.
template <class Element, Rows Kind>
void weigh_rows(tile::Score t, int rows, const Products& products) {
  for (int r = 0; r < rows; ++r) {
    Vector s[1][kVectors];
    Element::logits_of(t, products.row[r], s);
    tile::weigh_logits<Element, Kind>(t, s);
    t.skip(1);
  }
}

/// The weights of the panels of a block.  Tiles and exponentials alternate: both need
/// the same unit and cannot overlap.
template <class Element>
void weigh_block(const FusedTile& t, const Bands& bands, int first, int count) {
  const std::uint64_t whole = ~std::uint64_t{0};
  Products products;
  for (int b = 0; b < count; ++b) {
    const int panel = t.worker->panels[first + b];
    const int key = panel * t.plan->panel;
    const bool all_see = panels::all_see_whole(t.rows, key, b);
    tile::Score score =
        forward::score_of<Element>(t, b, forward::packed_panel(t, panel, b));
    std::uint64_t* seen = t.rows.seen.data() + b;
    for (int band = 0; band < bands.count; ++band, seen += t.rows.panels) {
      const int rows = bands.size(band);
      const panels::Sight sight =
          all_see ? panels::Sight{whole, whole}
                  : panels::sight(t.rows, bands.begin(band), rows, key, b);
      *seen = sight.some;
      if (sight.some != 0) {
        multiply_keys<Element>(score, products);
        if (sight.every != whole) {
          weigh_rows<Element, Rows::Masked>(score, rows, products);
        } else if (std::isnan(*score.limit)) {  // kNoLimit, for all rows of the band
          weigh_rows<Element, Rows::Safe>(score, rows, products);
        } else {
          weigh_rows<Element, Rows::Full>(score, rows, products);
        }
      }
      score.skip(rows);
    }
  }
}

/// o += p v of a band over the visible panels of a block whose values need no care: V
/// registers from a column on.
template <int V>
void multiply_values(const FusedTile& t,
                     int band,
                     std::span<const int> panels,
                     int column) {
  const FusedWorker& w = *t.worker;
  const int padded = panels::padded(t.v.width);
  const int p_stride = t.plan->keys / Bf16::kKeys;
  const int depth = t.plan->panel / Bf16::kKeys;
  float* o = w.o.data() + band * kRows * padded + column;
  if (w.started[band] == 0) {
    clear_sums(kAll<V>);
  } else {
    load_sums(o, padded, kAll<V>);
  }
  for (int b = 0; b < std::ssize(panels); ++b) {
    if (w.seen[band * t.rows.panels + b] == 0 || w.careful[b] != 0) {
      continue;
    }
    const float* p = w.p.data() + band * kRows * p_stride + b * depth;
    const float* v = t.values + std::ptrdiff_t{panels[b]} * depth * padded + column;
    for (int i = 0; i < depth; i += kWords, p += kWords, v += kWords * padded) {
      multiply_add<Bf16, kLeft, kRight>(p, p_stride, v, padded, kAll<V>);
    }
  }
  store_sums(o, padded, kAll<V>);
}

using ValuesFunction = void (*)(const FusedTile&, int, std::span<const int>, int);
inline constexpr ValuesFunction kMultiplyValues[kVectors] = {
    &multiply_values<1>, &multiply_values<2>, &multiply_values<3>, &multiply_values<4>};

/// o += p v of a band over the panels of a block.
inline void add_values(const FusedTile& t,
                       const Bands& bands,
                       int band,
                       std::span<const int> panels) {
  const FusedWorker& w = *t.worker;
  const auto count = static_cast<int>(panels.size());
  const std::uint64_t* seen = w.seen.data() + band * t.rows.panels;
  const int padded = panels::padded(t.v.width);
  const int p_stride = t.plan->keys / Bf16::kKeys;
  const int depth = t.plan->panel / Bf16::kKeys;
  bool some = false;
  for (int b = 0; b < count; ++b) {
    some = some || (seen[b] != 0 && w.careful[b] == 0);
  }
  if (some) {
    for (int column = 0; column < padded; column += kVectors * kLanes) {
      const int vectors = std::min(kVectors, (padded - column) / kLanes);
      kMultiplyValues[vectors - 1](t, band, panels, column);
    }
    w.started[band] = 1;
  }
  for (int b = 0; b < count; ++b) {
    if (seen[b] != 0 && w.careful[b] != 0) {
      const tile::Stretch stretch{w.p.data() + band * kRows * p_stride + b * depth,
                                  t.values + std::ptrdiff_t{panels[b]} * depth * padded,
                                  depth};
      const tile::Product product{{&stretch, 1},
                                  p_stride,
                                  1,
                                  padded,
                                  w.o.data() + band * kRows * padded,
                                  padded,
                                  w.started[band] == 0};
      tile::multiply_with_care<Bf16>(product, bands.size(band), t.v.width);
      w.started[band] = 1;
    }
  }
}

/// Computes attention for a tile.
template <class Element>
void run_tile(const FusedTile& t) {
  assert(t.rows.rows() <= t.plan->rows / kRows * kRows &&
         t.plan->panel == kVectors * kLanes);
  const FusedWorker& w = *t.worker;
  const Shapes shapes(Element::depth(t.k.width));
  const Bands bands(t.rows.rows(), kRows);
  forward::begin_tile(t, bands.count);
  for (int band = 0; band < bands.count; ++band) {
    forward::begin_band<Element>(t, bands, band);
  }
  const int count = forward::list_panels(t);
  for (int first = 0; first < count; first += t.rows.panels) {
    const int some = std::min(t.rows.panels, count - first);
    weigh_block<Element>(t, bands, first, some);
    for (int band = 0; band < bands.count; ++band) {
      add_values(t, bands, band, w.panels_of(first, some));
    }
  }
  for (int band = 0; band < bands.count; ++band) {
    forward::end_band(t, bands, band);
  }
}

}  // namespace amx

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // OA_ATTENTION_KERNEL_FUSED_AMX_INL
