#include "oa/solve/lattice/equations.h"

#include "oa/base/index.h"
#include "oa/solve/arithmetic/cholesky.h"
#include "oa/solve/lattice/reduction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kMaxSize = 120;
constexpr int kMinSize = 6;
constexpr double kMaxNumber = 0x1p40;
constexpr int kMaxRank = 20;
constexpr std::int64_t kNodes = 10'000'000;  // if time is unlimited
/// The largest primes below 2^61.
constexpr std::array<std::uint64_t, 8> kPrimes{0x1fffffffffffffff,
                                               0x1fffffffffffffe1,
                                               0x1fffffffffffffd3,
                                               0x1fffffffffffff1b,
                                               0x1ffffffffffffefd,
                                               0x1ffffffffffffee5,
                                               0x1ffffffffffffead,
                                               0x1ffffffffffffe79};

__extension__ typedef unsigned __int128 Wide;

/// Arithmetic modulo a prime below 2^61.
struct Field {
  std::uint64_t p;
  [[nodiscard]] std::uint64_t of(std::int64_t a) const {
    const auto m = static_cast<std::int64_t>(p);
    return static_cast<std::uint64_t>((a % m + m) % m);
  }
  [[nodiscard]] std::uint64_t times(std::uint64_t a, std::uint64_t b) const {
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % p);
  }
  [[nodiscard]] std::uint64_t inverse(std::uint64_t a) const {
    std::uint64_t result = 1;
    for (std::uint64_t e = p - 2; e > 0; e >>= 1U, a = times(a, a)) {
      result = (e & 1U) != 0 ? times(result, a) : result;
    }
    return result;
  }
};

using Numbers = std::vector<std::vector<std::uint64_t>>;

/// Eliminates in the first `rows` rows with pivots in the first `columns` columns,
/// and updates all rows and columns.  Returns the pivot rows.
std::vector<int> eliminate(Numbers& a, int rows, int columns, const Field& field) {
  std::vector<int> pivots;
  std::vector<bool> used(a.size());
  for (int c = 0; c < columns; ++c) {
    int pivot = 0;
    while (pivot < rows && (used[at(pivot)] || a[at(pivot)][at(c)] == 0)) {
      ++pivot;
    }
    if (pivot == rows) {
      continue;
    }
    used[at(pivot)] = true;
    pivots.push_back(pivot);
    const std::uint64_t inverse = field.inverse(a[at(pivot)][at(c)]);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (used[i] || a[i][at(c)] == 0) {
        continue;
      }
      const std::uint64_t factor = field.times(a[i][at(c)], inverse);
      for (std::size_t k = 0; k < a[i].size(); ++k) {
        const std::uint64_t less = field.times(factor, a[at(pivot)][k]);
        a[i][k] = a[i][k] >= less ? a[i][k] - less : a[i][k] + field.p - less;
      }
    }
  }
  return pivots;
}

class Finder {
 public:
  Finder(const qubo::Quadratic& f, const Stop& stop)
      : f_(f),
        stop_(stop),
        n_(f.size()) {}

  std::optional<Equations> find() {
    if (n_ < kMinSize || n_ > kMaxSize || 20 * f_.pairs() < 9 * n_ * (n_ - 1) ||
        !f_.rests().empty() || !read() || !complete()) {
      return std::nullopt;
    }
    return decided();
  }

 private:
  /// Reads the matrix G except for its diagonal.
  bool read() {
    g_.assign(at(n_) + 1, std::vector<std::int64_t>(at(n_) + 1));
    const auto whole = [](double a) {
      return a == std::floor(a) && std::abs(a) < kMaxNumber;
    };
    bool good = std::ranges::all_of(f_.linear, whole);
    for (int i = 0; i < n_; ++i) {
      f_.row(i).each([&](std::int32_t k, double weight) {
        good = good && whole(0.5 * weight);
        if (good) {
          g_[at(i)][at(k)] = static_cast<std::int64_t>(0.5 * weight);
        }
      });
    }
    return good;
  }

  /// Computes the diagonal and, from the diagonal, the last row.
  bool complete() {
    for (int i = 0; i < n_; ++i) {
      const auto square = stop_() ? std::nullopt : diagonal(i);
      if (!square) {
        return false;
      }
      const std::int64_t twice = *square - static_cast<std::int64_t>(f_.linear[at(i)]);
      if (twice % 2 != 0) {
        return false;
      }
      g_[at(i)][at(i)] = *square;
      g_[at(i)][at(n_)] = -twice / 2;
      g_[at(n_)][at(i)] = -twice / 2;
    }
    const auto last = diagonal(n_);
    g_[at(n_)][at(n_)] = last.value_or(0);
    return last.has_value();
  }

