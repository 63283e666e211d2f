// Submitted matrices are read or refused; what is read has the size that it says.
#include "oa/io/machine/matrix_csv.h"

#include "oa/base/error.h"

#include <cmath>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  try {
    io::Input input = io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz");
    const machine::TaskMatrix q = io::read_matrix_csv(input).q;
    const auto n = static_cast<std::size_t>(q.n);
    std::vector<int> all;
    for (int i = 0; i < q.n; ++i) {
      all.push_back(i);
    }
    if (q.n < 1 || q.cells.size() != n * (n + 1) / 2 || !std::isfinite(q.energy(all))) {
      std::abort();
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
