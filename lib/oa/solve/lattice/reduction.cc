#include "oa/solve/lattice/reduction.h"

#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kLovasz = 0.99;
constexpr double kSize = 0.501;            // maximum of |mu| in a reduced basis
constexpr double kMaxEntry = 0x1p60;       // dot() of 122 entries stays below 2^127
constexpr double kShorter = 0.99;          // squared lengths: worth an insertion
constexpr std::int64_t kFactor = 1 << 20;  // weight of what must become 0

using Vector = std::vector<std::int64_t>;

long double dot(const Vector& a, const Vector& b) {
  Whole sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<Whole>(a[i]) * b[i];
  }
  return static_cast<long double>(sum);
}

/// Reduces a basis, row by row.
class Reduction {
 public:
  Reduction(Basis& basis, const Stop& stop) : b_(basis), pace_(stop) {}

  bool run() {
    r_.assign(b_.size(), std::vector<long double>(b_.size()));
    mu_ = r_;
    for (std::size_t k = 0; k < b_.size();) {
      if (pace_(std::ssize(b_) * std::ssize(b_[k]))) {
        return false;
      }
      if (!shorten(k)) {
        return false;
      }
      if (std::ranges::all_of(b_[k], [](std::int64_t a) { return a == 0; })) {
        b_.erase(b_.begin() + static_cast<std::ptrdiff_t>(k));
        continue;
      }
      if (k > 0 &&
          r_[k][k] + mu_[k][k - 1] * r_[k][k - 1] < kLovasz * r_[k - 1][k - 1]) {
        std::swap(b_[k], b_[k - 1]);
        --k;
      } else {
        ++k;
      }
    }
    return true;
  }

 private:
  /// Orthogonalises row k and subtracts earlier rows, until nothing changes.
  bool shorten(std::size_t k) {
    for (int pass = 0; pass < 1000; ++pass) {
      for (std::size_t j = 0; j < k; ++j) {
        long double r = dot(b_[k], b_[j]);
        for (std::size_t i = 0; i < j; ++i) {
          r -= mu_[j][i] * r_[k][i];
        }
        r_[k][j] = r;
        mu_[k][j] = r_[j][j] > 0.0L ? r / r_[j][j] : 0.0L;
      }
      bool changed = false;
      for (std::size_t j = k; j-- > 0;) {
        if (std::abs(mu_[k][j]) > kSize) {
          if (!subtract(k, j, std::round(mu_[k][j]))) {
            return false;
          }
          changed = true;
        }
      }
      if (!changed) {
        break;
      }
    }
    r_[k][k] = dot(b_[k], b_[k]);
    for (std::size_t j = 0; j < k; ++j) {
      r_[k][k] -= mu_[k][j] * r_[k][j];
    }
    return true;
  }

  bool subtract(std::size_t k, std::size_t j, long double times) {
    if (std::abs(times) > static_cast<long double>(kMaxEntry)) {
      return false;
    }
    const auto whole = static_cast<std::int64_t>(times);
    for (std::size_t i = 0; i < b_[k].size(); ++i) {
      const Whole entry = b_[k][i] - static_cast<Whole>(whole) * b_[j][i];
      if (std::abs(static_cast<double>(entry)) > kMaxEntry) {
        return false;
      }
      b_[k][i] = static_cast<std::int64_t>(entry);
    }
    mu_[k][j] -= times;
    for (std::size_t i = 0; i < j; ++i) {
      mu_[k][i] -= times * mu_[j][i];
    }
    return true;
  }

  Basis& b_;
  Pace pace_;
  std::vector<std::vector<long double>> r_;
  std::vector<std::vector<long double>> mu_;
};

