#include "oa/base/json_text.h"

#include "oa/base/number.h"

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
