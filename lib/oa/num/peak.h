#pragma once

#include <cstdint>
#include <span>

namespace oa::num {

// Loops at a processor's peak rates, to find the share that a kernel reaches.
// The caller measures the time.

/// Does `steps` fused multiply-adds on several independent vectors in registers.  Adds
/// a result to `sum` to prevent optimisation.  Returns the number of FLOPs, 2 a lane.
std::int64_t multiply_add_loop(std::int64_t steps, float& sum);

/// Copies `from` to `to`, of equal size, through the caches:
/// 8 bytes of traffic a float.
void copy_floats(std::span<const float> from, std::span<float> to);

}  // namespace oa::num
