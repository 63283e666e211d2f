#pragma once

#include "oa/attention/site.h"
#include "oa/base/field_table.h"

#include <string>
#include <vector>

namespace oa::attention {

/// Seeds that a double, and so JSON, can say.
inline constexpr Range kSeedRange{.low = 0, .high = 9007199254740992.0};

/// An option of a kind: what it is, and its value if nothing is said.
struct KindOption {
  FieldSpec spec;
  std::string value;
};

/// The options of a kind, read from the table of its struct of options S, which
/// S::fields() returns.
struct KindOptions {
  std::vector<KindOption> (*list)() = nullptr;  ///< null: the kind has none
  /// Why `value` is none of the option `name`; empty if it is.  `name` is in the list.
  std::string (*refusal)(const std::string& name, const std::string& value) = nullptr;
  /// Whether the option has a meaning beside those that are said; null: always.
  bool (*applies)(const OptionTexts& texts, const std::string& name) = nullptr;
};

template <class S>
[[nodiscard]] const Field<S>* find_field(const std::string& name) {
  for (const Field<S>& field : S::fields().fields) {
    if (field.name == name) {
      return &field;
    }
  }
  return nullptr;
}

/// Kind::options for the struct S.
template <class S>
[[nodiscard]] constexpr KindOptions options_from(
    bool (*applies)(const OptionTexts& texts, const std::string& name) = nullptr) {
  return {.list =
              [] {
                std::vector<KindOption> all;
                for (const Field<S>& field : S::fields().fields) {
                  all.push_back({field, field.text(S{})});
                }
                return all;
              },
          .refusal =
              [](const std::string& name, const std::string& value) {
                return find_field<S>(name)->refusal(value);
              },
          .applies = applies};
}

/// What was said at this site, as the struct S; what was not said keeps its value.
template <class S>
[[nodiscard]] S options_of(const Site& site) {
  S s;
  S::fields().parse(site.options, site.prefix, s);
  return s;
}

}  // namespace oa::attention
