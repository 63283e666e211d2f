#pragma once

#include <string>
#include <string_view>

namespace oa::io {

/// Whether this build reads PDF files (with poppler).
[[nodiscard]] bool reads_pdf();

/// The text of a PDF file, page after page.  Throws InputError, which begins with
/// `where`, if it is none, is encrypted, is over kMaxPdfPages long, takes over
/// kMaxPdfSeconds, has no text, makes poppler crash, or this build does not read them;
/// IoError if memory is short.  Poppler works in a process of its own: whatever becomes
/// of it, ours goes on.  Linked by the tool that needs it alone.
[[nodiscard]] std::string pdf_text(std::string_view bytes, const std::string& where);

inline constexpr int kMaxPdfPages = 1000;
inline constexpr int kMaxPdfSeconds = 60;  ///< of the processor

}  // namespace oa::io
