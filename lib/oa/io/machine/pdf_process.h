#pragma once

#include <string>
#include <string_view>

namespace oa::io {

inline constexpr int kMaxPdfSeconds = 60;  ///< processor time for one file

/// Starts the process that pdf_text_in_child() asks.  Call it before there are threads:
/// a lock that a thread holds stays locked in a forked process.  The process ends with
/// this one.
void start_pdf_process();

/// As pdf_text(), but a process of its own reads each file, so that a crash of poppler
/// ends only that process.  Throws InputError if poppler crashes, hangs or takes over
/// kMaxPdfSeconds, and IoError if memory is short.
[[nodiscard]] std::string pdf_text_in_child(std::string_view bytes,
                                            const std::string& where);

}  // namespace oa::io
