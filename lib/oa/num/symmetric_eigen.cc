#include "oa/num/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

#include <cassert>

namespace oa::num {
namespace {

using Eigen::MatrixXd;
// Only this file has the solver: an instantiation takes 5 s to compile.
using Solver = Eigen::SelfAdjointEigenSolver<MatrixXd>;

}  // namespace

void symmetric_eigenvalues(std::span<const double> matrix, std::span<double> values) {
  const auto n = static_cast<Eigen::Index>(values.size());
  assert(static_cast<Eigen::Index>(matrix.size()) == n * n);
  const Solver solver(Eigen::Map<const MatrixXd>(matrix.data(), n, n),
                      Eigen::EigenvaluesOnly);
  Eigen::Map<Eigen::VectorXd>(values.data(), n) = solver.eigenvalues();
}

void replace_by_eigenvectors(std::span<double> matrix, int n) {
  assert(matrix.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  const Solver solver(Eigen::Map<const MatrixXd>(matrix.data(), n, n));
  Eigen::Map<MatrixXd>(matrix.data(), n, n) = solver.eigenvectors();
}

}  // namespace oa::num
