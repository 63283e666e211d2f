// Whatever the bytes: the text of a PDF file or a refusal, and a report or a refusal of
// that.
#include "oa/io/machine/pdf_text.h"

#include "oa/base/error.h"
#include "oa/io/machine/cim_report.h"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT
  try {
    (void)io::read_cim_report(io::pdf_text(bytes, "fuzz"), "fuzz");
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
