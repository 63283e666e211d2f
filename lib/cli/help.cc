#include "cli/help.h"

#include "cli/examples.h"

#include <algorithm>
#include <string_view>

namespace oa::cli {
namespace {

constexpr std::size_t kColumn = 26;  // where descriptions begin
constexpr std::size_t kWidth = 80;

/// "FILE", "[FILE]" or "FILE...".
std::string operand(const Option& option) {
  std::string text = option.name();
  if (option.takes_many()) {
    text += "...";
  }
  return option.is_required() ? text : "[" + text + "]";
}

std::string left_side(const Option& option) {
  if (option.is_operand()) {
    return "  " + option.name();
  }
  const std::string brief = option.short_name();
  const std::string text =
      (brief.empty() ? "      " : "  -" + brief + ", ") + option.name();
  const std::string value = option.value_name();
  return value.empty() ? text : text + " " + value;
}

std::string right_side(const Option& option) {
  std::string text = option.description();
  const auto& names = option.choices();
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? ": " : i + 1 < names.size() ? ", " : " or ") + names[i];
  }
  const std::string value = option.default_text();
  if (!value.empty()) {
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

namespace {

/// Usage, what the tool does, and examples.
std::string beginning(const Tool& tool, const App& app) {
  std::string required;
  std::string operands;
  for (const auto& option : app.options()) {
    if (option->is_operand()) {
      operands += " " + operand(*option);
    } else if (option->is_required()) {
      const std::string brief = option->short_name();
      required += " " + (brief.empty() ? option->name() : "-" + brief) + " " +
                  option->value_name();
    }
  }
  const std::string examples(examples_of(tool.name));
  return "Usage: " + std::string(tool.name) + required + " [OPTION]..." + operands +
         "\n" + std::string(tool.summary) + "\n" +
         (examples.empty() ? "" : "\nExamples:\n" + examples) + "\n";
}

std::string manual(const Tool& tool) {
  return "The manual: man " + std::string(tool.name) + "; the whole road: man oa\n";
}

}  // namespace

std::string short_help(const Tool& tool, const App& app) {
  return beginning(tool, app) + "All options: " + std::string(tool.name) +
         " --help.  " + manual(tool);
}

std::string help(const Tool& tool, const App& app) {
  std::string rows;
  for (const auto& option : app.options()) {
    if (option->is_hidden()) {
      continue;
    }
    std::string left = left_side(*option);
    if (left.size() + 2 > kColumn) {
      left += "\n" + std::string(kColumn, ' ');
    } else {
      left.resize(kColumn, ' ');
    }
    rows += left + wrapped(right_side(*option)) + "\n";
  }
  return beginning(tool, app) + rows + "\n" + manual(tool);
}

}  // namespace oa::cli
