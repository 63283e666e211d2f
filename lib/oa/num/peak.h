#pragma once

#include <cstdint>
#include <span>

namespace oa::num {

// What a processor can do at most, to say what share of it a kernel reaches.  Who calls
// these takes the time.

/// `steps` fused multiply-adds on each of so many independent vectors that none waits
/// for another; nothing but registers is touched.  Adds a number to `sum`, so that the
/// work is not left out.  Returns its FLOPs, 2 for each lane.
std::int64_t multiply_add_loop(std::int64_t steps, float& sum);

/// to = from, which have the same size, vector by vector through the caches: 8 bytes of
/// traffic for each float.
void copy_floats(std::span<const float> from, std::span<float> to);

}  // namespace oa::num
