#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/polynomial_formats.h"
#include "oa/io/table/json_tree.h"

#include <algorithm>
#include <utility>

// Reads polynomials of any degree, as text, or as JSON with linear constraints.

namespace oa::io {
namespace {

constexpr std::size_t kMaxHubo = std::size_t{1} << 31;

class HuboReader {
 public:
  HuboReader(JsonNode json, const std::string& name)
      : json_(json),
        name_(name),
        variables_(name) {}

  qubo::Polynomial read() {
    const std::string vartype = word("vartype", "BINARY");
    if (vartype != "BINARY" && vartype != "SPIN") {
      fail("'vartype' is " + unexpected(vartype, "BINARY or SPIN"));
    }
    p_.vartype = vartype == "SPIN" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
    const std::string sense = word("sense", "min");
    if (sense != "min" && sense != "max") {
      fail("'sense' is " + unexpected(sense, "min or max"));
    }
    p_.sense = sense == "max" ? qubo::Sense::Max : qubo::Sense::Min;
    if (const auto offset = json_.find("offset")) {
      add_monomial(p_, {}, number(*offset, "'offset'"));
    }
    read_monomials(*json_.find("hubo"));
    if (const auto constraints = json_.find("constraints")) {
      read_constraints(*constraints);
    }
    if (variables_.size() == 0) {
      fail("no variable in 'hubo'");
    }
    p_.n = static_cast<int>(variables_.size());
    p_.names = names_of_text(variables_.names(), name_);
    return std::move(p_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_ + ": " + what);
  }
  static std::string word_of(JsonNode value) {
    return value.is_string() ? std::string(value.text()) : value.json();
  }
  std::string word(const char* key, const char* otherwise) const {
    const auto value = json_.find(key);
    return value ? word_of(*value) : otherwise;
  }
  TwoDoubles number(JsonNode value, const std::string& what) const {
    if (!value.is_number()) {
      fail(what.substr(0, 60) + " is not a finite number");
    }
    return value.number();
  }
  /// Parses a number of a constraint, rounded to a double.
  double nearest(JsonNode value, const std::string& what) const {
    const TwoDoubles exact = number(value, what);
    if (exact.rest != 0.0) {
      fail(what + " has a whole number that no double holds (expected one below 2^53)");
    }
    return exact.value;
  }
  /// Splits the key "a,b,c", "(0, 1)" or "('a', 'b')" into variables.
  std::vector<std::int32_t> variables_of(std::string_view key) {
    std::string text(key);
    std::erase_if(text,
                  [](char c) { return c == '(' || c == ')' || c == '\'' || c == '"'; });
    std::ranges::replace(text, ',', ' ');
    std::vector<std::int32_t> all;
    Words words(text);
    for (auto word = words.next(); !word.empty(); word = words.next()) {
      all.push_back(variables_(word));
    }
    return all;
  }

  void read_monomials(JsonNode all) {
    if (all.is_object()) {
      for (const JsonNode weight : all) {
        const std::string what = "hubo['" + std::string(weight.name()) + "']";
        add_monomial(p_, variables_of(weight.name()), number(weight, what));
      }
      return;
    }
    if (!all.is_array()) {
      fail("'hubo' is not an object or a list");
    }
    std::size_t k = 0;
    for (const JsonNode term : all) {
      const std::string what = "hubo[" + std::to_string(k++) + "]";
      if (!term.is_array() || term.size() != 2 || !term[0].is_array()) {
        fail(what + " is not a list of variables and a weight");
      }
      std::vector<std::int32_t> variables;
      for (const JsonNode label : term[0]) {
        variables.push_back(variables_(word_of(label)));
      }
      add_monomial(p_, std::move(variables), number(term[1], what));
    }
  }

  void read_constraints(JsonNode all) {
    if (!all.is_array()) {
      fail("'constraints' is not a list");
    }
    for (const JsonNode one : all) {
      qubo::Constraint c;
      c.name = "constraints[" + std::to_string(p_.constraints.size()) + "]";
      const auto member = [&](const char* name) {
        return one.is_object() ? one.find(name) : std::nullopt;
      };
      const auto linear = member("linear");
      const auto relation = member("relation");
      const auto right = member("right");
      if (!linear || !relation || !right) {
        fail(c.name + " is not an object with 'linear', 'relation' and 'right'");
      }
      if (!linear->is_object()) {
        fail("'linear' of " + c.name +
             " is not an object (expected variables and their weights, as {\"0\": 1})");
      }
      for (const JsonNode weight : *linear) {
        const std::int32_t i = variables_(weight.name());
        c.terms.push_back({i, i, nearest(weight, c.name)});
      }
      c.relation = relation_of(*relation, c.name);
      c.right = nearest(*right, c.name);
      p_.constraints.push_back(std::move(c));
    }
  }

