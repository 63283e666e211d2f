#include "oa/qubo/lowered.h"

#include "oa/base/error.h"
#include "oa/base/exact_product.h"
#include "oa/base/index.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace oa::qubo {
namespace {

constexpr int kMaxAdded = 10'000'000;
constexpr std::size_t kMaxSum = 100'000'000;  // maximum of terms
constexpr int kMaxPositive = 10;  // positive literals: a clause has up to 2^10 products

/// The linear terms of a constraint, each of another variable.  The sum may exceed the
/// right side by at most `over`, and fall below it by at most `under`.
struct Side {
  std::vector<Term> terms;
  double over = 0.0;
  double under = 0.0;
};

Side side_of(const Constraint& c) {
  std::map<std::int32_t, double> sums;
  for (const Term& t : c.terms) {
    sums[t.first] += t.weight;
  }
  Side side;
  double least = 0.0;
  double most = 0.0;
  for (const Monomial& m : c.products) {
    (m.weight < 0.0 ? least : most) += m.weight;
  }
  for (const auto& [i, weight] : sums) {
    if (weight != 0.0) {
      side.terms.push_back({i, i, weight});
      (weight < 0.0 ? least : most) += weight;
    }
  }
  side.over = c.relation == Relation::AtLeast ? 0.0 : most - c.right - c.tolerance;
  side.under = c.relation == Relation::AtMost ? 0.0 : c.right - c.tolerance - least;
  return side;
}

/// A variable x, or 1 - x.
struct Factor {
  std::int32_t variable;
  bool negated;
};

/// The literals whose product is 1 if the constraint is violated, else 0.
std::optional<std::vector<Factor>> clause_of(const Side& side) {
  const bool above = side.over > 0.0;
  const double excess = above ? side.over : side.under;
  if (excess <= 0.0 || (above && side.under > 0.0)) {
    return std::nullopt;
  }
  std::vector<Factor> factors;
  for (const Term& t : side.terms) {
    if (std::abs(t.weight) < excess) {
      return std::nullopt;
    }
    factors.push_back({t.first, above != (t.weight > 0.0)});
  }
  const bool few = std::ranges::count(factors, true, &Factor::negated) <= kMaxPositive;
  return few ? std::optional(std::move(factors)) : std::nullopt;
}

}  // namespace

std::vector<Constraint> relaxed(const Constraint& c, std::int32_t r) {
  const Side side = side_of(c);
  std::vector<Constraint> all;
  for (const auto& [relation, excess] :
       {std::pair{Relation::AtMost, side.over}, {Relation::AtLeast, side.under}}) {
    if (excess > 0.0) {
      Constraint one = c;
      one.terms = side.terms;
      one.relation = relation;
      one.terms.push_back({r, r, relation == Relation::AtMost ? -excess : excess});
      all.push_back(std::move(one));
    }
  }
  return all;
}

/// Builds the model of Lowered.
class Lowering {
 public:
  Lowering(const Model& model,
           const std::string& where,
           Lowered::Products products,
           Lowered& out)
      : model_(model),
        where_(where),
        relaxed_(products == Lowered::Products::Relaxed),
        out_(out) {}

  void run() {
    for (const Constraint& c : model_.constraints) {
      constraints_.push_back(linear(c));
    }
    for (const SoftConstraint& soft : model_.soft) {
      if (soft.price > 0.0) {
        add(soft);
      }
    }
    build();
  }

 private:
  std::int32_t variable(const char* what) {
    if (next_ >= kMaxAdded) {
      throw InputError(where_ +
                       ": over 10,000,000 variables, with those that were added");
    }
    if (!model_.f.names.empty()) {
      names_.push_back("\"" + std::string(what) + " " +
                       format(int{next_ - model_.size()}) + "\"");
    }
    return next_++;
  }

  /// Returns the variable z that equals the product.
  std::int32_t product(const std::vector<std::int32_t>& factors) {
    const auto [known, is_new] = out_.products_.emplace(factors, next_);
    const std::int32_t z = known->second;
    if (is_new) {
      (void)variable("product");
      relaxed_ ? relax_product(factors, z) : square_product(factors, z);
    }
    return z;
  }

  void relax_product(const std::vector<std::int32_t>& factors, std::int32_t z) {
    Constraint all{"a product", {{z, z, 1.0}}, Relation::AtLeast, 1.0};
    for (const std::int32_t i : factors) {
      constraints_.push_back(
          {"a product", {{i, i, 1.0}, {z, z, -1.0}}, Relation::AtLeast, 0.0});
      all.terms.push_back({i, i, -1.0});
      all.right -= 1.0;
    }
    constraints_.push_back(std::move(all));
  }

