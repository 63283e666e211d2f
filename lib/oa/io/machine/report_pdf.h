#pragma once

#include "oa/machine/result.h"

#include <string>
#include <vector>

namespace oa::io {

/// A result report as the site prints it, as a PDF file: the same labels and fields in
/// the same order, on as many pages as it takes.  `spins`: solutions of -1 and 1.
///
/// Fonts are named, not embedded; a map to Unicode makes the text readable to programs
/// and copyable whatever fonts there are.
[[nodiscard]] std::string report_pdf(const machine::Report& report,
                                     const std::vector<machine::Shot>& shots,
                                     bool spins);

/// The lines of it.
[[nodiscard]] std::vector<std::string> report_lines(
    const machine::Report& report, const std::vector<machine::Shot>& shots, bool spins);

}  // namespace oa::io
