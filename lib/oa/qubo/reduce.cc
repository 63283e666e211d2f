#include "oa/qubo/reduce.h"

#include "oa/base/error.h"
#include "oa/base/exact_product.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/qubo/lowered.h"
#include "oa/qubo/program.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

namespace oa::qubo {
namespace {

constexpr std::size_t kMaxTerms = 100'000'000;

/// An equation of whole numbers: sum of weights x_i = right.
struct Equation {
  std::vector<std::pair<std::int32_t, std::int64_t>> terms;
  std::int64_t right = 0;
};

/// A variable x, or 1 - x.
struct Literal {
  std::int32_t variable;
  bool negated;
};

/// Returns the literals of a row that says "at most one is 1"; else empty.
std::optional<std::vector<Literal>> at_most_one(const ProgramRow& row) {
  const bool above = row.high < row.most;
  if (above == (row.low > row.least) || row.entries.size() < 2) {
    return std::nullopt;
  }
  const std::int64_t room = above ? row.high - row.least : row.most - row.low;
  std::vector<std::int64_t> sizes;
  std::vector<Literal> literals;
  for (const auto& [i, weight] : row.entries) {
    sizes.push_back(std::abs(weight));
    literals.push_back({i, above != (weight > 0)});
  }
  std::ranges::sort(sizes);
  const bool one = sizes.back() <= room && sizes[0] + sizes[1] > room;
  return one ? std::optional(std::move(literals)) : std::nullopt;
}

/// True if the row is 0 <= x + y - 2z <= 1, which means z = xy.
bool is_product(const ProgramRow& row) {
  const auto ones = std::ranges::count(row.entries, 1, &ProgramRow::Entry::weight);
  const auto twos = std::ranges::count(row.entries, -2, &ProgramRow::Entry::weight);
  return row.low == 0 && row.high == 1 && row.entries.size() == 3 && ones == 2 &&
         twos == 1;
}

class Reducer {
 public:
  Reducer(const Polynomial& p, const std::string& where)
      : p_(p),
        where_(where),
        next_(p.n) {}

  Reduced reduce(Penalties kind) {
    const Program program = program_of(p_, where_);
    for (const Monomial& m : program.objective) {
      add(m.variables, m.weight);
    }
    std::vector<double> penalties = penalties_of(program, kind);
    for (std::size_t k = 0; k < penalties.size(); ++k) {
      if (!(penalties[k] < 1e280)) {
        throw InputError(where_ + ": weights so large that no penalty fits a double");
      }
      add(program.rows[k], penalties[k]);
    }
    return {finished(), std::move(penalties)};
  }

 private:
  std::int32_t variable() {
    constexpr std::int32_t kMax = 10'000'000;
    if (next_ >= kMax) {
      throw InputError(where_ +
                       ": over 10,000,000 variables, with those that were added");
    }
    return next_++;
  }

  void pair(std::int32_t i, std::int32_t k, double weight) {
    if (terms_.size() >= kMaxTerms) {
      throw InputError(where_ + ": over 100,000,000 terms, with those that were added");
    }
    terms_.push_back({std::min(i, k), std::max(i, k), weight});
  }

  /// Adds times * a x_i without rounding, as powers of 2 times a.
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
    if (variables.size() <= 2) {
      pair(variables.front(), variables.back(), weight);
    } else if (weight < 0.0) {
      add_negative(variables, -weight);
    } else {
      add_positive(variables, weight);
    }
  }

  /// Adds -a x_1...x_d.
  void add_negative(const std::vector<std::int32_t>& x, double a) {
    const std::int32_t y = variable();
    linear(y, a, x.size() - 1);
    for (const std::int32_t i : x) {
      pair(i, y, -a);
    }
  }

  /// Adds a x_1...x_d = a (sum of all pairs
  ///   + min over y of sum over k of y_k (c_k (2k - x_1 - ... - x_d) - 1)),
  /// k = 1 to (d - 1) / 2, c_k = 2, except 1 for the last k of an odd d.
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

