#include "oa/solve/polynomial/penalties.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

// The maximum degree of monomials whose literals may be negated.
constexpr int kMaxNegated = 6;

Whole magnitude(Whole w) {
  return w < 0 ? -w : w;
}

void add_unary(Penalties& all, std::int32_t variable, Whole weight) {
  all.unary[at(2 * variable + (weight > 0 ? 1 : 0))] += magnitude(weight);
}

Penalties of_spins(const WholePolynomial& p) {
  Penalties all;
  all.n = p.n;
  all.unit = p.unit;
  all.constant = p.constant;
  all.unary.resize(2 * at(p.n));
  std::vector<Literal> literals;
  for (std::size_t m = 0; m < p.size(); ++m) {
    const auto monomial = p.monomial(m);
    const Whole w = p.weights[m];
    all.constant -= magnitude(w);
    if (monomial.size() == 1) {
      add_unary(all, monomial[0], 2 * w);
      continue;
    }
    // The product of an odd number of spins at -1 is -1.
    literals.clear();
    for (const std::int32_t i : monomial) {
      literals.push_back(2 * i);
    }
    literals[0] ^= w > 0 ? 1 : 0;
    all.append({Pays::IfOdd, 2 * magnitude(w)}, literals);
  }
  return all;
}

/// Converts monomials of binary variables to terms, longest first.
/// A term changes the weights of products of subsets of its variables.
class BinaryTerms {
 public:
  explicit BinaryTerms(const WholePolynomial& p) {
    all_.n = p.n;
    all_.unit = p.unit;
    all_.constant = p.constant;
    all_.unary.resize(2 * at(p.n));
    by_degree_.resize(2);
    for (std::size_t m = 0; m < p.size(); ++m) {
      const auto monomial = p.monomial(m);
      by_degree_.resize(std::max(by_degree_.size(), monomial.size() + 1));
      by_degree_[monomial.size()].emplace(Monomial(monomial.begin(), monomial.end()),
                                          p.weights[m]);
    }
  }

  Penalties make() {
    for (std::size_t d = by_degree_.size(); --d > 1;) {
      std::vector<Chosen> chosen;
      for (const auto& [monomial, weight] : by_degree_[d]) {
        if (weight != 0) {
          chosen.push_back({monomial, weight});
        }
      }
      if (d <= kMaxNegated && !chosen.empty()) {
        choose(chosen);
      }
      for (const Chosen& one : chosen) {
        append(one);
      }
    }
    for (const auto& [monomial, weight] : by_degree_[1]) {
      all_.constant += std::min(weight, Whole{0});
      add_unary(all_, monomial[0], weight);
    }
    return std::move(all_);
  }

 private:
  using Monomial = std::vector<std::int32_t>;
  static constexpr std::size_t kMaxSets = std::size_t{1} << kMaxNegated;
  using Weights = std::array<Whole, kMaxSets>;  // weight of each subset

  static Pays kind_of(Whole weight, unsigned negative) {
    return (weight > 0) == (std::popcount(negative) % 2 == 0) ? Pays::IfAll
                                                              : Pays::UnlessAll;
  }

  /// Subtracts `times` the term with the given negated literals.
  static void subtract(
      Weights& w, unsigned full, Whole weight, unsigned negative, int times = 1) {
    const bool all = kind_of(weight, negative) == Pays::IfAll;
    const Whole cost = times * magnitude(weight);
    for (unsigned some = negative;; some = (some - 1) & negative) {
      const bool minus = std::popcount(some) % 2 != 0;
      w[(full & ~negative) | some] -= minus == all ? -cost : cost;
      if (some == 0) {
        break;
      }
    }
    w[0] -= all ? Whole{0} : cost;
  }

  /// The sum of magnitudes of the weights.
  static Whole size_of(const Weights& w, unsigned full) {
    Whole size = 0;
    for (unsigned set = 1; set < full; ++set) {
      size += std::has_single_bit(set) ? Whole{0} : magnitude(w[set]);
    }
    return size;
  }

