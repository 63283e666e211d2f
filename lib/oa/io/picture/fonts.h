#pragma once

#include "oa/plot/scene.h"

#include <set>
#include <string>

namespace oa::io {

/// Characters of a scene that the built-in font lacks, such as Chinese characters.
[[nodiscard]] std::set<char32_t> foreign_signs(const plot::Scene& scene);

/// Finds a system font that has all `signs`, and returns its family.
/// If no font has all, throws IoError with the missing characters and advice.
[[nodiscard]] std::string family_with(const std::set<char32_t>& signs);

}  // namespace oa::io
