#pragma once

#include <cstdint>
#include <functional>

namespace oa::stops {

/// The operations of this thread so far: basic blocks of the code under test, which the
/// compiler makes call a counter.
[[nodiscard]] std::int64_t operations();

/// Calls `event` once, after this many more operations, within the code under test.
void after(std::int64_t operations, std::function<void()> event);

/// The event will not be called.
void forget();

}  // namespace oa::stops
