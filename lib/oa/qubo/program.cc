#include "oa/qubo/program.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace oa::qubo {
namespace {

constexpr std::size_t kMaxDegree = 16;  // degree of spins: 2^16 binary products
constexpr std::size_t kMaxMonomials = 1'000'000;

/// Sorts monomials by variables and sums equal monomials.
/// A sum that is not a double stays as several monomials.
std::vector<Monomial> summed(std::vector<Monomial> all) {
  const auto less = [](const Monomial& a, const Monomial& b) {
    return a.variables < b.variables;
  };
  // Quadratic functions list all linear terms, then all products.
  const auto middle = std::ranges::is_sorted_until(all, less);
  if (std::is_sorted(middle, all.end(), less)) {
    std::ranges::inplace_merge(all, middle, less);
  } else {
    std::ranges::stable_sort(all, less);
  }
  std::vector<Monomial> sums;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].variables == all[begin].variables) {
      ++end;
    }
    if (end > begin + 1) {
      ExactSum sum;
      for (std::size_t k = begin; k < end; ++k) {
        sum.add(all[k].weight);
      }
      for (double part = sum.take_value(); part != 0.0; part = sum.take_value()) {
        sums.push_back({all[begin].variables, part});
      }
    } else if (all[begin].weight != 0.0) {
      sums.push_back(std::move(all[begin]));
    }
    begin = end;
  }
  return sums;
}

/// Expands a product of spins 2x - 1: a monomial for each subset of its variables.
void add_spins(const Monomial& m,
               double sign,
               std::vector<Monomial>& all,
               const std::string& where) {
  const std::size_t d = m.variables.size();
  if (d > kMaxDegree) {
    throw InputError(where + ": a product of " + format(static_cast<std::int64_t>(d)) +
                     " spins (expected at most " +
                     format(static_cast<std::int64_t>(kMaxDegree)) + ")");
  }
  for (std::uint32_t set = 0; set < std::uint32_t{1} << d; ++set) {
    Monomial product{{}, sign * m.weight};
    for (std::size_t k = 0; k < d; ++k) {
      const bool in = (set >> k & 1U) != 0;
      product.weight *= in ? 2.0 : -1.0;
      if (in) {
        product.variables.push_back(m.variables[k]);
      }
    }
    all.push_back(std::move(product));
  }
}

/// Returns the minimised monomials of 0/1 variables, equal ones summed.
std::vector<Monomial> objective_of(const Polynomial& p, const std::string& where) {
  const double sign = p.sense == Sense::Max ? -1.0 : 1.0;
  std::vector<Monomial> all;
  const auto sum = [&] {
    all = summed(std::move(all));
    if (all.size() > kMaxMonomials) {
      throw InputError(where + ": over 1,000,000 monomials");
    }
  };
  for (const Monomial& m : p.monomials) {
    if (p.vartype == Vartype::Spin) {
      add_spins(m, sign, all, where);
    } else {
      all.push_back({m.variables, sign * m.weight});
    }
    if (all.size() > 2 * kMaxMonomials) {
      sum();
    }
  }
  sum();
  return all;
}

/// Calls `take` for each weight of a constraint.
template <class AnyConstraint, class Take>
void each_weight(AnyConstraint& c, const Take& take) {
  for (auto& t : c.terms) {
    take(t.weight);
  }
  for (auto& m : c.products) {
    take(m.weight);
  }
}

/// Returns a factor, a power of 10 or 2,
/// that makes all numbers of a constraint whole, or 0.
double factor_of(const Constraint& c) {
  for (const double base : {10.0, 2.0}) {
    double factor = 1.0;
    for (int digits = 0; digits <= 40; ++digits, factor *= base) {
      const auto whole = [&](double value) {
        return std::nearbyint(value * factor) / factor == value;
      };
      bool all = whole(c.right);
      each_weight(c, [&](double weight) { all = all && whole(weight); });
      if (all) {
        return factor;
      }
    }
  }
  return 0.0;
}

