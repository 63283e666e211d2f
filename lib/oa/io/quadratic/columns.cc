#include "oa/io/quadratic/columns.h"

#include "oa/base/error.h"
#include "oa/base/exact_product.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/decimal_sum.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/polynomial_formats.h"
#include "oa/qubo/polynomial.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace oa::io {
namespace {

constexpr std::size_t kMaxIntegerTerms = 10'000'000;

bool is_binary(const Column& c) {
  return c.integer && std::ceil(c.lower) >= 0.0 && std::floor(c.upper) <= 1.0;
}

/// True if the column is a constant, which solutions need not contain.
bool is_constant(const Column& c) {
  return !c.integer && c.lower == c.upper && std::isfinite(c.lower);
}

/// Throws unless the variable has a finite number of values, all of them whole.
void check_column(const Column& c, const std::string& name, const std::string& where) {
  constexpr double kMaxRange = 0x1p53;
  const std::string quoted = "'" + name.substr(0, 40) + "'";
  const std::string range = " from " + format(c.lower) + " to " + format(c.upper);
  if (!c.integer) {
    throw InputError(where + ": the variable " + quoted + " is continuous," + range +
                     " (expected a binary or an integer one)");
  }
  if (!std::isfinite(c.lower) || !std::isfinite(c.upper)) {
    throw InputError(where + ": the integer variable " + quoted + " is unbounded," +
                     range + " (expected finite bounds)");
  }
  const double least = std::ceil(c.lower);
  const double most = std::floor(c.upper);
  if (!is_binary(c) && least > most) {
    throw InputError(where + ": the integer variable " + quoted + " has no value" +
                     range);
  }
  if (std::abs(least) > kMaxRange || std::abs(most) > kMaxRange ||
      most - least >= kMaxRange) {
    throw InputError(where + ": the integer variable " + quoted + " has values" +
                     range + " (expected at most 2^53)");
  }
}

/// Removes continuous columns that a program does not need:
/// a constant that a row fixes (Pyomo), and the slack of a range (CPLEX).
class Slacks {
 public:
  Slacks(qubo::Polynomial& p, std::vector<Column>& columns)
      : p_(p),
        columns_(columns),
        uses_(columns.size()) {}

  void remove() {
    std::erase_if(p_.constraints, [&](const qubo::Constraint& c) { return fixes(c); });
    for (const qubo::Monomial& m : p_.monomials) {
      for (const std::int32_t i : m.variables) {
        uses_[at(i)] += kMany;
      }
    }
    for (const qubo::Constraint& c : p_.constraints) {
      for (const qubo::Monomial& m : c.products) {
        for (const std::int32_t i : m.variables) {
          uses_[at(i)] += kMany;
        }
      }
      for (const qubo::Term& t : c.terms) {
        ++uses_[at(t.first)];
      }
    }
    const std::size_t rows = p_.constraints.size();
    for (std::size_t k = 0; k < rows; ++k) {
      relax(k);
    }
    std::erase_if(p_.constraints,
                  [](const qubo::Constraint& c) { return std::isinf(c.right); });
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].integer && uses_[i] == 0) {
        columns_[i].upper = columns_[i].lower = 0.0;
      }
    }
  }

 private:
  static constexpr int kMany = 2;

  bool fixes(const qubo::Constraint& c) {
    if (c.terms.size() != 1 || !c.products.empty() ||
        c.relation != qubo::Relation::Equal) {
      return false;
    }
    const qubo::Term& t = c.terms.front();
    Column& column = columns_[at(t.first)];
    const double value = c.right / t.weight;
    if (column.integer || value * t.weight != c.right || value < column.lower ||
        value > column.upper) {
      return false;
    }
    column.lower = column.upper = value;
    return true;
  }

  /// Removes the slack s, with factor q, of a constraint: sum + q s = r becomes
  ///   r - max q s <= sum <= r - min q s.
  /// An infinite limit gives an infinite right side.
  void relax(std::size_t k) {
    const auto is_slack = [&](const qubo::Term& t) {
      const Column& column = columns_[at(t.first)];
      return t.weight != 0.0 && !column.integer && uses_[at(t.first)] == 1 &&
             column.lower < column.upper;
    };
    qubo::Constraint& c = p_.constraints[k];
    const auto slack = std::ranges::find_if(c.terms, is_slack);
    if (slack == c.terms.end() || c.terms.size() + c.products.size() == 1) {
      return;
    }
    const Column& column = columns_[at(slack->first)];
    const auto [least, most] = slack->weight > 0.0
                                   ? std::pair(column.lower, column.upper)
                                   : std::pair(column.upper, column.lower);
    const auto right = [&, q = slack->weight, r = c.right](double s) {
      DecimalSum sum;
      sum.add(r);
      sum.add(std::isinf(s) ? 0.0 : q, -s);
      return std::isinf(s) ? s : sum.value();
    };
    const double low = right(most);
    const double high = right(least);
    uses_[at(slack->first)] = 0;
    c.terms.erase(slack);
    if (c.relation != qubo::Relation::Equal) {
      c.right = c.relation == qubo::Relation::AtMost ? high : low;
      return;
    }
    c.relation = qubo::Relation::AtLeast;
    c.right = low;
    qubo::Constraint other = c;
    other.name += " (range)";
    other.relation = qubo::Relation::AtMost;
    other.right = high;
    p_.constraints.push_back(std::move(other));
  }

  qubo::Polynomial& p_;
  std::vector<Column>& columns_;
  std::vector<int> uses_;
};

