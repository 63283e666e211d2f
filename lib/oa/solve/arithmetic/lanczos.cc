#include "oa/solve/arithmetic/lanczos.h"

#include "oa/base/rng.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace oa::solve {

double lowest_eigenvalue(
    int n,
    int steps,
    const std::function<void(std::span<const double>, std::span<double>)>& multiply,
    const Stop& stop) {
  using Eigen::VectorXd;
  steps = std::min(steps, n);
  VectorXd diagonal(steps);
  VectorXd off = VectorXd::Zero(std::max(steps - 1, 1));
  VectorXd before = VectorXd::Zero(n);
  VectorXd next(n);
  VectorXd q(n);
  Rng rng(2);
  for (double& value : q) {
    value = rng.normal();
  }
  q.normalize();
  int k = 0;
  for (double link = 0.0; k < steps && (k == 0 || !stop()); ++k) {
    const auto size = static_cast<std::size_t>(n);
    multiply({q.data(), size}, {next.data(), size});
    next -= link * before;
    diagonal[k] = q.dot(next);
    next -= diagonal[k] * q;
    link = next.norm();
    if (link < 1e-12 * std::abs(diagonal[0]) || k + 1 == steps) {
      ++k;
      break;
    }
    off[k] = link;
    before = q;
    q = next / link;
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(
      diagonal.head(k), off.head(std::max(k - 1, 0)), Eigen::EigenvaluesOnly);
  return solver.eigenvalues().minCoeff();  // unsorted if not all converged
}

double lowest_eigenvalue(int n,
                         int steps,
                         std::span<const double> matrix,
                         const Stop& stop) {
  const Eigen::Map<const Eigen::MatrixXd> a(matrix.data(), n, n);
  return lowest_eigenvalue(
      n,
      steps,
      [&](std::span<const double> v, std::span<double> out) {
        Eigen::Map<Eigen::VectorXd>(out.data(), n).noalias() =
            a * Eigen::Map<const Eigen::VectorXd>(v.data(), n);
      },
      stop);
}

}  // namespace oa::solve
