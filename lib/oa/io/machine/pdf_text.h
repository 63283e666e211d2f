#pragma once

#include <string>
#include <string_view>

namespace oa::io {

inline constexpr int kMaxPdfPages = 1000;
inline constexpr int kMaxPdfSeconds = 60;  ///< processor time for one file

/// The text of a PDF file, page after page, by /usr/bin/pdftotext of poppler.  Throws
/// InputError, which begins with `where`, if the file is damaged or encrypted, has no
/// text, over kMaxPdfPages pages or over 64 MiB of text, or needs over kMaxPdfSeconds;
/// IoError if memory is short or the program is missing.
[[nodiscard]] std::string pdf_text(std::string_view bytes, const std::string& where);

}  // namespace oa::io
