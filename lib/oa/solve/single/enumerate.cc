#include "oa/solve/single/enumerate.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/qubo/program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace oa::solve {
namespace {

/// A vector of the free variables, the first variable in the highest bit,
/// so that masks are ordered as vectors are.
using Mask = std::uint32_t;

constexpr std::size_t kSmallLeft = 1024;  // then exact sums compare

/// A part of the objective: multiples of a power of two with exact double sums.
using Slice = std::vector<std::pair<Mask, double>>;

/// The minimised objective, as weights of products of free variables.
class Weights {
 public:
  void add(Mask product, double weight) { sums_[product].add(weight); }

  void finish() {
    std::erase_if(sums_, [](const auto& one) { return one.second.value() == 0.0; });
    digits_ = static_cast<int>(std::bit_width(sums_.size()));
  }

  [[nodiscard]] bool empty() const { return sums_.empty(); }

  /// Takes the leading digits of all weights: sums of 8 times as many are exact.
  Slice take_slice() {
    constexpr int kDigits = 50;
    const int unit = std::max(kMin, top() - (kDigits - digits_));
    Slice slice;
    for (auto& [product, sum] : sums_) {
      const double value = sum.value();
      // Halves round to even: the remainder is at most half a unit.
      const double part =
          unit == kMin ? value
                       : std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
      if (part != 0.0) {
        slice.emplace_back(product, part);
        sum.add(-part);
      }
    }
    std::erase_if(sums_, [](const auto& one) { return one.second.value() == 0.0; });
    left_ = sums_.empty() ? 0.0 : std::ldexp(1.0, top() + digits_);
    return slice;
  }

  /// A bound of the magnitude of any sum of remaining weights.
  [[nodiscard]] double left() const { return left_; }

 private:
  static constexpr int kMin = -1074;  // all doubles are multiples of 2^kMin

  /// All remaining weights are below 2^top().
  [[nodiscard]] int top() const {
    int top = kMin;
    for (const auto& [product, sum] : sums_) {
      top = std::max(top, std::ilogb(sum.value()) + 1);
    }
    return top;
  }

  std::map<Mask, ExactSum> sums_;
  int digits_ = 0;  // bits of the number of weights
  double left_ = 0.0;
};

/// Finds the best x by the leading digits of values, then, among ties,
/// by the next digits.  All arithmetic is exact.
class AllVectors {
 public:
  AllVectors(const qubo::Polynomial& p,
             std::span<const std::uint8_t> fixed,
             const Stop& stop)
      : p_(p),
        stop_(stop),
        spins_(p.vartype == qubo::Vartype::Spin),
        base_(fixed.begin(), fixed.end()) {
    base_.resize(at(p.n), qubo::kFree);
    for (int i = 0; i < p.n; ++i) {
      if (base_[at(i)] == qubo::kFree) {
        free_.push_back(i);
        base_[at(i)] = 0;
      }
    }
    bit_.resize(at(p.n));
    for (std::size_t k = 0; k < free_.size(); ++k) {
      bit_[at(free_[k])] = Mask{1} << (free_.size() - 1 - k);
    }
  }

  /// Returns the best x; empty if stopped.
  std::optional<BestOfAll> best(const Wanted& wanted) {
    find_feasible();
    read_objective();
    const auto most = static_cast<std::size_t>(wanted.most);
    left_ = wanted.optima ? std::size_t{1} : most;
    while (!weights_.empty() && alive_.size() > kSmallLeft && !stop_()) {
      narrow();
    }
    if (stop_()) {
      return std::nullopt;
    }
    BestOfAll found;
    if (alive_.size() > kSmallLeft) {  // the remaining x are equal
      found.optima = sure_.empty() ? alive_.size() : 0;
      alive_.resize(std::min(alive_.size(), wanted.optima ? most : left_));
    }
    sure_.insert(sure_.end(), alive_.begin(), alive_.end());
    found.best = ranked();
    const std::size_t end = end_of_optima(found.best);
    found.optima = std::max<std::uint64_t>(found.optima, end);
    found.best.resize(std::min(most, wanted.optima ? end : found.best.size()));
    return found;
  }

 private:
  [[nodiscard]] std::size_t count() const { return std::size_t{1} << free_.size(); }

