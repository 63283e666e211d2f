// Result logs that are accepted, written again, read back equal; arrays of spins have
// rows of one width.
#include "oa/io/machine/cim_log.h"

#include "fuzz/fuzz.h"
#include "oa/io/machine/spin_array.h"

namespace oa {

void fuzz::one_input(Bytes bytes) {
  const std::string text = text_of(bytes);
  or_refuse([&] {
    for (const auto& row : io::read_spin_array(text, "fuzz")) {
      require(!row.empty());
    }
  });
  or_refuse([&] {
    const auto shots = io::read_cim_log(text, "fuzz");
    for (const bool spins : {false, true}) {
      require(io::read_cim_log(io::cim_log_text(shots, spins), "again") == shots);
    }
  });
}

}  // namespace oa
