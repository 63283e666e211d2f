#include "oa/solve/arithmetic/cholesky.h"

#include "oa/base/index.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <vector>

// Eigen's own factorisations cannot be stopped.

namespace oa::solve {
namespace {

using Eigen::MatrixXd;

/// The number of columns eliminated at a time.  A larger block loads the rest of the
/// matrix less often; a smaller block asks Stop more often.
constexpr Eigen::Index kBlock = 48;

/// The elimination tree: the parent of a column is the row of the first entry below the
/// diagonal in the factor (Liu 1990).
std::vector<int> elimination_tree(const SparseColumns& a, int n) {
  std::vector<int> parent(at(n), -1);
  std::vector<int> root(at(n), -1);  // where the climb from each column ended
  for (int k = 0; k < n; ++k) {
    for (int e = a.begin[at(k)]; e < a.begin[at(k) + 1]; ++e) {
      for (int i = a.row[at(e)]; i >= 0 && i < k;) {
        const int next = root[at(i)];
        root[at(i)] = k;
        if (next < 0) {
          parent[at(i)] = k;
        }
        i = next;
      }
    }
  }
  return parent;
}

/// A sparse Cholesky factor, computed row by row.
/// Row k solves L x = column k of the matrix.
/// The entries of row k lie on the tree paths from the entries of column k to k.
class SparseFactor {
 public:
  explicit SparseFactor(const SparseColumns& a)
      : a_(a),
        n_(static_cast<int>(a.begin.size()) - 1),
        parent_(elimination_tree(a, n_)),
        seen_(at(n_), -1),
        x_(at(n_)),
        diagonal_(at(n_)),
        columns_(at(n_)) {}

  bool make(const Stop& stop) {
    Pace pace(stop);
    for (int k = 0; k < n_; ++k) {
      if (!row(k, pace)) {
        return false;
      }
    }
    return true;
  }

 private:
  struct Entry {
    int row;
    double value;
  };

  bool row(int k, Pace& pace) {
    double rest = gather(k);
    for (auto i = order_.rbegin(); i != order_.rend(); ++i) {
      std::vector<Entry>& column = columns_[at(*i)];
      if (pace(std::ssize(column))) {
        return false;
      }
      const double value = x_[at(*i)] / diagonal_[at(*i)];
      x_[at(*i)] = 0.0;
      for (const Entry& e : column) {
        x_[at(e.row)] -= e.value * value;
      }
      rest -= value * value;
      column.push_back({k, value});
    }
    diagonal_[at(k)] = std::sqrt(rest);
    return rest > 0.0;
  }

  // Puts column k into x_, and the entries of row k into order_, parents first.
  // Returns the diagonal element.
  double gather(int k) {
    double own = 0.0;
    order_.clear();
    seen_[at(k)] = k;
    for (int e = a_.begin[at(k)]; e < a_.begin[at(k) + 1]; ++e) {
      const int from = a_.row[at(e)];
      if (from == k) {
        own = a_.value[at(e)];
      } else if (from < k) {
        x_[at(from)] = a_.value[at(e)];
        path_.clear();
        for (int i = from; seen_[at(i)] != k; i = parent_[at(i)]) {
          seen_[at(i)] = k;
          path_.push_back(i);
        }
        order_.insert(order_.end(), path_.rbegin(), path_.rend());
      }
    }
    return own;
  }

  const SparseColumns& a_;
  int n_;
  std::vector<int> parent_;
  std::vector<int> seen_;  // the row that last met each column
  std::vector<double> x_;
  std::vector<double> diagonal_;
  std::vector<std::vector<Entry>> columns_;  // below the diagonal
  std::vector<int> order_;
  std::vector<int> path_;
};

}  // namespace

bool cholesky(std::span<double> a, int n, const Stop& stop) {
  Eigen::Map<MatrixXd> m(a.data(), n, n);
  for (Eigen::Index k = 0; k < n; k += kBlock) {
    const Eigen::Index width = std::min(kBlock, n - k);
    const Eigen::Index rest = n - k - width;
    const MatrixXd corner = m.block(k, k, width, width);
    const Eigen::LLT<MatrixXd> factor(corner);
    if (factor.info() != Eigen::Success) {
      return false;
    }
    MatrixXd l = factor.matrixL();
    m.block(k, k, width, width).triangularView<Eigen::Lower>() = l;
    auto below = m.block(k + width, k, rest, width);
    l.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(below);
    // Subtracts the products of the eliminated columns from later columns, in pieces.
    const Eigen::Index piece = std::max<Eigen::Index>(kBlock, (1 << 21) / (rest + 1));
    for (Eigen::Index c = 0; c < rest; c += piece) {
      if (stop()) {
        return false;
      }
      const Eigen::Index some = std::min(piece, rest - c);
      m.block(k + width + c, k + width + c, rest - c, some).noalias() -=
          below.bottomRows(rest - c) * below.middleRows(c, some).transpose();
    }
  }
  return true;
}

bool has_cholesky(const SparseColumns& a, const Stop& stop) {
  return SparseFactor(a).make(stop);
}

}  // namespace oa::solve
