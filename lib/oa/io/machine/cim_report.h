#pragma once

#include "oa/machine/result.h"

#include <string>
#include <string_view>

namespace oa::io {

/// The text of a result report, which the site sends as a PDF: status, times, names,
/// and the solutions; oa-cim(5), REPORTS.  Without success there are none.  Throws
/// InputError, which begins with `where`.
[[nodiscard]] machine::Returned read_cim_report(std::string_view text,
                                                const std::string& where);

}  // namespace oa::io
