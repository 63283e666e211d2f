#include "oa/solve/recover/products.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace oa::solve {
namespace {

using Factors = std::vector<std::int32_t>;

constexpr std::size_t kMostFactors = 64;

/// The couplings of a variable z, as a test for products needs them.  What z = 1 adds
/// is linear + sum of weights of other variables that are 1.
class Influence {
 public:
  Influence(const qubo::Quadratic& f, int z, double sign) : f_(f), z_(z), sign_(sign) {
    f.row(z).each(
        [&](std::int32_t other, double weight) { see(other, sign * weight); });
  }

  /// The two variables with the most negative weights.
  [[nodiscard]] std::int32_t first() const { return least_[0].other; }
  [[nodiscard]] std::int32_t second() const { return least_[1].other; }

  /// True if it is not positive where both are 1, and not negative elsewhere.
  [[nodiscard]] bool decides() const {
    const double linear = sign_ * f_.linear[at(z_)];
    const auto [a, b] = least_;
    // Rounding errors are far below this.
    const double slack = 1e-6 * (std::abs(linear) + high_ - low_);
    const double rest_low = low_ - a.weight - b.weight;
    if (b.weight >= 0.0 || linear + a.weight + rest_low < -slack ||
        linear + a.weight + b.weight + high_ > slack) {
      return false;
    }
    ExactSum others_low;
    ExactSum others_high;
    f_.row(z_).each([&](std::int32_t other, double weight) {
      const double w = sign_ * weight;
      if (other != a.other && other != b.other) {
        (w < 0.0 ? others_low : others_high).add(w);
      }
    });
    others_low.add(linear);
    others_low.add(a.weight);  // the most negative
    others_high.add(linear);
    others_high.add(a.weight);
    others_high.add(b.weight);
    strict_ = others_high.value() < 0.0;
    return others_low.value() >= 0.0 && others_high.value() <= 0.0;
  }

  /// True if z = 0 is never as good where both are 1.
  [[nodiscard]] bool strict() const { return strict_; }

 private:
  void see(std::int32_t other, double weight) {
    (weight < 0.0 ? low_ : high_) += weight;
    if (weight < least_[1].weight) {
      least_[1] = {other, weight};
      if (weight < least_[0].weight) {
        std::swap(least_[0], least_[1]);
      }
    }
  }

  const qubo::Quadratic& f_;
  int z_;
  double sign_;
  double low_ = 0.0;  // sums of negative and positive weights, rounded
  double high_ = 0.0;
  std::array<qubo::Coupling, 2> least_{};
  mutable bool strict_ = false;
};

/// Finds which variables are products, and the variables that they are made of.
class Finder {
 public:
  Finder(const qubo::Quadratic& f, const Stop& stop)
      : f_(f),
        pace_(stop),
        candidates_(at(f.size()), {-1, -1, -1}),
        state_(at(f.size()), State::New),
        factors_(at(f.size())) {
    const double sign = f.sense == qubo::Sense::Max ? -1.0 : 1.0;
    for (std::int32_t z = 0; z < f.size() && !see(z); ++z) {
      const Influence influence(f, z, sign);
      if (influence.decides()) {
        candidates_[at(z)] = {z, influence.first(), influence.second()};
        ordered_ = ordered_ && influence.strict() &&
                   z > std::max(influence.first(), influence.second());
      }
    }
    for (std::int32_t z = 0; z < f.size() && !see(z); ++z) {
      resolve(z, 0);
    }
  }

  [[nodiscard]] Products found() && {
    Products all;
    all.p.vartype = qubo::Vartype::Binary;
    all.p.sense = f_.sense;
    if (products_.empty() || pace_.stopped()) {
      return all;
    }
    std::vector<std::int32_t> place(factors_.size(), -1);
    for (std::int32_t i = 0; i < f_.size(); ++i) {
      if (factors_[at(i)] == Factors{i}) {
        place[at(i)] = all.p.n++;
        all.kept.push_back(i);
        if (!f_.names.empty()) {
          all.p.names.push_back(f_.names[at(i)]);
        }
      }
    }
    add_monomials(place, all.p);
    if (pace_.stopped()) {
      return {};
    }
    all.products = std::move(products_);
    all.ordered = ordered_;
    return all;
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };

  /// Counts the work of a variable.  True if stopped.
  bool see(std::int32_t z) {
    return pace_(8 + 4 * static_cast<std::int64_t>(f_.row(z).size()));
  }

  /// Decides whether z is a product: not of itself by others, nor of too many.
  void resolve(std::int32_t z, int depth) {
    constexpr int kMostDepth = 256;
    const auto [variable, first, second] = candidates_[at(z)];
    Factors& mine = factors_[at(z)];
    if (state_[at(z)] != State::New) {
      return;
    }
    state_[at(z)] = State::Open;
    if (variable >= 0 && depth < kMostDepth) {
      resolve(first, depth + 1);
      resolve(second, depth + 1);
      if (state_[at(first)] == State::Done && state_[at(second)] == State::Done) {
        mine = product(factors_[at(first)], factors_[at(second)]);
      }
    }
    if (mine.empty() || mine.size() > kMostFactors) {
      mine = {z};
    } else {
      products_.push_back(candidates_[at(z)]);
    }
    state_[at(z)] = State::Done;
  }

  static Factors product(const Factors& a, const Factors& b) {
    Factors all;
    std::ranges::set_union(a, b, std::back_inserter(all));
    return all;
  }

  void add_monomials(const std::vector<std::int32_t>& place, qubo::Polynomial& p) {
    const auto add = [&](Factors factors, double weight) {
      if (weight != 0.0) {
        for (std::int32_t& i : factors) {
          i = place[at(i)];
        }
        p.monomials.push_back({std::move(factors), weight});
      }
    };
    add({}, f_.offset);
    for (std::int32_t i = 0; i < f_.size() && !see(i); ++i) {
      add(factors_[at(i)], f_.linear[at(i)]);
      f_.row(i).each([&](std::int32_t other, double weight) {
        if (other > i) {
          add(product(factors_[at(i)], factors_[at(other)]), weight);
        }
      });
    }
  }

  const qubo::Quadratic& f_;
  Pace pace_;
  std::vector<Product> candidates_;
  std::vector<State> state_;
  std::vector<Factors> factors_;  // sorted; of a variable that is kept, itself
  std::vector<Product> products_;
  bool ordered_ = true;
};

}  // namespace

std::vector<std::uint8_t> Products::whole(std::span<const std::uint8_t> x) const {
  std::vector<std::uint8_t> all(kept.size() + products.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    all[at(kept[k])] = x[k];
  }
  for (const Product& z : products) {
    all[at(z.variable)] = all[at(z.first)] & all[at(z.second)];
  }
  return all;
}

std::vector<std::uint8_t> Products::part(std::span<const std::uint8_t> x) const {
  std::vector<std::uint8_t> some;
  for (const std::int32_t i : kept) {
    some.push_back(x[at(i)]);
  }
  return some;
}

Products find_products(const qubo::Quadratic& f, const Stop& stop) {
  const bool spin = f.vartype == qubo::Vartype::Spin;
  const qubo::Converted binary =
      spin ? converted(f, qubo::Vartype::Binary) : qubo::Converted{f, true};
  return binary.exact && binary.f.rests().empty() ? Finder(binary.f, stop).found()
                                                  : Products{};
}

}  // namespace oa::solve
