#pragma once

#include "oa/attention/kind.h"

#include <functional>
#include <memory>

namespace oa::attention {

/// The attention for a batch of several sequences, made of one for each sequence.
[[nodiscard]] std::unique_ptr<Attention> each_sequence(
    const Site& site,
    const Batch& batch,
    const std::function<std::unique_ptr<Attention>(int tokens)>& make);

}  // namespace oa::attention
