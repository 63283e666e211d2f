#include "oa/qubo/defined.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace oa::qubo {
namespace {

constexpr std::size_t kMaxDefinedTerms = 1'000'000;  // maximum of a sum
constexpr double kMaxWhole = 0x1p50;
constexpr std::size_t kMaxFactors = 16;

/// A sum: sorted products of 0/1 variables -> weight.
using Sum = std::map<std::vector<std::int32_t>, double>;

void add(Sum& sum, const std::vector<std::int32_t>& product, double weight) {
  const auto found = sum.try_emplace(product, 0.0).first;
  found->second += weight;
  if (found->second == 0.0) {
    sum.erase(found);
  }
}

/// True if sums and products of the weights are exact doubles.
bool whole(const Sum& sum) {
  double size = 0.0;
  for (const auto& [product, weight] : sum) {
    size += std::abs(weight);
    if (weight != std::nearbyint(weight) || product.size() > kMaxFactors) {
      return false;
    }
  }
  return size < kMaxWhole && sum.size() <= kMaxDefinedTerms;
}

Sum product_of(const Sum& a, const Sum& b) {
  Sum all;
  for (const auto& [p, v] : a) {
    for (const auto& [q, w] : b) {
      std::vector<std::int32_t> both;
      std::ranges::set_union(p, q, std::back_inserter(both));
      add(all, both, v * w);
    }
  }
  return all;
}

struct Range {
  double low;
  double high;
};

/// Bounds of the sum: each term at its minimum, and each term at its maximum.
Range range_of(const Sum& sum, bool spins) {
  Range range{0.0, 0.0};
  for (const auto& [product, weight] : sum) {
    const bool constant = product.empty();
    range.low += constant ? weight : spins ? -std::abs(weight) : std::min(weight, 0.0);
    range.high += constant ? weight : spins ? std::abs(weight) : std::max(weight, 0.0);
  }
  return range;
}

/// The sum as a function of spins, x = (1 + s) / 2.
Sum of_spins(const Sum& sum) {
  Sum all;
  for (const auto& [product, weight] : sum) {
    const double part = std::ldexp(weight, -static_cast<int>(product.size()));
    for (std::uint32_t mask = 0; mask < 1U << product.size(); ++mask) {
      std::vector<std::int32_t> some;
      for (std::size_t k = 0; k < product.size(); ++k) {
        if ((mask >> k & 1U) != 0) {
          some.push_back(product[k]);
        }
      }
      add(all, some, part);
    }
  }
  return all;
}

Sum sum_of(std::span<const Term> terms, std::span<const Monomial> products) {
  Sum sum;
  for (const Term& t : terms) {
    add(sum, {t.first}, t.weight);
  }
  for (const Monomial& m : products) {
    add(sum, m.variables, m.weight);
  }
  return sum;
}

/// factor * s + square * s^2, where s is the weighted sum of an integer's digits.
struct InDigits {
  double factor = 0.0;
  double square = 0.0;
};

}  // namespace

/// Replaces defined integers until no replacement is possible.
class Definer {
 public:
  Definer(const Model& model, Defined& result)
      : p_(polynomial_of(model)),
        result_(result),
        gone_(at(p_.n)) {
    for (const Monomial& m : p_.monomials) {
      add(objective_, m.variables, m.weight);
    }
    for (const Constraint& c : p_.constraints) {
      sides_.push_back(sum_of(c.terms, c.products));
    }
  }

  void run() {
    for (std::size_t k = 0; k < p_.integers.size();) {
      if (replace(p_.integers[k])) {
        p_.integers.erase(p_.integers.begin() + static_cast<std::ptrdiff_t>(k));
        k = 0;
      } else {
        ++k;
      }
    }
    if (result_.any()) {
      rebuild();
    }
  }

 private:
  using Cofactors = std::map<std::vector<std::int32_t>, Sum>;

