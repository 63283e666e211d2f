#include "oa/qubo/program.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace oa::qubo {
namespace {

constexpr std::size_t kMostDegree =
    16;  // of products of spins: 2^16 products of variables
constexpr std::size_t kMostMonomials = 1'000'000;

/// Monomials of 0/1 variables to be minimised, with those of equal variables summed.
using Sums = std::map<std::vector<std::int32_t>, ExactSum>;

/// A product of spins 2x - 1 has a monomial for each subset of its variables.
void add_spins(const Monomial& m, double sign, Sums& sums, const std::string& where) {
  const std::size_t d = m.variables.size();
  if (d > kMostDegree) {
    throw InputError(where + ": a product of " + format(static_cast<std::int64_t>(d)) +
                     " spins (expected at most " +
                     format(static_cast<std::int64_t>(kMostDegree)) + ")");
  }
  std::vector<std::int32_t> chosen;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << d; ++set) {
    chosen.clear();
    double weight = sign * m.weight;
    for (std::size_t k = 0; k < d; ++k) {
      const bool in = (set >> k & 1U) != 0;
      weight *= in ? 2.0 : -1.0;
      if (in) {
        chosen.push_back(m.variables[k]);
      }
    }
    sums[chosen].add(weight);
  }
}

Sums binary_sums(const Polynomial& p, const std::string& where) {
  const double sign = p.sense == Sense::Max ? -1.0 : 1.0;
  Sums sums;
  for (const Monomial& m : p.monomials) {
    if (p.vartype == Vartype::Spin) {
      add_spins(m, sign, sums, where);
    } else {
      sums[m.variables].add(sign * m.weight);
    }
    if (sums.size() > kMostMonomials) {
      throw InputError(where + ": over 1,000,000 monomials");
    }
  }
  return sums;
}

std::vector<Monomial> objective_of(const Polynomial& p, const std::string& where) {
  std::vector<Monomial> objective;
  for (auto& [variables, sum] : binary_sums(p, where)) {
    ExactSum left = sum;
    // One pass, unless the sum is not a double.
    for (double part = left.take_value(); part != 0.0; part = left.take_value()) {
      objective.push_back({variables, part});
    }
  }
  return objective;
}

/// True if no x satisfies the constraint, in exact sums.
bool never_holds(const Constraint& c, Vartype vartype) {
  std::map<std::int32_t, ExactSum> sums;
  for (const Term& t : c.terms) {
    sums[t.first].add(t.weight);
  }
  ExactSum least;  // of the left side minus the right side
  ExactSum most;
  least.add(-c.right);
  most.add(-c.right);
  for (const auto& [i, sum] : sums) {
    const double sign = sum.value();
    const bool spin = vartype == Vartype::Spin;
    ExactSum& up = sign > 0.0 ? most : least;
    up.add(sum);
    if (spin) {
      (sign > 0.0 ? least : most).subtract(sum);
    }
  }
  return (c.relation != Relation::AtLeast && least.value() > 0.0) ||
         (c.relation != Relation::AtMost && most.value() < 0.0);
}

/// The factor, a power of 10 or 2, that makes the numbers of a constraint whole; 0 if
/// there is none.
double factor_of(const Constraint& c) {
  for (const double base : {10.0, 2.0}) {
    double factor = 1.0;
    for (int digits = 0; digits <= 40; ++digits, factor *= base) {
      const auto whole = [&](double value) {
        return std::nearbyint(value * factor) / factor == value;
      };
      if (whole(c.right) && std::ranges::all_of(c.terms, [&](const Term& t) {
            return whole(t.weight);
          })) {
        return factor;
      }
    }
  }
  return 0.0;
}

void make_whole(Constraint& c, Vartype vartype, const std::string& where) {
  const double factor = factor_of(c);
  if (factor == 0.0) {
    if (!never_holds(c, vartype)) {
      throw InputError(where + ": the constraint " + c.name +
                       " has weights that are not multiples of one number");
    }
    c = {c.name, {}, Relation::Equal, 1.0};
    return;
  }
  c.right = std::nearbyint(c.right * factor);
  for (Term& t : c.terms) {
    t.weight = std::nearbyint(t.weight * factor);
  }
}

std::int64_t divided_down(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Also for spins, s = 2x - 1.
ProgramRow row_of(const Constraint& c, Vartype vartype, const std::string& where) {
  constexpr auto kMostWeight = static_cast<double>(kMostRow);  // 10,000,000 fit
  constexpr double kMostRight = 0x1p60;
  const auto refuse = [&] {
    throw InputError(where + ": the constraint " + c.name +
                     " has weights with too many decimals (as whole numbers they add "
                     "up to over " +
                     format_grouped(kMostRow) + ")");
  };
  const bool spin = vartype == Vartype::Spin;
  std::map<std::int32_t, std::int64_t> sums;
  auto right = static_cast<std::int64_t>(std::clamp(c.right, -kMostRight, kMostRight));
  for (const Term& t : c.terms) {
    if (!(std::abs(t.weight) <= kMostWeight)) {
      if (!never_holds(c, vartype)) {
        refuse();
      }
      return {.entries = {}, .low = 1};
    }
    const auto weight = static_cast<std::int64_t>(t.weight);
    sums[t.first] += spin ? 2 * weight : weight;
    right += spin ? weight : 0;
  }
  std::int64_t divisor = 0;
  for (const auto& [i, weight] : sums) {
    divisor = std::gcd(divisor, weight);
  }
  divisor = std::max<std::int64_t>(divisor, 1);
  ProgramRow row;
  for (const auto& [i, weight] : sums) {
    if (weight != 0) {
      row.entries.push_back({i, weight / divisor});
      (weight < 0 ? row.least : row.most) += weight / divisor;
    }
  }
  // The sum is a multiple of the divisor.
  const std::int64_t down = divided_down(right, divisor);
  const std::int64_t up = -divided_down(-right, divisor);
  row.low = c.relation == Relation::AtMost ? row.least
                                           : std::clamp(up, row.least, row.most + 1);
  row.high = c.relation == Relation::AtLeast
                 ? row.most
                 : std::clamp(down, row.least - 1, row.most);
  if (row.most - row.least > kMostRow && !row.always() && !row.never()) {
    refuse();
  }
  return row;
}

}  // namespace

void make_whole(Polynomial& p, const std::string& where) {
  for (Constraint& c : p.constraints) {
    make_whole(c, p.vartype, where);
  }
}

std::vector<ProgramRow> rows_of(const Polynomial& p, const std::string& where) {
  std::vector<ProgramRow> rows;
  for (const Constraint& c : p.constraints) {
    rows.push_back(row_of(c, p.vartype, where));
  }
  return rows;
}

Program program_of(const Polynomial& p, const std::string& where) {
  return {p.n, objective_of(p, where), rows_of(p, where)};
}

}  // namespace oa::qubo
