#include "oa/solve/lattice/triangle.h"

#include "oa/base/index.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kPrecision = std::numeric_limits<double>::epsilon();
constexpr double kNoPivot = 1e-12;  // of the largest; smaller pivots are rounding
constexpr double kMinRidge = 1e-9;  // of the largest diagonal element, for the order
constexpr int kPasses = 200;        // of coordinate descent; usually fewer are needed
// The constants below are shares of the width of the levels.
constexpr double kNear = 1e-4;    // step length that ends coordinate descent
constexpr double kInside = 1e-6;  // from the ends of the levels

/// Returns the mean square of the levels of a number.
double variance_of(const std::vector<Level>& levels) {
  double sum = 0.0;
  for (const Level& level : levels) {
    sum += level.value * level.value;
  }
  return std::max(sum / static_cast<double>(levels.size()),
                  std::numeric_limits<double>::min());
}

/// Returns the smallest distance between levels.
double distance_of(const std::vector<Level>& levels) {
  const double width = levels.back().value - levels.front().value;
  double least = width;
  for (std::size_t k = 1; k < levels.size(); ++k) {
    const double step = levels[k].value - levels[k - 1].value;
    if (step > 1e-9 * width) {
      least = std::min(least, step);
    }
  }
  return least;
}

/// Returns the V-BLAST order; the numbers `first` are decided before all others.
std::vector<int> order_of(const LeastSquares& squares,
                          const MatrixXd& gram,
                          const std::vector<int>& first) {
  const int m = squares.size();
  MatrixXd inverse =
      Eigen::LLT<MatrixXd>(gram + kMinRidge * gram.diagonal().maxCoeff() *
                                      MatrixXd::Identity(m, m))
          .solve(MatrixXd::Identity(m, m));
  std::vector<double> distances;
  for (const auto& levels : squares.levels) {
    distances.push_back(distance_of(levels));
  }
  std::vector<int> order(at(m), -1);
  std::vector<bool> decided(at(m));
  for (int place = m - 1; place >= 0; --place) {
    int next = -1;
    double most = -1.0;
    const int before = m - 1 - place;
    for (int j = 0; j < m; ++j) {
      if (decided[at(j)] || (before < std::ssize(first) && j != first[at(before)])) {
        continue;
      }
      const double variance = std::max(inverse(j, j), 1e-300);
      const double certain = distances[at(j)] * distances[at(j)] / variance;
      if (next < 0 || certain > most) {
        next = j;
        most = certain;
      }
    }
    order[at(place)] = next;
    decided[at(next)] = true;
    const VectorXd column = inverse.col(next);
    if (column(next) > 0.0) {
      inverse.noalias() -= column * (column / column(next)).transpose();
    }
  }
  return order;
}

/// Returns the upper triangular R with R'R = a, as far as a is semidefinite.
RowMatrix factor_of(RowMatrix a) {
  const auto m = a.rows();
  const double least = kNoPivot * a.diagonal().maxCoeff();
  RowMatrix r = RowMatrix::Zero(m, m);
  for (Eigen::Index k = 0; k < m; ++k) {
    if (!(a(k, k) > least)) {
      continue;
    }
    r.row(k).tail(m - k) = a.row(k).tail(m - k) / std::sqrt(a(k, k));
    for (Eigen::Index i = k + 1; i < m; ++i) {
      a.row(i).tail(m - i) -= r(k, i) * r.row(k).tail(m - i);
    }
  }
  return r;
}

/// The approximate minimum of z'Gz + g'z between lowest and highest levels,
/// by coordinate descent, and the gradient at the minimum.
struct Centre {
  VectorXd z;
  VectorXd gradient;
};

Centre centre_of(const LeastSquares& squares, const MatrixXd& gram) {
  const int m = squares.size();
  VectorXd z = VectorXd::Zero(m);
  VectorXd gradient = Eigen::Map<const VectorXd>(squares.linear.data(), m);
  for (int pass = 0; pass < kPasses; ++pass) {
    double most = 0.0;
    for (int j = 0; j < m; ++j) {
      const double low = squares.levels[at(j)].front().value;
      const double high = squares.levels[at(j)].back().value;
      const double own = 2.0 * gram(j, j);
      const double to = own > 0.0         ? z(j) - gradient(j) / own
                        : gradient(j) > 0 ? low
                                          : high;
      const double step = std::clamp(to, low, high) - z(j);
      if (step != 0.0) {
        z(j) += step;
        gradient += (2.0 * step) * gram.col(j);
        most = std::max(most, std::abs(step) / (high - low));
      }
    }
    if (most < kNear) {
      break;
    }
  }
  return {std::move(z), std::move(gradient)};
}

