#include "oa/solve/exact/spin/clique_bound.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/num/symmetric_eigen.h"
#include "oa/solve/arithmetic/cholesky.h"
#include "oa/solve/arithmetic/lanczos.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

// phi(z) = min over X of <M, X> / 2 + sum z_t g_t(X) is a lower bound for multipliers
// z >= 0 of cliques t.  X is any point of the relaxation without cliques, and g_t(X)
// the violation of clique t. phi is concave, and each X found is a plane above phi.
// The next z maximises the lowest plane minus |z - centre|^2 / (2 step).
// The dual is over weights of planes with sum 1;
// the weighted mean of X is nearly feasible and shows missing cliques.
//
// Heptagonal inequalities do not pay off: among four g05 problems,
// one had fewer nodes and three had more, in 1.25 times the time.

namespace oa::solve {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kBeginPasses = 40;  // of coordinate descent, at the start
constexpr int kLastPasses = 60;   // before a bound is computed
constexpr double kMomentum = 0.9;
constexpr double kStill = 1e-13;  // relative change by a pass that ends descent
constexpr int kMaxRounds = 300;
constexpr double kRoundWork = 4e7;  // rounds * spins^2, if unlimited
constexpr int kLook = 5;            // rounds between updates of the cliques
constexpr int kMinLooks = 4;
constexpr std::size_t kPlanes = 12;
constexpr double kViolated = 0.02;         // least violation of an added triangle
constexpr double kPentagonViolated = 0.1;  // least violation of an added pentagon
constexpr std::size_t kTrials = 200;       // triangles from which pentagons are grown
constexpr double kSlack = 0.1;     // cliques with more slack and weight 0 are dropped
constexpr double kSerious = 0.05;  // share of the predicted gain that moves the centre
constexpr double kRestart = 2.0;   // step of a subproblem / step of its parent
constexpr int kMasterSteps = 200;
constexpr double kMasterGain =
    0.3;  // share of the predicted gain below which the master problem ends
constexpr double kRounding = 0x1p-53;
constexpr int kMaxEigen = 300;  // smaller problems compute all eigenvalues

/// Returns the vectors as columns of a matrix.
Eigen::Map<MatrixXd> columns(std::vector<SpinVector>& v) {
  return {num::elements(v.data()->line), kVectorRank, std::ssize(v)};
}
Eigen::Map<const MatrixXd> columns(const std::vector<SpinVector>& v) {
  return {num::elements(v.data()->line), kVectorRank, std::ssize(v)};
}

std::span<double> span(VectorXd& v) {
  return {v.data(), at(v.size())};
}
std::span<const double> span(const MatrixXd& m) {
  return {m.data(), at(m.size())};
}

}  // namespace

class CliqueBound::Bundle {
 public:
  Bundle(int n, std::span<const double> m, const Effort& effort, State state)
      : n_(n),
        effort_(effort),
        m_(Eigen::Map<const MatrixXd>(m.data(), n, n)),
        e_(m_),
        v_(std::move(state.vectors)),
        d_(VectorXd::Zero(n)),
        mean_(MatrixXd::Zero(n, n)),
        cliques_(std::move(state.cliques)),
        step_(state.step) {
    if (v_.empty()) {
      v_.resize(at(n));
      Rng rng(1);
      for (double& number : columns(v_).reshaped()) {
        number = rng.normal();
      }
    }
    columns(v_).colwise().normalize();
    centre_ = VectorXd::Zero(std::ssize(cliques_));
    for (std::size_t t = 0; t < cliques_.size(); ++t) {
      centre_[static_cast<Index>(t)] = cliques_[t].weight;
    }
  }

  double improve(double wanted, const Stop& stop) {
    const Stop end = begin(wanted, stop);
    double bound = -std::numeric_limits<double>::infinity();
    std::vector<double> looks;
    const double few = std::max(kRoundWork / n_ / n_, 1.0 * kLook * kMinLooks);
    const double most = stop.limited() ? kMaxRounds : std::min(few, 1.0 * kMaxRounds);
    for (int round = 1; round <= most && !end(); ++round) {
      const double promised = choose();
      use(z_);
      relax(effort_.passes, end);
      if (end()) {
        break;
      }
      add_plane();
      const double value = dual_value(z_);
      const bool serious = value > value_ + kSerious * (promised - value_);
      step_ *= serious ? 1.05 : 0.95;
      if (serious) {
        value_ = value;
        centre_ = z_;
      }
      if (serious && value_ > wanted) {
        bound = std::max(bound, safe_bound(stop));
        if (bound > wanted) {
          return bound;
        }
      }
      compress();
      if (round % kLook == 0) {
        change_cliques(end);
        looks.push_back(value_);
        if (hopeless(looks, wanted)) {
          break;
        }
      }
    }
    return std::max(bound, safe_bound(stop));
  }

