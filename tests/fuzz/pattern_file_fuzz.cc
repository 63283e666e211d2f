// Files of patterns are read or refused; what is read is a pattern.
#include "oa/io/table/pattern_file.h"

#include "oa/base/error.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void check(const oa::attention::Pattern& pattern, bool causal) {
  require(pattern.queries() >= 1 && pattern.queries() == pattern.keys());
  for (int q = 0; q < pattern.queries(); ++q) {
    int before =
        -1;  // a run begins behind the end of the one before: they do not touch
    for (const oa::attention::Run& run : pattern.runs(q)) {
      require(run.begin > before && run.end > run.begin);
      before = run.end;
    }
    require(before <= (causal ? q + 1 : pattern.keys()));
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  for (const bool causal : {false, true}) {
    try {
      io::Input input = io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz");
      check(io::read_pattern(input, causal), causal);
    } catch (const InputError&) {
      // Refusal is the other right answer.
    }
  }
  return 0;
}
