#pragma once

#include "oa/attention/site.h"
#include "oa/base/field_table.h"

#include <span>
#include <string>
#include <vector>

namespace oa::attention {

/// The range of seeds that a double, and thus JSON, represents exactly.
inline constexpr Range kSeedRange{.low = 0, .high = 9007199254740992.0};

/// An option of a kind and its default value.
struct KindOption {
  FieldSpec spec;
  std::string value;
};

/// The options of a kind, from the table S::fields() of its struct of options S.
struct KindOptions {
  std::vector<KindOption> (*list)() = nullptr;  ///< null: the kind has none
  /// Error message if `value` is invalid for option `name` of the list; else empty.
  std::string (*refusal)(const std::string& name, const std::string& value) = nullptr;
  /// True if the option applies together with `texts`; null: always true.
  bool (*applies)(const OptionTexts& texts, const std::string& name) = nullptr;
};

template <class S>
[[nodiscard]] const Field<S>* find_field(const std::string& name) {
  for (const Field<S>& field : S::fields()) {
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
                for (const Field<S>& field : S::fields()) {
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

/// Parses a site's options into a struct S; missing options keep their defaults.
template <class S>
[[nodiscard]] S options_of(const Site& site) {
  S s;
  FieldTable<S>{"", S::fields()}.parse(site.options, site.prefix, s);
  return s;
}

}  // namespace oa::attention
