#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/recognise.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/json_number.h"
#include "oa/io/table/json_lists.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

// Problems as JSON.  This file reads D-Wave's BinaryQuadraticModel, schema 3.0.0.

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxJson = std::size_t{1} << 31;
constexpr std::size_t kResultStart = 65536;  // the keys of a result stand first

/// The long members.
enum List { kLinear, kBiases, kHead, kTail };
constexpr std::array<std::string_view, 4> kLists = {
    "linear_biases", "quadratic_biases", "quadratic_head", "quadratic_tail"};

class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  /// Called first, for the elements of a list in order.
  void take_numbers(std::size_t list,
                    std::size_t first,
                    std::span<const double> numbers) {
    lengths_[list] = first + numbers.size();
    if (list == kLinear) {
      linear_.insert(linear_.end(), numbers.begin(), numbers.end());
      return;
    }
    pairs_.resize(std::max(pairs_.size(), *lengths_[list]));
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      qubo::Term& pair = pairs_[first + k];
      switch (list) {
        case kBiases: pair.weight = numbers[k]; break;
        case kHead: pair.first = variable(numbers[k]); break;
        default: pair.second = variable(numbers[k]);
      }
    }
  }

  /// Called last, for the rest of the document.
  qubo::Quadratic read(Json json) {
    json_ = std::move(json);
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
    const std::size_t n = length(kLinear);
    const Json& count = member("num_variables");
    if (n == 0 || n > kMaxSparseVariables || !count.is_number_integer() || count != n) {
      fail("num_variables is not the length of linear_biases, or out of range");
    }
    qubo::Quadratic f(static_cast<int>(n));
    f.vartype = vartype == "SPIN" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
    const Json& offset = member("offset");
    const TwoDoubles constant = exact_number(offset, "offset", name_);
    f.add_constant(constant.value);
    f.add_constant(constant.rest);
    f.linear = std::move(linear_);
    check_pairs(f.size());
    assemble(f, pairs_, name_);
    f.names = labels(n);
    return f;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_ + ": " + what);
  }
  const Json& member(std::string_view key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) {
      fail("no member '" + std::string(key) + "'");
    }
    return *found;
  }
  std::string text(const char* key) const {
    const Json& value = member(key);
    if (!value.is_string()) {
      fail(std::string("'") + key + "' is not a string");
    }
    return value.get<std::string>();
  }
  std::size_t length(List list) const {
    if (!member(kLists[list]).is_array() || !lengths_[list]) {
      fail("'" + std::string(kLists[list]) + "' is not a list");
    }
    return *lengths_[list];
  }
  static std::string element(List list, std::size_t k) {
    return std::string(kLists[list]) + "[" + std::to_string(k) + "]";
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
  /// The variable, or -1.
  static std::int32_t variable(double number) {
    const bool index =
        number >= 0 && number < kMaxSparseVariables && number == std::floor(number);
    return index ? static_cast<std::int32_t>(number) : -1;
  }
  void check_variable(List list, std::size_t k, std::int32_t variable, int n) const {
    if (variable < 0 || variable >= n) {
      fail(element(list, k) + " is not a variable (expected a whole number from 0 to " +
           format(n - 1) + ")");
    }
  }
  void check_pairs(int n) const {
    if (length(kBiases) != length(kHead) || length(kBiases) != length(kTail)) {
      fail("quadratic_biases, quadratic_head and quadratic_tail differ in length");
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      check_variable(kHead, k, pairs_[k].first, n);
      check_variable(kTail, k, pairs_[k].second, n);
      if (pairs_[k].first == pairs_[k].second) {
        fail(element(kHead, k) + " couples a variable to itself");
      }
    }
  }
  /// The labels; empty if they are 0, 1, 2, ...
  std::vector<std::string> labels(std::size_t n) const {
    const Json& names = member("variable_labels");
    if (!names.is_array() || names.size() != n) {
      fail("variable_labels is not a list of num_variables elements");
    }
    std::size_t plain = 0;
    while (plain < n && names[plain] == plain) {
      ++plain;
    }
    if (plain == n) {
      return {};
    }
    std::vector<std::string> all;
    for (const Json& label : names) {
      all.push_back(label.dump());
    }
    std::vector<std::string> sorted = all;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
      fail("variable_labels has " + twice->substr(0, 40) + " twice");
    }
    return all;
  }

  std::string name_;
  Json json_;
  std::vector<double> linear_;
  qubo::Terms pairs_;
  std::array<std::optional<std::size_t>, kLists.size()> lengths_;  ///< elements read
};

/// True if `json` is a BinaryQuadraticModel or a part of one.
bool is_model(const Json& json) {
  return json.is_object() &&
         (json.value("type", Json()) == "BinaryQuadraticModel" ||
          std::ranges::any_of(kLists, [&](auto key) { return json.contains(key); }));
}

/// Refuses values nested deeper than any label, to limit the stack.
Json parse(const std::string& text, const std::string& name) {
  return Json::parse(text, [&](int depth, Json::parse_event_t, Json&) {
    if (depth > 64) {
      throw InputError(name + ": nested too deeply");
    }
    return true;
  });
}

}  // namespace

qubo::Quadratic read_bqm(Input& input,
                         std::optional<qubo::Vartype> vartype,
                         bool& open) {
  const auto start = input.peek(16);
  if (looks_like_bqm_file(as_text(start))) {
    return read_bqm_file(input);
  }
  skip_mark(input);
  Bytes bytes;
  bytes.read(input,
             std::min<std::uint64_t>(kMaxJson, input.remaining().value_or(kMaxJson)));
  if (!input.at_end()) {
    throw InputError(input.name() + ": over 2 GiB of JSON");
  }
  return read_json_problem(as_text(bytes.span()), input.name(), vartype, open);
}

void refuse_result(std::string_view text, const std::string& name) {
  if (looks_like_result(text.substr(0, kResultStart))) {
    throw InputError(name +
                     ": a result, not a problem (oa-anneal --verify, oa-anneal "
                     "--join and oa-heatmap targets read it)");
  }
}

qubo::Quadratic read_json_problem(std::string_view text,
                                  const std::string& name,
                                  std::optional<qubo::Vartype> vartype,
                                  bool& open) {
  refuse_result(text, name);
  Reader reader(name);
  const std::string rest = cut_lists(
      text,
      kLists,
      name,
      [&](std::size_t list, std::size_t first, std::span<const double> numbers) {
        reader.take_numbers(list, first, numbers);
      });
  refuse_long_integers(rest, name);
  try {
    Json json = parse(rest, name);
    return is_model(json) ? reader.read(std::move(json))
                          : read_dict(text, name, vartype, open);
  } catch (const Json::parse_error& error) {
    throw InputError(not_json(rest, error.byte, name));
  } catch (const Json::out_of_range&) {
    throw InputError(name + ": a number that a double cannot hold");
  } catch (const Json::type_error&) {
    throw InputError(name + ": a name that is not UTF-8");
  }
}

}  // namespace oa::io
