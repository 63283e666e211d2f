#include "survey/formula/limits.h"

#include "oa/base/number.h"

namespace oa::attention {

std::string refusal_of_bytes(std::string_view what, std::int64_t bytes) {
  return bytes <= kMaxBytes
             ? std::string()
             : std::string(what) + " would take " + format_grouped(bytes) +
                   " bytes (expected at most " + format_grouped(kMaxBytes) + ")";
}

}  // namespace oa::attention
