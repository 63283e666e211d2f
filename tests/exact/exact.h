#pragma once

#include "exact/integer.h"

namespace oa::exact {

/// A real number as a whole multiple of 2^-1074, of which every double is one: what the
/// fuzzer trusts instead of the library's sums.  2304 bits hold sums of 2^200 doubles.
using Exact = Integer<36>;

/// `value`, which is finite.
[[nodiscard]] Exact exactly(double value);

/// The nearest double, of two the even one; infinite above the largest.
[[nodiscard]] double nearest(const Exact& x);

/// x in units of 2^(unit - 1074), where it is a whole number of them that fits.
using Narrow = Integer<2>;
[[nodiscard]] Narrow narrowed(const Exact& x, int unit);

}  // namespace oa::exact
