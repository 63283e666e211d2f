// Weights times values of a tile; included once for each instruction set, by kernels.
#if defined(OA_ATTENTION_KERNEL_FUSED_VALUES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef OA_ATTENTION_KERNEL_FUSED_VALUES_INL
#undef OA_ATTENTION_KERNEL_FUSED_VALUES_INL
#else
#define OA_ATTENTION_KERNEL_FUSED_VALUES_INL
#endif

#include "survey/kernel/fused/panels-inl.h"
#include "survey/kernel/fused/product-inl.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace forward {

using panels::Bands;

// Copies the values of panels, stacked and padded with zeros.
inline void copy_values(const FusedTile& t, std::span<const int> panels) {
  const int padded = panels::padded(t.v.width);
  const int panel = t.plan->panel;
  float* block = t.worker->v.data();
  for (const int number : panels) {
    const int first = number * panel;
    float* to = std::exchange(block, block + panel * padded);
    for (int j = 0; j < std::min(panel, t.v.rows - first); ++j, to += padded) {
      panels::scale_row(t.v.row(first + j), 1.0F, t.v.width, to);
    }
  }
}

struct Values {
  const float* data;
  std::ptrdiff_t stride;
};

// Returns the values from a key on, which has number `index` in its block.
HWY_INLINE Values values_from(const FusedTile& t, int key, int index) {
  const std::ptrdiff_t padded = panels::padded(t.v.width);
  return t.plan->copies ? Values{t.worker->v.data() + index * padded, padded}
                        : Values{t.v.row(key), t.v.stride};
}

/// Adds p v to o over the panels of a block, for consecutive bands.
class BlockSums {
 public:
  BlockSums(const FusedTile& t, const Bands& bands, std::span<const int> panels)
      : t_(t),
        bands_(bands),
        panels_(panels.data()),
        count_(static_cast<int>(panels.size())),
        p_stride_(t.plan->keys) {}

  void add(int band) {
    const std::uint64_t* seen = t_.worker->seen.data() + band * t_.rows.panels;
    if (one_product_ && std::equal(seen, seen + count_, seen - t_.rows.panels)) {
      // If the previous band saw the same keys, only the rows of weights change.
      for (std::size_t i = 0; i < some_; ++i) {
        stretches_[i].a += bands_.size(band - 1) * p_stride_;
      }
      multiply(band);
      return;
    }
    one_product_ = false;
    for (int b = 0; b < count_;) {
      const int first = b;
      b = collect(band, seen, b);
      if (some_ > 0) {
        multiply(band);
        one_product_ = first == 0 && b == count_;
      }
    }
  }

 private:
  static constexpr std::size_t kMaxStretches = 8;

  // Collects the stretches of one product, from panel b of the block on.  Returns the
  // panel after the stretches.  A product is either safe or careful, as its panels are.
  int collect(int band, const std::uint64_t* seen, int b) {
    const FusedWorker& w = *t_.worker;
    const FusedPlan& plan = *t_.plan;
    const float* p = w.p.data() + bands_.begin(band) * p_stride_;
    careful_ = w.careful[b] != 0;
    some_ = 0;
    while (b < count_ && (w.careful[b] != 0) == careful_ && some_ < stretches_.size()) {
      if (seen[b] == 0) {
        ++b;
        continue;
      }
      // Consecutive panels form one stretch.
      const int first = b;
      for (++b; b < count_ && panels::follows(seen[b - 1], seen[b], plan.panel) &&
                (plan.copies || panels_[b] == panels_[b - 1] + 1) &&
                (w.careful[b] != 0) == careful_;
           ++b) {
      }
      const int skipped = std::countr_zero(seen[first]);
      const int begin = first * plan.panel + skipped;
      const int end = (b - 1) * plan.panel + 64 - std::countl_zero(seen[b - 1]);
      const Values v = values_from(t_, panels_[first] * plan.panel + skipped, begin);
      v_stride_ = v.stride;
      stretches_[some_++] = {p + begin, v.data, end - begin};
    }
    return b;
  }

  void multiply(int band) {
    const FusedWorker& w = *t_.worker;
    const int padded = panels::padded(t_.v.width);
    const tile::Product product{{stretches_.data(), some_},
                                p_stride_,
                                1,
                                v_stride_,
                                w.o.data() + bands_.begin(band) * padded,
                                padded,
                                w.started[band] == 0};
    if (careful_) {
      tile::multiply_with_care(product, bands_.size(band), t_.v.width);
    } else {
      tile::multiply(product, bands_.size(band), t_.v.width);
    }
    w.started[band] = 1;
  }

  const FusedTile& t_;
  const Bands& bands_;
  const int* panels_;
  int count_;
  std::ptrdiff_t p_stride_;
  // The stretches of the last product.
  std::array<tile::Stretch, kMaxStretches> stretches_{};
  std::size_t some_ = 0;
  std::ptrdiff_t v_stride_ = 0;
  bool careful_ = false;
  bool one_product_ = false;  // it was the whole sum of the previous band
};

}  // namespace forward

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
