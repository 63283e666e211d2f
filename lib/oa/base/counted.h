#pragma once

#include "oa/base/number.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oa {

/// Returns "1 image" or "2,000 images" for messages.
/// `thing` is the singular; `things` is the plural, if irregular.
[[nodiscard]] inline std::string counted(std::int64_t n,
                                         std::string_view thing,
                                         std::string_view things = "") {
  return format_grouped(n) + " " +
         (n == 1 || things.empty() ? std::string(thing) : std::string(things)) +
         (n == 1 || !things.empty() ? "" : "s");
}

}  // namespace oa
