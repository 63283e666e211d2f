#include "oa/solve/structure/structure.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kMaxVariables = 20'000;
constexpr std::int64_t kMaxPairs = 4'000'000;

constexpr std::size_t kMaxDigits = 24;  // maximum of a number
constexpr std::size_t kMaxPartners =
    8;                           // examined for a variable: its largest couplings
constexpr double kEqual = 1e-9;  // relative difference of proportional rows

constexpr std::size_t kMinGroup = 3;
// The maximum of a group variable's gain by being 1, relative to the penalty of a pair.
// In rows and columns of permutations, the ratio is 1.
constexpr double kMaxGain = 2.0;

// The maximum number of values that the search for numbers reads, and that for groups.
// For permutations, the search reads about 20 values per coupling.
// Where more cliques overlap, group moves do not help.
constexpr std::int64_t kMaxWork = 200'000'000;
constexpr std::int64_t kWorkOfPair = 64;

/// Limits the work of a search.
class Budget {
 public:
  Budget(const qubo::Quadratic& f, const Stop& stop)
      : left_(std::max(kMaxWork, kWorkOfPair * f.pairs())),
        pace_(stop) {}

  /// Adds work; returns true if the search should end.
  bool spent(std::int64_t work) {
    left_ -= work;
    return pace_(work) || left_ < 0;
  }

 private:
  std::int64_t left_;
  Pace pace_;
};

using Entries = std::vector<std::pair<int, double>>;

Entries row_of(const qubo::Quadratic& f, int i) {
  Entries row;
  f.row(i).each([&](std::int32_t k, double weight) { row.emplace_back(k, weight); });
  return row;
}

/// Compares rows without the entries at the pair itself and at digits of
/// the same number.
class Rows {
 public:
  /// Copies the rows; if stopped, the last rows are empty.
  Rows(const qubo::Quadratic& f, const Stop& stop) {
    Pace pace(stop);
    for (int i = 0; i < f.size(); ++i) {
      const bool stopped = pace(4 * std::ssize(f.row(i)));
      rows_.push_back(stopped ? Entries() : row_of(f, i));
      double sum = 0.0;
      for (const auto& [k, weight] : rows_.back()) {
        sum += weight * weight;
      }
      norms_.push_back(std::sqrt(sum));
    }
  }

  [[nodiscard]] const Entries& operator[](int i) const { return rows_[at(i)]; }

  /// Returns the factor r with row(b) = r row(a), up to rounding,
  /// for digits a and b of the number `digits`.
  /// More digits may follow, so up to kMaxDigits entries may differ.
  [[nodiscard]] std::optional<double> ratio(int a, int b) const {
    const Entries& x = rows_[at(a)];
    const Entries& y = rows_[at(b)];
    if (x.size() + kMaxDigits < y.size() || y.size() + kMaxDigits < x.size()) {
      return std::nullopt;
    }
    const auto factor = middle_factor(x, y);
    if (!factor) {
      return std::nullopt;
    }
    std::size_t different = 0;
    std::size_t equal = 0;
    const double least = kEqual * (norms_[at(b)] + std::abs(*factor) * norms_[at(a)]);
    each_common(x, y, [&](int k, double u, double v) {
      if (k == a || k == b) {
        return true;
      }
      if (std::abs(v - *factor * u) > least) {
        ++different;
      } else {
        ++equal;
      }
      return different <= kMaxDigits;
    });
    return different <= kMaxDigits && equal > 2 * different + 1 ? factor : std::nullopt;
  }

  /// True if a number's rows are proportional outside the number.
  [[nodiscard]] bool proportional(const std::vector<int>& digits,
                                  int b,
                                  double factor) const {
    const int a = digits.front();
    const double least = kEqual * (norms_[at(b)] + std::abs(factor) * norms_[at(a)]);
    bool good = true;
    each_common(rows_[at(a)], rows_[at(b)], [&](int k, double u, double v) {
      const bool inside = k == b || std::ranges::find(digits, k) != digits.end();
      good = inside || std::abs(v - factor * u) <= least;
      return good;
    });
    return good;
  }

