#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/quadratic/decimal_sum.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/literals.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/polynomial_formats.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

// Pseudo-Boolean problems in the formats OPB and WBO: whole weights times products of
// literals, constraints, and soft constraints with a price.

namespace oa::io {
namespace {

constexpr std::size_t kMaxOpb = std::size_t{1} << 31;

/// Words, comparisons and semicolons; * begins a comment.
class OpbTokens {
 public:
  explicit OpbTokens(std::string_view text) : text_(text) {}

  std::string_view next() {
    skip();
    const std::size_t from = at_;
    if (at_ == text_.size()) {
      return {};
    }
    if (text_[at_] == ';') {
      ++at_;
    } else if (compares(text_[at_])) {
      while (at_ < text_.size() && compares(text_[at_])) {
        ++at_;
      }
    } else {
      while (at_ < text_.size() && !blank(text_[at_]) && !compares(text_[at_]) &&
             text_[at_] != ';') {
        ++at_;
      }
    }
    return text_.substr(from, at_ - from);
  }
  [[nodiscard]] std::string_view peek() const { return OpbTokens(*this).next(); }
  [[nodiscard]] std::int64_t line() const { return line_; }

 private:
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool compares(char c) { return c == '<' || c == '>' || c == '='; }

  void skip() {
    for (; at_ < text_.size() && (blank(text_[at_]) || text_[at_] == '*'); ++at_) {
      if (text_[at_] == '*') {
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size() - 1);
      }
      const bool half = text_[at_] == '\r' && text_.substr(at_ + 1).starts_with('\n');
      line_ += (text_[at_] == '\n' || text_[at_] == '\r') && !half ? 1 : 0;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
};

/// A whole weight times a product.
struct OpbTerm {
  double weight = 1.0;
  std::vector<Literal> literals;
};

class OpbReader {
 public:
  OpbReader(std::string_view text, const std::string& name)
      : tokens_(text),
        name_(name),
        variables_(name) {}

  qubo::Polynomial read() {
    while (!tokens_.peek().empty()) {
      statement();
    }
    if (variables_.size() == 0) {
      fail("no variable");
    }
    if (top_) {
      p_.constraints.push_back({"the price of soft constraints",
                                prices_,
                                qubo::Relation::AtMost,
                                *top_ - 1.0});
    }
    place_variables();
    return std::move(p_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_ + ":" + format(tokens_.line()) + ": " + what);
  }

  void statement() {
    const std::string_view word = tokens_.peek();
    if (word == "min:" || word == "max:") {
      if (objective_ || soft_ || !p_.constraints.empty()) {
        fail("an objective after other lines");
      }
      (void)tokens_.next();
      objective_ = true;
      p_.sense = word == "max:" ? qubo::Sense::Max : qubo::Sense::Min;
      for (const OpbTerm& term : sum()) {
        add_product(p_, term.weight, term.literals);
      }
      end();
    } else if (word == "soft:") {
      if (objective_ || soft_ || !p_.constraints.empty()) {
        fail("'soft:' after other lines");
      }
      (void)tokens_.next();
      soft_ = true;
      if (tokens_.peek() != ";") {
        top_ = whole(tokens_.next());
      }
      end();
    } else {
      std::optional<double> price;
      if (word.starts_with('[') && word.ends_with(']')) {
        (void)tokens_.next();
        price = whole(word.substr(1, word.size() - 2));
        if (!soft_ || *price < 0.0) {
          fail("the price " + std::string(word.substr(0, 40)) +
               (soft_ ? " (expected a positive number)" : " without a line 'soft: ;'"));
        }
      }
      constraint(price);
    }
  }

  void end() {
    if (const std::string_view word = tokens_.next(); word != ";") {
      fail(unexpected(word, "';'"));
    }
  }

  double whole(std::string_view word) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 53;
    const auto value = parse_int(word);
    if (!value || *value > kMost || *value < -kMost) {
      fail(unexpected(word, "a whole number up to 2^53"));
    }
    return static_cast<double>(*value);
  }

  static bool is_whole(std::string_view word) {
    return word.find_first_not_of("+-0123456789") == std::string_view::npos;
  }
  static bool is_end(std::string_view word) {
    return word.empty() || word == ";" || word[0] == '<' || word[0] == '>' ||
           word[0] == '=';
  }

  Literal literal(std::string_view word) {
    Literal l;
    l.negated = word.starts_with('~');
    word.remove_prefix(l.negated ? 1 : 0);
    const bool letter =
        !word.empty() && ((word[0] >= 'a' && word[0] <= 'z') ||
                          (word[0] >= 'A' && word[0] <= 'Z') || word[0] == '_');
    if (!letter) {
      fail(unexpected(word, "a weight or a variable"));
    }
    l.variable = variables_(word);
    return l;
  }

