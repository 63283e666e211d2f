#pragma once

#include "oa/plot/scene.h"

#include <set>
#include <string>

namespace oa::io {

/// The signs of a scene that its own font lacks, as Chinese.
[[nodiscard]] std::set<char32_t> foreign_signs(const plot::Scene& scene);

/// The family of a font of this machine that has all of them.  Throws IoError where
/// none has, with the signs that are missing and what helps.
[[nodiscard]] std::string family_with(const std::set<char32_t>& signs);

}  // namespace oa::io