  [[nodiscard]] double product(int i, int k) const { return mean_(i, k); }

  std::vector<std::uint8_t> cut(Rng& rng) const {
    VectorXd normal(kVectorRank);
    for (double& number : normal) {
      number = rng.normal();
    }
    std::vector<std::uint8_t> x;
    for (Index i = 0; i < n_; ++i) {
      x.push_back(columns(v_).col(i).dot(normal) > 0.0 ? 1 : 0);
    }
    return x;
  }

  State take_state() {
    State state;
    state.vectors = std::move(v_);
    for (std::size_t t = 0; t < cliques_.size(); ++t) {
      cliques_[t].weight = centre_[static_cast<Index>(t)];
    }
    std::erase_if(cliques_, [](const OddClique& t) { return t.weight == 0.0; });
    state.cliques = std::move(cliques_);
    state.step = step_;
    return state;
  }

 private:
  /// A point X: its value without cliques, and its violation of each clique.
  struct Plane {
    MatrixXd x;
    double value;
    VectorXd violation;
    double share;  // weight in the mean
  };

  /// Returns a Stop that leaves enough time for safe_bound().
  [[nodiscard]] Stop begin(double wanted, const Stop& stop) {
    const double before = stop.left_s();
    use(centre_);
    relax(kBeginPasses, stop);
    add_plane();
    // The last steps are passes and factorisations,
    // which take as long as n / 12 passes each.
    const double last = 3.0 * (kLastPasses + n_ / 12.0) / kBeginPasses;
    const Stop end =
        stop.limited() ? stop.earlier(last * (before - stop.left_s())) : stop;
    planes_[0].share = 1.0;
    mean_ = planes_[0].x;
    value_ = dual_value(centre_);
    add_cliques(end);
    if (step_ == 0.0) {
      const double most = planes_[0].violation.cwiseMax(0.0).squaredNorm();
      step_ = 0.5 * std::abs(wanted - value_) / std::max(most, 1e-300);
    }
    return end;
  }

  [[nodiscard]] static double violation(const OddClique& clique, const MatrixXd& x) {
    double sum = clique.least();
    clique.each_pair([&](int i, int k, double sign) { sum -= sign * x(k, i); });
    return sum;
  }

  /// Sets e_ to M minus multipliers z.
  void use(const VectorXd& z) {
    e_ = m_;
    for (std::size_t t = 0; t < cliques_.size(); ++t) {
      const double weight = z[static_cast<Index>(t)];
      if (weight == 0.0) {
        continue;
      }
      cliques_[t].each_pair(
          [&](int i, int k, double sign) { e_(i, k) = e_(k, i) -= sign * weight; });
    }
  }

  /// Updates each vector, with momentum (Nesterov 1983) as long as momentum helps.
  void relax(int passes, const Stop& stop) {
    double last = -std::numeric_limits<double>::infinity();
    int since = 0;
    before_ = v_;
    for (int pass = 0; pass < passes && !stop(); ++pass) {
      const double sum = -d_.sum();
      if (pass > 1 && std::abs(sum - last) <= kStill * std::abs(sum)) {
        return;
      }
      since = pass > 1 && sum > last ? 0 : since + 1;
      last = sum;
      if (since > 0) {
        const double ahead = std::min(kMomentum, since / (since + 3.0));
        columns(before_) = columns(v_) + ahead * (columns(v_) - columns(before_));
        columns(before_).colwise().normalize();
        before_.swap(v_);
      } else {
        before_ = v_;
      }
      turn_vectors(span(e_), v_, span(d_));
    }
  }

  /// Returns phi(z), as far as the vectors have converged.
  [[nodiscard]] double dual_value(const VectorXd& z) const {
    double sum = -0.5 * d_.sum();
    for (std::size_t t = 0; t < cliques_.size(); ++t) {
      sum += cliques_[t].least() * z[static_cast<Index>(t)];
    }
    return sum;
  }

  void add_plane() {
    Plane plane;
    plane.x.noalias() = columns(v_).transpose() * columns(v_);
    plane.value = 0.5 * m_.cwiseProduct(plane.x).sum();
    plane.violation.resize(std::ssize(cliques_));
    for (std::size_t t = 0; t < cliques_.size(); ++t) {
      plane.violation[static_cast<Index>(t)] = violation(cliques_[t], plane.x);
    }
    plane.share = 0.0;
    planes_.push_back(std::move(plane));
  }

