#pragma once

#include <string>
#include <string_view>

namespace oa::io {

inline constexpr int kMaxPdfSeconds = 60;  ///< of the processor, for a file

/// Starts the process that pdf_text_apart() asks: before there are threads, for
/// what one of those holds nobody gives back in a process split off.  It ends with
/// ours.
void start_pdf_process();

/// As pdf_text(), but each file is read in a process of its own: whatever becomes of
/// poppler, ours goes on.  Throws InputError also where it crashes, waits for ever
/// or takes over kMaxPdfSeconds, and IoError where memory is short.
[[nodiscard]] std::string pdf_text_apart(std::string_view bytes,
                                         const std::string& where);

}  // namespace oa::io
