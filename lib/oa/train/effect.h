#pragma once

#include "oa/train/settings.h"

#include <string>

namespace oa::train {

/// Why a value of a field of model::Config or Settings changes nothing in a recipe that
/// has it: "has no effect with attention 'softmax' (expected ...)"; empty if it may.
/// `key` is the field's in metadata, "oa.lambda".  Values that ask for nothing, "false"
/// and "0", are accepted everywhere.
[[nodiscard]] std::string refusal_without_effect(const Recipe& recipe,
                                                 const std::string& key,
                                                 const std::string& value);

}  // namespace oa::train
