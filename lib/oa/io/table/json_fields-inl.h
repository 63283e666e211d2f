#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string_view>

namespace oa::io {

// Helpers for JSON that other programs wrote.

/// Parses `text`.  Returns a discarded value if it is not JSON or has more than 8
/// levels: a text of "[[[[..." must not exhaust the stack.
inline nlohmann::json parse_shallow(std::string_view text) {
  constexpr int kMaxDepth = 8;
  const auto is_shallow = [](int depth,
                             nlohmann::json::parse_event_t,
                             nlohmann::json&) { return depth <= kMaxDepth; };
  return nlohmann::json::parse(text, is_shallow, false);
}

/// The member `name`; null if it is missing or `object` is no object.
inline const nlohmann::json& member_of(const nlohmann::json& object, const char* name) {
  static const nlohmann::json kNone;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? kNone : *found;
}

/// Returns the value of a JSON number of at most 1e100 in magnitude; else nothing.
inline std::optional<double> number_of(const nlohmann::json& json) {
  constexpr double kMax = 1e100;
  return json.is_number() && !(std::abs(json.get<double>()) > kMax)
             ? std::optional(json.get<double>())
             : std::nullopt;
}

/// Returns the value of a JSON number from 0 to 1; else nothing.
inline std::optional<double> share_of(const nlohmann::json& json) {
  const auto value = number_of(json);
  return value && 0.0 <= *value && *value <= 1.0 ? value : std::nullopt;
}

/// The events of a parser where numbers are expected: any other value is std::nullopt.
class NumberSax : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return value(std::nullopt); }
  bool boolean(bool /*value*/) override { return value(std::nullopt); }
  bool number_integer(number_integer_t v) override {
    return value(static_cast<double>(v));
  }
  bool number_unsigned(number_unsigned_t v) override {
    return value(static_cast<double>(v));
  }
  bool number_float(number_float_t v, const string_t& /*text*/) override {
    return value(v);
  }
  bool string(string_t& /*value*/) override { return value(std::nullopt); }
  bool binary(binary_t& /*value*/) override { return value(std::nullopt); }

 private:
  virtual bool value(std::optional<double> number) = 0;
};

}  // namespace oa::io