  void add(const ProgramRow& row, double penalty) {
    if (row.never()) {
      constant_.add(penalty);
    } else if (is_product(row)) {
      add_product(row, penalty);
    } else if (const auto literals = at_most_one(row)) {
      add_pairs(*literals, penalty);
    } else if (!row.always()) {
      add_square(equation_of(row), penalty);
    }
  }

  Equation equation_of(const ProgramRow& row) {
    const bool reversed = row.high >= row.most;
    const std::int64_t sign = reversed ? -1 : 1;
    Equation e;
    e.right = reversed ? -row.low : row.high;
    for (const auto& [i, weight] : row.entries) {
      e.terms.emplace_back(i, sign * weight);
    }
    if (row.low < row.high) {
      add_slack(e, row.high - row.low);
    }
    return e;
  }

  /// Adds variables whose weighted sums cover 0 to `left`.
  void add_slack(Equation& e, std::int64_t left) {
    for (const double weight : digit_weights(static_cast<double>(left))) {
      e.terms.emplace_back(variable(), static_cast<std::int64_t>(weight));
    }
  }

  /// Adds penalty * (xy - 2xz - 2yz + 3z).
  void add_product(const ProgramRow& row, double penalty) {
    std::vector<std::int32_t> factors;
    std::int32_t z = 0;
    for (const auto& [i, weight] : row.entries) {
      if (weight == 1) {
        factors.push_back(i);
      } else {
        z = i;
      }
    }
    pair(factors[0], factors[1], penalty);
    pair(factors[0], z, -2.0 * penalty);
    pair(factors[1], z, -2.0 * penalty);
    linear(z, penalty, 3);
  }

  /// Adds penalty * the products of all pairs of literals.
  void add_pairs(const std::vector<Literal>& literals, double penalty) {
    for (std::size_t a = 0; a < literals.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const auto& [i, i_negated] = literals[b];
        const auto& [k, k_negated] = literals[a];
        pair(i, k, i_negated != k_negated ? -penalty : penalty);
        if (i_negated) {
          pair(k, k, k_negated ? -penalty : penalty);
        }
        if (k_negated) {
          pair(i, i, i_negated ? -penalty : penalty);
        }
        if (i_negated && k_negated) {
          constant_.add(penalty);
        }
      }
    }
  }

  /// Adds penalty * (sum - right)^2.
  void add_square(const Equation& e, double penalty) {
    const auto product = [&](double a, double b, const auto& take) {
      exact_product(a, b, [&](double part) { exact_product(penalty, part, take); });
    };
    const auto right = static_cast<double>(e.right);
    product(right, right, [&](double part) { constant_.add(part); });
    for (std::size_t a = 0; a < e.terms.size(); ++a) {
      const auto [i, u] = e.terms[a];
      const auto weight = static_cast<double>(u);
      product(weight, weight - 2.0 * right, [&](double part) { pair(i, i, part); });
      for (std::size_t b = 0; b < a; ++b) {
        const auto [k, v] = e.terms[b];
        product(2.0 * weight, static_cast<double>(v), [&](double part) {
          pair(k, i, part);
        });
      }
    }
  }

  Quadratic finished() {
    Quadratic f(next_);
    f.add(terms_);
    f.add_constant(constant_);
    for (std::int32_t i = 0; i < next_ && !p_.names.empty(); ++i) {
      f.names.push_back(i < p_.n ? p_.names[at(i)]
                                 : "\"added " + format(int{i - p_.n}) + "\"");
    }
    return p_.sense == Sense::Max ? negated(std::move(f)) : std::move(f);
  }

  const Polynomial& p_;
  const std::string& where_;
  std::int32_t next_;
  Terms terms_;
  ExactSum constant_;
};

}  // namespace

Reduced reduced(const Polynomial& p, const std::string& where, Penalties kind) {
  return Reducer(p, where).reduce(kind);
}

Quadratic quadratic_of(const Model& model, const std::string& where) {
  if (Lowered::needed(model)) {
    return quadratic_of(Lowered(model, where, Lowered::Products::One).model(), where);
  }
  return model.quadratic() ? model.f
                           : reduced(polynomial_of(model), where, Penalties::Least).f;
}

}  // namespace oa::qubo
