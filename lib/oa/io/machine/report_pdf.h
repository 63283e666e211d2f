#pragma once

#include "oa/machine/result.h"

#include <string>
#include <vector>

namespace oa::io {

/// Writes a result report as a PDF file, with the labels and fields of the vendor's
/// site in their order.  `spins`: solutions have values -1 and 1.
///
/// Fonts are named, not embedded.
/// A map to Unicode lets programs read and copy the text.
[[nodiscard]] std::string report_pdf(const machine::Report& report,
                                     const std::vector<machine::Shot>& shots,
                                     bool spins);

[[nodiscard]] std::vector<std::string> report_lines(
    const machine::Report& report, const std::vector<machine::Shot>& shots, bool spins);

}  // namespace oa::io
