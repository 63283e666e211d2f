#include "oa/solve/exact/spin/bound.h"

#include "oa/base/exact_sum.h"
#include "oa/base/rng.h"
#include "oa/solve/arithmetic/cholesky.h"
#include "oa/solve/arithmetic/lanczos.h"

#include <Eigen/Dense>
#include <Eigen/OrderingMethods>
#include <Eigen/Sparse>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// With x = (1 + s) / 2 and one more spin for linear terms,
// f is a constant plus s'Ms / 2 with M_ii = 0.  If M + diag(d) is semidefinite,
// this is at least -sum(d) / 2.  A nearly optimal d comes from the low-rank relaxation
// by coordinate descent (Wang, Chang and Kolter, "The mixing method", 2017): each spin
// is a unit vector v_i, which is set to the negative direction of p = sum of M_ik v_k,
// with d_i = |p|.  A Cholesky factor then proves that M + diag(d) is semidefinite.

namespace oa::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMaxDense = 2048;
constexpr double kMaxPairs = 3.0;  // for each variable, in larger problems
constexpr int kRank = 32;
constexpr int kRounds = 150;
constexpr int kLifts = 10;
constexpr double kMaxFactors = 0.7;  // of the time
constexpr double kTurnRate = 4e9;    // operations a second, roughly
constexpr double kFactorRate = 5e9;
// Measured on G55, whose bound took 9 s.
constexpr double kSparseFactorRate = 5e8;

/// The matrix M (twice the couplings of spins), and the remainder of f.
struct SpinForm {
  Sparse m;
  ExactSum rest;  // lower bound of f - s'Ms / 2
};

SpinForm spin_form(const qubo::Quadratic& f) {
  const int n = f.size();
  SpinForm form;
  form.rest.add(f.offset);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    const double linear = f.linear[static_cast<std::size_t>(i)];
    form.rest.add(0.5 * linear);
    ExactSum own;
    own.add(0.5 * linear);
    for (const qubo::Coupling& c : f.row(i)) {
      own.add(0.25 * c.weight);
      form.rest.add(0.125 * c.weight);  // the symmetric entry adds the same
      entries.emplace_back(i, c.other, 0.25 * c.weight);
    }
    const double rounded = own.value();
    own.add(-rounded);
    form.rest.add(-2.0 * std::abs(own.value()));  // s_i s_k is 1 or -1
    entries.emplace_back(i, n, rounded);
    entries.emplace_back(n, i, rounded);
  }
  for (const qubo::Term& t : f.rests()) {
    form.rest.add(t.first == qubo::kConstant ? t.weight : std::min(0.0, t.weight));
  }
  form.m.resize(n + 1, n + 1);
  form.m.setFromTriplets(entries.begin(), entries.end());
  return form;
}

/// The approximate time of the usual number of factorisations.
double factors_seconds(const qubo::Quadratic& f) {
  const double n = f.size();
  // Random sparse graphs end in a dense block of about 0.25 times the variables.
  const double block = n <= kMaxDense ? n : 0.25 * n;
  constexpr double kFactors = 4.0;
  return kFactors * block * block * block / 3.0 /
         (n <= kMaxDense ? kFactorRate : kSparseFactorRate);
}

/// The number of entries in column i.
std::int64_t entries_of(const Sparse& m, Eigen::Index i) {
  return m.outerIndexPtr()[i + 1] - m.outerIndexPtr()[i];
}

/// Returns d for which M + diag(d) is nearly semidefinite.
VectorXd pulls(const Sparse& m, const Stop& stop) {
  const auto n = m.cols();
  MatrixXd v(kRank, n);
  Rng rng(1);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (int k = 0; k < kRank; ++k) {
      v(k, i) = rng.normal();
    }
    v.col(i).normalize();
  }
  VectorXd d = VectorXd::Zero(n);
  VectorXd pull(kRank);
  Pace pace(stop);
  for (int round = 0; round < kRounds && !pace.stopped(); ++round) {
    for (Eigen::Index i = 0; i < n && !pace(kRank * (16 + entries_of(m, i))); ++i) {
      pull.setZero();
      for (Sparse::InnerIterator entry(m, i); entry; ++entry) {
        pull.noalias() += entry.value() * v.col(entry.row());
      }
      d[i] = pull.norm();
      if (d[i] > 0.0) {
        v.col(i) = pull / -d[i];
      }
    }
  }
  return d;
}