  /// Returns the variables with the largest couplings with `i`, relative to their rows.
  /// By Cauchy and Schwarz, these are digits of one number.
  [[nodiscard]] std::vector<int> partners(int i) const {
    Entries largest = rows_[at(i)];
    for (auto& [k, weight] : largest) {
      weight = std::abs(weight) / norms_[at(k)];
    }
    const auto count = std::min(kMaxPartners, largest.size());
    std::partial_sort(largest.begin(),
                      largest.begin() + static_cast<std::ptrdiff_t>(count),
                      largest.end(),
                      [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<int> all;
    for (std::size_t k = 0; k < count; ++k) {
      all.push_back(largest[k].first);
    }
    return all;
  }

 private:
  /// Calls take(k, x_k, y_k) for every k in either row, until take() returns false.
  template <class Take>
  static void each_common(const Entries& x, const Entries& y, const Take& take) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < x.size() || j < y.size()) {
      const int a = i < x.size() ? x[i].first : INT32_MAX;
      const int b = j < y.size() ? y[j].first : INT32_MAX;
      const int k = std::min(a, b);
      const double u = a == k ? x[i++].second : 0.0;
      const double v = b == k ? y[j++].second : 0.0;
      if (!take(k, u, v)) {
        return;
      }
    }
  }

  /// The median factor of some common entries.
  static std::optional<double> middle_factor(const Entries& x, const Entries& y) {
    constexpr std::size_t kProbes = 2 * kMaxDigits + 1;
    std::vector<double> factors;
    each_common(x, y, [&](int, double u, double v) {
      if (u != 0.0 && v != 0.0) {
        factors.push_back(v / u);
      }
      return factors.size() < kProbes;
    });
    if (factors.size() < 2) {
      return std::nullopt;
    }
    const auto middle = factors.begin() + std::ssize(factors) / 2;
    std::nth_element(factors.begin(), middle, factors.end());
    return *middle;
  }

  std::vector<Entries> rows_;
  std::vector<double> norms_;
};

std::vector<Number> find_numbers(const Rows& rows, int n, Budget budget) {
  std::vector<Number> numbers;
  std::vector<bool> used(at(n));
  for (int i = 0; i < n && !budget.spent(4 * std::ssize(rows[i])); ++i) {
    if (used[at(i)]) {
      continue;
    }
    Number number{{i}, {1.0}};
    // A number may have more digits than partners; found digits lead to more digits.
    for (std::size_t next = 0; next < number.variables.size(); ++next) {
      for (const int k : rows.partners(number.variables[next])) {
        if (used[at(k)] ||
            std::ranges::find(number.variables, k) != number.variables.end()) {
          continue;
        }
        if (budget.spent(std::ssize(rows[i]) + std::ssize(rows[k]))) {
          return numbers;
        }
        const auto factor = rows.ratio(i, k);
        if (factor && number.variables.size() < kMaxDigits) {
          number.variables.push_back(k);
          number.weights.push_back(*factor);
        }
      }
    }
    const bool good = [&] {
      for (std::size_t k = 1; k < number.variables.size(); ++k) {
        if (!rows.proportional(
                number.variables, number.variables[k], number.weights[k])) {
          return false;
        }
      }
      return number.variables.size() > 1;
    }();
    if (good) {
      for (const int k : number.variables) {
        used[at(k)] = true;
      }
      numbers.push_back(std::move(number));
    }
  }
  return numbers;
}

/// The largest decrease of f if the row's variable becomes 1.
double gain_of(const Entries& row, double linear) {
  double gain = -linear;
  for (const auto& [k, w] : row) {
    gain -= std::min(0.0, w);
  }
  return gain;
}

/// The couplings of a row that may be penalties of a group:
/// the two largest couplings that occur often enough.
std::vector<double> penalties_of(const Entries& row, double gain) {
  std::vector<double> penalties;
  double below = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 2; ++k) {
    double largest = 0.0;
    std::size_t count = 0;
    for (const auto& [other, w] : row) {
      if (w < below && w > largest) {
        largest = w;
        count = 0;
      }
      count += w == largest ? 1 : 0;
    }
    if (largest <= 0.0 || gain > kMaxGain * largest) {
      break;
    }
    if (count + 1 >= kMinGroup) {
      penalties.push_back(largest);
    }
    below = largest;
  }
  return penalties;
}