/// Lists numbers whose centre is at the end of their levels, steepest gradient first.
std::vector<int> steepest(const LeastSquares& squares, const Centre& centre) {
  std::vector<int> ends;
  std::vector<double> steep;
  for (int j = 0; j < squares.size(); ++j) {
    const std::vector<Level>& levels = squares.levels[at(j)];
    const double z = centre.z(j);
    const double near = kInside * (levels.back().value - levels.front().value);
    if (z < levels.front().value + near || z > levels.back().value - near) {
      ends.push_back(j);
    }
    steep.push_back(std::abs(centre.gradient(j)) * distance_of(levels));
  }
  std::ranges::stable_sort(ends,
                           [&](int a, int b) { return steep[at(a)] > steep[at(b)]; });
  return ends;
}

/// Factorises `gram`; the triangle keeps `plain`.
/// The target is R times the centre or, without a centre, the target of least squares.
Triangle factorised(const LeastSquares& squares,
                    const MatrixXd& plain,
                    const MatrixXd& gram,
                    const Centre* centre) {
  const int m = squares.size();
  Triangle t;
  t.order =
      order_of(squares,
               gram,
               centre == nullptr ? std::vector<int>{} : steepest(squares, *centre));
  RowMatrix ordered(m, m);
  RowMatrix wanted(m, m);
  VectorXd linear(m);
  VectorXd largest(m);
  for (int a = 0; a < m; ++a) {
    const int j = t.order[at(a)];
    for (int b = 0; b < m; ++b) {
      ordered(a, b) = gram(j, t.order[at(b)]);
      wanted(a, b) = plain(j, t.order[at(b)]);
    }
    linear(a) = squares.linear[at(j)];
    std::vector<double>& values = t.values.emplace_back();
    for (const Level& level : squares.levels[at(j)]) {
      values.push_back(level.value);
    }
    largest(a) = std::max(-values.front(), values.back());
  }
  const RowMatrix r = factor_of(ordered);
  VectorXd target = VectorXd::Zero(m);
  if (centre != nullptr) {
    target = r * centre->z(t.order);
  }
  for (int k = 0; centre == nullptr && k < m; ++k) {
    if (r(k, k) > 0.0) {
      target(k) = (-0.5 * linear(k) - r.col(k).head(k).dot(target.head(k))) / r(k, k);
    }
  }
  const RowMatrix left = wanted - r.transpose() * r;
  const VectorXd slope = linear + 2.0 * (r.transpose() * target);
  t.r.assign(r.data(), r.data() + r.size());
  t.target.assign(target.data(), target.data() + m);
  t.curve.resize(at(m));
  t.slope.assign(slope.data(), slope.data() + m);
  t.constant = squares.constant - target.squaredNorm();

  // Bounds the rounding errors off the diagonal.  Sums have at most m + 2 terms,
  // whose magnitudes add up to at most `reach` or its square.
  double error = squares.error;
  for (int a = 0; a < m; ++a) {
    t.curve[at(a)] = left(a, a);
    for (int b = 0; b < m; ++b) {
      error += a != b ? std::abs(left(a, b)) * largest(a) * largest(b) : 0.0;
    }
  }
  const VectorXd reach = r.cwiseAbs() * largest + target.cwiseAbs();
  const double magnitude = reach.squaredNorm() + std::abs(squares.constant) +
                           largest.dot(wanted.cwiseAbs() * largest) +
                           linear.cwiseAbs().dot(largest);
  t.error = error + 16.0 * kPrecision * (m + 8) * magnitude;
  return t;
}

}  // namespace

double power_of(const LeastSquares& squares) {
  const int m = squares.size();
  double sum = 0.0;
  for (int j = 0; j < m; ++j) {
    sum += squares.gram[at(j) * at(m + 1)] * variance_of(squares.levels[at(j)]);
  }
  return sum / m;
}

Triangle triangle_of(const LeastSquares& squares, double ridge) {
  const int m = squares.size();
  const MatrixXd plain = Eigen::Map<const MatrixXd>(squares.gram.data(), m, m);
  MatrixXd gram = plain;
  for (int j = 0; j < m; ++j) {
    gram(j, j) += ridge / variance_of(squares.levels[at(j)]);
  }
  return factorised(squares, plain, gram, nullptr);
}

Triangle centred_triangle_of(const LeastSquares& squares) {
  const int m = squares.size();
  const MatrixXd gram = Eigen::Map<const MatrixXd>(squares.gram.data(), m, m);
  const Centre centre = centre_of(squares, gram);
  return factorised(squares, gram, gram, &centre);
}

}  // namespace oa::solve
