#include "oa/solve/method.h"

#include <algorithm>
#include <array>

namespace oa::solve {
namespace {

constexpr std::array kMethods{
    Method{"exact", "branch and bound, with proof", exact},
};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  const auto* found = std::ranges::find(kMethods, name, &Method::name);
  return found == kMethods.end() ? nullptr : found;
}

}  // namespace oa::solve
