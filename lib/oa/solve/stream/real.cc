#include "oa/solve/stream/real.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/stopwatch.h"
#include "oa/num/lasso.h"
#include "oa/solve/exact/box/convex.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

constexpr double kTolerance =
    1e-9;                     // largest distance of a coefficient from its minimum
constexpr int kSweeps = 100;  // before exact steps finish the lasso
constexpr int kMaxSweeps = 100'000;

/// Solves the problems of one image in sequence.
class Descent {
 public:
  /// Prepares the leading block `j`.
  Descent(const qubo::Problem& p, qubo::Matrix j)
      : kind_(p.coefficients),
        l1_(p.l1),
        j_(std::move(j)),
        x_(static_cast<std::size_t>(j_.size())),
        h_(x_.size()),
        g_(x_.size()),
        lasso_(x_.size(), {j_.row(0), x_.size() * x_.size()}) {}

  /// Returns true if the minimum was reached within the limits.
  bool solve(std::span<const float> h, const Stop& stop) {
    std::ranges::fill(x_, 0.0);
    std::ranges::copy(h, h_.begin());
    g_ = h_;
    Pace pace(stop);
    const std::int64_t work = std::ssize(x_) * std::ssize(x_);
    for (int sweeps = 1; sweeps <= kMaxSweeps; ++sweeps) {
      if (sweep() <= kTolerance) {
        return true;
      }
      // Sweeps approach fast, then converge slowly; a few exact steps finish.
      if (sweeps == kSweeps && kind_ == Coefficients::Lasso && finish_lasso()) {
        return true;
      }
      if (pace(work)) {
        return false;
      }
    }
    return false;
  }

  [[nodiscard]] std::span<const double> x() const { return x_; }

 private:
  /// The minimum of 1/2 a t^2 + b t (+ l1 |t|) over the range of a coefficient.
  [[nodiscard]] double least(double a, double b) const {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    if (kind_ == Coefficients::Continuous) {
      return a > 0.0 ? std::clamp(-b / a, 0.0, 1.0) : (b < 0.0 ? 1.0 : 0.0);
    }
    const double beyond = std::abs(b) - l1_;
    if (beyond <= 0.0) {
      return 0.0;
    }
    return std::copysign(a > 0.0 ? beyond / a : kFar, -b);
  }

  bool finish_lasso() {
    const bool done = lasso_.solve(h_, l1_, x_);
    g_ = h_;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      add_row(x_[i], i);
    }
    return done;
  }

  void add_row(double factor, std::size_t i) {
    const double* row = j_.row(static_cast<int>(i));
    for (std::size_t k = 0; k < g_.size(); ++k) {
      g_[k] += factor * row[k];
    }
  }

  /// Moves every coefficient to its minimum, in order; returns the longest move.
  double sweep() {
    double farthest = 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double own = j_.row(static_cast<int>(i))[i];
      const double to = least(own, g_[i] - own * x_[i]);
      const double step = to - x_[i];
      if (step == 0.0) {
        continue;
      }
      x_[i] = to;
      add_row(step, i);
      farthest = std::max(farthest, std::abs(step));
    }
    return farthest;
  }

  Coefficients kind_;
  double l1_;
  qubo::Matrix j_;
  std::vector<double> x_;
  std::vector<double> h_;
  std::vector<double> g_;  // Jx + h
  num::LassoSearch lasso_;
};

void require_convex(const qubo::Problem& p, const std::string& where) {
  if (convexified(qubo::Matrix(p.m, p.j)).lifted) {
    throw InputError(where +
                     ": J is not positive semidefinite (expected a convex "
                     "problem for " +
                     field_text(p.coefficients) + " coefficients)");
  }
}

}  // namespace

qubo::SolvedProblem solve_real(qubo::Problem problem,
                               const RealSettings& settings,
                               const std::string& where) {
  require_convex(problem, where);
  qubo::SolvedProblem s;
  s.problem = std::move(problem);
  s.solver = "descent";
  const qubo::Problem& p = s.problem;
  const qubo::Matrix whole(p.m, p.j);
  std::optional<Descent> descent;  // for the size of the last query
  for (int q = 0; q < p.n; ++q) {
    const Stopwatch solving;
    const auto h = p.query(q);
    if (!descent || descent->x().size() != h.size()) {
      descent.emplace(p, whole.leading(static_cast<int>(h.size())));
    }
    const bool done = descent->solve(h, {settings.token, settings.limit_s});
    const auto first = std::ssize(s.real_x);
    for (const double v : descent->x()) {
      s.real_x.push_back(static_cast<float>(v));
    }
    const auto x =
        std::span<const float>(s.real_x).subspan(static_cast<std::size_t>(first));
    s.energy.push_back(qubo::energy(p, q, x));
    if (!std::isfinite(s.energy.back())) {
      throw InputError(where + ": query " + format(q) + " has no minimum");
    }
    s.bound.push_back(-std::numeric_limits<double>::infinity());
    s.status.push_back(done ? qubo::Status::BestFound : qubo::Status::Stopped);
    s.seconds.push_back(settings.times ? solving.seconds() : 0.0);
  }
  return s;
}

}  // namespace oa::solve
