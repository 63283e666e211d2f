#pragma once

#include "oa/attention/kind.h"

#include <functional>
#include <memory>

namespace oa::attention {

/// Makes attention for a batch of several sequences from one attention per sequence.
[[nodiscard]] std::unique_ptr<Attention> each_sequence(
    const Site& site,
    const Batch& batch,
    const std::function<std::unique_ptr<Attention>(int tokens)>& make);

}  // namespace oa::attention
