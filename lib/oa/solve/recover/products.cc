#include "oa/solve/recover/products.h"

#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/method/states.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>

namespace oa::solve {
namespace {

using Factors = std::vector<std::int32_t>;

constexpr int kMaxDigits = 100;
constexpr int kMaxTests = 16;  // for each variable
constexpr std::int32_t kNone = -1;

/// The range of a contribution to the value, over all other variables.
template <class T>
struct Span {
  T low = 0;
  T high = 0;
};

/// The range of the contribution of z = 1, if z is a product of two variables.
template <class T>
struct Influence {
  std::int32_t first = kNone;
  std::int32_t second = kNone;
  Span<T> both;     // where both factors are 1
  T other_low = 0;  // least value elsewhere

  [[nodiscard]] bool decides(T slack) const {
    return second != kNone && both.high <= slack && other_low >= -slack;
  }
};

/// Finds products one by one:
/// replacing a product in the function changes the influence of its factors.
class Finder {
 public:
  Finder(const qubo::Quadratic& f, bool ordered, const Stop& stop)
      : f_(f),
        ordered_(ordered),
        sign_(f.sense == qubo::Sense::Max ? -1.0 : 1.0),
        unit_(digits_of(f).unit),
        pace_(stop),
        product_(at(f.size()), {kNone, kNone, kNone}),
        of_(at(f.size())),
        products_of_(at(f.size())),
        tests_(at(f.size())),
        rough_(at(f.size())),
        exact_(at(f.size())),
        factors_(at(f.size())) {
    std::vector<std::int32_t> queue(at(f.size()));
    std::iota(queue.begin(), queue.end(), 0);
    for (std::size_t k = 0; k < queue.size() && !pace_.stopped(); ++k) {
      if (const std::int32_t z = queue[k]; test(z)) {
        queue.push_back(product_[at(z)].first);
        queue.push_back(product_[at(z)].second);
      }
    }
    resolve();
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
    return all;
  }

 private:
  /// Counts the work for a variable.  Returns true if stopped.
  bool see(std::int32_t z) {
    return pace_(8 + 4 * static_cast<std::int64_t>(f_.row(z).size()));
  }

  [[nodiscard]] bool is_product(std::int32_t z) const {
    return product_[at(z)].variable == z;
  }

  /// Tests whether z is a product, and if so, updates the contribution of z.
  /// Returns true if the factors of z must be tested again.
  bool test(std::int32_t z) {
    if (see(z) || tests_[at(z)] > kMaxTests) {
      return false;
    }
    if (++tests_[at(z)] > kMaxTests) {
      return is_product(z);  // contribution unknown
    }
    if (!is_product(z)) {
      // The margin exceeds rounding errors by far.
      const auto rough = influence(z, rough_);
      const double slack =
          1e-6 * (std::abs(rough.both.low) + std::abs(rough.both.high) +
                  std::abs(rough.other_low));
      if (!rough.decides(slack)) {
        return false;
      }
    }
    const auto exact = influence(z, exact_);
    if (is_product(z)) {
      if (exact.second == kNone) {
        tests_[at(z)] = kMaxTests + 1;  // contribution unknown
        return true;
      }
      const Span<Whole> before = std::exchange(of_[at(z)], exact.both);
      return before.low != exact.both.low || before.high != exact.both.high;
    }
    const bool smallest =
        exact.both.high < 0 && z > std::max(exact.first, exact.second);
    if (!exact.decides(0) || (ordered_ && !smallest) || depends(exact.first, z, 0) ||
        depends(exact.second, z, 0)) {
      return false;
    }
    product_[at(z)] = {z, exact.first, exact.second};
    of_[at(z)] = exact.both;
    products_of_[at(exact.first)].push_back(z);
    products_of_[at(exact.second)].push_back(z);
    ordered_ =
        ordered_ && exact.both.high < 0 && z > std::max(exact.first, exact.second);
    return true;
  }

  /// True if variable `i` may be a product that contains z.
  [[nodiscard]] bool depends(std::int32_t i, std::int32_t z, int depth) const {
    constexpr int kMaxDepth = 6;
    const Product& p = product_[at(i)];
    return i == z ||
           (is_product(i) && (depth == kMaxDepth || depends(p.first, z, depth + 1) ||
                              depends(p.second, z, depth + 1)));
  }

  template <class T>
  [[nodiscard]] T in(double weight) const {
    if constexpr (std::is_same_v<T, Whole>) {
      return in_units(sign_ * weight, unit_);
    } else {
      return sign_ * weight;
    }
  }

