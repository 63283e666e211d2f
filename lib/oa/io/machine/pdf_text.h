#pragma once

#include <string>
#include <string_view>

namespace oa::io {

inline constexpr int kMaxPdfPages = 1000;
inline constexpr int kMaxPdfSeconds = 60;  ///< processor time for one file

/// Returns the text of a PDF file, page after page, by poppler's /usr/bin/pdftotext.
/// Throws InputError, whose message begins with `where`, if the file is damaged or
/// encrypted, has no text, or exceeds kMaxPdfPages, 64 MiB of text or kMaxPdfSeconds.
/// Throws IoError if memory is short or the program is missing.
[[nodiscard]] std::string pdf_text(std::string_view bytes, const std::string& where);

}  // namespace oa::io
