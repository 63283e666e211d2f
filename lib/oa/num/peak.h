#pragma once

#include <cstdint>
#include <span>

namespace oa::num {

// Peak rates of a processor, to compute the share that a kernel reaches.  The caller
// measures the time.

/// Does `steps` fused multiply-adds on each of several independent vectors in
/// registers.  Adds a number to `sum`, so that the work is not optimised away.  Returns
/// its FLOPs, 2 for each lane.
std::int64_t multiply_add_loop(std::int64_t steps, float& sum);

/// to = from, of the same size, by vectors through the caches: 8 bytes of traffic for
/// each float.
void copy_floats(std::span<const float> from, std::span<float> to);

}  // namespace oa::num
