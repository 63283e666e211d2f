#include "oa/report/rows.h"

#include "oa/base/number.h"

#include <algorithm>
#include <cmath>

namespace oa::report {
namespace {

std::string without_end_spaces(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

std::string left_aligned(std::string text, std::size_t width) {
  text.resize(width, ' ');
  return text;
}

std::string row(const std::string& name, const std::string& value) {
  return left_aligned(name, 22) + value + "\n";
}

std::string wide_row(const std::string& name, const std::string& value) {
  return left_aligned(name, 24) + value + "\n";
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

std::string wrapped(std::string begin, std::string_view words, std::size_t indent) {
  std::string text;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    const std::string before = without_end_spaces(begin);
    if (begin.size() + word.size() > kPageColumns && !before.empty()) {
      text += before + "\n";
      begin.assign(indent, ' ');
    }
    begin += std::string(word) + " ";
    at = end + 1;
  }
  return text + without_end_spaces(begin) + "\n";
}

}  // namespace oa::report
