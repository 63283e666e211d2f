#pragma once

#include "oa/data/dataset.h"
#include "oa/model/config.h"
#include "oa/plot/map/sparsity.h"

namespace oa::app {

/// Names the queries and values of example i in the map: by texts of tokens, pictures,
/// or positions in a picture.  A map of another shape stays unchanged.
void name_tokens(const Dataset& data,
                 const model::Config& config,
                 int i,
                 plot::SparsityMap& map);

}  // namespace oa::app
