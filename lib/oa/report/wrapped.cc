#include "oa/report/wrapped.h"

#include <algorithm>

namespace oa::report {
namespace {

std::string without_end_spaces(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

std::string wrapped(std::string begin, std::string_view words, std::size_t indent) {
  std::string text;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    const std::string before = without_end_spaces(begin);
    if (begin.size() + word.size() > kColumns && !before.empty()) {
      text += before + "\n";
      begin.assign(indent, ' ');
    }
    begin += std::string(word) + " ";
    at = end + 1;
  }
  return text + without_end_spaces(begin) + "\n";
}

std::string to_the_right(const std::string& text, std::size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

}  // namespace oa::report