  /// The decrease of the bound by negative weights and by the constant.
  static Whole loss_of(const Weights& w, unsigned full) {
    Whole loss = -w[0];
    for (unsigned set = 1; set < full; ++set) {
      loss += w[set] < 0 ? -w[set] : Whole{0};
    }
    return loss;
  }

  /// A monomial and its variables that the term negates, as a bit set.
  struct Chosen {
    Monomial monomial;
    Whole weight;
    unsigned negative = 0;
  };

  void append(const Chosen& one) {
    const Pays pays = kind_of(one.weight, one.negative);
    std::vector<Literal> literals;
    for (std::size_t k = 0; k < one.monomial.size(); ++k) {
      literals.push_back(2 * one.monomial[k] + ((one.negative >> k & 1U) != 0 ? 0 : 1));
    }
    if (one.monomial.size() > kMaxNegated) {
      all_.constant += std::min(one.weight, Whole{0});
    }
    all_.append({pays, magnitude(one.weight)}, literals);
  }

  /// Repeatedly chooses the negated literals of each monomial.  First prefers few
  /// remaining products, with random tie-breaking; finally prefers a high bound.
  void choose(std::vector<Chosen>& all) {
    constexpr double kWork = 2e8;
    constexpr int kMaxPasses = 40;
    constexpr double kFind = 500.0;  // work to look up a weight
    const double sets = std::exp2(static_cast<double>(all[0].monomial.size()));
    const double each = sets * (sets + kFind);
    const double passes = kWork / (each * static_cast<double>(all.size()));
    const int last = static_cast<int>(std::clamp(passes, 1.0, 1.0 * kMaxPasses));
    for (int pass = 0; pass <= last; ++pass) {
      for (Chosen& one : all) {
        choose(one, pass == 0, pass == last);
      }
    }
  }

  /// Subtracts the term with the best literals from the weights.
  void choose(Chosen& one, bool first, bool last) {
    const unsigned full = (1U << one.monomial.size()) - 1;
    Weights now{};
    std::array<Whole*, kMaxSets> places{};
    for (unsigned set = 1; set < full; ++set) {
      Whole& w = by_degree_[at(std::popcount(set))][part(one.monomial, set)];
      places[set] = &w;
      now[set] = w;
    }
    if (!first) {
      subtract(now, full, one.weight, one.negative, -1);
    }
    now[full] = one.weight;
    const unsigned begin = last ? one.negative : first ? 0 : rng_.below(full + 1);
    std::optional<Whole> least;
    Weights left{};
    for (unsigned k = 0; k <= full; ++k) {
      const unsigned negative = begin ^ k;
      Weights after = now;
      subtract(after, full, one.weight, negative);
      const bool unless = kind_of(one.weight, negative) == Pays::UnlessAll;
      const Whole merit =
          last ? loss_of(after, full)
               : size_of(after, full) + (unless ? 2 * magnitude(one.weight) : Whole{0});
      if (!least || merit < *least) {
        least = merit;
        one.negative = negative;
        left = after;
      }
    }
    all_.constant += left[0];
    for (unsigned set = 1; set < full; ++set) {
      *places[set] = left[set];
    }
  }

  static Monomial part(const Monomial& monomial, unsigned set) {
    Monomial some;
    for (std::size_t k = 0; k < monomial.size(); ++k) {
      if ((set >> k & 1U) != 0) {
        some.push_back(monomial[k]);
      }
    }
    return some;
  }

  Rng rng_{1};
  Penalties all_;
  std::vector<std::map<Monomial, Whole>> by_degree_;
};

}  // namespace

void Penalties::append(Term term, std::span<const Literal> of_term) {
  terms.push_back(term);
  literals.insert(literals.end(), of_term.begin(), of_term.end());
  begins.push_back(literals.size());
}

Penalties penalties_of(const WholePolynomial& p) {
  if (!p.spin) {
    return BinaryTerms(p).make();
  }
  Penalties spins = of_spins(p);
  const auto other = in_other_form(p);
  if (other && other->size() <= 2 * p.size()) {
    Penalties binary = BinaryTerms(*other).make();
    if (in_doubles(spins.constant, spins.unit) <
        in_doubles(binary.constant, binary.unit)) {
      return binary;
    }
  }
  return spins;
}

}  // namespace oa::solve
