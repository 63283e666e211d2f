#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic_formats.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

// D-Wave's BinaryQuadraticModel as JSON, schema 3.0.0.

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxJson = std::size_t{1} << 31;

class Reader {
 public:
  Reader(Json json, std::string name)
      : json_(std::move(json)),
        name_(std::move(name)) {}

  qubo::Quadratic read() {
    if (!json_.is_object() || text("type") != "BinaryQuadraticModel") {
      fail("no object of type BinaryQuadraticModel");
    }
    check_version();
    if (json_.value("use_bytes", Json(false)) != Json(false)) {
      fail("its numbers are packed as bytes (expected lists)");
    }
    const std::string vartype = text("variable_type");
    if (vartype != "BINARY" && vartype != "SPIN") {
      fail("variable_type " + unexpected(vartype, "BINARY or SPIN"));
    }
    const Json& linear = list("linear_biases");
    const Json& count = member("num_variables");
    if (linear.empty() || linear.size() > kMaxSparseVariables ||
        !count.is_number_integer() || count != linear.size()) {
      fail("num_variables is not the length of linear_biases, or out of range");
    }
    qubo::Quadratic f(static_cast<int>(linear.size()));
    f.vartype = vartype == "SPIN" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
    const Json& offset = member("offset");
    if (!is_finite(offset)) {
      fail("offset is no finite number");
    }
    f.offset = offset.get<double>();
    for (std::size_t i = 0; i < linear.size(); ++i) {
      f.linear[i] = number(linear[i], "linear_biases", i);
    }
    assemble(f, pairs(f.size()), name_);
    f.names = labels(linear.size());
    return f;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_ + ": " + what);
  }
  const Json& member(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) {
      fail(std::string("no member '") + key + "'");
    }
    return *found;
  }
  std::string text(const char* key) const {
    const Json& value = member(key);
    if (!value.is_string()) {
      fail(std::string("'") + key + "' is no string");
    }
    return value.get<std::string>();
  }
  const Json& list(const char* key) const {
    const Json& value = member(key);
    if (!value.is_array()) {
      fail(std::string("'") + key + "' is no list");
    }
    return value;
  }
  static bool is_finite(const Json& value) {
    return value.is_number() && std::isfinite(value.get<double>());
  }
  /// Element `k` of the list `key`.
  double number(const Json& value, const char* key, std::size_t k) const {
    if (!is_finite(value)) {
      fail(element(key, k) + " is no finite number");
    }
    return value.get<double>();
  }
  static std::string element(const char* key, std::size_t k) {
    return std::string(key) + "[" + std::to_string(k) + "]";
  }
  void check_version() const {
    const Json& version = member("version");
    const auto schema =
        version.is_object() ? version.find("bqm_schema") : version.end();
    if (!version.is_object() || schema == version.end() || !schema->is_string() ||
        !schema->get<std::string>().starts_with("3.0")) {
      fail("no version with bqm_schema 3.0.0");
    }
  }
  std::int32_t variable(const Json& value,
                        int n,
                        const char* key,
                        std::size_t k) const {
    if (!value.is_number_integer() || value < 0 || value >= n) {
      fail(element(key, k) + " is no variable (expected a whole number from 0 to " +
           format(n - 1) + ")");
    }
    return value.get<std::int32_t>();
  }
  qubo::Terms pairs(int n) const {
    const Json& biases = list("quadratic_biases");
    const Json& head = list("quadratic_head");
    const Json& tail = list("quadratic_tail");
    if (biases.size() != head.size() || biases.size() != tail.size()) {
      fail("quadratic_biases, quadratic_head and quadratic_tail differ in length");
    }
    qubo::Terms terms;
    terms.reserve(biases.size());
    for (std::size_t k = 0; k < biases.size(); ++k) {
      const std::int32_t a = variable(head[k], n, "quadratic_head", k);
      const std::int32_t b = variable(tail[k], n, "quadratic_tail", k);
      if (a == b) {
        fail(element("quadratic_head", k) + " couples a variable to itself");
      }
      terms.push_back({a, b, number(biases[k], "quadratic_biases", k)});
    }
    return terms;
  }
  /// Nothing if the labels are 0, 1, 2, ...
  std::vector<std::string> labels(std::size_t n) const {
    const Json& names = list("variable_labels");
    if (names.size() != n) {
      fail("variable_labels has not num_variables elements");
    }
    std::vector<std::string> all;
    bool plain = true;
    for (std::size_t i = 0; i < n; ++i) {
      plain = plain && names[i] == i;
      all.push_back(names[i].dump());
    }
    std::vector<std::string> sorted = all;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
      fail("variable_labels has " + twice->substr(0, 40) + " twice");
    }
    return plain ? std::vector<std::string>{} : all;
  }

  Json json_;
  std::string name_;
};

/// Refuses what is nested deeper than any label is, before it costs stack.
bool shallow(int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
  if (depth > 64) {
    throw InputError("nested too deeply");
  }
  return true;
}

std::string line_of(std::string_view text, std::size_t byte) {
  return format(std::int64_t{1} +
                std::count(text.begin(),
                           text.begin() +
                               static_cast<std::ptrdiff_t>(std::min(byte, text.size())),
                           '\n'));
}

}  // namespace

qubo::Quadratic read_bqm(Input& input) {
  Bytes bytes;
  bytes.read(input, kMaxJson);
  if (!input.at_end()) {
    throw InputError(input.name() + ": over 2 GiB of JSON");
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());  // NOLINT: is text
  try {
    Json json = Json::parse(text, shallow);
    return Reader(std::move(json), input.name()).read();
  } catch (const Json::parse_error& error) {
    throw InputError(input.name() + ":" + line_of(text, error.byte) +
                     ": not JSON from here on");
  } catch (const Json::out_of_range&) {
    throw InputError(input.name() + ": a number that is no double");
  } catch (const Json::type_error&) {
    throw InputError(input.name() + ": a name that is not UTF-8");
  }
}

}  // namespace oa::io
