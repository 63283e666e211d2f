// Reports of success that are accepted, printed again, read back with the same
// solutions.
#include "oa/io/machine/cim_report.h"

#include "fuzz/fuzz.h"
#include "oa/io/machine/report_pdf.h"

namespace oa {

void fuzz::one_input(Bytes bytes) {
  or_refuse([&] {
    const machine::Returned first = io::read_cim_report(text_of(bytes), "fuzz");
    if (!first.report->succeeded()) {
      return;
    }
    machine::Report plain;  // fields of the text may contain its own labels
    plain.status = first.report->status;
    std::string again;
    for (const std::string& line : io::report_lines(plain, first.shots, false)) {
      again += line + "\n";
    }
    require(io::read_cim_report(again, "again").shots == first.shots);
    require(!io::report_pdf(*first.report, first.shots, false).empty());
  });
}

}  // namespace oa
