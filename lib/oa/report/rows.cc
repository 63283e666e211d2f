#include "oa/report/rows.h"

#include "oa/base/number.h"

#include <algorithm>
#include <cmath>

namespace oa::report {

std::string row(const std::string& name, const std::string& value) {
  std::string text = name;
  text.resize(22, ' ');
  return text + value + "\n";
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string percentage(double share, int decimals) {
  return std::isnan(share) ? "-" : format_fixed(100.0 * share, decimals) + " %";
}

std::string of_total(std::int64_t count, std::int64_t total) {
  return format_grouped(count) + " of " + format_grouped(total);
}

std::string share_row(const std::string& name, const score::Share& share) {
  return row(name,
             percentage(share.value()) + "  (" + of_total(share.count, share.total) +
                 "; 95 %: " + percentage(share.low()) + " to " +
                 percentage(share.high()) + ")");
}

}  // namespace oa::report
