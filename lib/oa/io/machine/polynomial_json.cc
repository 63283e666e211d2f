#include "oa/io/machine/polynomial_json.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/problem_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::pair<qubo::Relation, std::string_view>, 3> kRelations{
    {{qubo::Relation::Equal, "="},
     {qubo::Relation::AtMost, "<="},
     {qubo::Relation::AtLeast, ">="}}};

class Reader {
 public:
  Reader(int most, const std::string& where) : most_(most), where_(where) {}

  qubo::Polynomial read(const std::string& text) {
    const auto shallow = [](int depth, Json::parse_event_t, Json&) {
      return depth <= 64;  // deeper values are left out; the checks below miss them
    };
    const Json json = Json::parse(text, shallow, false);
    const auto variables = member(json, "variables").get<std::int64_t>();
    if (variables < 1 || variables > most_) {
      fail("it has " + format(variables) + " variables (expected 1 to " +
           format(most_) + ")");
    }
    p_.n = static_cast<int>(variables);
    for (const Json& term : list(json, "terms")) {
      monomial(term);
    }
    for (const Json& one : list(json, "constraints")) {
      constraint(one);
    }
    for (const Json& name : list(json, "names")) {
      p_.names.push_back(name.dump());
    }
    if (!p_.names.empty() && std::ssize(p_.names) != p_.n) {
      fail("the number of names differs from the number of variables");
    }
    return std::move(p_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where_ + ": 'cim.polynomial': " + what);
  }
  const Json& member(const Json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) {
      fail("no '" + std::string(key) + "'");
    }
    return object[key];
  }
  const Json& list(const Json& object, const char* key) const {
    const Json& found = member(object, key);
    if (!found.is_array()) {
      fail("'" + std::string(key) + "' is not a list");
    }
    return found;
  }
  /// A weight, which adds to the total.
  double weight(const Json& json) {
    const double value = json.is_number() ? json.get<double>() : HUGE_VAL;
    total_ += std::abs(value);
    if (!(total_ < kMaxTotal)) {
      fail("its weights are not finite or too large");
    }
    return value;
  }
  std::int32_t variable(const Json& json) const {
    const auto i = json.is_number_integer() ? json.get<std::int64_t>() : -1;
    if (i < 0 || i >= p_.n) {
      fail("there is no variable " + json.dump().substr(0, 40));
    }
    return static_cast<std::int32_t>(i);
  }
  /// [weight, variable, ...]
  void monomial(const Json& json) {
    if (!json.is_array() || json.empty()) {
      fail("a term is not a list of a weight and variables");
    }
    qubo::Monomial& m = p_.monomials.emplace_back();
    m.weight = weight(json[0]);
    for (std::size_t k = 1; k < json.size(); ++k) {
      m.variables.push_back(variable(json[k]));
      if (k > 1 && m.variables[k - 2] >= m.variables[k - 1]) {
        fail("the variables of a term do not increase");
      }
    }
  }
  /// {"name", "terms": [[weight, variable], ...], "relation", "right", "tolerance"}
  void constraint(const Json& json) {
    qubo::Constraint& c = p_.constraints.emplace_back();
    const Json& name = member(json, "name");
    c.name = name.is_string() ? name.get<std::string>() : std::string();
    for (const Json& term : list(json, "terms")) {
      if (!term.is_array() || term.size() != 2) {
        fail("a term of a constraint is not a pair of a weight and a variable");
      }
      const std::int32_t i = variable(term[1]);
      c.terms.push_back({i, i, weight(term[0])});
    }
    const Json& relation = member(json, "relation");
    const auto* const known = std::ranges::find_if(
        kRelations, [&](const auto& r) { return relation == r.second; });
    if (known == kRelations.end()) {
      fail("an unknown relation (expected =, <= or >=)");
    }
    c.relation = known->first;
    c.right = weight(member(json, "right"));
    c.tolerance = json.contains("tolerance") ? weight(json["tolerance"]) : 0.0;
  }

  int most_;
  const std::string& where_;
  qubo::Polynomial p_;
  double total_ = 0.0;
};

}  // namespace

std::string json_of(const qubo::Polynomial& p) {
  JsonArray terms;
  for (const qubo::Monomial& m : p.monomials) {
    JsonArray term{JsonValue::shortest(m.weight)};
    for (const std::int32_t i : m.variables) {
      term.element(i);
    }
    terms.element(term);
  }
  JsonArray constraints;
  for (const qubo::Constraint& c : p.constraints) {
    JsonArray sum;
    for (const qubo::Term& t : c.terms) {
      sum.element(JsonArray{JsonValue::shortest(t.weight), t.first});
    }
    const auto* const relation = std::ranges::find(
        kRelations, c.relation, &std::pair<qubo::Relation, std::string_view>::first);
    JsonObject one{{"name", c.name},
                   {"terms", sum},
                   {"relation", relation->second},
                   {"right", JsonValue::shortest(c.right)}};
    if (c.tolerance != 0.0) {
      one.member("tolerance", JsonValue::shortest(c.tolerance));
    }
    constraints.element(one);
  }
  JsonArray names;
  for (const std::string& name : p.names) {
    names.element(JsonValue::of_json(name));
  }
  return JsonObject{{"variables", p.n},
                    {"terms", terms},
                    {"constraints", constraints},
                    {"names", names}}
      .text();
}

qubo::Polynomial polynomial_of_json(const std::string& text,
                                    int most,
                                    const std::string& where) {
  try {
    return Reader(most, where).read(text);
  } catch (const Json::exception&) {  // for example a number in place of a text
    throw InputError(where + ": 'cim.polynomial' is not a polynomial");
  }
}

}  // namespace oa::io
