#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

// The scan below every kind of attention whose memory is a matrix S (rows x width):
//
//     S_t = decay_t o S_{t-1} + write_t value_t'        out_t = read_t' S_t
//
// A slab of S stays in registers over all steps of a block.  For one step it costs
// 4 rows width FLOP, nothing of it wasted, where the form by matrix products of chunks
// of C tokens costs (4 + 2 C / rows) rows width.

/// The most steps of one block: what a block reads and writes then lies in the first
/// cache besides a slab.
inline constexpr int kScanSteps = 32;

/// Steps `begin` .. `end`-1.  Before the first of them the state is multiplied by
/// `decay`, if there is one: a factor for each row or for each column of it.
struct ScanSegment {
  int begin = 0;
  int end = 0;
  const float* decay = nullptr;
};

enum class DecayAlong { Rows, Columns };

/// One block of a scan.  All arrays are packed and 64-byte aligned: write and read
/// (steps x rows), value and out (steps x width), state (rows x width).  Rows and width
/// are multiples of num::kLane; who has fewer adds zeros.
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
  /// What the next block will read and write.  It is brought to the second cache line
  /// by line while this one is at work, which hides the way from memory.
  std::span<const num::ConstView> next = {};
};

/// out = read S for every step, and `state` moves on by all segments.  4 rows width
/// FLOP a step, rows width a decay.
void outer_scan(const OuterScan& scan);

}  // namespace oa::attention
