#pragma once

#include "oa/base/number.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace oa {

// Conversion of settings to text and back, for metadata and command lines.

/// Specialise for each enumeration with named values: `kAll` lists the names in order.
template <class T>
struct EnumNames;

/// The names of all values of an enumeration, or of bool.
template <class T>
[[nodiscard]] std::vector<std::string> names_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return {"true", "false"};
  } else {
    return {EnumNames<T>::kAll.begin(), EnumNames<T>::kAll.end()};
  }
}

[[nodiscard]] inline std::string field_text(const std::string& value) {
  return value;
}
[[nodiscard]] inline std::string field_text(int value) {
  return format(value);
}
[[nodiscard]] inline std::string field_text(std::int64_t value) {
  return format(value);
}
[[nodiscard]] inline std::string field_text(double value) {
  return format(value);
}
[[nodiscard]] inline std::string field_text(bool value) {
  return value ? "true" : "false";
}
template <class T>
requires std::is_enum_v<T>
[[nodiscard]] std::string field_text(T value) {
  return EnumNames<T>::kAll[static_cast<std::size_t>(value)];
}

// Parses a value; returns false if `text` is not a valid value.
[[nodiscard]] inline bool parse_field(const std::string& text, std::string& to) {
  to = text;
  return true;
}
[[nodiscard]] inline bool parse_field(const std::string& text, std::int64_t& to) {
  const auto value = parse_int(text);
  to = value.value_or(0);
  return value.has_value();
}
[[nodiscard]] inline bool parse_field(const std::string& text, int& to) {
  const auto value = parse_int(text);
  if (!value || !std::in_range<int>(*value)) {
    return false;
  }
  to = static_cast<int>(*value);
  return true;
}
[[nodiscard]] inline bool parse_field(const std::string& text, double& to) {
  const auto value = parse_double(text);
  to = value.value_or(0.0);
  return value.has_value();
}
[[nodiscard]] inline bool parse_field(const std::string& text, bool& to) {
  to = text == "true";
  return to || text == "false";
}
template <class T>
requires std::is_enum_v<T>
[[nodiscard]] bool parse_field(const std::string& text, T& to) {
  const auto& names = EnumNames<T>::kAll;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) {
      to = static_cast<T>(i);
      return true;
    }
  }
  return false;
}

}  // namespace oa