  bool replace(const Integer& y) {
    for (std::size_t c = 0; c < sides_.size(); ++c) {
      if (const auto side = side_for(y, c); side && substitute(y, c, *side)) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] static bool is_digit(const Integer& y, std::int32_t i) {
    return std::ranges::find(y.digits, i, &Term::first) != y.digits.end();
  }

  /// Groups terms with digits of y: from the product of other variables to a sum over
  /// digits.  Moves terms without digits to `rest`.
  static Cofactors split(const Integer& y, const Sum& sum, Sum& rest) {
    Cofactors all;
    for (const auto& [product, weight] : sum) {
      std::vector<std::int32_t> digits;
      std::vector<std::int32_t> others;
      for (const std::int32_t i : product) {
        (is_digit(y, i) ? digits : others).push_back(i);
      }
      if (digits.empty()) {
        rest.emplace(product, weight);
      } else {
        all[others].emplace(digits, weight);
      }
    }
    return all;
  }

  /// The sum as a function of the value of y; empty if it is no such function.
  static std::optional<InDigits> in_digits(const Integer& y, Sum sum) {
    const auto weight_of = [&](std::vector<std::int32_t> product) {
      std::ranges::sort(product);
      const auto found = sum.find(product);
      return found == sum.end() ? 0.0 : found->second;
    };
    const Term& first = y.digits.front();
    InDigits in;
    if (y.digits.size() > 1) {
      const Term& second = y.digits[1];
      in.square =
          weight_of({first.first, second.first}) / (2.0 * first.weight * second.weight);
    }
    in.factor = weight_of({first.first}) / first.weight - in.square * first.weight;
    for (std::size_t i = 0; i < y.digits.size(); ++i) {
      const Term& d = y.digits[i];
      add(sum, {d.first}, -d.weight * (in.factor + in.square * d.weight));
      for (std::size_t k = 0; k < i; ++k) {
        const Term& e = y.digits[k];
        add(sum,
            {std::min(d.first, e.first), std::max(d.first, e.first)},
            -2.0 * in.square * d.weight * e.weight);
      }
    }
    return sum.empty() ? std::optional(in) : std::nullopt;
  }

  /// Solves constraint c for y.
  /// Returns the equal expression if its bounds are within the bounds of y.
  [[nodiscard]] std::optional<Sum> side_for(const Integer& y, std::size_t c) const {
    const Constraint& constraint = p_.constraints[c];
    Sum side;
    const Cofactors with = split(y, sides_[c], side);
    if (constraint.relation != Relation::Equal || constraint.tolerance != 0.0 ||
        dropped(c) || y.digits.empty() || with.size() != 1 ||
        !with.begin()->first.empty()) {
      return std::nullopt;
    }
    const auto in = in_digits(y, with.begin()->second);
    if (!in || in->square != 0.0 || in->factor == 0.0) {
      return std::nullopt;
    }
    add(side, {}, -constraint.right);
    for (auto& [product, weight] : side) {
      weight /= -in->factor;
    }
    double range = 0.0;
    for (const Term& digit : y.digits) {
      range += digit.weight;
    }
    if (!whole(side)) {
      return std::nullopt;
    }
    const Range plain = range_of(side, false);
    const Range spins = range_of(of_spins(side), true);
    const bool within = std::max(plain.low, spins.low) >= 0.0 &&
                        std::min(plain.high, spins.high) <= range;
    return within ? std::optional(std::move(side)) : std::nullopt;
  }

  [[nodiscard]] bool dropped(std::size_t c) const {
    return std::ranges::find(dropped_, c) != dropped_.end();
  }

  /// Replaces y by `side`; empty unless the sum is a polynomial of degree 2 in y.
  static std::optional<Sum> with_side(const Integer& y,
                                      const Sum& sum,
                                      const Sum& side) {
    Sum all;
    const Cofactors with = split(y, sum, all);
    for (const auto& [others, digits] : with) {
      const auto in = in_digits(y, digits);
      if (!in) {
        return std::nullopt;
      }
      Sum part;
      for (const auto& [product, weight] : side) {
        add(part, product, in->factor * weight);
      }
      if (in->square != 0.0) {
        if (side.size() * side.size() > kMaxDefinedTerms) {
          return std::nullopt;
        }
        for (const auto& [product, weight] : product_of(side, side)) {
          add(part, product, in->square * weight);
        }
      }
      for (const auto& [product, weight] : product_of({{others, 1.0}}, part)) {
        add(all, product, weight);
      }
    }
    return with.empty() || (whole(sum) && whole(all)) ? std::optional(std::move(all))
                                                      : std::nullopt;
  }

  bool substitute(const Integer& y, std::size_t by, const Sum& side) {
    const auto uses = [&](const SoftConstraint& s) {
      Sum rest;
      return !split(y, sum_of(s.constraint.terms, s.constraint.products), rest).empty();
    };
    if (std::ranges::any_of(p_.soft, uses)) {
      return false;
    }
    auto objective = with_side(y, objective_, side);
    std::vector<Sum> sides;
    for (std::size_t c = 0; objective && c < sides_.size(); ++c) {
      auto changed = c == by ? std::optional(sides_[c]) : with_side(y, sides_[c], side);
      if (!changed) {
        return false;
      }
      sides.push_back(*std::move(changed));
    }
    if (!objective) {
      return false;
    }
    objective_ = *std::move(objective);
    sides_ = std::move(sides);
    dropped_.push_back(by);
    std::vector<Monomial> value;
    for (const auto& [product, weight] : side) {
      value.push_back({product, weight});
    }
    for (const Term& digit : y.digits) {
      gone_[at(digit.first)] = true;
    }
    result_.definitions_.push_back({y, std::move(value)});
    return true;
  }

  void rebuild() {
    std::vector<std::int32_t> place(at(p_.n));
    Polynomial rest;
    rest.sense = p_.sense;
    for (int i = 0; i < p_.n; ++i) {
      if (!gone_[at(i)]) {
        place[at(i)] = static_cast<std::int32_t>(result_.variables_.size());
        result_.variables_.push_back(i);
        if (!p_.names.empty()) {
          rest.names.push_back(p_.names[at(i)]);
        }
      }
    }
    rest.n = static_cast<int>(result_.variables_.size());
    const auto moved = [&](std::vector<std::int32_t> product) {
      for (std::int32_t& i : product) {
        i = place[at(i)];
      }
      return product;
    };
    const auto move_terms = [&](std::vector<Term>& terms) {
      for (Term& t : terms) {
        t.first = place[at(t.first)];
        t.second = place[at(t.second)];
      }
    };
    for (const auto& [product, weight] : objective_) {
      rest.monomials.push_back({moved(product), weight});
    }
    for (std::size_t c = 0; c < sides_.size(); ++c) {
      if (dropped(c)) {
        continue;
      }
      Constraint& kept = rest.constraints.emplace_back(p_.constraints[c]);
      kept.terms.clear();
      kept.products.clear();
      for (const auto& [product, weight] : sides_[c]) {
        const auto all = moved(product);
        if (all.empty()) {
          kept.right -= weight;
        } else if (all.size() == 1) {
          kept.terms.push_back({all[0], all[0], weight});
        } else {
          kept.products.push_back({all, weight});
        }
      }
    }
    rest.integers = p_.integers;
    for (Integer& y : rest.integers) {
      move_terms(y.digits);
    }
    rest.soft = p_.soft;
    for (SoftConstraint& s : rest.soft) {
      move_terms(s.constraint.terms);
      for (Monomial& m : s.constraint.products) {
        m.variables = moved(m.variables);
      }
    }
    result_.model_ = model_of(std::move(rest));
  }

  Polynomial p_;
  Defined& result_;
  Sum objective_;
  std::vector<Sum> sides_;  // left sides of the constraints
  std::vector<std::size_t> dropped_;
  std::vector<bool> gone_;
};

Defined::Defined(const Model& model) : size_(at(model.size())) {
  if (!model.integers.empty()) {
    Definer(model, *this).run();
  }
}

bool Defined::unique() const {
  return std::ranges::all_of(definitions_,
                             [](const Definition& d) { return d.integer.unique(); });
}

std::vector<std::uint8_t> Defined::back(std::span<const std::uint8_t> x) const {
  std::vector<std::uint8_t> all(size_);
  for (std::size_t k = 0; k < x.size(); ++k) {
    all[at(variables_[k])] = x[k];
  }
  for (auto d = definitions_.rbegin(); d != definitions_.rend(); ++d) {
    double value = d->integer.low;
    for (const Monomial& m : d->side) {
      const bool one = std::ranges::all_of(
          m.variables, [&](std::int32_t i) { return all[at(i)] != 0; });
      value += one ? m.weight : 0.0;
    }
    set_value(d->integer, value, all);
  }
  return all;
}

}  // namespace oa::qubo
