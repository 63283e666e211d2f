#include "cli/help.h"

#include "cli/help_pages.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <string_view>
#include <vector>

namespace oa::cli {
namespace {

constexpr std::size_t kColumn = 26;  // column where descriptions begin
constexpr std::size_t kWidth = 80;

/// Formats an operand: "FILE", "[FILE]" or "FILE...".
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

/// Breaks `text` at spaces into lines that begin at the column of descriptions.
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

/// Formats an option with its description, in one or several lines.
std::string option_row(const Option& option) {
  std::string left = left_side(option);
  if (left.size() + 2 > kColumn) {
    left += "\n" + std::string(kColumn, ' ');
  } else {
    left.resize(kColumn, ' ');
  }
  return left + wrapped(right_side(option)) + "\n";
}

using OptionList = std::vector<const Option*>;

OptionList shown_options(const App& app) {
  OptionList shown;
  for (const auto& option : app.options()) {
    if (!option->is_hidden()) {
      shown.push_back(option.get());
    }
  }
  return shown;
}

/// Moves the options named in `names` from `all` to the result.
OptionList take_options(std::string_view names, OptionList& all) {
  OptionList taken;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    const auto found = std::ranges::find(all, names.substr(0, end), &Option::name);
    assert(found != all.end());
    taken.push_back(*found);
    all.erase(found);
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return taken;
}

std::string option_rows(const OptionList& options) {
  std::string text;
  for (const Option* option : options) {
    text += option_row(*option);
  }
  return text;
}

/// Formats the first `count` groups of a page, with their titles.
std::string grouped_rows(const HelpPage& page, const App& app, std::size_t count) {
  OptionList left = shown_options(app);
  std::string text;
  for (const OptionGroup& group : std::span(page.groups).first(count)) {
    if (group.names.empty()) {
      break;
    }
    text += std::string(group.title) + ":\n" +
            option_rows(take_options(group.names, left)) + "\n";
  }
  assert(count < page.groups.size() || left.empty());
  return text;
}

/// Formats usage, summary and examples.
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
  const std::string examples(help_page(tool.name).examples);
  return "Usage: " + std::string(tool.name) + required + " [OPTION]..." + operands +
         "\n" + std::string(tool.summary) + "\n" +
         (examples.empty() ? "" : "\nExamples:\n" + examples) + "\n";
}

std::string manual(const Tool& tool) {
  return "Manual: man " + std::string(tool.name) + "; overview: man oa\n";
}

}  // namespace

std::string short_help(const Tool& tool, const App& app) {
  const HelpPage& page = help_page(tool.name);
  return beginning(tool, app) +
         (page.is_grouped() ? grouped_rows(page, app, 1) : std::string()) +
         "All options: " + std::string(tool.name) + " --help.  " + manual(tool);
}

std::string help(const Tool& tool, const App& app) {
  const HelpPage& page = help_page(tool.name);
  return beginning(tool, app) +
         (page.is_grouped() ? grouped_rows(page, app, page.groups.size())
                            : option_rows(shown_options(app)) + "\n") +
         manual(tool);
}

}  // namespace oa::cli
