// Files of patterns are read or refused; what is read are keys, ranges and separators.
#include "oa/io/table/pattern_file.h"

#include "oa/base/error.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  try {
    io::Input input = io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz");
    const std::string rows = io::read_pattern(input);
    if (rows.find_first_not_of("0123456789-+;") != std::string::npos) {
      std::abort();
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