/// Narrows bounds of integers by linear constraints:
/// a smaller range may need fewer digits.
class Narrowing {
 public:
  Narrowing(const qubo::Polynomial& p, std::vector<Column>& columns)
      : p_(p),
        columns_(columns) {}

  void run() {
    constexpr int kRounds = 10;
    bool changed = true;
    for (int round = 0; changed && round < kRounds; ++round) {
      changed = false;
      for (const qubo::Constraint& c : p_.constraints) {
        if (!c.products.empty()) {
          continue;
        }
        const bool above = c.relation != qubo::Relation::AtMost;
        const bool below = c.relation != qubo::Relation::AtLeast;
        changed = (below && narrow(c, 1.0)) || changed;
        changed = (above && narrow(c, -1.0)) || changed;
      }
    }
  }

 private:
  /// Returns the smallest value of sign times a term, which may be infinite.
  [[nodiscard]] double least(const qubo::Term& t, double sign) const {
    const Column& column = columns_[at(t.first)];
    const double weight = sign * t.weight;
    return weight == 0.0 ? 0.0 : weight * (weight > 0.0 ? column.lower : column.upper);
  }

  /// Narrows bounds by sign times "sum <= right".
  bool narrow(const qubo::Constraint& c, double sign) {
    constexpr double kError = 1e-9;  // more than sums of doubles are rounded by
    double total = 0.0;
    double size = std::abs(c.right);
    int open = 0;  // number of terms without a smallest value
    for (const qubo::Term& t : c.terms) {
      const double value = least(t, sign);
      open += std::isfinite(value) ? 0 : 1;
      total += std::isfinite(value) ? value : 0.0;
      size += std::isfinite(value) ? std::abs(value) : 0.0;
    }
    bool changed = false;
    for (const qubo::Term& t : c.terms) {
      Column& column = columns_[at(t.first)];
      const double own = least(t, sign);
      const double weight = sign * t.weight;
      if (!column.integer || column.spin || is_binary(column) || weight == 0.0 ||
          open > (std::isfinite(own) ? 0 : 1)) {
        continue;
      }
      const double left = sign * c.right - (total - (std::isfinite(own) ? own : 0.0));
      const double limit = left / weight;
      const double error = kError * (size / std::abs(weight) + 1.0);
      if (const double most = std::floor(limit + error);
          weight > 0.0 && most < column.upper && most >= column.lower) {
        column.upper = most;
        changed = true;
      }
      if (const double most = std::ceil(limit - error);
          weight < 0.0 && most > column.lower && most <= column.upper) {
        column.lower = most;
        changed = true;
      }
    }
    return changed;
  }

  const qubo::Polynomial& p_;
  std::vector<Column>& columns_;
};

