#pragma once

#include "app/context.h"

#include <string>

namespace oa::app {

/// Writes the model of the best epoch in the checkpoint at `path` to common.output,
/// byte for byte as the training would if it ended there.  Throws InputError if no
/// epoch has ended.
[[nodiscard]] Exit write_best_model(const std::string& path,
                                    const Common& common,
                                    Context& context);

}  // namespace oa::app
