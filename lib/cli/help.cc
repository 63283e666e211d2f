#include "cli/help.h"

#include <algorithm>
#include <string_view>

namespace oa::cli {
namespace {

constexpr std::size_t kColumn = 26;  // where descriptions begin
constexpr std::size_t kWidth = 80;

/// "FILE", "[FILE]" or "FILE...".
std::string operand(const CLI::Option& option) {
  std::string text = option.get_name();
  if (option.get_expected_max() > 1) {
    text += "...";
  }
  return option.get_required() ? text : "[" + text + "]";
}

std::string left_side(const CLI::Option& option) {
  if (option.get_positional()) {
    return "  " + option.get_name();
  }
  std::string text = "      ";
  if (!option.get_snames().empty()) {
    text = "  -" + option.get_snames()[0] + ", ";
  }
  text += "--" + option.get_lnames().at(0);
  const std::string value = value_name(option);
  return value.empty() ? text : text + " " + value;
}

std::string right_side(const CLI::Option& option) {
  std::string text = option.get_description();
  const auto names = choices(option);
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? ": " : i + 1 < names.size() ? ", " : " or ") + names[i];
  }
  const std::string value = option.get_default_str();
  if (option.get_expected_max() > 0 && !value.empty() && !option.get_positional()) {
    text += " (default: " + value + ")";
  }
  return text;
}

/// `text` broken at spaces into lines that begin at the column of descriptions.
std::string wrapped(std::string_view text) {
  std::string out;
  std::size_t used = kColumn;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    const std::string_view word = text.substr(from, to - from);
    if (used > kColumn && used + 1 + word.size() > kWidth) {
      out += "\n" + std::string(kColumn, ' ');
      used = kColumn;
    }
    if (used > kColumn) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
    from = to + 1;
  }
  return out;
}

}  // namespace

std::string help(const Tool& tool, const App& app) {
  std::string required;
  std::string operands;
  std::string rows;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) {
      continue;  // hidden
    }
    if (option->get_positional()) {
      operands += " " + operand(*option);
    } else if (option->get_required()) {
      const bool is_short = !option->get_snames().empty();
      required += (is_short ? " -" + option->get_snames()[0]
                            : " --" + option->get_lnames().at(0)) +
                  " " + value_name(*option);
    }
    std::string left = left_side(*option);
    if (left.size() + 2 > kColumn) {
      left += "\n" + std::string(kColumn, ' ');
    } else {
      left.resize(kColumn, ' ');
    }
    rows += left + wrapped(right_side(*option)) + "\n";
  }
  return "Usage: " + std::string(tool.name) + required + " [OPTION]..." + operands +
         "\n" + std::string(tool.summary) + "\n\n" + rows + "\nThe manual: man " +
         std::string(tool.name) + "; the whole road: man oa\n";
}

}  // namespace oa::cli
