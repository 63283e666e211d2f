#include "oa/base/error.h"
#include "oa/io/machine/pdf_text.h"

namespace oa::io {

bool reads_pdf() {
  return false;
}

std::string pdf_text(std::string_view /*bytes*/, const std::string& where) {
  throw InputError(where + ": a PDF report (this build does not read them: " +
                   "libpoppler-cpp was missing)");
}

}  // namespace oa::io
