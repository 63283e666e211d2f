#include "oa/base/json_text.h"

#include "oa/base/number.h"
#include "oa/base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace oa {
namespace {

using Json = nlohmann::json;

std::string quoted(std::string_view text) {
  std::string result;
  append_quoted(result, text);
  return result;
}

/// A byte as two hexadecimal digits.
std::string hex_of(char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  return {kDigits[value / 16], kDigits[value % 16]};
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

void append(std::string& list, std::string_view item) {
  if (!list.empty()) {
    list += ',';
  }
  list += item;
}

}  // namespace

void append_quoted(std::string& to, std::string_view text) {
  const bool plain = std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (plain) {
    to += '"';
    to += text;
    to += '"';
  } else {
    to += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

JsonValue::JsonValue(double value) : text_(Json(value).dump()) {}

JsonValue::JsonValue(std::string_view text) : text_(quoted(text)) {}

JsonValue::JsonValue(const JsonArray& array) : text_(array.text()) {}

JsonValue::JsonValue(const JsonObject& object) : text_(object.text()) {}

JsonValue JsonValue::shortest(double value) {
  return std::isfinite(value) ? of_json(format(value)) : JsonValue();
}

JsonValue JsonValue::of_json(std::string text) {
  JsonValue value;
  value.text_ = std::move(text);
  return value;
}

JsonValue JsonValue::of_path(std::string_view path) {
  std::string text = "\"";
  while (!path.empty()) {
    const std::string_view before = path;
    if (take_code_point(path)) {
      const std::string part = quoted(before.substr(0, before.size() - path.size()));
      text.append(part, 1, part.size() - 2);
    } else {
      text += "\\udc" + hex_of(path.front());
      path.remove_prefix(1);
    }
  }
  return of_json(text + "\"");
}

std::string without_surrogates(std::string_view json) {
  std::string text;
  bool second = false;  // the previous code point was a high surrogate
  while (!json.empty()) {
    const std::size_t end = std::min(json.find('\\'), json.size());
    second = second && end == 0;
    text += json.substr(0, end);
    json.remove_prefix(end);
    const std::string_view escape = json.substr(0, json.starts_with("\\u") ? 6 : 2);
    const std::string word = lower(escape);
    const bool kept = word.starts_with("\\udc") && word.size() == 6 && word[4] >= '8';
    text += kept && !second ? "\\u0000\\u00" + word.substr(4) : std::string(escape);
    second = word.size() == 6 && word.starts_with("\\ud") && word[3] >= '8' &&
             word[3] <= 'b';
    json.remove_prefix(escape.size());
  }
  return text;
}

std::string path_of(std::string_view text) {
  std::string path;
  while (!text.empty()) {
    if (text.front() == '\0' && text.size() > 2) {
      text.remove_prefix(1);
      path += static_cast<char>(take_code_point(text).value_or(0));
    } else {
      path += text.front();
      text.remove_prefix(1);
    }
  }
  return path;
}

JsonArray::JsonArray(std::initializer_list<JsonValue> values) {
  for (const JsonValue& value : values) {
    element(value);
  }
}

JsonArray& JsonArray::element(const JsonValue& value) {
  append(elements_, value.text());
  return *this;
}

JsonObject::JsonObject(
    std::initializer_list<std::pair<std::string_view, JsonValue>> all) {
  for (const auto& [name, value] : all) {
    member(name, value);
  }
}

JsonObject& JsonObject::member(std::string_view name, const JsonValue& value) {
  if (!members_.empty()) {
    members_ += ',';
  }
  append_quoted(members_, name);
  members_ += ':';
  members_ += value.text();
  return *this;
}

JsonObject& JsonObject::members(const JsonObject& other) {
  if (!other.members_.empty()) {
    append(members_, other.members_);
  }
  return *this;
}

}  // namespace oa
