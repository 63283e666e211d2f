#pragma once

#include "oa/base/error.h"
#include "oa/base/field.h"
#include "oa/base/field_spec.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace oa {

// A table declares each field of a settings struct once, in one line.  Metadata,
// checks, command-line options, --help and completion all come from the table.
//
//   struct Oven { int degrees = 180; bool fan = false; };
//   constexpr std::array kFields{
//       field<&Oven::degrees>(
//           "degrees", "How hot", {.range = {.low = 0, .high = 300}}),
//       field<&Oven::fan>("fan", "Whether the air moves")};
//   constexpr FieldTable<Oven> kTable{"oven.", kFields};

/// A field of S: its description, and functions that read and write it.
template <class S>
struct Field : FieldSpec {
  const char* noun;                               ///< "a whole number"
  std::string (*text)(const S& s);                ///< value as text
  bool (*parse)(const std::string& text, S& to);  ///< false: invalid text
  std::optional<double> (*number)(const S& s);    ///< the value of a field with a range

  [[nodiscard]] bool in_range(const S& s) const {
    const std::optional<double> value = number(s);
    return !value || range.contains(*value);
  }

  /// Error text if `value` is invalid,
  /// "'0' (expected a whole number from 1 to 9)"; else empty.
  [[nodiscard]] std::string refusal(const std::string& value) const {
    if (choices != nullptr) {
      return refusal_of_name(value, choices());
    }
    if (refusal_of != nullptr) {
      return refusal_of(value);
    }
    S s;
    return parse(value, s) && in_range(s)
               ? std::string{}
               : "'" + value + "' (expected " + range.text_of(noun) + ")";
  }
};

/// All fields of S, in the order of the manual.
template <class S>
struct FieldTable {
  std::string_view prefix;  ///< of keys in metadata: "oa."
  std::span<const Field<S>> fields;

  [[nodiscard]] std::string key(const FieldSpec& field) const {
    return std::string(prefix) + std::string(field.name);
  }

  /// The fields as metadata, "oa.dim" -> "64".
  /// Leaves out fields marked `later` that have default values.
  [[nodiscard]] std::map<std::string, std::string> describe(const S& s) const {
    std::map<std::string, std::string> all;
    const S usual;
    for (const Field<S>& field : fields) {
      if (!field.later || field.text(s) != field.text(usual)) {
        all[key(field)] = field.text(s);
      }
    }
    return all;
  }

  /// Reads fields from metadata.  Keeps fields without an entry; ignores unknown keys.
  /// Throws InputError on malformed values; check() checks ranges.
  void parse(const std::map<std::string, std::string>& metadata,
             const std::string& where,
             S& to) const {
    for (const Field<S>& field : fields) {
      const auto found = metadata.find(key(field));
      if (found != metadata.end() && !field.parse(found->second, to)) {
        throw InputError(where + ": metadata " + found->first + " is '" +
                         found->second + "'");
      }
    }
  }

  /// Throws InputError, prefixed with `where`, if a number is out of range.
  void check(const S& s, const std::string& where) const {
    for (const Field<S>& field : fields) {
      if (!field.in_range(s)) {
        throw InputError(where + ": " + std::string(field.name) + " is " +
                         field.text(s) + " (expected " + field.range.text() + ")");
      }
    }
  }
};

template <class S, class T>
S struct_of(T S::*member);  // for decltype

template <auto Member, auto... Inner>
[[nodiscard]] constexpr auto& member_of(auto& s) {
  if constexpr (sizeof...(Inner) == 0) {
    return s.*Member;
  } else {
    return member_of<Inner...>(s.*Member);
  }
}

/// A line of a table: field<&S::dim>(...), or,
/// for a struct in S, field<&S::augmentation, &Augmentation::shift>(...).
template <auto Member, auto... Inner>
[[nodiscard]] constexpr auto field(std::string_view name,
                                   std::string_view summary,
                                   FieldSpec spec = {}) {
  using S = decltype(struct_of(Member));
  using T =
      std::remove_cvref_t<decltype(member_of<Member, Inner...>(std::declval<S&>()))>;
  constexpr bool kWhole = std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>;
  constexpr bool kNumber = kWhole || std::is_same_v<T, double>;
  if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
    spec.choices = names_of<T>;
  }
  spec.name = name;
  spec.summary = summary;
  if (spec.value_name.empty()) {
    spec.value_name = std::is_same_v<T, bool> ? "BOOL"
                      : kWhole                ? "N"
                      : kNumber               ? "X"
                                              : "KIND";
  }
  return Field<S>{spec,
                  kWhole    ? "a whole number"
                  : kNumber ? "a number"
                            : "a text",
                  [](const S& s) { return field_text(member_of<Member, Inner...>(s)); },
                  [](const std::string& text, S& to) {
                    return parse_field(text, member_of<Member, Inner...>(to));
                  },
                  [](const S& s) -> std::optional<double> {
                    if constexpr (kNumber) {
                      return static_cast<double>(member_of<Member, Inner...>(s));
                    } else {
                      return std::nullopt;
                    }
                  }};
}

}  // namespace oa