  void find_feasible() {
    std::vector<std::uint8_t> feasible(count(), 1);
    std::vector<std::int64_t> sums;
    for (const qubo::Constraint& c : p_.constraints) {
      const qubo::ProgramRow row = qubo::row_of(c, p_.vartype);
      if (stop_()) {
        return;
      }
      if (row.always()) {
        continue;
      }
      sum_row(row, sums);
      for (std::size_t x = 0; x < feasible.size(); ++x) {
        feasible[x] &=
            static_cast<std::uint8_t>(sums[x] >= row.low && sums[x] <= row.high);
      }
    }
    for (std::size_t x = 0; x < feasible.size(); ++x) {
      if (feasible[x] != 0) {
        alive_.push_back(static_cast<Mask>(x));
      }
    }
    value_.resize(alive_.size());
  }

  /// Computes a row's sum for all x.
  void sum_row(const qubo::ProgramRow& row, std::vector<std::int64_t>& sums) const {
    std::vector<std::int64_t> weight(free_.size());
    sums.assign(count(), 0);
    for (const auto& [i, w] : row.entries) {
      if (bit_[at(i)] != 0) {
        weight[at(std::countr_zero(bit_[at(i)]))] = w;
      } else {
        sums[0] += base_[at(i)] != 0 ? w : 0;
      }
    }
    for (std::size_t k = 0; k < weight.size(); ++k) {
      const std::size_t half = std::size_t{1} << k;
      for (std::size_t x = 0; x < half; ++x) {
        sums[half + x] = sums[x] + weight[k];
      }
    }
  }

  void read_objective() {
    for (const qubo::Monomial& m : p_.monomials) {
      Mask product = 0;
      double weight = p_.sense == qubo::Sense::Max ? -m.weight : m.weight;
      for (const std::int32_t i : m.variables) {
        product |= bit_[at(i)];
        if (bit_[at(i)] == 0 && base_[at(i)] == 0) {
          weight = spins_ ? -weight : 0.0;
        }
      }
      weights_.add(product, weight);
    }
    weights_.finish();
  }

  /// Adds a slice to the values of all remaining x.
  void add(const Slice& slice) {
    if (alive_.size() * slice.size() < count() * free_.size()) {
      for (std::size_t k = 0; k < alive_.size(); ++k) {
        value_[k] += value_of(slice, alive_[k]);
      }
      return;
    }
    std::vector<double> all(count());
    for (const auto& [product, weight] : slice) {
      all[product] = weight;
    }
    for (std::size_t half = 1; half < all.size(); half *= 2) {
      for (std::size_t from = 0; from < all.size(); from += 2 * half) {
        double* low = all.data() + from;
        double* high = low + half;
        for (std::size_t x = 0; x < half; ++x) {
          const double with = high[x];
          high[x] = low[x] + with;
          low[x] -= spins_ ? with : 0.0;
        }
      }
    }
    for (std::size_t k = 0; k < alive_.size(); ++k) {
      value_[k] += all[alive_[k]];
    }
  }

  [[nodiscard]] double value_of(const Slice& slice, Mask x) const {
    double sum = 0.0;
    for (const auto& [product, weight] : slice) {
      const Mask zeros = product & ~x;
      if (spins_) {
        sum += std::popcount(zeros) % 2 == 0 ? weight : -weight;
      } else {
        sum += zeros == 0 ? weight : 0.0;
      }
    }
    return sum;
  }

  /// Adds the next digits, and keeps each x that later digits decide.  Values become
  /// relative to the last wanted value, which leaves room for more digits.
  void narrow() {
    add(weights_.take_slice());
    const double last = last_wanted();
    const double margin = 2.0 * weights_.left();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < alive_.size(); ++k) {
      const double behind = value_[k] - last;
      if (behind < -margin) {
        sure_.push_back(alive_[k]);
        --left_;
      } else if (behind <= margin) {
        alive_[kept] = alive_[k];
        value_[kept++] = behind;
      }
    }
    alive_.resize(kept);
    value_.resize(kept);
  }

