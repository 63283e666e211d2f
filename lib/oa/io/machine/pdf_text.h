#pragma once

#include <string>
#include <string_view>

namespace oa::io {

/// True if this build reads PDF files (with poppler).
[[nodiscard]] bool reads_pdf();

/// The text of a PDF file, page after page.  Throws InputError, which begins with
/// `where`, if it is not a PDF, is encrypted, has over kMaxPdfPages pages, has no text,
/// or if this build has no poppler.  Ends the process if memory is short, as poppler
/// would (see pdf_process.h).
[[nodiscard]] std::string pdf_text(std::string_view bytes, const std::string& where);

inline constexpr int kMaxPdfPages = 1000;

}  // namespace oa::io
