#pragma once

namespace oa::num {

/// Whether this process may use the tiles of AMX with bfloat16 and with whole numbers
/// of 8 bits: the processor has them, and the system, asked at the first call, lets it.
[[nodiscard]] bool amx_here();

/// For tests and benchmarks: whether kernels use AMX where it is here.  Call it while
/// nothing else runs.
void allow_amx(bool allowed);

}  // namespace oa::num
