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
#include <utility>

namespace oa::qubo {
namespace {

constexpr std::size_t kMostTerms = 100'000'000;

class Reducer {
 public:
  Reducer(const Polynomial& p, const std::string& where)
      : p_(p),
        where_(where),
        next_(p.n) {}

  Reduced reduce() {
    const Program program = program_of(p_, where_);
    for (const Monomial& m : program.objective) {
      add(m.variables, m.weight);
    }
    for (const ProgramRow& row : program.rows) {
      add(row);
    }
    return finished();
  }

 private:
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

  /// A constraint in whole numbers: sum of weights x_i = right.
  struct Equation {
    std::vector<std::pair<std::int32_t, std::int64_t>> terms;
    std::int64_t right = 0;
  };

  void add(const ProgramRow& row) {
    if (row.never()) {
      ++impossible_;
      return;
    }
    if (row.always()) {
      return;
    }
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
    equations_.push_back(std::move(e));
  }

  /// Variables that add up to every whole number from 0 to `left`.
  void add_slack(Equation& e, std::int64_t left) {
    for (const double weight : digit_weights(static_cast<double>(left))) {
      e.terms.emplace_back(variable(), static_cast<std::int64_t>(weight));
    }
  }

  /// penalty * (sum - right)^2.
  void add_square(const Equation& e, double penalty) {
    const auto right = static_cast<double>(e.right);
    exact_product(right, right, [&](double part) { constant_.add(penalty * part); });
    for (std::size_t a = 0; a < e.terms.size(); ++a) {
      const auto [i, u] = e.terms[a];
      const auto weight = static_cast<double>(u);
      exact_product(weight, weight - 2.0 * right, [&](double part) {
        pair(i, i, penalty * part);
      });
      for (std::size_t b = 0; b < a; ++b) {
        const auto [k, v] = e.terms[b];
        exact_product(2.0 * weight, static_cast<double>(v), [&](double part) {
          pair(k, i, penalty * part);
        });
      }
    }
  }

  Reduced finished() {
    Reduced result;
    if (!equations_.empty() || impossible_ > 0) {
      const double range = range_.value();
      result.penalty = range > 0.0 ? std::ldexp(1.0, std::ilogb(range) + 1) : 1.0;
      if (!(result.penalty < 1e280)) {
        throw InputError(where_ + ": weights so large that no penalty fits a double");
      }
      for (const Equation& e : equations_) {
        add_square(e, result.penalty);
      }
      constant_.add(result.penalty * static_cast<double>(impossible_));
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
  std::vector<Equation> equations_;
  std::int64_t impossible_ = 0;  // constraints that never hold: each is violated by 1
};

}  // namespace

Reduced reduced(const Polynomial& p, const std::string& where) {
  return Reducer(p, where).reduce();
}

Quadratic quadratic_of(const Model& model, const std::string& where) {
  if (Lowered::needed(model)) {
    return quadratic_of(Lowered(model, where).model(), where);
  }
  return model.quadratic() ? model.f : reduced(polynomial_of(model), where).f;
}

}  // namespace oa::qubo
