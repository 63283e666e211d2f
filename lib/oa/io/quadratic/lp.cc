#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/quadratic/columns.h"
#include "oa/io/quadratic/decimal_sum.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/lp_lexer.h"
#include "oa/io/quadratic/polynomial_formats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

// Reads programs of binary and integer variables in CPLEX's LP format,
// which most solvers write.  Sections are: an objective and constraints,
// up to quadratic; bounds; and binary and integer variables.

namespace oa::io {
namespace {

constexpr std::size_t kMaxLp = std::size_t{1} << 31;

enum class Section : std::uint8_t {
  Constraints,
  Bounds,
  Binaries,
  Integers,
  Other,
  End
};

class LpReader {
 public:
  LpReader(std::string_view text, const std::string& name)
      : lexer_(text),
        name_(name),
        variables_(name) {}

  qubo::Polynomial read() {
    if (section_ahead() != Section::Constraints) {  // dimod omits an empty objective
      const std::string first = lower_case(lexer_.next());
      if (first.starts_with("max")) {
        p_.sense = qubo::Sense::Max;
      } else if (!first.starts_with("min")) {
        fail("no 'Minimize' or 'Maximize' before the objective");
      }
      objective();
    }
    std::optional<Section> section;
    while ((section = next_section()) && *section != Section::End) {
      take(*section);
    }
    if (!section) {
      fail(unexpected(lexer_.peek(), "'Subject To', 'Bounds', 'Binary' or 'End'"));
    }
    finish();
    return std::move(p_);
  }

 private:
  struct Linear {
    std::vector<qubo::Term> terms;
    std::vector<double> constants;  // constants; one may be infinite
    std::vector<qubo::Monomial> products;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_ + ":" + format(lexer_.line()) + ": " + what);
  }

