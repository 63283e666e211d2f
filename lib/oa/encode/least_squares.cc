#include "oa/encode/least_squares.h"

#include "oa/base/index.h"

#include <Eigen/Core>

#include <algorithm>

namespace oa::encode {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kRows = 256;  // rows of J per block

Eigen::Map<const Matrix> view(std::span<const double> numbers, int rows, int cols) {
  return {numbers.data(), rows, cols};
}

/// Returns 2 VV' + `more`, in single precision.  The part below the diagonal is a copy.
std::vector<float> couplings(const Matrix& v, double more) {
  const auto m = static_cast<int>(v.rows());
  std::vector<float> j(at(m) * at(m));
  for (int first = 0; first < m; first += kRows) {
    const int rows = std::min(kRows, m - first);
    const Matrix block =
        2.0 * v.middleRows(first, rows) * v.bottomRows(m - first).transpose();
    for (int a = 0; a < rows; ++a) {
      for (int b = a; b < m - first; ++b) {
        const auto weight = static_cast<float>(block(a, b) + more);
        j[at(first + a) * at(m) + at(first + b)] = weight;
        j[at(first + b) * at(m) + at(first + a)] = weight;
      }
    }
  }
  return j;
}

std::vector<float> floats(const Matrix& numbers) {
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rounded =
      numbers.cast<float>();
  return {rounded.data(), rounded.data() + rounded.size()};
}

}  // namespace

qubo::Problem encode(const LeastSquares& s, const qubo::Alphabet& alphabet) {
  qubo::Problem p;
  p.m = s.m;
  p.n = s.n;
  p.d = s.d;
  // Levels from 0 to 1 keep the values; other alphabets scale them by their step.
  const bool unit = alphabet.lowest == 0.0 && alphabet.highest == 1.0;
  const int steps = unit ? alphabet.levels - 1 : 1;
  const Matrix given = view(s.v, s.m, s.d);
  const Matrix v = alphabet.step() * steps * given;
  Matrix target = view(s.q, s.n, s.d);
  target.rowwise() -= alphabet.lowest * given.colwise().sum();
  p.j = couplings(v, 2.0 * s.penalty);
  p.v = floats(v);
  p.h = floats((-2.0 * target * v.transpose()).array() + s.lambda -
               2.0 * s.penalty * s.sum);
  p.residual = floats(-target);
  if (alphabet.levels > 2) {
    p.coefficients = Coefficients::Levels;
    p.levels = alphabet.levels;
    p.steps.assign(at(s.n), static_cast<float>(steps));
  }
  return p;
}

}  // namespace oa::encode
