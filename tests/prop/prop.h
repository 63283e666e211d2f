#pragma once

#include "oa/base/rng.h"

#include <functional>
#include <string_view>
#include <vector>

namespace oa::test {

/// A law: called many times with fresh random numbers; throws or fails a CHECK to say
/// no.
struct Law {
  std::string_view name;
  std::function<void(Rng&)> holds;
};

/// Every law of the program; each file of laws adds its own before main().
std::vector<Law>& laws();

struct Register {
  Register(std::string_view name, std::function<void(Rng&)> holds) {
    laws().push_back({name, std::move(holds)});
  }
};

/// Throws when `condition` is false.
void require(bool condition, std::string_view what);

}  // namespace oa::test
