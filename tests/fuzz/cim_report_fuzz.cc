// Reports of success that are accepted, printed again, read back with the same
// solutions.
#include "oa/io/machine/cim_report.h"

#include "oa/base/error.h"
#include "oa/io/machine/report_pdf.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  const std::string text(data, data + size);
  try {
    const machine::Returned first = io::read_cim_report(text, "fuzz");
    if (!first.report->succeeded()) {
      return 0;
    }
    machine::Report plain;  // fields of the text may contain its own labels
    plain.status = first.report->status;
    std::string again;
    for (const std::string& line : io::report_lines(plain, first.shots, false)) {
      again += line + "\n";
    }
    if (io::read_cim_report(again, "again").shots != first.shots) {
      std::abort();
    }
    if (io::report_pdf(*first.report, first.shots, false).empty()) {
      std::abort();
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
