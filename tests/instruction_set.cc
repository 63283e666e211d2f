// Preloaded into a tool or a test, this makes its kernels use the instruction set that
// OA_INSTRUCTION_SET names; "list" prints the names of this machine, the best first.
// Programs without kernels run as they are.
#include "oa/num/simd.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace oa::num {

// Null in a program without the library of the tools.
#pragma GCC diagnostic ignored "-Wredundant-decls"
[[gnu::weak]] std::vector<std::string_view> simd_targets();
[[gnu::weak]] void use_simd_target(std::string_view name);

}  // namespace oa::num

namespace {

[[gnu::constructor]] void choose() {
  const char* name = std::getenv("OA_INSTRUCTION_SET");
  if (name == nullptr || &oa::num::simd_targets == nullptr) {
    return;
  }
  const auto all = oa::num::simd_targets();
  if (std::ranges::find(all, name) != all.end()) {
    oa::num::use_simd_target(name);
    return;
  }
  for (const std::string_view one : all) {
    std::printf("%.*s\n", static_cast<int>(one.size()), one.data());
  }
  std::fflush(stdout);
  ::_exit(name == std::string_view("list") ? 0 : 99);
}

}  // namespace