/// Finds cliques with one penalty in all pairs; each pair is in at most one clique.
class Groups {
 public:
  Groups(const qubo::Quadratic& f, const Rows& rows, Budget budget)
      : near_(at(f.size())),
        budget_(budget) {
    std::vector<std::vector<double>> penalties;
    for (int i = 0; i < f.size(); ++i) {
      penalties.push_back(penalties_of(rows[i], gain_of(rows[i], f.linear[at(i)])));
    }
    for (int i = 0; i < f.size(); ++i) {
      if (budget_.spent(6 * std::ssize(rows[i]))) {
        near_.clear();  // clears lists of variables
        return;
      }
      for (const double penalty : penalties[at(i)]) {
        std::vector<int>& others =
            near_[at(i)].emplace_back(penalty, std::vector<int>()).second;
        for (const auto& [k, w] : rows[i]) {
          if (w == penalty && std::ranges::count(penalties[at(k)], penalty) > 0) {
            others.push_back(k);
          }
        }
      }
    }
  }

  /// Returns the groups; empty if the search takes too much work.
  std::vector<Group> find() {
    std::vector<Group> groups;
    for (int i = 0; i < static_cast<int>(near_.size()); ++i) {
      for (const auto& [penalty, others] : near_[at(i)]) {
        for (int k = i; (k = next(others, k)) >= 0;) {
          std::vector<int> clique = clique_of(i, k, penalty);
          if (budget_.spent(work_)) {
            return {};
          }
          work_ = 0;
          if (clique.size() >= kMinGroup) {
            remove_pairs(clique, penalty);
            groups.push_back({std::move(clique)});
          }
        }
      }
    }
    return groups;
  }

 private:
  /// The first element above k; -1 if there is none.
  static int next(const std::vector<int>& sorted, int k) {
    const auto found = std::ranges::upper_bound(sorted, k);
    return found == sorted.end() ? -1 : *found;
  }

  /// Returns sorted variables that `penalty` couples with `i`, except pairs in groups.
  std::vector<int>& near(int i, double penalty) {
    return std::ranges::find(near_[at(i)], penalty, &Near::value_type::first)->second;
  }

  /// Grows a clique: adds each variable that is near all members.
  std::vector<int> clique_of(int i, int k, double penalty) {
    std::vector<int> clique{i};
    std::vector<int> fitting = near(i, penalty);
    std::vector<int> both;
    for (int added = k; added >= 0; added = fitting.empty() ? -1 : fitting.front()) {
      clique.push_back(added);
      const std::vector<int>& own = near(added, penalty);
      both.clear();
      std::ranges::set_intersection(fitting, own, std::back_inserter(both));
      work_ += std::ssize(fitting) + std::ssize(own);
      fitting.swap(both);
    }
    std::ranges::sort(clique);
    return clique;
  }

  void remove_pairs(const std::vector<int>& clique, double penalty) {
    for (const int a : clique) {
      std::vector<int> others;
      std::ranges::set_difference(near(a, penalty), clique, std::back_inserter(others));
      work_ += std::ssize(near(a, penalty));
      near(a, penalty) = std::move(others);
    }
  }

  using Near = std::vector<std::pair<double, std::vector<int>>>;

  std::vector<Near> near_;  // of each variable, by penalty
  std::int64_t work_ = 0;   // since the last call of spent()
  Budget budget_;
};

}  // namespace

Structure find_structure(const qubo::Quadratic& f, const Stop& stop) {
  const int n = f.size();
  if (n > kMaxVariables || f.pairs() > kMaxPairs || n < 2) {
    return {};
  }
  const Rows rows(f, stop);
  const Budget budget(f, stop);
  return {find_numbers(rows, n, budget), Groups(f, rows, budget).find()};
}

}  // namespace oa::solve