  /// Reads and returns the keyword of the next section, if it comes next.
  std::optional<Section> section_ahead() {
    LpLexer ahead = lexer_;
    const std::string word = lower_case(ahead.next());
    std::optional<Section> section;
    const auto two_words = [&](std::string_view second) {
      return lower_case(ahead.next()) == second;
    };
    if ((word == "subject" && two_words("to")) ||
        (word == "such" && two_words("that")) ||
        (word == "lazy" && two_words("constraints")) ||
        (word == "user" && two_words("cuts")) || word == "st" || word == "s.t." ||
        word == "st.") {
      section = Section::Constraints;
    } else if (word == "bounds" || word == "bound") {
      section = Section::Bounds;
    } else if (word == "binary" || word == "binaries" || word == "bin") {
      section = Section::Binaries;
    } else if (word == "general" || word == "generals" || word == "gen" ||
               word == "integer" || word == "integers" || word == "int") {
      section = Section::Integers;
    } else if (word == "semi" || word == "semis" || word == "sos" || word == "sos1" ||
               word == "sos2") {
      section = Section::Other;
      if (ahead.peek() == "-") {  // semi-continuous
        (void)ahead.next();
        (void)ahead.next();
      }
    } else if (word == "end" || word.empty()) {
      section = Section::End;
    }
    if (section && ahead.peek() == ":") {
      section.reset();  // it was the name of a constraint
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
        case Section::Other:
          fail(unexpected(lexer_.peek(), "no semi-continuous variables and no sets"));
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

  /// Reads "name:" if it comes next; else returns empty text.
  std::string label() {
    const LpLexer before = lexer_;
    const std::string name(lexer_.next());
    if (skip(":")) {
      return name;
    }
    lexer_ = before;
    return {};
  }

  double number(std::string_view word) const {
    const auto value = parse_weight(word);
    if (!value || rounds_integer(word)) {
      fail(unexpected_weight(word));
    }
    return *value;
  }

  /// Reads the number before a variable, if any, times `sign`.  Integers are exact.
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

  /// Reads signs before a term; returns their product, or nothing if no term follows.
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
    const bool ends = next.empty() || next == "]" || is_comparison(next);
    return any && !ends ? std::optional(value) : std::nullopt;
  }

  std::int32_t variable() {
    const std::string_view word = lexer_.next();
    if (word.empty() || is_number(word) ||
        std::string_view("+-*/^[]:<>=").find(word[0]) != std::string_view::npos) {
      fail(unexpected(word, "a variable"));
    }
    const std::int32_t i = variables_(word);
    columns_.resize(variables_.size());
    return i;
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
        quadratic(*factor, p_.monomials);
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

  /// Reads the rest of "[ ... ]" or "[ ... ] / 2" after the bracket.
  void quadratic(double factor, std::vector<qubo::Monomial>& sum) {
    const std::size_t from = sum.size();
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
      // Keeps x^2 until it is known whether x is a constant.
      for (const double part : {w.value, w.rest}) {
        if (part != 0.0) {
          sum.push_back({{i, k}, part});
        }
      }
    }
    if (skip("/")) {
      if (lexer_.next() != "2") {
        fail("brackets divided by another number than 2");
      }
      for (std::size_t m = from; m < sum.size(); ++m) {
        sum[m].weight *= 0.5;
      }
    }
  }

  /// Reads a side of a constraint.  The last side ends with its line, because a
  /// constraint may begin with a sign.
  Linear linear(bool last) {
    Linear sum;
    for (bool first = true; first || !last || lexer_.same_line(); first = false) {
      const auto factor = sign(first);
      if (!factor) {
        break;
      }
      if (skip("[")) {
        quadratic(*factor, sum.products);
        continue;
      }
      double weight = *factor;
      if (is_infinity(lexer_.peek())) {
        (void)lexer_.next();
        sum.constants.push_back(weight * std::numeric_limits<double>::infinity());
        continue;
      }
      if (is_number(lexer_.peek())) {
        weight *= number(lexer_.next());
        (void)skip("*");
        if (ends_constant(last)) {
          sum.constants.push_back(weight);
          continue;
        }
      }
      const std::int32_t i = variable();
      sum.terms.push_back({i, i, weight});
    }
    if (sum.terms.empty() && sum.constants.empty() && sum.products.empty()) {
      fail(unexpected(lexer_.peek(), "a number or a variable"));
    }
    return sum;
  }

  /// True if the number just read is a constant: no variable follows.
  bool ends_constant(bool last) {
    const std::string_view next = lexer_.peek();
    if (next.empty() || is_comparison(next) || next == "+" || next == "-") {
      return true;
    }
    if (!last) {
      return false;
    }
    LpLexer ahead = lexer_;
    (void)ahead.next();
    return !lexer_.same_line() || ahead.peek() == ":" || section_ahead();
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

  [[nodiscard]] bool compares() const { return is_comparison(lexer_.peek()); }

  static qubo::Relation flipped(qubo::Relation relation) {
    using enum qubo::Relation;
    return relation == AtMost ? AtLeast : relation == AtLeast ? AtMost : Equal;
  }

  /// Adds "left relation right", unless it is always true because a side is infinite.
  void add_constraint(std::string name,
                      const Linear& left,
                      qubo::Relation relation,
                      const Linear& right) {
    const bool any = !left.terms.empty() || !left.products.empty();
    if (!any && (!right.terms.empty() || !right.products.empty())) {
      add_constraint(std::move(name), right, flipped(relation), left);
      return;
    }
    DecimalSum constant;
    double infinite = 0.0;
    const auto add_constants = [&](const Linear& side, double sign) {
      for (const double value : side.constants) {
        const double bound = sign * bound_of(value);
        infinite += std::isinf(bound) ? bound : 0.0;
        constant.add(std::isinf(bound) ? 0.0 : bound);
      }
    };
    add_constants(right, 1.0);
    add_constants(left, -1.0);
    if (infinite != 0.0) {
      if (relation !=
          (infinite > 0.0 ? qubo::Relation::AtMost : qubo::Relation::AtLeast)) {
        fail("the constraint " + name.substr(0, 40) + " never holds");
      }
      return;
    }
    qubo::Constraint c{std::move(name), left.terms, relation, constant.value()};
    for (const qubo::Term& t : right.terms) {
      c.terms.push_back({t.first, t.second, -t.weight});
    }
    c.products = left.products;
    for (const qubo::Monomial& m : right.products) {
      c.products.push_back({m.variables, -m.weight});
    }
    p_.constraints.push_back(std::move(c));
  }

  /// Reads "left <= right" or "left <= middle <= right".
  void constraint() {
    const std::string given = label();
    std::string name =
        given.empty() ? "number " + format(std::ssize(p_.constraints) + 1) : given;
    const Linear left = linear(false);
    const qubo::Relation first = relation();
    // A range with a label goes on in a line that begins with a sign.
    const bool number = left.terms.empty() && left.products.empty();
    const Linear middle = linear(given.empty() || !number);
    if (!compares()) {
      add_constraint(std::move(name), left, first, middle);
      return;
    }
    const qubo::Relation second = relation();
    if (first != second || first == qubo::Relation::Equal) {
      fail("two comparisons in different directions");
    }
    add_constraint(name, left, first, middle);
    add_constraint(name + " (range)", middle, second, linear(true));
  }

  /// Reads a number; nothing if a variable is next.
  std::optional<double> bound_value() {
    const LpLexer before = lexer_;
    double value = 1.0;
    while (lexer_.peek() == "-" || lexer_.peek() == "+") {
      value = lexer_.next() == "-" ? -value : value;
    }
    const std::string_view word = lexer_.peek();
    if (is_infinity(word)) {
      (void)lexer_.next();
      return value * std::numeric_limits<double>::infinity();
    }
    if (is_number(word)) {
      return bound_of(value * number(lexer_.next()));
    }
    lexer_ = before;
    return std::nullopt;
  }

  /// Reads "0 <= x <= 1" or a part of it, "x = 1", or "x free".
  void bound() {
    std::optional<std::pair<qubo::Relation, double>> left;
    if (const auto value = bound_value()) {
      const qubo::Relation written = relation();
      left = {flipped(written), *value};
    }
    Column& column = columns_[at(variable())];
    const auto set = [&](qubo::Relation relation, double value) {
      column.lower = relation == qubo::Relation::AtMost ? column.lower : value;
      column.upper = relation == qubo::Relation::AtLeast ? column.upper : value;
    };
    if (left) {
      set(left->first, left->second);
    }
    if (compares()) {
      const qubo::Relation written = relation();
      const auto value = bound_value();
      if (!value) {
        fail("the bound " + unexpected(lexer_.peek(), "a number"));
      }
      set(written, *value);
    } else if (!left && lower_case(lexer_.peek()) == "free") {
      (void)lexer_.next();
      column.lower = -column.upper;
    } else if (!left) {
      fail(unexpected(lexer_.peek(), "a comparison or 'free'"));
    }
  }

  void declared(bool binary) {
    const std::int32_t i = variable();
    columns_[at(i)].integer = true;
    if (binary) {
      binary_.push_back(i);
    }
  }

  void finish() {
    if (variables_.size() == 0) {
      fail("no variable");
    }
    for (const std::int32_t i : binary_) {
      columns_[at(i)].lower = std::max(columns_[at(i)].lower, 0.0);
      columns_[at(i)].upper = std::min(columns_[at(i)].upper, 1.0);
    }
    take_columns(p_, columns_, variables_.names(), name_);
  }

  LpLexer lexer_;
  LpLexer ahead_ = lexer_;
  const std::string& name_;
  VariableNames variables_;
  std::vector<Column> columns_;
  std::vector<std::int32_t> binary_;
  qubo::Polynomial p_;
};

}  // namespace

bool looks_like_lp(std::string_view start) {
  LpLexer lexer(start);
  const std::string word = lower_case(lexer.next());
  constexpr std::string_view kWords =
      " min minimize minimise minimum max maximize maximise maximum ";
  return kWords.find(" " + word + " ") != kWords.npos ||
         (word == "subject" && lower_case(lexer.next()) == "to");
}

qubo::Polynomial read_lp(Input& input) {
  skip_mark(input);
  const std::string text = read_whole_text(input, kMaxLp, "over 2 GiB of text");
  refuse_nul(text, input.name());
  return LpReader(text, input.name()).read();
}

}  // namespace oa::io