/// Returns the constraint 0 = 1.
Constraint never(const std::string& name) {
  return {name, {}, Relation::Equal, 1.0};
}

double total_of(const Constraint& c) {
  double total = 0.0;
  each_weight(c, [&](double weight) { total += std::abs(weight); });
  return total;
}

/// Divides the right side of a sum of whole numbers.  Empty if no sum can equal it.
std::optional<double> divided(double right, double divisor, Relation relation) {
  const double nearest = std::nearbyint(right / divisor);
  const double rest = std::fma(-nearest, divisor, right);
  switch (relation) {
    case Relation::Equal: return rest == 0.0 ? std::optional(nearest) : std::nullopt;
    case Relation::AtMost: return nearest - (rest < 0.0 ? 1.0 : 0.0);
    case Relation::AtLeast: return nearest + (rest > 0.0 ? 1.0 : 0.0);
  }
  return std::nullopt;
}

/// Makes short decimals whole exactly, and divides weights by their common divisor if
/// `divide`.  Returns the factor, or 0 if there are too many digits.
double make_whole_exactly(Constraint& c, bool divide) {
  constexpr double kMaxDecimals = 0x1p36;
  constexpr double kMaxRight = 0x1p52;  // above any sum
  const double factor = factor_of(c);
  if (factor == 0.0) {
    return 0.0;
  }
  Constraint whole = c;
  double divisor = 0.0;
  each_weight(whole, [&](double& weight) {
    weight = std::nearbyint(weight * factor);
    for (double rest = std::abs(weight); rest != 0.0;) {  // Euclid's algorithm
      divisor = std::fmod(divisor, rest);
      std::swap(divisor, rest);
    }
  });
  divisor = divisor == 0.0 || !divide ? 1.0 : divisor;
  const double total = total_of(whole);
  const double most = factor == 1.0 ? divisor * kMaxWhole : kMaxDecimals;
  whole.right = std::nearbyint(c.right * factor);
  if (total > most || (!divide && std::abs(whole.right) > kMaxRight)) {
    return 0.0;
  }
  each_weight(whole, [&](double& weight) { weight /= divisor; });
  const auto right =
      divided(std::clamp(whole.right, -kMaxRight * divisor, kMaxRight * divisor),
              divisor,
              c.relation);
  if (right) {
    whole.right = *right;
  }
  c = right ? std::move(whole) : never(c.name);
  return factor;
}

/// Rounds numbers to multiples of a power of 2,
/// with errors of at most half the tolerance in total.
/// From then on, whole numbers decide which x are feasible.  Returns the factor.
double make_whole_roughly(Constraint& c, const std::string& where) {
  double most = 0.0;
  each_weight(c, [&](double weight) { most = std::max(most, std::abs(weight)); });
  if (most == 0.0) {
    c.terms.clear();
    c.products.clear();
    c.right = c.right > 0.0 ? 1.0 : -1.0;
    return 1.0;
  }
  const int scale = -std::ilogb(most);  // scales weights to about 1
  c.right = std::ldexp(c.right, scale);
  each_weight(c, [&](double& weight) { weight = std::ldexp(weight, scale); });
  const auto count = static_cast<double>(c.terms.size() + c.products.size()) + 1.0;
  const double tolerance = kTolerance * total_of(c);
  const int unit = std::ilogb(tolerance / (2.0 * count));
  each_weight(
      c, [&](double& weight) { weight = std::nearbyint(std::ldexp(weight, -unit)); });
  const double total = total_of(c);
  if (total > kMaxWhole) {
    throw InputError(where + ": the constraint " + c.name +
                     " has too many weights with so many decimals");
  }
  c.right = std::nearbyint(std::ldexp(c.right, -unit));
  c.right = std::clamp(c.right, -4.0 * total, 4.0 * total);
  c.tolerance = std::floor(std::ldexp(tolerance, -unit) - 0.5 * count);
  return std::ldexp(1.0, scale - unit);
}

