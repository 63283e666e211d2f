#pragma once

#include "oa/base/range.h"

#include <string>
#include <string_view>
#include <vector>

namespace oa {

/// The description of a field in a table of settings.
struct FieldSpec {
  std::string_view name{};        ///< key in metadata, after the table's prefix
  std::string_view summary{};     ///< one line of --help
  std::string_view option{};      ///< empty: "--" and the name, with dashes
  std::string_view value_name{};  ///< placeholder in --help; empty: from the type
  Range range{};                  ///< of allowed numbers
  std::vector<std::string> (*choices)() = nullptr;   ///< all values, if they have names
  std::vector<std::string> (*examples)() = nullptr;  ///< some values, for completion
  std::string (*refusal_of)(const std::string& text) =
      nullptr;                   ///< for text with a syntax of its own
  std::string_view no_option{};  ///< why there is no option
  bool later = false;            ///< missing in older files: written if not the default

  /// "--token-mlp"; empty without an option.
  [[nodiscard]] std::string option_name() const;
};

/// Error text if `text` is not in `names`, "'c' (expected a|b)"; else empty.
[[nodiscard]] std::string refusal_of_name(const std::string& text,
                                          const std::vector<std::string>& names);

}  // namespace oa
