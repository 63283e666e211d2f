#pragma once

namespace oa::num {

/// True if this process may use AMX tiles with bfloat16 and 8-bit integers: the
/// processor has them, and the system, asked at the first call, permits it.
[[nodiscard]] bool amx_here();

/// For tests and benchmarks: whether kernels may use AMX.  Call it while nothing else
/// runs.
void allow_amx(bool allowed);

}  // namespace oa::num
