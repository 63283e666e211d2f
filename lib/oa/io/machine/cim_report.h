#pragma once

#include "oa/machine/result.h"

#include <string>
#include <string_view>

namespace oa::io {

/// Reads the text of a result report, which the vendor's site sends as a PDF:
/// status, times, names, and solutions if the task succeeded; oa-cim(5), REPORTS.
/// Throws InputError, which begins with `where`.
[[nodiscard]] machine::Returned read_cim_report(std::string_view text,
                                                const std::string& where);

}  // namespace oa::io
