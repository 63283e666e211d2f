#include "oa/qubo/reduce.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

namespace oa::qubo {
namespace {

constexpr std::size_t kMostDegree = 16;  // of spins: 2^16 products
constexpr std::size_t kMostMonomials = 1'000'000;
constexpr std::size_t kMostTerms = 100'000'000;
constexpr std::int64_t kMostWhole = std::int64_t{1} << 25;  // squares stay below 2^53

/// Monomials of 0/1 variables to be minimised, those of equal variables together.
using Sums = std::map<std::vector<std::int32_t>, ExactSum>;

/// A product of spins, each 2x - 1, has a monomial for each set of its variables.
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

class Reducer {
 public:
  Reducer(const Polynomial& p, const std::string& where)
      : p_(p),
        where_(where),
        next_(p.n) {}

  Reduced reduce() {
    for (const auto& [variables, sum] : binary_sums(p_, where_)) {
      double rest = sum.value();
      ExactSum left = sum;
      while (rest != 0.0) {  // once, unless the sum is no double
        add(variables, rest);
        left.add(-rest);
        rest = left.value();
      }
    }
    for (const Constraint& c : p_.constraints) {
      add(c);
    }
    return finished();
  }

 private:
  [[noreturn]] void refuse(const Constraint& c, const std::string& what) const {
    throw InputError(where_ + ": the constraint " + c.name + " " + what);
  }

  std::int32_t variable() {
    constexpr std::int32_t kMost = 10'000'000;
    if (next_ >= kMost) {
      throw InputError(where_ +
                       ": over 10,000,000 variables, with those that were added");
    }
    return next_++;
  }

  void pair(std::int32_t i, std::int32_t k, double weight) {
    if (terms_.size() >= kMostTerms) {
      throw InputError(where_ + ": over 100,000,000 terms, with those that were added");
    }
    terms_.push_back({std::min(i, k), std::max(i, k), weight});
  }

  /// times a x_i, without rounding: powers of two are added up exactly.
  void linear(std::int32_t i, double a, std::size_t times) {
    for (; times > 0; times >>= 1U, a *= 2.0) {
      if ((times & 1U) != 0) {
        pair(i, i, a);
      }
    }
  }

  void add(const std::vector<std::int32_t>& variables, double weight) {
    if (variables.empty()) {
      constant_.add(weight);
      return;
    }
    range_.add(std::abs(weight));
    if (variables.size() <= 2) {
      pair(variables.front(), variables.back(), weight);
    } else if (weight < 0.0) {
      add_negative(variables, -weight);
    } else {
      add_positive(variables, weight);
    }
  }

  /// -a x_1...x_d
  void add_negative(const std::vector<std::int32_t>& x, double a) {
    const std::int32_t y = variable();
    linear(y, a, x.size() - 1);
    for (const std::int32_t i : x) {
      pair(i, y, -a);
    }
  }

  /// a x_1...x_d = a (sum of all pairs
  ///   + min over y of sum over k of y_k (c_k (2k - x_1 - ... - x_d) - 1)),
  /// k from 1 to (d - 1) / 2, where c_k is 2, but 1 for the last k of an odd d.
  void add_positive(const std::vector<std::int32_t>& x, double a) {
    const std::size_t d = x.size();
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        pair(x[k], x[i], a);
      }
    }
    const std::size_t last = (d - 1) / 2;
    for (std::size_t k = 1; k <= last; ++k) {
      const std::size_t c = d % 2 == 1 && k == last ? 1 : 2;
      const std::int32_t y = variable();
      linear(y, a, 2 * c * k - 1);
      for (const std::int32_t i : x) {
        pair(i, y, -a * static_cast<double>(c));
      }
    }
  }

  /// A constraint in whole numbers: sum of weights x_i <= right, or = right.
  struct Whole {
    std::vector<std::pair<std::int32_t, std::int64_t>> terms;
    std::int64_t right = 0;
    std::int64_t least = 0;  ///< of the sum
    std::int64_t most = 0;
  };

