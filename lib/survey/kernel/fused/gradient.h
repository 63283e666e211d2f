#pragma once

#include "survey/kernel/fused/fused.h"
#include "survey/kernel/fused/tile.h"

#include <cstdint>
#include <span>

namespace oa::attention {

/// The memory of one thread, with letters as in fused.h.
struct GradientWorker {
  std::span<float> q;          // rows x padded width, scaled by scale * log2(e)
  std::span<float> d_o;        // rows x padded width
  std::span<float> dq;         // rows x padded width, for one block of keys
  std::span<float> minus_log;  // rows: -L log2(e)
  std::span<float> minus_d;    // rows: -D
  std::span<float> p;          // rows x keys of a block
  std::span<float> ds;         // rows x keys of a block
  std::span<float> kt;         // keys of the block, packed
  std::span<float> vt;         // values of the block, packed
  std::span<float> k;          // keys x padded width
  std::span<float> dk;         // keys x padded width, of scaled queries
  std::span<float> dv;         // keys x padded width
  std::span<std::uint64_t> masks;
  std::span<std::uint64_t> seen;
};

// The maximum number of rows: the tile, its p and ds, and a block of keys fit into L2.
inline constexpr int kTileRows = 128;  // at most
inline constexpr int kBlockKeys = 256;
// The row length of the matrices p and ds.  It is no power of 2, because kernels also
// read columns, whose cache lines would then compete for the same places of L1.
inline constexpr int kWeightsStride = kBlockKeys + 16;

// Keys first .. first+count-1 of a group against all its queries.
struct GradientBlock {
  const HeadsView* heads;
  const Pattern* pattern;
  const TileCut* cut;
  const GradientWorker* worker;
  HeadRows k;
  HeadRows v;
  int group;
  int first;
  int count;
  int panel;    // keys
  int panels;   // panels in the block
  bool begins;  // dq has no sums of this group yet
  num::ConstView log_sums;
  const float* deltas;
  num::ConstView d_o;
  num::View dq;
  num::View dk;
  num::View dv;
};

}  // namespace oa::attention
