#include "oa/base/field_spec.h"

#include <algorithm>

namespace oa {

std::string FieldSpec::option_name() const {
  if (!no_option.empty()) {
    return {};
  }
  std::string text = option.empty() ? "--" + std::string(name) : std::string(option);
  std::ranges::replace(text, '_', '-');
  return text;
}

std::string refusal_of_name(const std::string& text,
                            const std::vector<std::string>& names) {
  if (std::ranges::find(names, text) != names.end()) {
    return {};
  }
  std::string all;
  for (const std::string& name : names) {
    all += (all.empty() ? "" : "|") + name;
  }
  return "'" + text + "' (expected " + all + ")";
}

}  // namespace oa
