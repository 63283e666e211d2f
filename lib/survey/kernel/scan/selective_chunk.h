#pragma once

#include "oa/num/matrix.h"

namespace oa::attention {

// The arithmetic of selective_scan.cc (letters: selective_scan.h) for a chunk of
// tokens, and as many channels as the widest vector has lanes.

/// A chunk of tokens for num::kLane channels, in packed rows of num::kLane floats.
/// b and c have rows of `states` floats.
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

/// The inputs and outputs of a chunk.
/// The first states read inputs and pack dt and w; the last states write y.
struct ChannelViews {
  num::ConstView dt;
  num::ConstView x;
  num::View y;
  const float* skip;  // a row
  float* sums;        // steps rows: partial sums of y
};

/// The inputs and outputs of the gradient of a chunk.
struct ChannelSlopes {
  const float* dy;  // steps rows
  float* before;    // steps x states rows: exp(dt a) h_{t-1}
  float* decay;     // steps x states rows: exp(dt a)
  float* db;        // steps x states rows, summed over channels of a lane
  float* dc;
  float* g;     // states rows: gradient of h, updated from token to token
  float* da;    // states rows
  float* d_w;   // steps rows: sum of g b
  float* d_dt;  // steps rows: sum of g a exp(dt a) h_{t-1}
};

/// Computes y and the state after the chunk.
void scan_chunk(const ChannelChunk& chunk, const ChannelViews& views);

/// Computes the state again, and stores `before` and `decay`.
void repeat_chunk(const ChannelChunk& chunk, const ChannelSlopes& slopes);

/// Visits tokens from the last to the first.
/// Adds to db, dc, da, d_w and d_dt, and updates g to the token before the chunk.
void slope_chunk(const ChannelChunk& chunk, const ChannelSlopes& slopes);

/// Sets to_i to the sum of row i of `count` rows of num::kLane floats.
void sum_lanes(const float* from, int count, float* to);

}  // namespace oa::attention
