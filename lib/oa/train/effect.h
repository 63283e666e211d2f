#pragma once

#include "oa/train/settings.h"

#include <string>

namespace oa::train {

/// Why a value of a field of model::Config or Settings has no effect in a recipe: "has
/// no effect with attention 'softmax' (expected ...)"; empty if it may have one.  `key`
/// is the field's name in metadata, "oa.lambda".  The neutral values "false" and "0"
/// are always accepted.
[[nodiscard]] std::string refusal_without_effect(const Recipe& recipe,
                                                 const std::string& key,
                                                 const std::string& value);

}  // namespace oa::train
