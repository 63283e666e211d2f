#pragma once

#include <string>
#include <string_view>

namespace oa::io {

/// Whether this build reads PDF files (with poppler).
[[nodiscard]] bool reads_pdf();

/// The text of a PDF file, page after page.  Throws InputError, which begins with
/// `where`, if it is none, is encrypted, is over kMaxPdfPages long, has no text, or
/// this build does not read them.  Ends the process where memory is short, as poppler
/// would (see pdf_process.h).  Linked by the tool that needs it alone.
[[nodiscard]] std::string pdf_text(std::string_view bytes, const std::string& where);

inline constexpr int kMaxPdfPages = 1000;

}  // namespace oa::io
