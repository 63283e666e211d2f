#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

// The scan of all kinds of attention with a matrix S (rows x width) as state:
//
//     S_t = decay_t o S_{t-1} + write_t value_t'        out_t = read_t' S_t
//
// A slab of S stays in registers over all steps of a block.  A step costs 4 rows width
// FLOPs, while matrix products of chunks of C tokens cost (4 + 2 C / rows) rows width.

/// The most steps of one block: its inputs and outputs fit into the L1 cache beside a
/// slab.
inline constexpr int kScanSteps = 32;

/// Steps `begin` .. `end`-1.  Before the first one, the state is multiplied by `decay`
/// unless it is null: a factor for each row or for each column.
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

/// Computes out = read S for every step, and updates `state` by all segments.  4 rows
/// width FLOPs a step, rows width a decay.
void outer_scan(const OuterScan& scan);

}  // namespace oa::attention