  /// Reads weights with literals up to a comparison or a semicolon.  Products that are
  /// always 0 are left out.
  std::vector<OpbTerm> sum() {
    std::vector<OpbTerm> all;
    while (!is_end(tokens_.peek())) {
      OpbTerm term;
      if (is_whole(tokens_.peek())) {
        std::string word(tokens_.next());
        if (word == "+" || word == "-") {
          word += is_whole(tokens_.peek()) ? tokens_.next() : "1";
        }
        term.weight = whole(word);
      }
      while (!is_end(tokens_.peek()) && !is_whole(tokens_.peek())) {
        term.literals.push_back(literal(tokens_.next()));
      }
      if (term.literals.empty()) {
        fail(unexpected(tokens_.peek(), "a variable after its weight"));
      }
      const bool possible = simplify(term.literals);
      if (std::ranges::count(term.literals, true, &Literal::negated) > kMostNegated) {
        fail("a product of over " + format(std::int64_t{kMostNegated}) +
             " negated variables");
      }
      if (possible) {
        all.push_back(std::move(term));
      }
    }
    return all;
  }

  void constraint(std::optional<double> price) {
    const std::string name = "number " + format(++constraints_);
    std::vector<OpbTerm> left = sum();
    const std::string_view compared = tokens_.next();
    if (compared != ">=" && compared != "=" && compared != "<=") {
      fail(unexpected(compared, ">=, = or <="));
    }
    std::string right(tokens_.next());
    if (right == "+" || right == "-") {
      right += tokens_.next();
    }
    const double bound = whole(right);
    end();
    const auto relation = compared == ">="  ? qubo::Relation::AtLeast
                          : compared == "=" ? qubo::Relation::Equal
                                            : qubo::Relation::AtMost;
    for (OpbTerm& term : left) {
      if (term.literals.size() > 1) {
        term.literals = {product(std::move(term.literals))};
      }
    }
    if (!price) {
      add(name, left, relation, bound);
    } else if (auto clause = clause_in(left, relation, bound); clause && !top_) {
      if (simplify(*clause)) {
        add_soft_clause(p_, *price, name, *clause, extra_);
        name_extra(name);
      }
    } else {
      soft(name, *price, left, relation, bound);
    }
  }

  /// A variable for a product in a constraint, equal to it by linear constraints.
  Literal product(std::vector<Literal> literals) {
    std::string name;
    for (const Literal& l : literals) {
      name += (name.empty() ? "" : " ") + std::string(l.negated ? "~" : "") +
              variables_.names()[at(l.variable)];
    }
    const auto [known, is_new] = products_.emplace(name, extra_);
    const Literal z{known->second};
    if (is_new) {
      ++extra_;
      name_extra(name);
      std::vector<Literal> one_false{z};
      for (const Literal& l : literals) {
        const std::array pair{l, Literal{z.variable, true}};  // z only if l
        p_.constraints.push_back(clause_of("product " + name, pair));
        one_false.push_back({l.variable, !l.negated});
      }
      p_.constraints.push_back(clause_of("product " + name, one_false));
    }
    return z;
  }

  void name_extra(const std::string& name) {
    if (std::cmp_less(extra_names_.size(), extra_ - kExtra)) {
      extra_names_.push_back(name);
    }
  }

  static qubo::Constraint linear(const std::string& name,
                                 std::span<const OpbTerm> terms,
                                 qubo::Relation relation,
                                 double right) {
    qubo::Constraint c{name, {}, relation, 0.0};
    DecimalSum bound;
    bound.add(right);
    for (const OpbTerm& term : terms) {
      const Literal& l = term.literals.front();
      c.terms.push_back(
          {l.variable, l.variable, l.negated ? -term.weight : term.weight});
      bound.add(l.negated ? -term.weight : 0.0);
    }
    c.right = bound.value();
    return c;
  }

  void add(const std::string& name,
           std::span<const OpbTerm> terms,
           qubo::Relation relation,
           double right) {
    p_.constraints.push_back(linear(name, terms, relation, right));
  }