  /// Returns the G_ii for which a block without other diagonal entries keeps its rank.
  std::optional<std::int64_t> diagonal(int i) {
    const Field field{kPrimes.front()};
    std::vector<int> rows;
    std::vector<int> columns;
    for (int k = 0; k < n_; ++k) {
      if (k != i) {
        (2 * std::ssize(rows) < n_ - 1 ? rows : columns).push_back(k);
      }
    }
    const int high = static_cast<int>(rows.size());
    const int wide = static_cast<int>(columns.size());
    rows.push_back(i);
    columns.push_back(i);
    Numbers a;
    for (const int r : rows) {
      auto& row = a.emplace_back();
      for (const int c : columns) {
        row.push_back(r == i && c == i ? 0 : field.of(g_[at(r)][at(c)]));
      }
    }
    const auto pivots = eliminate(a, high, wide, field);
    if (std::ssize(pivots) >= std::min({high, wide, kMaxRank}) ||
        std::any_of(
            a.back().begin(), a.back().end() - 1, [](auto v) { return v != 0; })) {
      return std::nullopt;
    }
    const std::uint64_t value = a.back().back() == 0 ? 0 : field.p - a.back().back();
    return static_cast<double>(value) < kMaxNumber
               ? std::optional(static_cast<std::int64_t>(value))
               : std::nullopt;
  }

  /// Decides rank and sign exactly.  Minors with one more row are 0 modulo enough
  /// primes to be 0, and a Cholesky factor exists with room for all rounding errors.
  [[nodiscard]] std::optional<Equations> decided() const {
    const int size = n_ + 1;
    std::vector<int> pivots;
    double most = 1.0;
    for (const auto& row : g_) {
      for (const std::int64_t v : row) {
        most = std::max(most, std::abs(static_cast<double>(v)));
      }
    }
    double bits = 0.0;
    for (const std::uint64_t p : kPrimes) {
      const Field field{p};
      Numbers a(at(size));
      for (int i = 0; i < size; ++i) {
        for (const std::int64_t v : g_[at(i)]) {
          a[at(i)].push_back(field.of(v));
        }
      }
      const auto found = eliminate(a, size, size, field);
      if (pivots.empty()) {
        pivots = found;
      }
      if (found.size() > pivots.size()) {
        return std::nullopt;
      }
      bits += 60.0;
    }
    // Hadamard's bound of the minors.
    const auto rank = static_cast<double>(pivots.size());
    if (pivots.empty() ||
        (rank + 1.0) * (std::log2(most) + 0.5 * std::log2(rank + 1.0)) + 2.0 > bits ||
        !positive(pivots)) {
      return std::nullopt;
    }
    Equations all;
    for (const int i : pivots) {
      all.rows.push_back(g_[at(i)]);
    }
    ExactSum least;
    least.add(f_.offset);
    least.add(-static_cast<double>(g_[at(n_)][at(n_)]));
    all.least = least.two();
    return all;
  }

  /// True if the minor of rows and columns `pivots` is positive definite.
  [[nodiscard]] bool positive(const std::vector<int>& pivots) const {
    const int r = static_cast<int>(pivots.size());
    std::vector<double> a;
    double trace = 0.0;
    for (const int i : pivots) {
      trace += static_cast<double>(g_[at(i)][at(i)]);
    }
    for (const int i : pivots) {
      for (const int k : pivots) {
        a.push_back(static_cast<double>(g_[at(i)][at(k)]) -
                    (i == k ? 1e-11 * trace : 0.0));
      }
    }
    return cholesky(a, r, stop_);
  }

  const qubo::Quadratic& f_;
  const Stop& stop_;
  int n_;
  std::vector<std::vector<std::int64_t>> g_;
};

/// Enumerates the lattice vectors with entries +-1.
class Enumeration {
 public:
  explicit Enumeration(const Basis& basis)
      : basis_(basis),
        size_(static_cast<int>(basis.size())),
        width_(static_cast<int>(basis.front().size())),
        o_(orthogonal(basis)),
        directions_(at(size_) * at(width_)),
        partial_(at(size_ + 1) * at(width_)),
        u_(at(size_)),
        centre_(at(size_)),
        step_(at(size_)),
        length_(at(size_) + 1) {
    for (int k = 0; k < size_; ++k) {
      for (int c = 0; c < width_; ++c) {
        double v = static_cast<double>(basis[at(k)][at(c)]);
        for (int j = 0; j < k; ++j) {
          v -= o_.mu[at(k)][at(j)] * directions_[at(j * width_ + c)];
        }
        directions_[at(k * width_ + c)] = v;
      }
    }
  }

