#pragma once

#include <array>
#include <string_view>

namespace oa::cli {

/// Options under one heading.
struct OptionGroup {
  std::string_view title;
  std::string_view names;  ///< "DATA --output --epochs", in the order of the help
};

/// The parts of a tool's help that options do not declare.
struct HelpPage {
  std::string_view tool;
  std::string_view examples;  ///< command lines, one a line
  /// The groups of all options; the first group has the options that most users need.
  /// Without groups, help lists options in their order of declaration.
  std::array<OptionGroup, 7> groups = {};

  [[nodiscard]] bool is_grouped() const { return !groups.front().names.empty(); }
};

/// Returns the page of a tool, or an empty page for an unknown tool.
[[nodiscard]] const HelpPage& help_page(std::string_view tool);

}  // namespace oa::cli
