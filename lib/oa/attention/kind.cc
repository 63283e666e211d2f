#include "oa/attention/kind.h"

#include <algorithm>

namespace oa::attention {
std::span<const Problem> Attention::pose(const parts::Weights& /*weights*/,
                                         num::ConstView /*x*/,
                                         const QueryRows& /*rows*/) {
  return {};
}

std::string_view family_of(std::string_view name) {
  const Kind* kind = find_kind(name);
  return kind == nullptr ? "other" : kind->family;
}

bool takes_option(const Kind& kind, const OptionTexts& texts, const std::string& name) {
  if (kind.options.list == nullptr) {
    return false;
  }
  return std::ranges::any_of(
             kind.options.list(),
             [&](const KindOption& option) { return option.spec.name == name; }) &&
         (kind.options.applies == nullptr || kind.options.applies(texts, name));
}

std::string kind_names() {
  std::string all;
  for (const Kind* kind : all_kinds()) {
    all += (all.empty() ? "" : ", ") + std::string(kind->name);
  }
  return all;
}

}  // namespace oa::attention