  /// Sets z_ and the weights of planes by moving weight from the highest to the lowest
  /// plane.  Returns the value of the lowest plane at z_.
  double choose() {
    mean_violation_ = VectorXd::Zero(std::ssize(cliques_));
    for (const Plane& plane : planes_) {
      mean_violation_ += plane.share * plane.violation;
    }
    VectorXd height(std::ssize(planes_));
    for (int step = 0;; ++step) {
      z_ = (centre_ + step_ * mean_violation_).cwiseMax(0.0);
      Index low = 0;
      Index high = -1;
      for (std::size_t p = 0; p < planes_.size(); ++p) {
        const auto k = static_cast<Index>(p);
        height[k] =
            planes_[p].value + dot_product(span(planes_[p].violation), span(z_));
        low = height[k] < height[low] ? k : low;
        const bool has = planes_[p].share > 1e-12;
        high = has && (high < 0 || height[k] > height[high]) ? k : high;
      }
      const double gain = height[high] - height[low];
      if (step == kMasterSteps || gain <= kMasterGain * (height[low] - value_) ||
          gain <= 1e-5 * std::abs(height[low])) {
        return height[low];
      }
      Plane& to = planes_[at(low)];
      Plane& from = planes_[at(high)];
      const VectorXd change = to.violation - from.violation;
      const double curve = step_ * (z_.array() > 0.0).select(change, 0.0).squaredNorm();
      const double move = std::min(from.share, gain / std::max(curve, 1e-300));
      mean_violation_ += move * change;
      from.share -= move;
      to.share += move;
    }
  }

  /// Merges the planes of least weight, except the newest.
  void compress() {
    mean_.setZero();
    for (const Plane& plane : planes_) {
      if (plane.share > 0.0) {
        mean_ += plane.share * plane.x;
      }
    }
    if (planes_.size() <= kPlanes) {
      return;
    }
    std::sort(planes_.begin(), planes_.end() - 1, [](const Plane& a, const Plane& b) {
      return a.share > b.share;
    });
    while (planes_.size() > kPlanes - 1) {
      Plane& from = planes_[planes_.size() - 2];
      Plane& to = planes_[planes_.size() - 3];
      const double share = to.share + from.share;
      if (from.share > 0.0) {
        const double part = from.share / share;
        to.x += part * (from.x - to.x);
        to.violation += part * (from.violation - to.violation);
        to.value += part * (from.value - to.value);
        to.share = share;
      }
      planes_.erase(planes_.end() - 2);
    }
  }

  void change_cliques(const Stop& stop) {
    std::vector<Index> kept;
    for (std::size_t t = 0; t < cliques_.size(); ++t) {
      const auto k = static_cast<Index>(t);
      if (centre_[k] > 0.0 || mean_violation_[k] > -kSlack) {
        cliques_[kept.size()] = cliques_[t];
        kept.push_back(k);
      }
    }
    cliques_.resize(kept.size());
    centre_ = centre_(kept).eval();
    for (Plane& plane : planes_) {
      plane.violation = plane.violation(kept).eval();
    }
    add_cliques(stop);
  }

  /// Adds the cliques that the mean violates most.
  void add_cliques(const Stop& stop) {
    const std::span<const double> x = span(mean_);
    auto found = violated_triangles(n_, x, kViolated, at(effort_.triangles * n_), stop);
    std::vector<OddClique> some;
    const std::size_t stride = cliques_.size() / kTrials + 1;
    for (std::size_t t = ++looks_ % stride; t < cliques_.size(); t += stride) {
      some.push_back(cliques_[t]);
    }
    auto larger = violated_pentagons(n_, x, some, kPentagonViolated, stop);
    keep_most_violated(at(n_), larger);
    found.insert(found.end(), larger.begin(), larger.end());
    add(found);
  }

  /// Adds those cliques of `found` that are new.
  void add(std::span<const Violated> found) {
    std::vector<decltype(OddClique().key())> known;
    for (const OddClique& clique : cliques_) {
      known.push_back(clique.key());
    }
    std::ranges::sort(known);
    for (const Violated& v : found) {
      if (!std::ranges::binary_search(known, v.clique.key())) {
        cliques_.push_back(v.clique);
      }
    }
    const Index before = centre_.size();
    const Index now = std::ssize(cliques_);
    centre_.conservativeResize(now);
    centre_.tail(now - before).setZero();
    for (Plane& plane : planes_) {
      plane.violation.conservativeResize(now);
      for (Index t = before; t < now; ++t) {
        plane.violation[t] = violation(cliques_[at(t)], plane.x);
      }
    }
  }

