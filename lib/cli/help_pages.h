#pragma once

#include <array>
#include <string_view>

namespace oa::cli {

/// Options under one heading.
struct OptionGroup {
  std::string_view title;
  std::string_view names;  ///< "DATA --output --epochs", in the order of help
};

/// The parts of help that declarations of options do not have.
struct HelpPage {
  std::string_view tool;
  std::string_view examples;  ///< command lines, each on a line of its own
  /// All options; the first group has those that most people need.  Without groups,
  /// help lists options in the order of their declaration.
  std::array<OptionGroup, 7> groups = {};

  [[nodiscard]] bool is_grouped() const { return !groups.front().names.empty(); }
};

/// An empty page for an unknown tool.
[[nodiscard]] const HelpPage& help_page(std::string_view tool);

}  // namespace oa::cli
