// Result logs that are accepted, written again, read back equal; arrays of spins have
// rows of one width.
#include "oa/io/machine/cim_log.h"

#include "oa/base/error.h"
#include "oa/io/machine/spin_array.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  const std::string text(data, data + size);
  try {
    for (const auto& row : io::read_spin_array(text, "fuzz")) {
      if (row.empty()) {
        std::abort();
      }
    }
  } catch (const InputError&) {
    // Refusal is the other right answer, here and below.
  }
  try {
    const auto shots = io::read_cim_log(text, "fuzz");
    for (const bool spins : {false, true}) {
      if (io::read_cim_log(io::cim_log_text(shots, spins), "again") != shots) {
        std::abort();
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}