  /// Calls take(vector) for each vector; ends when take() returns true.
  template <class Take>
  void run(const Take& take, std::int64_t nodes, const Stop& stop) {
    Pace pace(stop);
    int t = 0;
    int top = 0;
    u_[0] = 1.0;
    for (; nodes > 0 && !pace(width_); --nodes) {
      if (fits(t)) {
        if (t > 0) {
          enter(--t, top);
          continue;
        }
        if (take(vector())) {
          return;
        }
      } else if (beyond_ && ++t == size_) {
        return;
      }
      if (t >= top) {
        top = t;
        u_[at(t)] += 1.0;
      } else {
        u_[at(t)] += step_[at(t)];
        step_[at(t)] = -step_[at(t)] - (step_[at(t)] > 0.0 ? 1.0 : -1.0);
      }
    }
  }

 private:
  /// Adds direction t; false if no vector with entries +-1 can continue.
  bool fits(int t) {
    const double y = u_[at(t)] - centre_[at(t)];
    const double now = length_[at(t) + 1] + y * y * o_.norms[at(t)];
    beyond_ = now > width_ + 1e-6;
    if (beyond_) {
      return false;
    }
    const double* above = &partial_[at((t + 1) * width_)];
    const double* direction = &directions_[at(t * width_)];
    double* here = &partial_[at(t * width_)];
    double sum = 0.0;
    for (int c = 0; c < width_; ++c) {
      here[c] = above[c] + y * direction[c];
      sum += std::abs(here[c]);
    }
    length_[at(t)] = now;
    return now <= sum * (1.0 + 1e-9) + 1e-6;
  }

  void enter(int t, int top) {
    double sum = 0.0;
    for (int i = t + 1; i <= top; ++i) {
      sum -= u_[at(i)] * o_.mu[at(i)][at(t)];
    }
    centre_[at(t)] = sum;
    u_[at(t)] = std::round(sum);
    step_[at(t)] = u_[at(t)] <= sum ? 1.0 : -1.0;
  }

  [[nodiscard]] std::vector<std::int64_t> vector() const {
    std::vector<std::int64_t> v(at(width_));
    for (int k = 0; k < size_; ++k) {
      for (int c = 0; c < width_; ++c) {
        v[at(c)] += static_cast<std::int64_t>(u_[at(k)]) * basis_[at(k)][at(c)];
      }
    }
    return v;
  }

  const Basis& basis_;
  int size_;
  int width_;
  Orthogonal o_;
  std::vector<double> directions_;
  std::vector<double> partial_;  // partial_[t]: sums of directions t and later
  std::vector<double> u_;
  std::vector<double> centre_;
  std::vector<double> step_;
  std::vector<double> length_;
  bool beyond_ = false;
};

}  // namespace

std::optional<Equations> find_equations(const qubo::Quadratic& f, const Stop& stop) {
  return Finder(f, stop).find();
}

Result solve_equations(const PartTask& task,
                       const Equations& equations,
                       const Stop& stop) {
  constexpr std::array kBlocks{10, 20, 30};
  Result result;
  result.best = {task.known};
  result.method = "lattice";
  result.proof = "lattice";
  result.bound = std::min(equations.least.value, task.known.energy);
  result.status = qubo::Status::Stopped;
  Basis basis = kernel(equations.rows, stop);
  if (basis.empty()) {
    return result;
  }
  for (std::vector<std::int64_t>& v : basis) {
    for (std::size_t i = 0; i + 1 < v.size(); ++i) {
      v[i] = 2 * v[i] - v.back();
    }
  }
  bool good = reduce(basis, stop);
  for (const int block : kBlocks) {
    good = good && reduce_blocks(basis, block, stop);
  }
  if (!good) {
    return result;
  }
  Enumeration(basis).run(
      [&](const std::vector<std::int64_t>& v) {
        std::vector<std::uint8_t> x;
        for (std::size_t i = 0; i + 1 < v.size(); ++i) {
          x.push_back(v[i] == v.back() ? 1 : 0);
        }
        const TwoDoubles energy = exact_energy(task.f, x).two();
        if (energy < result.best.front().value()) {
          result.best.front() = Solution(energy, std::move(x));
        }
        return result.best.front().value() <= equations.least;
      },
      stop.limited() ? task.settings.max_nodes
                     : std::min(task.settings.max_nodes, kNodes),
      stop);
  if (result.best.front().value() <= equations.least && task.settings.top == 1) {
    result.status = qubo::Status::ProvedOptimal;
  }
  return result;
}

}  // namespace oa::solve
