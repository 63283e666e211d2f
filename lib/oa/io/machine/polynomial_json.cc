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

constexpr std::array<std::pair<qubo::Penalty, std::string_view>, 3> kPenalties{
    {{qubo::Penalty::Flat, "flat"},
     {qubo::Penalty::Linear, "linear"},
     {qubo::Penalty::Quadratic, "quadratic"}}};

class Reader {
 public:
  Reader(int most, const std::string& where) : most_(most), where_(where) {}

  qubo::Polynomial read(const std::string& text) {
    const auto shallow = [](int depth, Json::parse_event_t, Json&) {
      return depth <= 64;  // deeper values are dropped, and the checks below then fail
    };
    const Json json = Json::parse(text, shallow, false);
    const auto variables = member(json, "variables").get<std::int64_t>();
    if (variables < 1 || variables > most_) {
      fail("it has " + format(variables) + " variables (expected 1 to " +
           format(most_) + ")");
    }
    p_.n = static_cast<int>(variables);
    for (const Json& term : list(json, "terms")) {
      p_.monomials.push_back(monomial(term));
    }
    for (const Json& one : list(json, "constraints")) {
      p_.constraints.push_back(constraint(one));
    }
    if (json.contains("soft")) {
      std::ranges::for_each(list(json, "soft"), [&](const Json& one) { soft(one); });
    }
    if (json.contains("integers")) {
      std::ranges::for_each(list(json, "integers"),
                            [&](const Json& one) { integer(one); });
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
  /// Reads a finite weight, and adds its magnitude to the total.
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
  /// Reads [weight, variable, ...].
  qubo::Monomial monomial(const Json& json) {
    if (!json.is_array() || json.empty()) {
      fail("a term is not a list of a weight and variables");
    }
    qubo::Monomial m;
    m.weight = weight(json[0]);
    for (std::size_t k = 1; k < json.size(); ++k) {
      m.variables.push_back(variable(json[k]));
      if (k > 1 && m.variables[k - 2] >= m.variables[k - 1]) {
        fail("the variables of a term do not increase");
      }
    }
    return m;
  }
  std::string text(const Json& json) {
    return json.is_string() ? json.get<std::string>() : std::string();
  }
  /// Reads {"name", "terms":
  /// [[weight, variable, ...], ...], "relation", "right", "tolerance"}.
  qubo::Constraint constraint(const Json& json) {
    qubo::Constraint c;
    c.name = text(member(json, "name"));
    for (const Json& term : list(json, "terms")) {
      qubo::Monomial m = monomial(term);
      if (m.variables.empty()) {
        fail("a term of a constraint has no variable");
      }
      if (m.variables.size() == 1) {
        c.terms.push_back({m.variables[0], m.variables[0], m.weight});
      } else {
        c.products.push_back(std::move(m));
      }
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
    return c;
  }
  /// Reads a soft constraint: also "price" and "penalty".
  void soft(const Json& json) {
    const Json& penalty = member(json, "penalty");
    const auto* const known = std::ranges::find_if(
        kPenalties, [&](const auto& p) { return penalty == p.second; });
    const double price = weight(member(json, "price"));
    if (known == kPenalties.end() || price < 0.0) {
      fail("a soft constraint without a known penalty and a price of at least 0");
    }
    p_.soft.push_back({constraint(json), price, known->first});
  }
  /// Reads {"name", "low", "digits": [[weight, variable], ...]}.
  void integer(const Json& json) {
    qubo::Integer integer{text(member(json, "name")), weight(member(json, "low")), {}};
    for (const Json& digit : list(json, "digits")) {
      const qubo::Monomial m = monomial(digit);
      if (m.variables.size() != 1) {
        fail("a digit is not a pair of a weight and a variable");
      }
      integer.digits.push_back({m.variables[0], m.variables[0], m.weight});
    }
    p_.integers.push_back(std::move(integer));
  }

  int most_;
  const std::string& where_;
  qubo::Polynomial p_;
  double total_ = 0.0;
};

}  // namespace

namespace {

JsonArray json_of(double weight, std::span<const std::int32_t> variables) {
  JsonArray term{JsonValue::shortest(weight)};
  for (const std::int32_t i : variables) {
    term.element(i);
  }
  return term;
}

JsonArray json_of(std::span<const qubo::Term> terms) {
  JsonArray all;
  for (const qubo::Term& t : terms) {
    all.element(json_of(t.weight, std::span(&t.first, 1)));
  }
  return all;
}

JsonObject json_of(const qubo::Constraint& c) {
  JsonArray sum = json_of(std::span<const qubo::Term>(c.terms));
  for (const qubo::Monomial& m : c.products) {
    sum.element(json_of(m.weight, m.variables));
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
  return one;
}

JsonObject json_of(const qubo::SoftConstraint& soft) {
  const auto* const penalty = std::ranges::find(
      kPenalties, soft.penalty, &std::pair<qubo::Penalty, std::string_view>::first);
  JsonObject one = json_of(soft.constraint);
  one.member("price", JsonValue::shortest(soft.price))
      .member("penalty", penalty->second);
  return one;
}

JsonObject json_of(const qubo::Integer& integer) {
  return {{"name", integer.name},
          {"low", JsonValue::shortest(integer.low)},
          {"digits", json_of(std::span<const qubo::Term>(integer.digits))}};
}

template <class Item>
JsonArray list_of(const std::vector<Item>& items) {
  JsonArray all;
  for (const Item& item : items) {
    all.element(json_of(item));
  }
  return all;
}

}  // namespace

std::string json_of(const qubo::Polynomial& p) {
  JsonArray terms;
  for (const qubo::Monomial& m : p.monomials) {
    terms.element(json_of(m.weight, m.variables));
  }
  JsonArray names;
  for (const std::string& name : p.names) {
    names.element(JsonValue::of_json(name));
  }
  JsonObject all{{"variables", p.n},
                 {"terms", terms},
                 {"constraints", list_of(p.constraints)},
                 {"names", names}};
  if (!p.soft.empty()) {
    all.member("soft", list_of(p.soft));
  }
  if (!p.integers.empty()) {
    all.member("integers", list_of(p.integers));
  }
  return all.text();
}

qubo::Polynomial polynomial_of_json(const std::string& text,
                                    int most,
                                    const std::string& where) {
  try {
    return Reader(most, where).read(text);
  } catch (const Json::exception&) {  // such as a number in place of a text
    throw InputError(where + ": 'cim.polynomial' is not a polynomial");
  }
}

}  // namespace oa::io