/// Returns the coefficients of the shortest vector of a projected block, by enumeration
/// (Schnorr and Euchner 1994); empty if no vector is shorter than the first direction.
std::vector<std::int64_t> shortest(const Orthogonal& o, int from, int to, Pace& pace) {
  const int n = to - from;
  double least = kShorter * o.norms[at(from)];
  std::vector<std::int64_t> best;
  std::vector<double> u(at(n));
  std::vector<double> centre(at(n));
  std::vector<double> length(at(n) + 1);
  std::vector<double> step(at(n));
  int t = 0;
  int top = 0;  // last nonzero coefficient
  u[0] = 1.0;
  while (!pace(8 + n)) {
    const double y = u[at(t)] - centre[at(t)];
    const double now = length[at(t) + 1] + y * y * o.norms[at(from + t)];
    if (now < least) {
      if (t == 0) {
        least = now;
        best.clear();
        for (const double c : u) {
          best.push_back(static_cast<std::int64_t>(c));
        }
      } else {
        length[at(t)] = now;
        --t;
        double sum = 0.0;
        for (int i = t + 1; i <= top; ++i) {
          sum -= u[at(i)] * o.mu[at(from + i)][at(from + t)];
        }
        centre[at(t)] = sum;
        u[at(t)] = std::round(sum);
        step[at(t)] = u[at(t)] <= sum ? 1.0 : -1.0;
        continue;
      }
    } else {
      if (++t == n) {
        break;
      }
    }
    if (t >= top) {
      top = t;
      u[at(t)] += 1.0;  // by symmetry, the last one is positive
    } else {
      u[at(t)] += step[at(t)];
      step[at(t)] = -step[at(t)] - (step[at(t)] > 0.0 ? 1.0 : -1.0);
    }
  }
  return best;
}

}  // namespace

Orthogonal orthogonal(const Basis& basis) {
  Orthogonal all;
  std::vector<std::vector<double>> r;
  for (std::size_t k = 0; k < basis.size(); ++k) {
    auto& mu = all.mu.emplace_back(k + 1, 1.0);
    auto& row = r.emplace_back(k);
    auto norm = static_cast<double>(dot(basis[k], basis[k]));
    for (std::size_t j = 0; j < k; ++j) {
      row[j] = static_cast<double>(dot(basis[k], basis[j]));
      for (std::size_t i = 0; i < j; ++i) {
        row[j] -= all.mu[j][i] * row[i];
      }
      mu[j] = row[j] / all.norms[j];
      norm -= mu[j] * row[j];
    }
    all.norms.push_back(norm);
  }
  return all;
}

bool reduce(Basis& basis, const Stop& stop) {
  return Reduction(basis, stop).run();
}

bool reduce_blocks(Basis& basis, int block, const Stop& stop) {
  Pace pace(stop);
  int same = 0;
  for (int from = 0; same < static_cast<int>(basis.size()) && !pace(1);
       from = from + 2 < static_cast<int>(basis.size()) ? from + 1 : 0) {
    const int to = std::min(from + block, static_cast<int>(basis.size()));
    const Orthogonal o = orthogonal(basis);
    const std::vector<std::int64_t> u = shortest(o, from, to, pace);
    if (u.empty()) {
      ++same;
      continue;
    }
    same = 0;
    Vector sum(basis.front().size());
    for (std::size_t k = 0; k < u.size(); ++k) {
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += u[k] * basis[at(from) + k][i];
      }
    }
    basis.insert(basis.begin() + from, std::move(sum));
    if (!reduce(basis, stop)) {
      return false;
    }
  }
  return !pace.stopped();
}

Basis kernel(const std::vector<std::vector<std::int64_t>>& rows, const Stop& stop) {
  const std::size_t n = rows.front().size();
  Basis basis(n, Vector(n));
  for (std::size_t i = 0; i < n; ++i) {
    basis[i][i] = 1;
  }
  for (const Vector& row : rows) {
    for (Vector& v : basis) {
      Whole sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += static_cast<Whole>(row[i]) * v[i];
      }
      if (std::abs(static_cast<double>(sum)) * kFactor > kMaxEntry) {
        return {};
      }
      v.push_back(static_cast<std::int64_t>(sum) * kFactor);
    }
    if (!reduce(basis, stop)) {
      return {};
    }
    std::erase_if(basis, [](const Vector& v) { return v.back() != 0; });
    for (Vector& v : basis) {
      v.pop_back();
    }
  }
  return basis;
}

}  // namespace oa::solve
