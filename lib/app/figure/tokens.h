#pragma once

#include "oa/data/dataset.h"
#include "oa/model/config.h"
#include "oa/plot/map/sparsity.h"

namespace oa::app {

/// Says in the map what the queries and values of example i are: tokens with their
/// texts, pictures of an overlay, or places in a picture.  A map whose shape is not
/// that of the example stays as it is.
void name_tokens(const Dataset& data,
                 const model::Config& config,
                 int i,
                 plot::SparsityMap& map);

}  // namespace oa::app
