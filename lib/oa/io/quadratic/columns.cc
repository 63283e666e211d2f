#include "oa/io/quadratic/columns.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/decimal_sum.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/polynomial_formats.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::io {
namespace {

constexpr std::int32_t kConstantColumn = -1;

/// True if the column is a number.
bool is_constant(const Column& c) {
  const bool bit = c.lower == 0.0 || c.lower == 1.0;
  return c.lower == c.upper && std::isfinite(c.lower) && !(c.integer && bit);
}

/// Refuses a variable that is neither binary nor constant.
void check_column(const Column& c, const std::string& name, const std::string& where) {
  const std::string quoted = "'" + name.substr(0, 40) + "'";
  if (!c.integer) {
    throw InputError(where + ": the variable " + quoted + " is continuous, from " +
                     format(c.lower) + " to " + format(c.upper) +
                     " (expected a binary one)");
  }
  if (std::ceil(c.lower) < 0.0 || std::floor(c.upper) > 1.0) {
    throw InputError(where + ": the integer variable " + quoted + " has bounds " +
                     format(c.lower) + " and " + format(c.upper) +
                     " (expected 0 and 1)");
  }
}

/// Removes continuous columns that a program does not need: a row that fixes one, as
/// Pyomo writes its constant, and slacks, as CPLEX writes a range.
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
    if (c.terms.size() != 1 || c.relation != qubo::Relation::Equal) {
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

  /// Removes the slack of a constraint: sum + q s = r is r - max q s <= sum <= r - min
  /// q s.  Without a limit, the constraint gets an infinite right side.
  void relax(std::size_t k) {
    const auto is_slack = [&](const qubo::Term& t) {
      const Column& column = columns_[at(t.first)];
      return t.weight != 0.0 && !column.integer && uses_[at(t.first)] == 1 &&
             column.lower < column.upper;
    };
    qubo::Constraint& c = p_.constraints[k];
    const auto slack = std::ranges::find_if(c.terms, is_slack);
    if (slack == c.terms.end() || c.terms.size() == 1) {
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
    p_.constraints.push_back(
        {c.name + " (range)", c.terms, qubo::Relation::AtMost, high});
  }

  qubo::Polynomial& p_;
  std::vector<Column>& columns_;
  std::vector<int> uses_;
};

/// Puts numbers in the place of constant columns, and gives others their new number.
class Substitution {
 public:
  Substitution(std::span<const Column> columns, std::vector<std::int32_t> places)
      : columns_(columns),
        places_(std::move(places)) {}

  [[nodiscard]] qubo::Monomial of(const qubo::Monomial& m) const {
    std::vector<std::int32_t> left;
    double weight = m.weight;
    for (const std::int32_t i : m.variables) {
      if (places_[at(i)] == kConstantColumn) {
        DecimalSum product;
        product.add(weight, columns_[at(i)].lower);
        weight = product.value();
      } else {
        left.push_back(places_[at(i)]);
      }
    }
    std::ranges::sort(left);
    left.erase(std::ranges::unique(left).begin(), left.end());
    return {std::move(left), weight};
  }

  void apply(qubo::Constraint& c) const {
    DecimalSum right;
    right.add(c.right);
    for (qubo::Term& t : c.terms) {
      const std::int32_t place = places_[at(t.first)];
      if (place == kConstantColumn) {
        right.add(t.weight, -columns_[at(t.first)].lower);
      }
      t.first = t.second = place;
    }
    std::erase_if(c.terms,
                  [](const qubo::Term& t) { return t.first == kConstantColumn; });
    c.right = right.value();
  }

 private:
  std::span<const Column> columns_;
  std::vector<std::int32_t> places_;  // variable of each column
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
  std::vector<std::string> kept;
  std::vector<std::int32_t> places(columns.size(), kConstantColumn);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_constant(columns[i])) {
      check_column(columns[i], names[i], where);
      places[i] = static_cast<std::int32_t>(kept.size());
      kept.push_back(names[i]);
    }
  }
  if (kept.empty()) {
    throw InputError(where + ": no variable that is not a constant");
  }
  p.n = static_cast<int>(kept.size());
  const Substitution substitution(columns, places);
  for (qubo::Monomial& m : p.monomials) {
    m = substitution.of(m);
  }
  for (qubo::Constraint& c : p.constraints) {
    substitution.apply(c);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (places[i] == kConstantColumn) {
      continue;
    }
    const std::vector<qubo::Term> term{{places[i], places[i], 1.0}};
    const std::string bound = "bound of " + names[i].substr(0, 40);
    if (const double lower = std::ceil(columns[i].lower); lower > 0.0) {
      p.constraints.push_back({bound, term, qubo::Relation::AtLeast, lower});
    }
    if (const double upper = std::floor(columns[i].upper); upper < 1.0) {
      p.constraints.push_back({bound, term, qubo::Relation::AtMost, upper});
    }
  }
  p.names = names_of_text(kept, where);
}

}  // namespace oa::io