  [[nodiscard]] double last_wanted() const {
    if (left_ == 1) {
      return *std::ranges::min_element(value_);
    }
    std::vector<double> all = value_;
    const std::size_t k = std::min(left_, all.size()) - 1;
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(k));
    return all[k];
  }

  [[nodiscard]] std::vector<std::uint8_t> vector_of(Mask x) const {
    std::vector<std::uint8_t> vector = base_;
    for (const int i : free_) {
      vector[at(i)] = (x & bit_[at(i)]) != 0 ? 1 : 0;
    }
    return vector;
  }

  /// Returns the x in sure_, best first.
  [[nodiscard]] std::vector<Solution> ranked() {
    std::vector<std::pair<ExactSum, Mask>> all;
    for (const Mask x : sure_) {
      all.emplace_back(qubo::exact_value(p_, vector_of(x)), x);
    }
    std::ranges::sort(all, [&](const auto& a, const auto& b) {
      ExactSum difference = a.first;
      difference.subtract(b.first);
      const double sign = difference.value();
      return sign != 0.0 ? qubo::better(p_.sense, sign, 0.0) : a.second < b.second;
    });
    std::vector<Solution> best;
    for (const auto& [value, x] : all) {
      best.emplace_back(value.two(), vector_of(x));
    }
    return best;
  }

  /// The number of first x whose value equals the first value.
  [[nodiscard]] std::size_t end_of_optima(const std::vector<Solution>& best) const {
    const auto differs = [&](const Solution& s) {
      ExactSum difference = qubo::exact_value(p_, s.x);
      difference.subtract(qubo::exact_value(p_, best.front().x));
      return difference.value() != 0.0;
    };
    return static_cast<std::size_t>(std::ranges::find_if(best, differs) - best.begin());
  }

  const qubo::Polynomial& p_;
  const Stop& stop_;
  bool spins_;
  std::vector<std::uint8_t> base_;  // values of fixed variables, else 0
  std::vector<int> free_;           // free variables
  std::vector<Mask> bit_;           // of each variable; 0 if fixed
  Weights weights_;
  std::size_t left_ = 0;       // wanted x not found yet
  std::vector<Mask> sure_;     // x certain to be wanted
  std::vector<Mask> alive_;    // x that may be wanted
  std::vector<double> value_;  // value of each in alive_, so far
};

/// True if x is as good as `best`; p's variables are the first variables of x.
bool as_good(const qubo::Polynomial& p,
             std::span<const std::uint8_t> x,
             std::span<const std::uint8_t> best) {
  if (x.size() < best.size()) {
    return false;
  }
  x = x.first(best.size());
  ExactSum difference = qubo::exact_value(p, x);
  difference.subtract(qubo::exact_value(p, best));
  return difference.value() == 0.0 && qubo::violated(p, x) < 0;
}

}  // namespace

bool enumerable(const qubo::Polynomial& p, std::span<const std::uint8_t> fixed) {
  const auto given = std::ranges::count_if(
      fixed, [](std::uint8_t value) { return value != qubo::kFree; });
  return p.n - given <= kMaxTried;
}

std::optional<BestOfAll> best_of_all(const qubo::Polynomial& p,
                                     std::span<const std::uint8_t> fixed,
                                     const Wanted& wanted,
                                     const Stop& stop) {
  return AllVectors(p, fixed, stop).best(wanted);
}

std::optional<ModelResult> solve_by_enumeration(const qubo::Polynomial& p,
                                                std::span<const std::uint8_t> fixed,
                                                const Wanted& wanted,
                                                const ModelSettings& settings,
                                                const std::stop_token& stop) {
  constexpr double kMinSeconds = 0.5;  // usually less than 0.1 s
  const Stop end(stop, std::max(kMinSeconds, settings.solver.time_limit_s));
  auto found = best_of_all(p, fixed, wanted, end);
  if (!found) {
    return std::nullopt;
  }
  ModelResult result;
  result.status = qubo::Status::ProvedOptimal;
  result.method = result.found_by = result.proved_by = "enumeration";
  result.searched = p.n;
  result.best = std::move(found->best);
  if (result.best.empty()) {
    std::vector<std::uint8_t> x(fixed.begin(), fixed.end());
    x.resize(at(p.n));
    std::ranges::replace(x, qubo::kFree, std::uint8_t{0});
    const TwoDoubles energy = qubo::exact_value(p, x).two();
    result.best.emplace_back(energy, std::move(x));
    result.optima = 0;
  } else {
    result.optima = found->optima;
    if (std::ranges::any_of(settings.initial, [&](const auto& x) {
          return as_good(p, x, result.best.front().x);
        })) {
      result.found_by = "initial";
    }
    if (settings.improved) {
      settings.improved(result.best.front().energy);
    }
    if (settings.bounded) {
      settings.bounded(result.best.front().energy);
    }
  }
  result.bound = result.best.front().energy;
  return result;
}

}  // namespace oa::solve
