#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/polynomial_formats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

// Programs of 0/1 variables in the LP format of CPLEX, which most solvers write: an
// objective, which may be quadratic, linear constraints, and the section of binary
// variables.

namespace oa::io {
namespace {

constexpr std::size_t kMaxLp = std::size_t{1} << 31;

std::string lower_case(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

enum class Section : std::uint8_t { Constraints, Bounds, Binaries, Integers, End };

struct Lexer {
  std::string_view text;
  std::size_t at = 0;
  std::int64_t line = 1;

  /// The next token: a number, a name or an operator; empty at the end.
  std::string_view next() {
    skip();
    const std::size_t from = at;
    if (at == text.size()) {
      return {};
    }
    const char c = text[at];
    if (is_digit(c) || c == '.') {
      number();
    } else if (c == '<' || c == '>' || c == '=') {
      while (at < text.size() &&
             (text[at] == '<' || text[at] == '>' || text[at] == '=')) {
        ++at;
      }
    } else if (is_operator(c)) {
      ++at;
    } else {
      while (at < text.size() && !is_operator(text[at]) && !is_space(text[at]) &&
             text[at] != '<' && text[at] != '>' && text[at] != '=' &&
             text[at] != '\\') {
        ++at;
      }
    }
    return text.substr(from, at - from);
  }
  std::string_view peek() {
    const Lexer before = *this;
    const std::string_view word = next();
    *this = before;
    return word;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

 private:
  static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }
  static bool is_operator(char c) {
    return c == '+' || c == '-' || c == '*' || c == '/' || c == '^' || c == '[' ||
           c == ']' || c == ':';
  }
  void skip() {
    for (; at < text.size() && (is_space(text[at]) || text[at] == '\\'); ++at) {
      if (text[at] == '\\') {  // a comment up to the end of the line
        at = std::min(text.find('\n', at), text.size() - 1);
      }
      line += text[at] == '\n' ? 1 : 0;
    }
  }
  void number() {
    while (at < text.size() && (is_digit(text[at]) || text[at] == '.')) {
      ++at;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
      std::size_t end = at + 1;
      end += end < text.size() && (text[end] == '+' || text[end] == '-') ? 1 : 0;
      if (end < text.size() && is_digit(text[end])) {
        while (end < text.size() && is_digit(text[end])) {
          ++end;
        }
        at = end;
      }
    }
  }
};

class LpReader {
 public:
  LpReader(std::string_view text, const std::string& name)
      : lexer_{text},
        name_(name),
        variables_(name) {}

  qubo::Polynomial read() {
    const std::string first = lower_case(lexer_.next());
    if (first.starts_with("max")) {
      p_.sense = qubo::Sense::Max;
    } else if (!first.starts_with("min")) {
      fail("no 'Minimize' or 'Maximize' before the objective");
    }
    objective();
    std::optional<Section> section = next_section();
    if (!section) {
      fail(unexpected(lexer_.peek(), "'Subject To', 'Bounds', 'Binary' or 'End'"));
    }
    while (*section != Section::End) {
      take(*section);
      section = next_section();
      if (!section) {
        fail(unexpected(lexer_.peek(), "another section or 'End'"));
      }
    }
    finish();
    return std::move(p_);
  }

 private:
  struct Linear {
    std::vector<qubo::Term> terms;
    double constant = 0.0;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_ + ":" + format(lexer_.line) + ": " + what);
  }

  /// Takes the next words if they begin a section, and returns it.
  std::optional<Section> section_ahead() {
    Lexer ahead = lexer_;
    const std::string word = lower_case(ahead.next());
    std::optional<Section> section;
    if (word == "subject" || word == "such") {
      const std::string second = lower_case(ahead.next());
      if (second == "to" || second == "that") {
        section = Section::Constraints;
      }
    } else if (word == "st" || word == "s.t." || word == "st.") {
      section = Section::Constraints;
    } else if (word == "bounds" || word == "bound") {
      section = Section::Bounds;
    } else if (word == "binary" || word == "binaries" || word == "bin") {
      section = Section::Binaries;
    } else if (word == "general" || word == "generals" || word == "gen" ||
               word == "integer" || word == "integers" || word == "int") {
      section = Section::Integers;
    } else if (word == "end" || word.empty()) {
      section = Section::End;
    }
    if (section && ahead.peek() == ":") {
      section.reset();  // the name of a constraint
    }
    ahead_ = ahead;
    return section;
  }
  std::optional<Section> next_section() {
    const auto section = section_ahead();
    if (section) {
      lexer_ = ahead_;
    }
    return section;
  }

  void take(Section section) {
    while (!section_ahead()) {
      switch (section) {
        case Section::Constraints: constraint(); break;
        case Section::Bounds: bound(); break;
        case Section::Binaries:
        case Section::Integers: declared(section == Section::Binaries); break;
        case Section::End: return;
      }
    }
  }

  bool skip(std::string_view word) {
    if (lexer_.peek() != word) {
      return false;
    }
    (void)lexer_.next();
    return true;
  }

  /// Takes "name:" if it is next.
  std::string label() {
    const Lexer before = lexer_;
    const std::string name(lexer_.next());
    if (skip(":")) {
      return name;
    }
    lexer_ = before;
    return {};
  }

  static bool is_number(std::string_view word) {
    return !word.empty() && (Lexer::is_digit(word[0]) || word[0] == '.');
  }
  double number(std::string_view word) const {
    const auto value = parse_weight(word);
    if (!value || rounds_integer(word)) {
      fail(unexpected_weight(word));
    }
    return *value;
  }

  /// The number before a variable, or 1, times a sign: integers are exact.
  TwoDoubles weight(double sign) {
    if (!is_number(lexer_.peek())) {
      return sign;
    }
    const std::string_view word = lexer_.next();
    const auto value = parse_exact_weight(word);
    if (!value) {
      fail(unexpected_weight(word));
    }
    (void)skip("*");
    return {sign * value->value, sign * value->rest};
  }

  /// The product of the signs before a term; nothing if no term follows.
  std::optional<double> sign(bool first) {
    double value = 1.0;
    bool any = first;
    for (;;) {
      if (skip("+")) {
        any = true;
      } else if (skip("-")) {
        value = -value;
        any = true;
      } else {
        break;
      }
    }
    const std::string_view next = lexer_.peek();
    const bool ends = next.empty() || next == "]" || next[0] == '<' || next[0] == '>' ||
                      next[0] == '=';
    return any && !ends ? std::optional(value) : std::nullopt;
  }

  std::int32_t variable() {
    const std::string_view word = lexer_.next();
    if (word.empty() || is_number(word) ||
        std::string_view("+-*/^[]:<>=").find(word[0]) != std::string_view::npos) {
      fail(unexpected(word, "a variable"));
    }
    return variables_(word);
  }

  void objective() {
    (void)label();
    bool first = true;
    while (!section_ahead()) {
      const auto factor = sign(first);
      if (!factor) {
        return;
      }
      first = false;
      if (skip("[")) {
        quadratic(*factor);
        continue;
      }
      const bool numbered = is_number(lexer_.peek());
      const TwoDoubles w = weight(*factor);
      if (numbered && ends_term()) {
        add_monomial(p_, {}, w);
      } else {
        add_monomial(p_, {variable()}, w);
      }
    }
  }

  bool ends_term() {
    const std::string_view next = lexer_.peek();
    return next.empty() || next == "+" || next == "-" || section_ahead().has_value();
  }

  /// Reads the rest of "[ ... ] / 2" after the bracket.
  void quadratic(double factor) {
    const std::size_t from = p_.monomials.size();
    bool first = true;
    while (!skip("]")) {
      const auto of_term = sign(first);
      if (!of_term) {
        fail(unexpected(lexer_.peek(), "a quadratic term or ']'"));
      }
      first = false;
      const TwoDoubles w = weight(*of_term * factor);
      const std::int32_t i = variable();
      std::int32_t k = i;
      if (skip("^")) {
        if (lexer_.next() != "2") {
          fail("a power other than 2");
        }
      } else if (skip("*")) {
        k = variable();
      } else {
        fail("a term of one variable in brackets (expected x ^ 2 or x * y)");
      }
      add_monomial(p_, {i, k}, w);
    }
    if (skip("/")) {
      if (lexer_.next() != "2") {
        fail("brackets divided by another number than 2");
      }
      for (std::size_t m = from; m < p_.monomials.size(); ++m) {
        p_.monomials[m].weight *= 0.5;
      }
    }
  }

  Linear linear() {
    Linear sum;
    bool first = true;
    while (const auto factor = sign(first)) {
      first = false;
      double weight = *factor;
      if (lexer_.peek() == "[") {
        fail("a quadratic constraint (expected linear ones)");
      }
      if (is_number(lexer_.peek())) {
        weight *= number(lexer_.next());
        (void)skip("*");
        const std::string_view next = lexer_.peek();
        if (next.empty() || next[0] == '<' || next[0] == '>' || next[0] == '=' ||
            next == "+" || next == "-") {
          sum.constant += weight;
          continue;
        }
      }
      const std::int32_t i = variable();
      sum.terms.push_back({i, i, weight});
    }
    return sum;
  }

  qubo::Relation relation() {
    const std::string_view word = lexer_.next();
    if (word == "<=" || word == "<" || word == "=<") {
      return qubo::Relation::AtMost;
    }
    if (word == ">=" || word == ">" || word == "=>") {
      return qubo::Relation::AtLeast;
    }
    if (word != "=") {
      fail(unexpected(word, "<=, = or >="));
    }
    return qubo::Relation::Equal;
  }

  double signed_number() {
    double value = 1.0;
    while (lexer_.peek() == "-" || lexer_.peek() == "+") {
      value = lexer_.next() == "-" ? -value : value;
    }
    return value * number(lexer_.next());
  }

  void constraint() {
    qubo::Constraint c;
    c.name = label();
    if (c.name.empty()) {
      c.name = "number " + format(std::ssize(p_.constraints) + 1);
    }
    Linear left = linear();
    c.terms = std::move(left.terms);
    c.relation = relation();
    c.right = signed_number() - left.constant;
    const std::string_view next = lexer_.peek();
    if (!next.empty() && (next[0] == '<' || next[0] == '>' || next[0] == '=')) {
      fail("a second comparison (expected two constraints instead)");
    }
    p_.constraints.push_back(std::move(c));
  }

  /// Reads "0 <= x <= 1", a part of it, or "x = 1".  A bound that every binary variable
  /// satisfies is ignored; another becomes a constraint.
  void bound() {
    using enum qubo::Relation;
    const bool number_first =
        is_number(lexer_.peek()) || lexer_.peek() == "-" || lexer_.peek() == "+";
    std::optional<std::pair<qubo::Relation, double>> left;
    if (number_first) {
      const double value = signed_number();
      const qubo::Relation written = relation();
      left = {written == AtMost ? AtLeast : written == AtLeast ? AtMost : Equal, value};
    }
    const std::int32_t i = variable();
    const auto add = [&](qubo::Relation relation, double value) {
      if ((relation == AtLeast && value <= 0.0) ||
          (relation == AtMost && value >= 1.0)) {
        return;
      }
      p_.constraints.push_back({"bound of " + variables_.names()[at(i)].substr(0, 40),
                                {{i, i, 1.0}},
                                relation,
                                value});
    };
    if (left) {
      add(left->first, left->second);
    }
    const std::string_view next = lexer_.peek();
    if (!next.empty() && (next[0] == '<' || next[0] == '>' || next[0] == '=')) {
      const qubo::Relation written = relation();
      add(written, signed_number());
    }
  }

  void declared(bool binary) {
    const auto i = static_cast<std::size_t>(variable());
    if (!binary) {
      fail("the integer variable '" + variables_.names()[i].substr(0, 40) +
           "' (expected binary ones only)");
    }
    binary_.resize(std::max(binary_.size(), i + 1));
    binary_[i] = true;
  }

  void finish() {
    binary_.resize(variables_.size());
    if (variables_.size() == 0) {
      fail("no variable");
    }
    const auto other = std::ranges::find(binary_, false);
    if (other != binary_.end()) {
      const auto i = static_cast<std::size_t>(other - binary_.begin());
      throw InputError(name_ + ": the variable '" +
                       variables_.names()[i].substr(0, 40) +
                       "' is not binary (expected it in the section Binary)");
    }
    p_.n = static_cast<int>(variables_.size());
    p_.names = names_of_text(variables_.names(), name_);
  }

  Lexer lexer_;
  Lexer ahead_;
  const std::string& name_;
  VariableNames variables_;
  std::vector<bool> binary_;
  qubo::Polynomial p_;
};

}  // namespace

bool looks_like_lp(std::string_view start) {
  Lexer lexer{start};
  const std::string word = lower_case(lexer.next());
  constexpr std::array<std::string_view, 6> kWords{
      "minimize", "minimise", "minimum", "maximize", "maximise", "maximum"};
  return word == "min" || word == "max" ||
         std::ranges::find(kWords, word) != kWords.end();
}

qubo::Polynomial read_lp(Input& input) {
  skip_mark(input);
  const std::string text = read_whole_text(input, kMaxLp, "over 2 GiB of text");
  refuse_nul(text, input.name());
  return LpReader(text, input.name()).read();
}

}  // namespace oa::io