  /// True if branching is better:
  /// the bound grows too slowly, or the current cliques can gain too little.
  [[nodiscard]] bool hopeless(std::span<const double> looks, double wanted) const {
    return std::ssize(looks) >= kMinLooks &&
           wanted - looks.back() >
               effort_.patience * 0.5 * (looks.back() - looks[looks.size() - 3]);
  }

  [[nodiscard]] double lowest(const MatrixXd& a, const Stop& stop) const {
    if (n_ > kMaxEigen) {
      return 1.02 * lowest_eigenvalue(n_, kLanczosSteps, span(a), stop);
    }
    VectorXd values(n_);
    num::symmetric_eigenvalues(span(a), span(values));
    return values[0];
  }

  /// Returns a bound that is valid for any vectors, at the centre.
  double safe_bound(const Stop& stop) {
    use(centre_);
    relax(kLastPasses, stop);
    if (stop()) {
      return -std::numeric_limits<double>::infinity();
    }
    MatrixXd a = e_;
    a.diagonal() += d_;
    const double scale = std::max(d_.maxCoeff(), 1e-300);
    const double least = n_ > kMaxEigen ? 1e-6 : 1e-9;
    double lift = std::max(0.0, -lowest(a, stop)) + least * scale;
    for (int attempt = 0; attempt < 40 && !stop(); ++attempt, lift *= 2.0) {
      MatrixXd factor = e_;
      factor.diagonal() += d_ + VectorXd::Constant(n_, lift);
      const VectorXd diagonal = factor.diagonal();
      if (cholesky({factor.data(), at(factor.size())}, n_, stop)) {
        return rounded_bound(diagonal);
      }
    }
    return -std::numeric_limits<double>::infinity();
  }

  /// The bound by a diagonal for which e_ has a factor, rounded down.
  /// The factor belongs to a matrix that differs by at most (n + 2) roundings of the
  /// trace in norm (Rump, "Verification of positive definiteness", 2006),
  /// which costs at most n times that difference.  Each pair of e_ has one rounding.
  [[nodiscard]] double rounded_bound(const VectorXd& diagonal) const {
    ExactSum sum;
    double changes = 0.0;
    for (std::size_t t = 0; t < cliques_.size(); ++t) {
      const double weight = centre_[static_cast<Index>(t)];
      sum.add(cliques_[t].least() * weight);  // least() is -1 or -2
      changes += weight != 0.0 ? cliques_[t].pairs() : 0;
    }
    for (const double value : diagonal) {
      sum.add(-0.5 * value);
    }
    const double largest = m_.cwiseAbs().maxCoeff() + centre_.sum();
    const double margin = 4.0 * (n_ + 8.0) * kRounding * diagonal.sum();
    sum.add(-0.5 * n_ * margin * (1.0 + 1e-9));
    sum.add(-2.0 * changes * kRounding * largest);
    return sum.rounded_down();
  }

  int n_;
  Effort effort_;
  MatrixXd m_;
  MatrixXd e_;  // m_ minus multipliers
  std::vector<SpinVector> v_;
  std::vector<SpinVector> before_;  // vectors before the last pass
  VectorXd d_;                      // e_ + diag(d_) is nearly semidefinite
  MatrixXd mean_;                   // weighted mean of the planes' X
  std::vector<OddClique> cliques_;
  std::vector<Plane> planes_;
  VectorXd centre_;          // multipliers of the best bound
  VectorXd z_;               // trial multipliers
  VectorXd mean_violation_;  // of cliques by mean_
  double value_ = 0.0;       // phi(centre_)
  double step_;
  std::size_t looks_ = 0;  // searches for violated cliques
};

CliqueBound::CliqueBound(int n,
                         std::span<const double> m,
                         const Effort& effort,
                         State state)
    : bundle_(std::make_unique<Bundle>(n, m, effort, std::move(state))) {}

CliqueBound::~CliqueBound() = default;

double CliqueBound::improve(double wanted, const Stop& stop) {
  return bundle_->improve(wanted, stop);
}

double CliqueBound::product(int i, int k) const {
  return bundle_->product(i, k);
}

CliqueBound::State CliqueBound::take_state() {
  return bundle_->take_state();
}

std::vector<std::uint8_t> CliqueBound::cut(Rng& rng) const {
  return bundle_->cut(rng);
}

CliqueBound::State CliqueBound::contracted(const State& from,
                                           int n,
                                           int i,
                                           double sign) {
  State to;
  to.vectors = from.vectors;
  to.vectors.erase(to.vectors.begin() + i);
  to.cliques = oa::solve::contracted(from.cliques, n, i, sign);
  to.step = kRestart * from.step;
  return to;
}

}  // namespace oa::solve
