#pragma once

#include "oa/plot/scene.h"

#include <set>
#include <string>

namespace oa::io {

/// The signs of a scene that the built-in font lacks, for example Chinese ones.
[[nodiscard]] std::set<char32_t> foreign_signs(const plot::Scene& scene);

/// The family of a font of this machine that has all `signs`.  Throws IoError if there
/// is none, with the missing signs and advice.
[[nodiscard]] std::string family_with(const std::set<char32_t>& signs);

}  // namespace oa::io
