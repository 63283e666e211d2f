// Submitted matrices are read or refused; what is read has the size that it says.
#include "oa/io/machine/matrix_csv.h"

#include "fuzz/fuzz.h"

#include <cmath>
#include <numeric>

namespace oa {

void fuzz::one_input(Bytes bytes) {
  read_or_refuse(bytes, [](io::Input& input) {
    const machine::TaskMatrix q = io::read_matrix_csv(input).q;
    const auto n = static_cast<std::size_t>(q.n);
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    require(q.n >= 1 && q.cells.size() == n * (n + 1) / 2);
    require(std::isfinite(q.energy(all)));
  });
}

}  // namespace oa
