#pragma once

#include "oa/train/settings.h"

#include <string>

namespace oa::train {

/// Explains why a value of a field of model::Config or Settings has no effect in a
/// recipe: "has no effect with attention 'softmax' (expected ...)"; else empty.
/// `key`: the field's metadata name, "oa.lambda".
/// Neutral values, "false" and "0", are always accepted.
[[nodiscard]] std::string refusal_without_effect(const Recipe& recipe,
                                                 const std::string& key,
                                                 const std::string& value);

}  // namespace oa::train
