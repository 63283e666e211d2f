#include "oa/solve/dual_shift.h"

#include <Eigen/Dense>

#include <cmath>

// With x = (1 + s) / 2 and one spin more that carries the linear terms the problem is
// min s'Cs + const, of which  max sum(u) for C - diag(u) semidefinite  is a lower
// bound. The primal-dual interior point method of Helmberg, Rendl, Vanderbei and
// Wolkowicz, "An interior-point method for semidefinite programming" (1996), for y =
// -u.

namespace oa::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostSteps = 40;
constexpr double kPrecision = 1e-5;  // of the bound; what is left does little for it

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

/// The part of `step` that may be gone from `from` without leaving the cone, less 5 %.
double step_length(const MatrixXd& from, const MatrixXd& step) {
  double length = 1.0;
  while (length > 1e-9 &&
         Eigen::LLT<MatrixXd>(from + length * step).info() != Eigen::Success) {
    length *= 0.8;
  }
  return length < 1.0 ? 0.95 * length : 1.0;
}

}  // namespace

std::vector<double> dual_shift(const qubo::Matrix& j, std::span<const double> h) {
  MatrixXd c = spin_matrix(j, h);
  const double scale = std::max(c.cwiseAbs().maxCoeff(), 1e-300);
  c /= scale;
  const auto n = c.rows();
  MatrixXd x = MatrixXd::Identity(n, n);
  VectorXd y = 1.1 * c.cwiseAbs().rowwise().sum() + VectorXd::Constant(n, 1e-3);
  MatrixXd z = c;
  z.diagonal() += y;
  double mu = z.cwiseProduct(x).sum() / (2.0 * static_cast<double>(n));
  for (int step = 0; step < kMostSteps; ++step) {
    const double dual = y.sum();
    const double gap = dual + c.cwiseProduct(x).sum();
    if (gap < kPrecision * std::max(1.0, std::abs(dual))) {
      break;
    }
    const MatrixXd inverse = Eigen::LLT<MatrixXd>(z).solve(MatrixXd::Identity(n, n));
    const MatrixXd system = inverse.cwiseProduct(x);
    const VectorXd dy = Eigen::LLT<MatrixXd>(system).solve(
        VectorXd(mu * inverse.diagonal() - VectorXd::Ones(n)));
    MatrixXd dx = -(inverse * dy.asDiagonal() * x) + mu * inverse - x;
    dx = 0.5 * (dx + dx.transpose()).eval();
    if (!dy.allFinite() || !dx.allFinite()) {
      break;  // what was reached is a valid shift
    }
    const double primal_length = step_length(x, dx);
    const double dual_length = step_length(z, dy.asDiagonal());
    x += primal_length * dx;
    y += dual_length * dy;
    z.diagonal() += dual_length * dy;
    mu = z.cwiseProduct(x).sum() / (2.0 * static_cast<double>(n));
    if (primal_length + dual_length > 1.8) {
      mu *= 0.5;
    }
  }
  std::vector<double> shift;
  for (int i = 0; i < j.size(); ++i) {
    shift.push_back(8.0 * scale * y[i] - j(i, i));
  }
  return shift;
}

}  // namespace oa::solve
