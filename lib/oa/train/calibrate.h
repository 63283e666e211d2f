#pragma once

#include "oa/data/dataset.h"
#include "oa/model/convert.h"

#include <vector>

namespace oa::train {

/// Sums second moments of each layer's input over the first `examples` of `data`.
/// The result does not depend on `threads`.
[[nodiscard]] std::vector<model::Moments> input_moments(const model::Model& model,
                                                        const Dataset& data,
                                                        int examples,
                                                        int threads);

}  // namespace oa::train
