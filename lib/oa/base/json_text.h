#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oa {

class JsonArray;
class JsonObject;

/// Appends `text` as a JSON string.  Replaces bytes that are not UTF-8.
void append_quoted(std::string& to, std::string_view text);

/// A JSON value as text, without spaces.
/// Arrays and objects join the texts of their parts in order.
class JsonValue {
 public:
  // Implicit conversions: lists of members and elements consist of JsonValue.
  // NOLINTBEGIN(google-explicit-constructor)
  JsonValue() : text_("null") {}
  JsonValue(bool value) : text_(value ? "true" : "false") {}
  /// Writes a point or an exponent, "2.0"; infinity and NaN become null.
  JsonValue(double value);
  /// Replaces bytes that are not UTF-8.
  JsonValue(std::string_view text);
  JsonValue(const char* text) : JsonValue(std::string_view(text)) {}
  JsonValue(const std::string& text) : JsonValue(std::string_view(text)) {}
  JsonValue(const JsonArray& array);
  JsonValue(const JsonObject& object);
  template <std::integral T>
  JsonValue(T value) : text_(std::to_string(value)) {}
  /// Writes null if `value` is empty.
  template <class T>
  JsonValue(const std::optional<T>& value)
      : JsonValue(value ? JsonValue(*value) : JsonValue()) {}
  template <class T>
  JsonValue(const std::vector<T>& values);
  // NOLINTEND(google-explicit-constructor)

  /// The shortest form, "2", as by format(); null if not finite.
  [[nodiscard]] static JsonValue shortest(double value);

  /// Wraps `text`, which is already JSON.
  [[nodiscard]] static JsonValue of_json(std::string text);

  /// Wraps the name of a file without loss: bytes that are not UTF-8 become U+DC80 to
  /// U+DCFF, as in Python's surrogateescape. path_of() converts back.
  [[nodiscard]] static JsonValue of_path(std::string_view path);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Replaces U+DC80 to U+DCFF, which JSON parsers refuse, by U+0000 (never in a file
/// name) and U+0080 to U+00FF.
[[nodiscard]] std::string without_surrogates(std::string_view json);

/// Restores a file name from a string of without_surrogates().
[[nodiscard]] std::string path_of(std::string_view text);

class JsonArray {
 public:
  JsonArray() = default;
  JsonArray(std::initializer_list<JsonValue> values);

  JsonArray& element(const JsonValue& value);
  [[nodiscard]] std::string text() const { return "[" + elements_ + "]"; }

 private:
  std::string elements_;
};

/// Members in the order of the calls.  The caller must not repeat a name.
class JsonObject {
 public:
  JsonObject() = default;
  JsonObject(std::initializer_list<std::pair<std::string_view, JsonValue>> members);

  JsonObject& member(std::string_view name, const JsonValue& value);
  /// Appends all members of `other`.
  JsonObject& members(const JsonObject& other);
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

template <class T>
JsonValue::JsonValue(const std::vector<T>& values) {
  JsonArray array;
  for (const T& value : values) {
    array.element(value);
  }
  text_ = array.text();
}

}  // namespace oa
