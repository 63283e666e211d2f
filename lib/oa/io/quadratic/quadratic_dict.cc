#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/quadratic_formats.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

// Dictionaries of biases as JSON: {"linear": {...}, "quadratic": {...}}, as Python's
// json writes what dimod, PyQUBO and others make of their models.

namespace oa::io {
namespace {

using OrderedJson = nlohmann::ordered_json;  // variables are numbered as they come

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const auto begin = text.find_first_not_of(kSpace);
  return begin == text.npos
             ? std::string_view()
             : text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view without_quotes(std::string_view text) {
  text = without_spaces(text);
  if (text.size() >= 2 && text.front() == text.back() &&
      (text.front() == '"' || text.front() == '\'')) {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

class DictReader {
 public:
  DictReader(const OrderedJson& json, std::string name)
      : json_(json),
        name_(std::move(name)) {}

  qubo::Quadratic read(std::optional<qubo::Vartype> asked, bool& open) {
    const auto said = vartype();
    if (said && asked && *said != *asked) {
      fail("its vartype is not the one asked for");
    }
    open = !said && !asked;
    read_linear();
    read_quadratic();
    if (variables_.empty()) {
      fail("no variable in 'linear' or 'quadratic'");
    }
    qubo::Quadratic f(static_cast<int>(variables_.size()));
    f.vartype = said.value_or(asked.value_or(qubo::Vartype::Binary));
    f.offset = json_.contains("offset") ? number(json_["offset"], "offset") : 0.0;
    const std::vector<std::int32_t> place = sorted(f);
    for (qubo::Term& t : linear_) {
      t.first = t.second = place[static_cast<std::size_t>(t.first)];
    }
    for (qubo::Term& t : pairs_) {
      t.first = place[static_cast<std::size_t>(t.first)];
      t.second = place[static_cast<std::size_t>(t.second)];
    }
    f.add_linear(linear_);
    assemble(f, pairs_, name_);
    return f;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_ + ": " + what);
  }

  double number(const OrderedJson& value, const std::string& what) const {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      fail(what.substr(0, 60) + " is no finite number");
    }
    return value.get<double>();
  }

  std::optional<qubo::Vartype> vartype() const {
    for (const char* key : {"vartype", "variable_type"}) {
      if (!json_.contains(key)) {
        continue;
      }
      const OrderedJson& value = json_[key];
      const std::string text = value.is_string() ? value.get<std::string>() : "";
      if (text != "BINARY" && text != "SPIN") {
        fail("'" + std::string(key) + "' is " +
             unexpected(value.dump(), "BINARY or SPIN"));
      }
      return text == "SPIN" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
    }
    return std::nullopt;
  }

  std::int32_t variable(std::string_view name) {
    const auto next = static_cast<std::int32_t>(variables_.size());
    const auto [found, is_new] = places_.try_emplace(std::string(name), next);
    if (is_new) {
      if (next >= kMaxSparseVariables) {
        fail("over 10,000,000 variables");
      }
      variables_.emplace_back(name);
    }
    return found->second;
  }
  std::int32_t labelled(const OrderedJson& label) {
    return variable(label.is_string() ? label.get<std::string>() : label.dump());
  }

  void read_linear() {
    if (!json_.contains("linear")) {
      return;
    }
    const OrderedJson& linear = json_["linear"];
    if (linear.is_array()) {
      for (std::size_t k = 0; k < linear.size(); ++k) {
        const std::string name = std::to_string(k);
        add_linear(name, linear[k]);
      }
    } else if (linear.is_object()) {
      for (const auto& [name, bias] : linear.items()) {
        add_linear(name, bias);
      }
    } else {
      fail("'linear' is no object or list");
    }
  }

  void add_linear(const std::string& name, const OrderedJson& bias) {
    const std::int32_t i = variable(name);
    linear_.push_back({i, i, number(bias, "linear['" + name + "']")});
  }

  void add_pair(std::int32_t i,
                std::int32_t k,
                const OrderedJson& bias,
                const std::string& what) {
    if (i == k) {
      fail(what.substr(0, 60) + " couples a variable to itself");
    }
    pairs_.push_back({i, k, number(bias, what)});
  }

  void read_quadratic() {
    if (!json_.contains("quadratic")) {
      return;
    }
    const OrderedJson& quadratic = json_["quadratic"];
    if (quadratic.is_array()) {
      for (std::size_t k = 0; k < quadratic.size(); ++k) {
        const std::string what = "quadratic[" + std::to_string(k) + "]";
        const OrderedJson& term = quadratic[k];
        if (!term.is_array() || term.size() != 3) {
          fail(what + " is no list of two variables and a bias");
        }
        add_pair(labelled(term[0]), labelled(term[1]), term[2], what);
      }
      return;
    }
    if (!quadratic.is_object()) {
      fail("'quadratic' is no object or list");
    }
    for (const auto& [key, bias] : quadratic.items()) {
      const std::string what = "quadratic['" + key + "']";
      if (bias.is_object()) {
        const std::int32_t i = variable(key);
        for (const auto& [other, weight] : bias.items()) {
          add_pair(i, variable(other), weight, what);
        }
      } else {
        const auto [i, k] = pair_of(key);
        add_pair(i, k, bias, what);
      }
    }
  }

  /// The variables of "a,b", "(a, b)", "('a', 'b')" or "a b".
  std::pair<std::int32_t, std::int32_t> pair_of(std::string_view key) {
    std::string_view text = without_spaces(key);
    if (text.starts_with('(') && text.ends_with(')')) {
      text = text.substr(1, text.size() - 2);
    }
    auto between = text.find(',');
    between = between == text.npos ? text.find(' ') : between;
    if (between == text.npos || text.find(',', between + 1) != text.npos) {
      fail("quadratic['" + std::string(key.substr(0, 40)) +
           "'] (expected a key of two variables, \"a,b\" or \"('a', 'b')\")");
    }
    const std::string_view first = without_quotes(text.substr(0, between));
    const std::string_view second = without_quotes(text.substr(between + 1));
    return {variable(first), variable(second)};
  }

  /// Where each variable goes: in the order of the file, or by their numbers if all are
  /// numbers.  Gives f its names.
  std::vector<std::int32_t> sorted(qubo::Quadratic& f) const {
    std::vector<std::int32_t> order(variables_.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::int32_t> numbers;
    for (const std::string& name : variables_) {
      if (const auto number = parse_index(name)) {
        numbers.push_back(*number);
      }
    }
    if (numbers.size() == variables_.size()) {
      std::ranges::stable_sort(order, {}, [&](std::int32_t i) {
        return numbers[static_cast<std::size_t>(i)];
      });
    }
    std::vector<std::int32_t> place(order.size());
    std::vector<std::string> names;
    for (std::size_t k = 0; k < order.size(); ++k) {
      place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
      names.push_back(variables_[static_cast<std::size_t>(order[k])]);
    }
    f.names = names_of_text(names, name_);
    return place;
  }

  const OrderedJson& json_;
  std::string name_;
  std::vector<std::string> variables_;
  std::map<std::string, std::int32_t, std::less<>> places_;
  std::vector<qubo::Term> linear_;
  qubo::Terms pairs_;
};

}  // namespace

qubo::Quadratic read_dict(std::string_view text,
                          const std::string& name,
                          std::optional<qubo::Vartype> vartype,
                          bool& open) {
  const OrderedJson json = OrderedJson::parse(text);  // which has been parsed before
  return DictReader(json, name).read(vartype, open);
}

}  // namespace oa::io