/// True if `a` has a Cholesky factor, as computed.
bool has_factor(const Sparse& a, const Stop& stop) {
  const auto n = static_cast<int>(a.cols());
  if (n <= kMaxDense + 1) {
    MatrixXd dense(a);
    return cholesky({dense.data(), static_cast<std::size_t>(dense.size())}, n, stop);
  }
  // A column order for few entries in the factor.
  Eigen::PermutationMatrix<Eigen::Dynamic> order;
  Eigen::AMDOrdering<int>()(a, order);
  Sparse sorted(n, n);
  sorted.selfadjointView<Eigen::Upper>() =
      a.selfadjointView<Eigen::Upper>().twistedBy(order.inverse());
  sorted.makeCompressed();
  const auto entries = static_cast<std::size_t>(sorted.nonZeros());
  return has_cholesky({{sorted.outerIndexPtr(), static_cast<std::size_t>(n) + 1},
                       {sorted.innerIndexPtr(), entries},
                       {sorted.valuePtr(), entries}},
                      stop);
}

}  // namespace

double spin_bound_seconds(const qubo::Quadratic& f) {
  const double n = f.size();
  const auto pairs = static_cast<double>(f.pairs());
  if (n > kMaxDense && pairs > kMaxPairs * n) {
    return kInfinity;
  }
  return 4.0 * kRounds * kRank * (pairs + n) / kTurnRate + factors_seconds(f);
}

double spin_bound(const qubo::Quadratic& f, const Stop& stop) {
  const int n = f.size();
  const double factors = factors_seconds(f);
  if (spin_bound_seconds(f) == kInfinity || factors > kMaxFactors * stop.left_s()) {
    return -kInfinity;
  }
  SpinForm form = spin_form(f);
  // Any d gives a bound; if time is short, d has not converged.
  const VectorXd d = pulls(
      form.m,
      stop.limited() ? stop.earlier(std::max(factors, 0.5 * stop.left_s())) : stop);
  if (stop()) {
    return -kInfinity;
  }
  Sparse a = form.m;
  a += Sparse(d.asDiagonal());
  const double scale = std::max(d.maxCoeff(), 1e-300);
  const double lowest = lowest_eigenvalue(
      n + 1,
      kLanczosSteps,
      [&](std::span<const double> v, std::span<double> out) {
        Eigen::Map<VectorXd>(out.data(), n + 1) =
            a * Eigen::Map<const VectorXd>(v.data(), n + 1);
      },
      stop);
  // Without convergence, the lowest eigenvalue is overestimated.
  double lift = std::max(0.0, -1.02 * lowest) + 1e-5 * scale;
  for (int attempt = 0; attempt < kLifts && !stop(); ++attempt, lift *= 2.0) {
    const VectorXd lifted = d + VectorXd::Constant(n + 1, lift);
    a = form.m;
    a += Sparse(lifted.asDiagonal());
    if (!has_factor(a, stop)) {
      continue;
    }
    // The computed factor belongs to a matrix that differs by at most (n + 2) roundings
    // of the trace in norm (Rump, "Verification of positive definiteness", 2006).
    const double margin = 4.0 * (n + 8.0) * 0x1p-53 * lifted.sum();
    for (const double value : lifted) {
      form.rest.add(-0.5 * value);
      form.rest.add(-0.5 * margin);
    }
    return std::nextafter(form.rest.value(), -kInfinity);
  }
  return -kInfinity;
}

}  // namespace oa::solve