  /// Adds 0 <= x_1 + ... + x_d - d z <= d - 1, with all numbers doubled to be whole.
  void square_product(const std::vector<std::int32_t>& factors, std::int32_t z) {
    const auto d = static_cast<double>(factors.size());
    Constraint c{"a product", {{z, z, -2.0 * d}}, Relation::Equal, d - 1.0, d - 1.0};
    for (const std::int32_t i : factors) {
      c.terms.push_back({i, i, 2.0});
    }
    constraints_.push_back(std::move(c));
  }

  Constraint linear(Constraint c) {
    for (const Monomial& m : std::exchange(c.products, {})) {
      const std::int32_t z = product(m.variables);
      c.terms.push_back({z, z, m.weight});
    }
    return c;
  }

  /// Adds weight x_i x_k, or a constant, to the minimised objective.
  void objective(std::int32_t i, std::int32_t k, double weight) {
    if (i == kConstant) {
      constant_.add(sign_ * weight);
      return;
    }
    if (sum_.size() >= kMaxSum) {
      throw InputError(where_ +
                       ": over 100,000,000 terms, with those of soft constraints");
    }
    sum_.push_back({std::min(i, k), std::max(i, k), sign_ * weight});
  }

  void add(const SoftConstraint& soft) {
    const Constraint c = linear(soft.constraint);
    const Side side = side_of(c);
    if (side.over <= 0.0 && side.under <= 0.0) {
      return;  // the constraint always holds
    }
    if (soft.penalty != Penalty::Flat) {
      add_violation(soft, c, side);
    } else if (const auto clause = clause_of(side)) {
      add_clause(soft.price, *clause);
    } else {
      const Integer& r = amount(soft, 1.0);
      std::ranges::move(relaxed(c, r.digits.front().first),
                        std::back_inserter(constraints_));
      add_sum(r.digits, 0.0, soft.price, false);
    }
  }

  void add_violation(const SoftConstraint& soft,
                     const Constraint& c,
                     const Side& side) {
    double least = 0.0;
    double most = 0.0;
    for (const Term& t : side.terms) {
      (t.weight < 0.0 ? least : most) += t.weight;
    }
    const bool square = soft.penalty == Penalty::Quadratic;
    const double above = c.right + c.tolerance;
    const double below = c.right - c.tolerance;
    if (square && c.relation == Relation::Equal && c.tolerance == 0.0) {
      add_sum(side.terms, -c.right, soft.price, true);
    } else if (c.relation != Relation::AtLeast && least >= above) {
      add_sum(side.terms, -above, soft.price, square);
    } else if (c.relation != Relation::AtMost && most <= below) {
      std::vector<Term> terms = side.terms;
      std::ranges::for_each(terms, [](Term& t) { t.weight = -t.weight; });
      add_sum(terms, below, soft.price, square);
    } else {
      const Integer& v = amount(soft, std::max(side.over, side.under));
      limit(c, side, v);
      add_sum(v.digits, 0.0, soft.price, square);
    }
  }

  /// Adds sum - v <= right and sum + v >= right.
  void limit(const Constraint& c, const Side& side, const Integer& v) {
    for (const auto& [relation, excess] :
         {std::pair{Relation::AtMost, side.over}, {Relation::AtLeast, side.under}}) {
      if (excess > 0.0) {
        Constraint one{c.name, side.terms, relation, c.right, c.tolerance};
        const double sign = relation == Relation::AtMost ? -1.0 : 1.0;
        for (const Term& d : v.digits) {
          one.terms.push_back({d.first, d.first, sign * d.weight});
        }
        constraints_.push_back(std::move(one));
      }
    }
  }

  /// Creates a number v from 0 to `most` for the size of a violation.
  const Integer& amount(const SoftConstraint& soft, double most) {
    Integer v;
    for (const double weight : digit_weights(most)) {
      const std::int32_t i = variable("violation");
      v.digits.push_back({i, i, weight});
    }
    return out_.amounts_.emplace_back(soft, std::move(v)).digits;
  }

  void add_clause(double price, const std::vector<Factor>& factors) {
    std::vector<Monomial> all{{{}, price}};
    for (const Factor& factor : factors) {
      const std::size_t before = all.size();
      for (std::size_t k = 0; k < before; ++k) {
        if (factor.negated) {  // m (1 - x)
          all.push_back({all[k].variables, -all[k].weight});
          all.back().variables.push_back(factor.variable);
        } else {
          all[k].variables.push_back(factor.variable);
        }
      }
    }
    for (Monomial& m : all) {
      switch (m.variables.size()) {
        case 0: objective(kConstant, kConstant, m.weight); break;
        case 1:
        case 2: objective(m.variables.front(), m.variables.back(), m.weight); break;
        default: m.weight *= sign_; higher_.push_back(std::move(m));
      }
    }
  }

