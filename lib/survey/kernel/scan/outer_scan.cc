#include "survey/kernel/scan/outer_scan.h"

#include <algorithm>
#include <cstddef>

#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, num::kLane>;

// A slab of the state has kStateRows x kVectors vectors:
// 4 x 4 take 16 of 32 registers, 4 x 2 take 8 of 16.
constexpr int kStateRows = 4;
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kVectors = 4;
#else
constexpr int kVectors = 2;
#endif

// Unrolls loops completely, so that arrays of vectors stay in registers.
#define OA_UNROLL _Pragma("GCC unroll 8")

template <int V>
using Slab = hn::Vec<Floats>[kStateRows][V];

template <int V>
HWY_INLINE HWY_ATTR void decay_slab(
    const OuterScan& scan, const float* decay, int row, int column, Slab<V>& s) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  OA_UNROLL for (int r = 0; r < kStateRows; ++r) {
    OA_UNROLL for (int v = 0; v < V; ++v) {
      s[r][v] = hn::Mul(s[r][v],
                        scan.along == DecayAlong::Rows
                            ? hn::Set(d, decay[row + r])
                            : hn::Load(d, decay + column + v * lanes));
    }
  }
}

// Scans rows row .. row+3 and V vectors from `column` on.  A column's first slab sets
// `out`, later slabs add to it.
template <int V>
HWY_ATTR void scan_slab(const OuterScan& scan, int row, int column) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  float* state = scan.state + static_cast<std::ptrdiff_t>(row) * scan.width + column;
  Slab<V> s;
  OA_UNROLL for (int r = 0; r < kStateRows; ++r) {
    OA_UNROLL for (int v = 0; v < V; ++v) {
      s[r][v] = hn::Load(d, state + r * scan.width + v * lanes);
    }
  }
  const bool first = row == 0;
  for (const ScanSegment& segment : scan.segments) {
    if (segment.decay != nullptr) {
      decay_slab<V>(scan, segment.decay, row, column, s);
    }
    const std::ptrdiff_t begin = segment.begin;
    const float* write = scan.write + begin * scan.rows + row;
    const float* read = scan.read + begin * scan.rows + row;
    const float* value = scan.value + begin * scan.width + column;
    float* out = scan.out + begin * scan.width + column;
    for (int t = segment.begin; t < segment.end; ++t) {
      hn::Vec<Floats> line[V];
      hn::Vec<Floats> sum[V];
      OA_UNROLL for (int v = 0; v < V; ++v) {
        line[v] = hn::Load(d, value + v * lanes);
        sum[v] = first ? hn::Zero(d) : hn::Load(d, out + v * lanes);
      }
      OA_UNROLL for (int r = 0; r < kStateRows; ++r) {
        const auto in = hn::Set(d, write[r]);
        const auto by = hn::Set(d, read[r]);
        OA_UNROLL for (int v = 0; v < V; ++v) {
          s[r][v] = hn::MulAdd(in, line[v], s[r][v]);
          sum[v] = hn::MulAdd(by, s[r][v], sum[v]);
        }
      }
      OA_UNROLL for (int v = 0; v < V; ++v) {
        hn::Store(sum[v], d, out + v * lanes);
      }
      write += scan.rows;
      read += scan.rows;
      value += scan.width;
      out += scan.width;
    }
  }
  OA_UNROLL for (int r = 0; r < kStateRows; ++r) {
    OA_UNROLL for (int v = 0; v < V; ++v) {
      hn::Store(s[r][v], d, state + r * scan.width + v * lanes);
    }
  }
}

template <int V>
HWY_ATTR void scan_columns(const OuterScan& scan, int column) {
  for (int row = 0; row < scan.rows; row += kStateRows) {
    scan_slab<V>(scan, row, column);
  }
}

HWY_ATTR void scan_block(const OuterScan& scan) {
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  int column = 0;
  for (; column + kVectors * lanes <= scan.width; column += kVectors * lanes) {
    scan_columns<kVectors>(scan, column);
  }
  for (; column < scan.width; column += lanes) {
    scan_columns<1>(scan, column);
  }
}

}  // namespace
}  // namespace oa::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::attention {
namespace {

HWY_EXPORT(scan_block);

}  // namespace

void outer_scan(const OuterScan& scan) {
  HWY_DYNAMIC_DISPATCH(scan_block)(scan);
}

}  // namespace oa::attention
#endif