/// Replaces columns by constants, digits or variables with new indices.
class Substitution {
 public:
  Substitution(const std::vector<Column>& columns,
               const std::vector<std::string>& names,
               const std::string& where)
      : where_(where) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      forms_.push_back(form_of(columns[i], names[i]));
    }
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::vector<qubo::Integer>& integers() { return integers_; }
  /// The variable of a binary column.
  [[nodiscard]] std::int32_t place(std::size_t i) const {
    return forms_[i].digits.front().first;
  }

  /// Expands a product into monomials, exactly or with decimal weights.
  [[nodiscard]] std::vector<qubo::Monomial> of(const qubo::Monomial& m, bool exact) {
    std::vector<qubo::Monomial> all{{{}, m.weight}};
    for (const std::int32_t i : m.variables) {
      const Form& form = forms_[at(i)];
      if (is_variable(form)) {
        for (qubo::Monomial& part : all) {
          part.variables.push_back(form.digits.front().first);
        }
        continue;
      }
      std::vector<qubo::Monomial> next;
      for (qubo::Monomial& part : all) {
        const auto times = [&](double factor, const qubo::Term* digit) {
          const auto take = [&](double weight) {
            next.push_back({part.variables, weight});
            if (digit != nullptr) {
              next.back().variables.push_back(digit->first);
            }
          };
          if (exact && !form.digits.empty()) {
            exact_product(part.weight, factor, take);
          } else {
            take(decimal_product(part.weight, factor));
          }
        };
        if (form.digits.empty() || form.constant != 0.0) {
          times(form.constant, nullptr);
        }
        for (const qubo::Term& digit : form.digits) {
          times(digit.weight, &digit);
        }
      }
      all = std::move(next);
    }
    for (qubo::Monomial& part : all) {
      std::ranges::sort(part.variables);
      part.variables.erase(std::ranges::unique(part.variables).begin(),
                           part.variables.end());
    }
    if ((terms_ += all.size()) > kMaxIntegerTerms && !integers_.empty()) {
      throw InputError(where_ + ": over 10,000,000 products of digits of integers");
    }
    return all;
  }

  void apply(std::vector<qubo::Monomial>& monomials) {
    std::vector<qubo::Monomial> all;
    all.reserve(monomials.size());
    for (const qubo::Monomial& m : monomials) {
      std::ranges::move(of(m, true), std::back_inserter(all));
    }
    monomials = std::move(all);
  }

  void apply(qubo::Constraint& c) {
    std::vector<qubo::Monomial> sum = std::exchange(c.products, {});
    for (const qubo::Term& t : std::exchange(c.terms, {})) {
      if (is_variable(forms_[at(t.first)])) {
        const std::int32_t i = place(at(t.first));
        c.terms.push_back({i, i, t.weight});
      } else {
        sum.push_back({{t.first}, t.weight});
      }
    }
    DecimalSum right;
    right.add(c.right);
    for (const qubo::Monomial& m : sum) {
      for (qubo::Monomial& part : of(m, false)) {
        if (part.variables.empty()) {
          right.add(part.weight, -1.0);
        } else if (part.variables.size() == 1) {
          const std::int32_t i = part.variables.front();
          c.terms.push_back({i, i, part.weight});
        } else {
          c.products.push_back(std::move(part));
        }
      }
    }
    c.right = right.value();
  }

 private:
  /// A column as constant + weighted variables.
  struct Form {
    double constant = 0.0;
    std::vector<qubo::Term> digits;
  };

  static bool is_variable(const Form& form) {
    return form.constant == 0.0 && form.digits.size() == 1 &&
           form.digits.front().weight == 1.0;
  }

  Form form_of(const Column& c, const std::string& name) {
    if (is_constant(c)) {
      return {c.lower, {}};
    }
    check_column(c, name, where_);
    if (is_binary(c)) {
      return {0.0, {digit(1.0, name)}};
    }
    qubo::Integer integer{name, std::ceil(c.lower), {}};
    const double range = std::floor(c.upper) - integer.low;
    for (const double weight : c.spin ? std::vector{2.0} : qubo::digit_weights(range)) {
      const auto number = std::to_string(integer.digits.size() + 1);
      integer.digits.push_back(digit(weight, name + " digit " + number));
    }
    integers_.push_back(integer);
    return {integer.low, integer.digits};
  }

  qubo::Term digit(double weight, const std::string& name) {
    const auto i = static_cast<std::int32_t>(names_.size());
    names_.push_back(name);
    return {i, i, weight};
  }

  const std::string& where_;
  std::vector<Form> forms_;
  std::vector<std::string> names_;
  std::vector<qubo::Integer> integers_;
  std::size_t terms_ = 0;
};

}  // namespace

double bound_of(double value) {
  constexpr double kUnbounded = 1e20;
  return std::abs(value) < kUnbounded
             ? value
             : std::copysign(std::numeric_limits<double>::infinity(), value);
}

bool is_infinity(std::string_view word) {
  constexpr std::string_view kLong = "infinity";
  const std::string_view wanted = word.size() == 3 ? kLong.substr(0, 3) : kLong;
  return std::ranges::equal(word, wanted, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
  });
}

void take_columns(qubo::Polynomial& p,
                  std::vector<Column> columns,
                  const std::vector<std::string>& names,
                  const std::string& where) {
  if (!std::ranges::all_of(columns, &Column::integer)) {
    Slacks(p, columns).remove();
  }
  Narrowing(p, columns).run();
  Substitution substitution(columns, names, where);
  if (substitution.names().empty() && substitution.integers().empty()) {
    throw InputError(where + ": no variable that is not a constant");
  }
  p.n = static_cast<int>(substitution.names().size());
  substitution.apply(p.monomials);
  for (qubo::Constraint& c : p.constraints) {
    substitution.apply(c);
  }
  for (qubo::SoftConstraint& soft : p.soft) {
    substitution.apply(soft.constraint);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_binary(columns[i])) {
      continue;
    }
    const std::int32_t place = substitution.place(i);
    const std::vector<qubo::Term> term{{place, place, 1.0}};
    const std::string bound = "bound of " + names[i].substr(0, 40);
    if (const double lower = std::ceil(columns[i].lower); lower > 0.0) {
      p.constraints.push_back({bound, term, qubo::Relation::AtLeast, lower});
    }
    if (const double upper = std::floor(columns[i].upper); upper < 1.0) {
      p.constraints.push_back({bound, term, qubo::Relation::AtMost, upper});
    }
  }
  p.names = names_of_text(substitution.names(), where);
  p.integers = std::move(substitution.integers());
}

}  // namespace oa::io