  qubo::Relation relation_of(JsonNode value, const std::string& what) const {
    const std::string_view text = value.is_string() ? value.text() : "";
    if (text == "<=") {
      return qubo::Relation::AtMost;
    }
    if (text == ">=") {
      return qubo::Relation::AtLeast;
    }
    if (text != "=" && text != "==") {
      fail("the relation of " + what + " is " + unexpected(text, "<=, = or >="));
    }
    return qubo::Relation::Equal;
  }

  JsonNode json_;
  const std::string& name_;
  VariableNames variables_;
  qubo::Polynomial p_;
};

qubo::Polynomial read_hubo_text(Input& input) {
  LineReader lines(input);
  std::string_view line;
  qubo::Polynomial p;
  while (lines.next(line)) {
    Words words(line);
    const std::string_view first = words.next();
    if (first.empty() || first.starts_with('c')) {
      continue;
    }
    if (p.n == 0) {
      const std::string_view kind = words.next();
      const std::string_view vartype = words.next();
      const auto n = parse_index(words.next());
      if (first != "p" || kind != "hubo" ||
          (vartype != "binary" && vartype != "spin") || !n || *n < 1 ||
          *n > kMaxSparseVariables) {
        lines.fail(
            "no line 'p hubo binary n' or 'p hubo spin n' before the first term");
      }
      expect_end(lines, words);
      p.n = *n;
      p.vartype = vartype == "spin" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
      continue;
    }
    std::vector<std::int32_t> variables;
    std::string_view word = first;
    for (auto next = words.next(); !next.empty(); next = words.next()) {
      const auto i = parse_index(word);
      if (!i || *i >= p.n) {
        lines.fail("the variable " +
                   unexpected(word, "a whole number from 0 to " + format(p.n - 1)));
      }
      variables.push_back(*i);
      word = next;
    }
    const auto weight = parse_exact_weight(word);
    if (!weight) {
      lines.fail("the weight " + unexpected_weight(word));
    }
    add_monomial(p, std::move(variables), *weight);
  }
  if (p.n == 0) {
    throw InputError(input.name() + ": no line 'p hubo binary n'");
  }
  return p;
}

}  // namespace

std::int32_t VariableNames::operator()(std::string_view name) {
  if (const auto found = places_.find(name); found != places_.end()) {
    return found->second;
  }
  const auto next = static_cast<std::int32_t>(names_.size());
  if (next >= kMaxSparseVariables) {
    throw InputError(where_ + ": over 10,000,000 variables");
  }
  places_.emplace(name, next);
  names_.emplace_back(name);
  return next;
}

void add_monomial(qubo::Polynomial& p,
                  std::vector<std::int32_t> variables,
                  const TwoDoubles& weight) {
  std::ranges::sort(variables);
  qubo::Monomial m{{}, weight.value};
  for (std::size_t k = 0; k < variables.size();) {
    std::size_t end = k;
    while (end < variables.size() && variables[end] == variables[k]) {
      ++end;
    }
    if (p.vartype == qubo::Vartype::Binary || (end - k) % 2 == 1) {
      m.variables.push_back(variables[k]);
    }
    k = end;
  }
  if (weight.rest != 0.0) {
    p.monomials.push_back({m.variables, weight.rest});
  }
  p.monomials.push_back(std::move(m));
}

bool looks_like_hubo(std::string_view start) {
  const std::string_view word = Words(start).next();
  return start.starts_with("p hubo") || start.find("\np hubo") != start.npos ||
         (word.starts_with('{') && start.find("\"hubo\"") != start.npos);
}

qubo::Polynomial read_hubo(Input& input, Open& open) {
  skip_mark(input);
  const auto start = input.peek(1);
  if (start.empty() || static_cast<char>(start[0]) != '{') {
    open.sense = true;
    return read_hubo_text(input);
  }
  const std::string text = read_whole_text(input, kMaxHubo, "over 2 GiB of JSON");
  const JsonTree tree(text, input);
  const JsonNode json = tree.root();
  if (!json.is_object() || !json.find("hubo")) {
    throw InputError(input.name() + ": no JSON object with \"hubo\"");
  }
  open.sense = !json.find("sense");
  return HuboReader(json, input.name()).read();
}

}  // namespace oa::io
