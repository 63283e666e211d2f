#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/quadratic/decimal_sum.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/polynomial_formats.h"
#include "oa/qubo/lowered.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

// Reads pseudo-Boolean problems in the formats OPB and WBO: whole weights times
// products of literals, constraints, and soft constraints with a price.

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
    constexpr std::int64_t kMax = std::int64_t{1} << 53;
    const auto value = parse_int(word);
    if (!value || *value > kMax || *value < -kMax) {
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

  /// Reads weighted products up to a comparison or a semicolon.
  /// Drops products that are always 0.
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
      if (std::ranges::count(term.literals, true, &Literal::negated) > kMaxNegated) {
        fail("a product of over " + format(std::int64_t{kMaxNegated}) +
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
    qubo::Constraint c = sum_of(left, {name, {}, relation, bound});
    if (!price) {
      p_.constraints.push_back(std::move(c));
    } else if (!top_) {
      p_.soft.push_back({std::move(c), *price, qubo::Penalty::Flat});
    } else {
      add_priced(std::move(c), *price);
    }
  }

  /// Adds weighted products to a constraint without terms.
  static qubo::Constraint sum_of(std::span<const OpbTerm> terms, qubo::Constraint c) {
    DecimalSum right;
    right.add(c.right);
    qubo::Polynomial sum;
    for (const OpbTerm& term : terms) {
      add_product(sum, term.weight, term.literals);
    }
    for (qubo::Monomial& m : sum.monomials) {
      if (m.variables.empty()) {
        right.add(-m.weight);
      } else if (m.variables.size() == 1) {
        c.terms.push_back({m.variables.front(), m.variables.front(), m.weight});
      } else {
        c.products.push_back(std::move(m));
      }
    }
    c.right = right.value();
    return c;
  }

  /// Adds a constraint that a new variable r may relax at this price.
  /// The sum of all prices has a limit.
  void add_priced(qubo::Constraint c, double price) {
    const std::int32_t r = kExtra + static_cast<std::int32_t>(extra_names_.size());
    extra_names_.push_back(c.name);
    p_.monomials.push_back({{r}, price});
    prices_.push_back({r, r, price});
    std::ranges::move(qubo::relaxed(c, r), std::back_inserter(p_.constraints));
  }

  /// Numbers variables by their names if the names are x1, x2,
  /// ... Variables of soft constraints come last.
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
    const auto place_in = [&](qubo::Constraint& c) {
      for (qubo::Term& t : c.terms) {
        t.first = t.second = place(t.first);
      }
      for (qubo::Monomial& m : c.products) {
        std::ranges::transform(m.variables, m.variables.begin(), place);
        std::ranges::sort(m.variables);
      }
    };
    std::ranges::for_each(p_.constraints, place_in);
    for (qubo::SoftConstraint& soft : p_.soft) {
      place_in(soft.constraint);
    }
    p_.n = static_cast<int>(all.size());
    p_.names = names_of_text(all, name_);
  }

  /// The first index of variables of soft constraints while the file is read.
  static constexpr std::int32_t kExtra = 1 << 30;

  OpbTokens tokens_;
  const std::string& name_;
  VariableNames variables_;
  bool objective_ = false;
  bool soft_ = false;
  std::optional<double> top_;
  std::vector<qubo::Term> prices_;
  std::int64_t constraints_ = 0;
  std::vector<std::string> extra_names_;
  qubo::Polynomial p_;
};

}  // namespace

bool looks_like_opb(std::string_view start) {
  OpbTokens tokens(start);
  std::string_view word = tokens.next();
  if (word == "min:" || word == "max:" || word == "soft:") {
    return true;
  }
  // A constraint has weights and variables, a comparison, a number, a semicolon.
  constexpr int kMax = 64;
  const bool number = parse_int(word).has_value();
  for (int k = 0; number && k < kMax && !word.empty(); ++k, word = tokens.next()) {
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
