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

/// Puts `text` behind `to` as a string of JSON.  What is not UTF-8 is replaced.
void append_quoted(std::string& to, std::string_view text);

/// A value as JSON writes it, without spaces.  It is text from the start: what is made
/// of values is their texts put together, in the order in which they came.
class JsonValue {
 public:
  // Implicit: the lists of members and elements below are made of them.
  // NOLINTBEGIN(google-explicit-constructor)
  JsonValue() : text_("null") {}
  JsonValue(bool value) : text_(value ? "true" : "false") {}
  /// With a point or an exponent: "2.0".  null if it is not finite: JSON has no word
  /// for it.
  JsonValue(double value);
  /// What is not UTF-8 is replaced.
  JsonValue(std::string_view text);
  JsonValue(const char* text) : JsonValue(std::string_view(text)) {}
  JsonValue(const std::string& text) : JsonValue(std::string_view(text)) {}
  JsonValue(const JsonArray& array);
  JsonValue(const JsonObject& object);
  template <std::integral T>
  JsonValue(T value) : text_(std::to_string(value)) {}
  /// null if there is none.
  template <class T>
  JsonValue(const std::optional<T>& value)
      : JsonValue(value ? JsonValue(*value) : JsonValue()) {}
  template <class T>
  JsonValue(const std::vector<T>& values);
  // NOLINTEND(google-explicit-constructor)

  /// The number as format() writes it, "2"; null if it is not finite.
  [[nodiscard]] static JsonValue shortest(double value);

  /// `text` is JSON already.
  [[nodiscard]] static JsonValue of_json(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class JsonArray {
 public:
  JsonArray() = default;
  JsonArray(std::initializer_list<JsonValue> values);

  JsonArray& element(const JsonValue& value);
  [[nodiscard]] std::string text() const { return "[" + elements_ + "]"; }

 private:
  std::string elements_;
};

/// Members in the order of the calls.  A name comes once: nothing looks for a second.
class JsonObject {
 public:
  JsonObject() = default;
  JsonObject(std::initializer_list<std::pair<std::string_view, JsonValue>> members);

  JsonObject& member(std::string_view name, const JsonValue& value);
  /// All of `other`, behind those that are there.
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