  template <class T>
  [[nodiscard]] T in(Whole units) const {
    if constexpr (std::is_same_v<T, Whole>) {
      return units;
    } else {
      return in_doubles(units, unit_).value;
    }
  }

  /// Computes the contribution of each other variable where z = 1.  `spans` is scratch
  /// memory, all 0.  Returns false if a product of z has an unknown contribution.
  template <class T>
  bool collect(std::int32_t z, std::vector<Span<T>>& spans) {
    const auto add = [&](std::int32_t k, T low, T high) {
      others_.push_back(k);
      spans[at(k)].low += low;
      spans[at(k)].high += high;
    };
    others_.clear();
    f_.row(z).each([&](std::int32_t k, double weight) {
      if (product_[at(k)].first != z && product_[at(k)].second != z) {
        add(k, in<T>(weight), in<T>(weight));
      }
    });
    bool all_known = true;
    // z y replaces this product, with its whole contribution where y = 1.
    for (const std::int32_t c : products_of_[at(z)]) {
      const Product& p = product_[at(c)];
      all_known = all_known && tests_[at(c)] <= kMaxTests;
      add(p.first == z ? p.second : p.first,
          in<T>(of_[at(c)].low),
          in<T>(of_[at(c)].high));
    }
    return all_known;
  }

  template <class T>
  Influence<T> influence(std::int32_t z, std::vector<Span<T>>& spans) {
    const bool all_known = collect(z, spans);
    const Product& known = product_[at(z)];
    Influence<T> result;
    result.first = known.first;
    result.second = known.second;
    Span<T> first;
    Span<T> second;
    result.both.low = result.both.high = in<T>(f_.linear[at(z)]);
    for (const std::int32_t k : others_) {
      Span<T> span = std::exchange(spans[at(k)], {});  // 0 at the second visit
      if (k == known.first || k == known.second) {
        result.both.low += span.low;
        result.both.high += span.high;
        continue;
      }
      result.both.low += std::min(span.low, T{0});
      result.both.high += std::max(span.high, T{0});
      std::int32_t other = k;
      if (!is_product(z) && span.high < first.high) {
        std::swap(span, first);
        std::swap(other, result.first);
      }
      if (!is_product(z) && span.high < second.high) {
        std::swap(span, second);
        std::swap(other, result.second);
      }
    }
    result.other_low = result.both.low - std::max(first.low, second.low);
    result.both.high += first.high + second.high;
    result.second = all_known ? result.second : kNone;
    return result;
  }

  /// Writes each variable as a product of kept variables, factors before products.
  /// Finds no products if there are long chains of products.
  void resolve() {
    constexpr int kMaxLevels = 64;
    std::vector<std::int32_t> order;
    std::vector<int> level(factors_.size());
    for (std::int32_t i = 0; i < f_.size(); ++i) {
      if (!is_product(i)) {
        factors_[at(i)] = {i};
        order.push_back(i);
      }
    }
    for (std::size_t k = 0; k < order.size(); ++k) {
      for (const std::int32_t c : products_of_[at(order[k])]) {
        const auto [variable, first, second] = product_[at(c)];
        if (factors_[at(first)].empty() || factors_[at(second)].empty() ||
            !factors_[at(c)].empty()) {
          continue;
        }
        level[at(c)] = 1 + std::max(level[at(first)], level[at(second)]);
        if (level[at(c)] > kMaxLevels) {
          products_.clear();
          return;
        }
        factors_[at(c)] = product(factors_[at(first)], factors_[at(second)]);
        products_.push_back(product_[at(c)]);
        order.push_back(c);
      }
    }
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
  bool ordered_;
  double sign_;
  int unit_;
  Pace pace_;
  std::vector<Product> product_;
  std::vector<Span<Whole>> of_;  // contribution of products where factors are 1
  std::vector<std::vector<std::int32_t>> products_of_;  // products with this factor
  std::vector<int> tests_;
  std::vector<Span<double>> rough_;
  std::vector<Span<Whole>> exact_;
  std::vector<std::int32_t> others_;
  std::vector<Factors> factors_;  // sorted; a kept variable's: itself
  std::vector<Product> products_;
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
  return part_of(x, kept);
}

Products find_products(const qubo::Quadratic& f, bool ordered, const Stop& stop) {
  const bool spin = f.vartype == qubo::Vartype::Spin;
  const qubo::Converted binary =
      spin ? converted(f, qubo::Vartype::Binary) : qubo::Converted{f, true};
  const Digits digits = digits_of(binary.f);
  const bool exact = binary.exact && binary.f.rests().empty() &&
                     digits.top - digits.unit <= kMaxDigits;
  return exact ? Finder(binary.f, ordered, stop).found() : Products{};
}

}  // namespace oa::solve