  /// Adds price * (sum + constant), or price * (sum + constant)^2.
  void add_sum(const std::vector<Term>& terms,
               double constant,
               double price,
               bool square) {
    const auto add = [&](std::int32_t i, std::int32_t k, double a, double b) {
      exact_product(a, b, [&](double product) {
        exact_product(price, product, [&](double part) { objective(i, k, part); });
      });
    };
    if (!square) {
      add(kConstant, kConstant, constant, 1.0);
      std::ranges::for_each(
          terms, [&](const Term& t) { add(t.first, t.first, t.weight, 1.0); });
      return;
    }
    add(kConstant, kConstant, constant, constant);
    for (std::size_t a = 0; a < terms.size(); ++a) {
      const Term& t = terms[a];
      add(t.first, t.first, t.weight, t.weight + 2.0 * constant);
      for (std::size_t b = 0; b < a; ++b) {
        add(t.first, terms[b].first, 2.0 * t.weight, terms[b].weight);
      }
    }
  }

  void build() {
    Model& out = out_.model_;
    out.constraints = std::move(constraints_);
    out.higher = model_.higher;
    std::ranges::move(higher_, std::back_inserter(out.higher));
    if (next_ > model_.size()) {
      grow();
    } else {
      out.f = model_.f;
    }
    if (!sum_.empty()) {
      out.f.add(sum_);
    }
    out.f.add_constant(constant_);
  }

  /// Copies the function, with room for the added variables.
  void grow() {
    const Quadratic& f = model_.f;
    for (std::int32_t i = 0; i < f.size(); ++i) {
      sum_.push_back({i, i, f.linear[at(i)]});
    }
    constant_.add(f.offset);
    std::ranges::copy(f.terms(), std::back_inserter(sum_));
    for (const Term& t : f.rests()) {
      if (t.first == kConstant) {
        constant_.add(t.weight);
      } else {
        sum_.push_back(t);
      }
    }
    Quadratic& g = out_.model_.f = Quadratic(next_);
    g.sense = f.sense;
    g.names = f.names;
    std::ranges::move(names_, std::back_inserter(g.names));
  }

  const Model& model_;
  const std::string& where_;
  bool relaxed_;
  Lowered& out_;
  std::int32_t next_ = model_.size();
  double sign_ = model_.f.sense == Sense::Max ? -1.0 : 1.0;
  std::vector<Constraint> constraints_;
  Terms sum_;  // terms and constant added to the objective
  ExactSum constant_;
  std::vector<Monomial> higher_;
  std::vector<std::string> names_;
};

bool Lowered::needed(const Model& model) {
  return !model.soft.empty() ||
         std::ranges::any_of(model.constraints,
                             [](const Constraint& c) { return !c.products.empty(); }) ||
         !std::ranges::all_of(model.integers, &Integer::unique);
}

Lowered::Lowered(const Model& model, const std::string& where, Products products)
    : n_(model.size()),
      integers_(model.integers) {
  Lowering(model, where, products, *this).run();
}

bool Lowered::unique() const {
  return std::ranges::all_of(integers_, &Integer::unique) &&
         std::ranges::all_of(amounts_,
                             [](const Amount& a) { return a.digits.unique(); });
}

std::vector<std::uint8_t> Lowered::back(std::span<const std::uint8_t> x) const {
  const auto own = x.first(at(n_));
  std::vector<std::uint8_t> all(own.begin(), own.end());
  for (const Integer& integer : integers_) {
    set_value(integer, value_of(integer, own), all);
  }
  return all;
}

std::vector<std::uint8_t> Lowered::forward(std::span<const std::uint8_t> x) const {
  std::vector<std::uint8_t> all(x.begin(), x.end());
  all.resize(at(model_.size()));
  for (const auto& [factors, z] : products_) {
    all[at(z)] =
        std::ranges::all_of(factors, [&](std::int32_t i) { return x[at(i)] != 0; });
  }
  for (const auto& [soft, digits] : amounts_) {
    const double by = violation(soft.constraint, Vartype::Binary, x);
    set_value(digits, soft.penalty == Penalty::Flat ? std::min(by, 1.0) : by, all);
  }
  return all;
}

}  // namespace oa::qubo
