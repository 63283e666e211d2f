#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

// The scan of all kinds of attention whose state is a matrix S (rows x width):
//
//     S_t = decay_t * S_{t-1} + write_t value_t'        out_t = read_t' S_t
//
// where * multiplies rows or columns.  A slab of S stays in registers over all steps of
// a block.  A step costs 4 rows width FLOPs, but matrix products of chunks of C tokens
// would cost (4 + 2 C / rows) rows width.

/// The maximum number of steps in a block: its inputs, outputs and a slab fit into L1.
inline constexpr int kScanSteps = 32;

/// Steps `begin` .. `end`-1.  Before step `begin`, the state is multiplied by `decay`,
/// a factor for each row or for each column, unless null.
struct ScanSegment {
  int begin = 0;
  int end = 0;
  const float* decay = nullptr;
};

enum class DecayAlong { Rows, Columns };

/// One block of a scan.  All arrays are packed and aligned to 64 bytes: write and read
/// (steps x rows), value and out (steps x width), state (rows x width).  Rows and width
/// are multiples of num::kLane, padded with zeros.
struct OuterScan {
  const float* write = nullptr;
  const float* read = nullptr;
  const float* value = nullptr;
  float* out = nullptr;
  float* state = nullptr;
  int rows = 0;
  int width = 0;
  std::span<const ScanSegment> segments;
  DecayAlong along = DecayAlong::Rows;
};

/// Computes out = read S for every step, and updates `state` by all segments.
/// A step costs 4 rows width FLOPs, a decay rows width.
void outer_scan(const OuterScan& scan);

}  // namespace oa::attention
