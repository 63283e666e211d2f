#include "oa/solve/chain/ladder-inl.h"

namespace oa::solve {

template class LadderOf<Chain>;

}  // namespace oa::solve