  /// The literals of a constraint that holds if one of them is true, or nothing.
  static std::optional<std::vector<Literal>> clause_in(std::span<const OpbTerm> terms,
                                                       qubo::Relation relation,
                                                       double right) {
    if (relation == qubo::Relation::Equal) {
      return std::nullopt;
    }
    const double sign = relation == qubo::Relation::AtLeast ? 1.0 : -1.0;
    double needed = sign * right;
    std::vector<Literal> clause;
    for (const OpbTerm& term : terms) {  // -w l = w (1 - l) - w
      Literal l = term.literals.front();
      const double weight = sign * term.weight;
      l.negated = l.negated != (weight < 0.0);
      needed += weight < 0.0 ? -weight : 0.0;
      clause.push_back(l);
    }
    const bool each = needed > 0.0 && std::ranges::all_of(terms, [&](const OpbTerm& t) {
                        return std::abs(t.weight) >= needed;
                      });
    return each ? std::optional(std::move(clause)) : std::nullopt;
  }

  /// Adds a constraint that a variable r, with this price, may violate.
  void soft(const std::string& name,
            double price,
            std::span<const OpbTerm> terms,
            qubo::Relation relation,
            double right) {
    const std::int32_t r = extra_++;
    name_extra(name);
    p_.monomials.push_back({{r}, price});
    prices_.push_back({r, r, price});
    for (const auto side : {qubo::Relation::AtLeast, qubo::Relation::AtMost}) {
      if (relation != qubo::Relation::Equal && relation != side) {
        continue;
      }
      qubo::Constraint c = linear(name, terms, side, right);
      const bool above = side == qubo::Relation::AtLeast;
      double excess = c.right;  // beyond the least or the largest sum
      for (const qubo::Term& t : c.terms) {
        excess -= above ? std::min(t.weight, 0.0) : std::max(t.weight, 0.0);
      }
      if (above ? excess > 0.0 : excess < 0.0) {
        c.terms.push_back({r, r, excess});
        p_.constraints.push_back(std::move(c));
      }
    }
  }

  /// Numbers the variables as their names do, if they are x1, x2, ...; variables of
  /// soft constraints come last.
  void place_variables() {
    const std::vector<std::string>& names = variables_.names();
    std::vector<std::int32_t> order(names.size());
    std::iota(order.begin(), order.end(), 0);
    const auto number = [&](std::int32_t i) {
      const std::string& name = names[at(i)];
      return name.starts_with('x') ? parse_index(name.substr(1)) : std::nullopt;
    };
    if (std::ranges::all_of(order,
                            [&](std::int32_t i) { return number(i).has_value(); })) {
      std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
        return *number(a) < *number(b);
      });
    }
    std::vector<std::int32_t> places(names.size());
    std::vector<std::string> all;
    for (const std::int32_t i : order) {
      places[at(i)] = static_cast<std::int32_t>(all.size());
      all.push_back(names[at(i)]);
    }
    std::ranges::copy(extra_names_, std::back_inserter(all));
    const auto given = static_cast<std::int32_t>(names.size());
    const auto place = [&](std::int32_t i) {
      return i >= kExtra ? i - kExtra + given : places[at(i)];
    };
    for (qubo::Monomial& m : p_.monomials) {
      std::ranges::transform(m.variables, m.variables.begin(), place);
      std::ranges::sort(m.variables);
    }
    for (qubo::Constraint& c : p_.constraints) {
      for (qubo::Term& t : c.terms) {
        t.first = t.second = place(t.first);
      }
    }
    p_.n = static_cast<int>(all.size());
    p_.names = names_of_text(all, name_);
  }

  /// Variables that are added have numbers from here on while the file is read.
  static constexpr std::int32_t kExtra = 1 << 30;

  OpbTokens tokens_;
  const std::string& name_;
  VariableNames variables_;
  bool objective_ = false;
  bool soft_ = false;
  std::optional<double> top_;
  std::vector<qubo::Term> prices_;
  std::int64_t constraints_ = 0;
  std::int32_t extra_ = kExtra;
  std::vector<std::string> extra_names_;
  std::map<std::string, std::int32_t> products_;
  qubo::Polynomial p_;
};

}  // namespace

bool looks_like_opb(std::string_view start) {
  OpbTokens tokens(start);
  std::string_view word = tokens.next();
  if (word == "min:" || word == "max:" || word == "soft:") {
    return true;
  }
  // A constraint: weights and variables, a comparison, a number and a semicolon.
  constexpr int kMost = 64;
  const bool number = parse_int(word).has_value();
  for (int k = 0; number && k < kMost && !word.empty(); ++k, word = tokens.next()) {
    if (word == ">=" || word == "=" || word == "<=") {
      (void)tokens.next();
      return tokens.next() == ";";
    }
  }
  return false;
}

qubo::Polynomial read_opb(Input& input) {
  skip_mark(input);
  const std::string text = read_whole_text(input, kMaxOpb, "over 2 GiB of text");
  refuse_nul(text, input.name());
  return OpbReader(text, input.name()).read();
}

}  // namespace oa::io
