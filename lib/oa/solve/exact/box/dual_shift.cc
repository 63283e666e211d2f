#include "oa/solve/exact/box/dual_shift.h"

#include "oa/solve/arithmetic/cholesky.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>

// With x = (1 + s) / 2 and one more spin for the linear terms,
// the problem is to minimise s'Cs + const.
// A lower bound is max sum(u) over u with C - diag(u) semidefinite.  Solved for y = -u
// by the primal-dual interior point method of Helmberg, Rendl, Vanderbei and Wolkowicz,
// "An interior-point method for semidefinite programming" (1996).

namespace oa::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxSteps = 40;
constexpr double kPrecision = 1e-5;       // of the bound; a higher one gains little
constexpr double kStepOperations = 12.0;  // of a step, in units of n^3
constexpr double kRate = 4e9;             // operations a second, roughly

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

// The functions below can be stopped; their results are then invalid.

bool factorise(MatrixXd& a, const Stop& stop) {
  return cholesky(
      {a.data(), static_cast<std::size_t>(a.size())}, static_cast<int>(a.rows()), stop);
}

/// Calls do_columns(first, count) for all n columns, in pieces that take little time.
template <class Columns>
void in_pieces(Eigen::Index n, const Stop& stop, const Columns& do_columns) {
  const Eigen::Index piece = std::max<Eigen::Index>(8, (1 << 26) / (n * n + 1));
  for (Eigen::Index c = 0; c < n && !stop(); c += piece) {
    do_columns(c, std::min(piece, n - c));
  }
}

/// Returns 95 % of the longest multiple of `step` that keeps `from` in the cone.
double step_length(const MatrixXd& from, const MatrixXd& step, const Stop& stop) {
  double length = 1.0;
  for (; length > 1e-9 && !stop(); length *= 0.8) {
    MatrixXd there = from + length * step;
    if (factorise(there, stop)) {
      break;
    }
  }
  return length < 1.0 ? 0.95 * length : 1.0;
}

MatrixXd inverse_of(MatrixXd a, const Stop& stop) {
  const auto n = a.rows();
  MatrixXd inverse = MatrixXd::Identity(n, n);
  if (factorise(a, stop)) {
    in_pieces(n, stop, [&](Eigen::Index first, Eigen::Index count) {
      auto columns = inverse.middleCols(first, count);
      a.triangularView<Eigen::Lower>().solveInPlace(columns);
      a.transpose().triangularView<Eigen::Upper>().solveInPlace(columns);
    });
  }
  return inverse;
}

}  // namespace

double dual_shift_seconds(int n) {
  return 15.0 * kStepOperations * n * n * n / kRate;
}

std::vector<double> dual_shift(const qubo::Matrix& j,
                               std::span<const double> h,
                               const Stop& stop) {
  MatrixXd c = spin_matrix(j, h);
  const double scale = std::max(c.cwiseAbs().maxCoeff(), 1e-300);
  c /= scale;
  const auto n = c.rows();
  MatrixXd x = MatrixXd::Identity(n, n);
  VectorXd y = 1.1 * c.cwiseAbs().rowwise().sum() + VectorXd::Constant(n, 1e-3);
  MatrixXd z = c;
  z.diagonal() += y;
  double mu = z.cwiseProduct(x).sum() / (2.0 * static_cast<double>(n));
  for (int step = 0; step < kMaxSteps; ++step) {
    const double dual = y.sum();
    const double gap = dual + c.cwiseProduct(x).sum();
    if (gap < kPrecision * std::max(1.0, std::abs(dual))) {
      break;
    }
    const MatrixXd inverse = inverse_of(z, stop);
    MatrixXd system = inverse.cwiseProduct(x);
    VectorXd dy = mu * inverse.diagonal() - VectorXd::Ones(n);
    if (stop() || !factorise(system, stop)) {
      break;  // the last point gives a valid shift
    }
    system.triangularView<Eigen::Lower>().solveInPlace(dy);
    system.transpose().triangularView<Eigen::Upper>().solveInPlace(dy);
    MatrixXd dx(n, n);
    in_pieces(n, stop, [&](Eigen::Index first, Eigen::Index count) {
      dx.middleCols(first, count).noalias() =
          -(inverse * (dy.asDiagonal() * x.middleCols(first, count)));
    });
    if (stop()) {
      break;
    }
    dx += mu * inverse - x;
    dx = 0.5 * (dx + dx.transpose()).eval();
    if (!dy.allFinite() || !dx.allFinite()) {
      break;
    }
    const double primal_length = step_length(x, dx, stop);
    const double dual_length = step_length(z, dy.asDiagonal(), stop);
    if (stop()) {
      break;
    }
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
