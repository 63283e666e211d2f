#pragma once

#include <cstdint>
#include <string_view>

namespace oa::attention {

/// A parameter that a layer chose, or an event that it counted.
struct Count {
  std::string_view name;  ///< name in oa-bench(1)
  std::int64_t value = 0;
};

}  // namespace oa::attention
