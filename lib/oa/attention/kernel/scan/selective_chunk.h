#pragma once

#include "oa/num/matrix.h"

#include <array>

namespace oa::attention {

// The arithmetic of selective_scan.cc: a chunk of tokens for so many channels as the
// widest vector has.

/// A chunk of tokens for num::kLane channels, packed: rows of num::kLane floats, and of
/// `states` for b and c.
struct ChannelChunk {
  int steps;
  int states;
  const float* a;  // states rows, in units of log 2
  float* dt;       // steps rows
  float* w;        // steps rows: dt x
  const float* b;
  const float* c;
  float* h;  // states rows: the state
};

/// Where the tokens of a chunk come from and go to.  The first states read them, which
/// packs dt and w, and the last write y.
struct ChannelViews {
  num::ConstView dt;
  num::ConstView x;
  num::View y;
  const float* skip;  // a row
  float* sums;        // steps rows: y so far
  // What the next block of channels reads and writes, brought to the cache on the way.
  std::array<num::ConstView, 3> next;
};

/// What the gradient of such a chunk has besides.
struct ChannelSlopes {
  const float* dy;  // steps rows
  float* before;    // steps x states rows: exp(dt a) h_{t-1}
  float* decay;     // steps x states rows: exp(dt a)
  float* db;        // steps x states rows, summed over channels that share a lane
  float* dc;
  float* g;     // states rows: d h, from token to token
  float* da;    // states rows
  float* d_w;   // steps rows: sum of g b
  float* d_dt;  // steps rows: sum of g a exp(dt a) h_{t-1}
};

/// y and the state behind the chunk.
void scan_chunk(const ChannelChunk& chunk, const ChannelViews& views);

/// The state again, and `before` and `decay`.
void repeat_chunk(const ChannelChunk& chunk, const ChannelSlopes& slopes);

/// From the last token to the first: adds to db, dc, da, d_w and d_dt, and brings g to
/// the token before the chunk.
void slope_chunk(const ChannelChunk& chunk, const ChannelSlopes& slopes);

/// to_i = the sum of row i of `count` rows of num::kLane floats.
void sum_lanes(const float* from, int count, float* to);

}  // namespace oa::attention
