#include "oa/encode/known_sum.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"

#include <Eigen/Core>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace oa::encode {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

constexpr double kHalfUlp = 1.0 / (1 << 24);   // of single precision
constexpr double kDoubleError = 1e-12;         // relative, of sums in double precision
constexpr int kStarts = 64;                    // of a descent
constexpr std::int64_t kMaxWork = 50'000'000;  // multiplications for a query

/// Values and queries without the part that no choice of values can change:
/// if d > m, their coordinates in the space of the values.
struct Reduced {
  Rows v;
  Rows q;
};

Reduced reduced(const LeastSquares& s) {
  const Eigen::Map<const Rows> v(s.v.data(), s.m, s.d);
  const Eigen::Map<const Rows> q(s.q.data(), s.n, s.d);
  if (s.d <= s.m) {
    return {v, q};
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(v.transpose());
  const Eigen::MatrixXd coordinates = qr.householderQ().adjoint() * q.transpose();
  const Eigen::MatrixXd r = qr.matrixQR().topRows(s.m).triangularView<Eigen::Upper>();
  return {r.transpose(), coordinates.topRows(s.m).transpose()};
}

/// Choices of `sum` values for one query, which exchange values.
class Swaps {
 public:
  Swaps(const Rows& v, int sum)
      : v_(v),
        squares_(v.rowwise().squaredNorm()),
        chosen_(at(v.rows())) {
    for (int k = 0; k < sum; ++k) {
      places_.push_back(-1);
    }
  }

  /// The least |q - x'V|^2 found.
  double least(const Vector& q, const Rng& rng) {
    const std::int64_t pass = std::ssize(places_) * v_.size() + 1;
    double best = std::numeric_limits<double>::infinity();
    work_ = 0;
    for (int start = 0; start < kStarts && work_ < kMaxWork; ++start) {
      begin(q, start == 0 ? nullptr : &rng, start);
      for (bool better = true; better && work_ < kMaxWork; work_ += pass) {
        better = exchange_all();
      }
      best = std::min(best, rest_.squaredNorm());
    }
    return best;
  }

 private:
  /// Chooses one value after another: the best value, or a random one.
  void begin(const Vector& q, const Rng* rng, int start) {
    std::ranges::fill(chosen_, 0);
    rest_ = q;
    Rng random = rng != nullptr ? rng->fork(static_cast<std::uint64_t>(start)) : Rng(0);
    for (int& place : places_) {
      place = rng == nullptr ? best_free() : free_one(random);
      take(place, true);
    }
    work_ += std::ssize(places_) * v_.size();
  }

  int free_one(Rng& random) const {
    for (;;) {
      const auto i =
          static_cast<int>(random.below(static_cast<std::uint32_t>(chosen_.size())));
      if (chosen_[at(i)] == 0) {
        return i;
      }
    }
  }

  /// Returns the free value that leaves the least residual.
  int best_free() {
    raise_.noalias() = squares_ - 2.0 * (v_ * rest_);
    int best = -1;
    for (int i = 0; i < static_cast<int>(raise_.size()); ++i) {
      if (chosen_[at(i)] == 0 && (best < 0 || raise_[i] < raise_[best])) {
        best = i;
      }
    }
    return best;
  }

  void take(int i, bool yes) {
    chosen_[at(i)] = yes ? 1 : 0;
    rest_ += (yes ? -1.0 : 1.0) * v_.row(i).transpose();
  }

  /// Replaces each chosen value by the best value.  False if nothing improved.
  bool exchange_all() {
    constexpr double kMinGain = 1e-9;
    bool better = false;
    for (int& place : places_) {
      take(place, false);
      const int next = best_free();
      if (raise_[next] < raise_[place] - kMinGain * squares_[place]) {
        place = next;
        better = true;
      }
      take(place, true);
    }
    return better;
  }

  const Rows& v_;
  Vector squares_;
  Vector rest_;   // q - x'V
  Vector raise_;  // of the squared residual, by each value
  std::vector<std::uint8_t> chosen_;
  std::vector<int> places_;  // the chosen values
  std::int64_t work_ = 0;
};

/// Returns x rounded up to nine bits, so that products with whole numbers are exact.
double rounded_up(double x) {
  const double unit = std::ldexp(1.0, std::ilogb(x) - 8);
  return std::ceil(x / unit) * unit;
}

}  // namespace

// Let x be an optimum with the penalty P and a wrong sum, y a choice with the sum K,
// r the residual of x in the space of the values, and D the squared residual of y.
//   f(x) <= f(y):  |r|^2 + P (sum x - K)^2 <= D,  so P <= D and |r|^2 <= D.
//   A flip of value i towards the sum gains nothing:  P <= |v_i|^2 + 2 |r| |v_i|.
// Rounding changes f(x) - f(y) by `own`, and by a share of P that grows with the sum.
double sufficient_penalty(const LeastSquares& s) {
  const auto [v, queries] = reduced(s);
  const Eigen::MatrixXd products = (v * queries.transpose()).cwiseAbs();
  const double longest = v.rowwise().norm().maxCoeff();
  const double couplings = (v * v.transpose()).cwiseAbs().sum();
  Swaps swaps(v, s.sum);
  double penalty = 0.0;
  for (int i = 0; i < s.n; ++i) {
    const Vector q = queries.row(i).transpose();
    const double size = q.squaredNorm() + couplings + 2.0 * products.col(i).sum();
    const double own = 2.0 * (kHalfUlp + kDoubleError) * size;
    const double d = swaps.least(q, Rng(1).fork(static_cast<std::uint64_t>(i))) + own;
    penalty =
        std::max(penalty, std::min(d, longest * (longest + 2.0 * std::sqrt(d)) + own));
  }
  const double sum = s.sum + 1.0;
  return rounded_up(penalty * (1.0 + kDoubleError) /
                    (1.0 - 12.0 * kHalfUlp * sum * sum));
}

}  // namespace oa::encode
