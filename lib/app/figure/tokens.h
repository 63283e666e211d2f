#pragma once

#include "oa/data/dataset.h"
#include "oa/model/config.h"
#include "oa/plot/map/sparsity.h"

namespace oa::app {

/// Names the queries and values of example i in the map: texts of tokens, pictures of
/// an overlay, or places in a picture.  A map of another shape stays unchanged.
void name_tokens(const Dataset& data,
                 const model::Config& config,
                 int i,
                 plot::SparsityMap& map);

}  // namespace oa::app
