#include "oa/solve/exact/box/dual_shift.h"

#include "oa/base/rng.h"
#include "oa/solve/arithmetic/lanczos.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

// With x = (1 + s) / 2 and one more spin for the linear terms,
// the problem is to minimise s'Cs + const.
// A lower bound is max -sum(d) over d with C + diag(d) semidefinite.  Solved in low
// rank by coordinate descent (Wang, Chang and Kolter, "The mixing method", 2017): each
// spin is a unit vector v_i, which is set to the negative direction of p = sum of C_ik
// v_k, with d_i = |p|.

namespace oa::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxPasses = 1000;
// The passes end when the sum of d changes by less than this share.
constexpr double kPrecision = 1e-7;
constexpr double kRate = 2e9;  // operations a second, roughly

MatrixXd spin_matrix(const qubo::Matrix& j, std::span<const double> h) {
  const int n = j.size();
  MatrixXd c = MatrixXd::Zero(n + 1, n + 1);
  for (int i = 0; i < n; ++i) {
    double sum = h[static_cast<std::size_t>(i)] + 0.5 * j(i, i);
    for (int k = 0; k < n; ++k) {
      if (k != i) {
        c(i, k) = j(i, k) / 8.0;
        sum += 0.5 * j(i, k);
      }
    }
    c(i, n) = c(n, i) = sum / 4.0;
  }
  return c;
}

}  // namespace

double dual_shift_seconds(int n) {
  return 300.0 * std::sqrt(2.0 * n) * n * n / kRate;
}

std::vector<double> dual_shift(const qubo::Matrix& j,
                               std::span<const double> h,
                               const Stop& stop) {
  const MatrixXd c = spin_matrix(j, h);
  const auto n = c.rows();
  // n spins have an optimum of rank sqrt(2n).
  const auto rank =
      static_cast<Eigen::Index>(std::sqrt(2.0 * static_cast<double>(n))) + 2;
  MatrixXd v(rank, n);
  Rng rng(1);
  for (double& number : v.reshaped()) {
    number = rng.normal();
  }
  v.colwise().normalize();
  VectorXd d = c.cwiseAbs().rowwise().sum();
  VectorXd pull(rank);
  Pace pace(stop);
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kMaxPasses && !pace.stopped(); ++pass) {
    for (Eigen::Index i = 0; i < n && !pace(rank * n); ++i) {
      pull.noalias() = v * c.col(i);
      d[i] = pull.norm();
      if (d[i] > 0.0) {
        v.col(i) = pull / -d[i];
      }
    }
    const double sum = d.sum();
    if (std::abs(last - sum) <= kPrecision * sum) {
      break;
    }
    last = sum;
  }
  MatrixXd semidefinite = c;
  semidefinite.diagonal() += d;
  const double lowest =
      lowest_eigenvalue(static_cast<int>(n),
                        kLanczosSteps,
                        {semidefinite.data(), static_cast<std::size_t>(n * n)},
                        stop);
  std::vector<double> shift;
  for (int i = 0; i < j.size(); ++i) {
    shift.push_back(8.0 * (d[i] + std::max(0.0, -lowest)) - j(i, i));
  }
  return shift;
}

}  // namespace oa::solve