  Whole whole(const Constraint& c) const {
    const double sign = c.relation == Relation::AtLeast ? -1.0 : 1.0;
    const auto number = [&](double value) {
      if (!(std::abs(value) <= static_cast<double>(kMostWhole))) {
        refuse(c, "has weights so far apart that no penalty fits a double");
      }
      return static_cast<std::int64_t>(sign * value);
    };
    std::map<std::int32_t, std::int64_t> sums;
    Whole w;
    w.right = number(c.right);
    for (const Term& t : c.terms) {
      const std::int64_t weight = number(t.weight);
      const bool spin = p_.vartype == Vartype::Spin;
      sums[t.first] += spin ? 2 * weight : weight;
      w.right += spin ? weight : 0;
    }
    std::int64_t divisor = c.relation == Relation::Equal ? std::abs(w.right) : 0;
    for (const auto& [i, weight] : sums) {
      divisor = std::gcd(divisor, weight);
    }
    divisor = std::max<std::int64_t>(divisor, 1);
    // Below a multiple of the divisor there is nothing up to the one before.
    w.right = w.right >= 0 ? w.right / divisor : -((-w.right + divisor - 1) / divisor);
    for (const auto& [i, weight] : sums) {
      if (weight != 0) {
        w.terms.emplace_back(i, weight / divisor);
        (weight < 0 ? w.least : w.most) += weight / divisor;
      }
    }
    const std::int64_t size = w.most - w.least + std::abs(w.right);
    if (size > kMostWhole) {
      refuse(c, "has weights so far apart that no penalty fits a double");
    }
    return w;
  }

  void add(const Constraint& c) {
    Whole w = whole(c);
    const bool equal = c.relation == Relation::Equal;
    if (w.right < w.least || (equal && w.right > w.most)) {
      const bool turned = c.relation == Relation::AtLeast;
      refuse(c,
             "cannot hold: in whole numbers its sum is from " +
                 format(turned ? -w.most : w.least) + " to " +
                 format(turned ? -w.least : w.most));
    }
    if (!equal) {
      if (w.right >= w.most) {
        return;  // it always holds
      }
      add_slack(w);
    }
    squares_.push_back(std::move(w));
  }

  /// Variables that add up to every whole number from 0 to what is left.
  void add_slack(Whole& w) {
    for (std::int64_t left = w.right - w.least; left > 0;) {
      const std::int64_t step = (left + 1) / 2;  // what is left makes the numbers below
      w.terms.emplace_back(variable(), step);
      left -= step;
    }
  }

  /// P (sum - right)^2.
  void add_square(const Whole& w, double penalty) {
    const auto right = static_cast<double>(w.right);
    constant_.add(penalty * right * right);
    for (std::size_t a = 0; a < w.terms.size(); ++a) {
      const auto [i, u] = w.terms[a];
      const auto weight = static_cast<double>(u);
      pair(i, i, penalty * weight * (weight - 2.0 * right));
      for (std::size_t b = 0; b < a; ++b) {
        pair(w.terms[b].first,
             i,
             penalty * 2.0 * weight * static_cast<double>(w.terms[b].second));
      }
    }
  }

  Reduced finished() {
    Reduced result;
    if (!squares_.empty()) {
      const double range = range_.value();
      result.penalty = range > 0.0 ? std::ldexp(1.0, std::ilogb(range) + 1) : 1.0;
      if (!(result.penalty < 1e280)) {
        throw InputError(where_ + ": weights so large that no penalty fits a double");
      }
      for (const Whole& w : squares_) {
        add_square(w, result.penalty);
      }
    }
    Quadratic f(next_);
    f.add(terms_);
    f.add_constant(constant_);
    for (std::int32_t i = 0; i < next_ && !p_.names.empty(); ++i) {
      f.names.push_back(i < p_.n ? p_.names[at(i)]
                                 : "\"added " + format(int{i - p_.n}) + "\"");
    }
    result.f = p_.sense == Sense::Max ? negated(std::move(f)) : std::move(f);
    return result;
  }

  const Polynomial& p_;
  const std::string& where_;
  std::int32_t next_;
  Terms terms_;
  ExactSum constant_;
  ExactSum range_;
  std::vector<Whole> squares_;
};

/// What makes whole numbers of those of a constraint: a power of ten or of two.
double factor_of(const Constraint& c, const std::string& where) {
  for (const double base : {10.0, 2.0}) {
    double factor = 1.0;
    for (int digits = 0; digits <= 40; ++digits, factor *= base) {
      const auto whole = [&](double value) {
        const double scaled = value * factor;
        return scaled == std::nearbyint(scaled) && scaled / factor == value;
      };
      if (whole(c.right) && std::ranges::all_of(c.terms, [&](const Term& t) {
            return whole(t.weight);
          })) {
        return factor;
      }
    }
  }
  throw InputError(where + ": the constraint " + c.name +
                   " has weights that are no multiples of one number");
}

}  // namespace

void make_whole(Constraint& c, const std::string& where) {
  const double factor = factor_of(c, where);
  c.right *= factor;
  for (Term& t : c.terms) {
    t.weight *= factor;
  }
}

Reduced reduced(const Polynomial& p, const std::string& where) {
  return Reducer(p, where).reduce();
}

}  // namespace oa::qubo