/// Throws InputError if the tolerance is as large as a digit of an integer.
void check_tolerance(const Constraint& c, const std::string& where) {
  each_weight(c, [&](double weight) {
    if (c.tolerance > 0.0 && std::abs(weight) <= 2.0 * c.tolerance) {
      throw InputError(where + ": the constraint " + c.name +
                       " has integers with too many values (bounds make them fewer)");
    }
  });
}

std::int64_t divided_down(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Sorts entries by variable, and sums entries of equal variables.
void merge(std::vector<ProgramRow::Entry>& entries) {
  using Entry = ProgramRow::Entry;
  if (!std::ranges::is_sorted(entries, {}, &Entry::variable)) {
    std::ranges::sort(entries, {}, &Entry::variable);
  }
  auto last = entries.begin();
  for (auto e = entries.begin(); e != entries.end();) {
    Entry sum = *e;
    for (++e; e != entries.end() && e->variable == sum.variable; ++e) {
      sum.weight += e->weight;
    }
    if (sum.weight != 0) {
      *last++ = sum;
    }
  }
  entries.erase(last, entries.end());
}

}  // namespace

ProgramRow row_of(const Constraint& c, Vartype vartype) {
  const bool spin = vartype == Vartype::Spin;  // s = 2x - 1
  ProgramRow row;
  auto right = static_cast<std::int64_t>(c.right);
  for (const Term& t : c.terms) {
    const auto weight = static_cast<std::int64_t>(t.weight);
    row.entries.push_back({t.first, spin ? 2 * weight : weight});
    right += spin ? weight : 0;
  }
  merge(row.entries);
  std::int64_t divisor = 0;
  for (const ProgramRow::Entry& e : row.entries) {
    divisor = std::gcd(divisor, e.weight);
  }
  divisor = std::max<std::int64_t>(divisor, 1);
  for (ProgramRow::Entry& e : row.entries) {
    e.weight /= divisor;
    (e.weight < 0 ? row.least : row.most) += e.weight;
  }
  // The sum is a multiple of the divisor: rounds the ends of the range inward.
  const auto tolerance = static_cast<std::int64_t>(c.tolerance);
  const std::int64_t down = divided_down(right + tolerance, divisor);
  const std::int64_t up = -divided_down(tolerance - right, divisor);
  row.low = c.relation == Relation::AtMost ? row.least
                                           : std::clamp(up, row.least, row.most + 1);
  row.high = c.relation == Relation::AtLeast
                 ? row.most
                 : std::clamp(down, row.least - 1, row.most);
  return row;
}

void make_whole(Polynomial& p, const std::string& where) {
  for (Constraint& c : p.constraints) {
    if (make_whole_exactly(c, true) == 0.0) {
      make_whole_roughly(c, where);
    }
  }
  for (SoftConstraint& soft : p.soft) {
    const bool flat = soft.penalty == Penalty::Flat;
    double factor = make_whole_exactly(soft.constraint, flat);
    if (factor == 0.0) {
      factor = make_whole_roughly(soft.constraint, where);
    }
    soft.price /= soft.penalty == Penalty::Linear      ? factor
                  : soft.penalty == Penalty::Quadratic ? factor * factor
                                                       : 1.0;
  }
  if (!p.integers.empty()) {
    std::ranges::for_each(p.constraints,
                          [&](const Constraint& c) { check_tolerance(c, where); });
  }
}

bool only_conflicts(std::span<const ProgramRow> rows) {
  return std::ranges::all_of(rows, [](const ProgramRow& row) {
    return row.entries.size() == 2 && row.least == 0 && row.low == 0 && row.most == 2 &&
           row.high == 1;
  });
}

Program program_of(const Polynomial& p, const std::string& where) {
  Program program{p.n, objective_of(p, where), {}};
  for (const Constraint& c : p.constraints) {
    program.rows.push_back(row_of(c, p.vartype));
  }
  return program;
}

}  // namespace oa::qubo
