#pragma once

#include "oa/base/coefficients.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oa::qubo {

/// The attention head that poses a problem.
struct Place {
  int layer = 0;
  int head = 0;
  int heads = 1;  ///< heads of the layer
};

/// The correct classes for each query.
struct Targets {
  int per_row = 0;
  std::vector<std::int32_t> numbers;  ///< (n,per_row); -1: none
};

/// The problem of one head for one example: n queries that share the couplings J.
/// Query i asks for
///   min over x of  E_i(x) = 1/2 x'Jx + h_i'x + l1 |x|_1,
/// exactly in the given floats. x is in {0,1}^m for binary coefficients,
/// in [0,1]^m for continuous coefficients, and unbounded for the lasso;
/// only the lasso has l1 > 0.  J is bitwise symmetric and includes its diagonal.
///
/// Query i has the first size(i) variables and the leading block of J.
/// h and arrays of solutions store one row after another, each as long as its query.
///
/// Coefficients with levels are x = k / steps_i, k = 0 to levels - 1.
/// Solutions store k in spins (oa/qubo/levels.h).
struct Problem {
  std::int64_t index = 0;             ///< position of the example in its data set
  std::optional<std::int64_t> label;  ///< class of the example, if known
  int m = 0;                          ///< variables of the largest problem
  int n = 0;                          ///< queries
  int d = 0;                          ///< width of a value
  std::vector<float> j;               ///< (m,m)
  std::vector<float> h;               ///< (n,m), or rows of `sizes` numbers
  std::vector<float> v;               ///< (m,d): values as aggregated
  Coefficients coefficients = Coefficients::Binary;  ///< domain of x
  float l1 = 0.0F;
  int levels = 2;                        ///< levels of a coefficient, if it has several
  Encoding encoding = Encoding::Binary;  ///< encoding of the levels
  std::vector<float> steps;              ///< (n): levels between 0 and 1
  std::vector<float> penalty;            ///< (n,m) as h, if the encoding has penalties

  // The members below are for sequences and for models with several heads.
  std::vector<int> sizes;  ///< (n): variables of each query, 1 to m; empty: all have m
  Place place;
  std::vector<float> residual;  ///< (n,d): added to outputs, or empty
  Targets targets;

  [[nodiscard]] int size(int i) const {
    return sizes.empty() ? m : sizes[static_cast<std::size_t>(i)];
  }
  /// The offset of the row of query i; for i = n, the length of all rows.
  /// O(i) if sizes differ.
  [[nodiscard]] std::size_t begin(int i) const;
  [[nodiscard]] std::size_t variables() const { return begin(n); }

  /// The row of query i in `all`, an array with one row for each query.
  template <class T>
  [[nodiscard]] std::span<const T> row(const std::vector<T>& all, int i) const {
    return std::span(all).subspan(begin(i), static_cast<std::size_t>(size(i)));
  }
  template <class T>
  [[nodiscard]] std::span<T> row(std::vector<T>& all, int i) const {
    return std::span(all).subspan(begin(i), static_cast<std::size_t>(size(i)));
  }
  [[nodiscard]] std::span<const float> query(int i) const { return row(h, i); }

  /// The number of 0/1 variables of a coefficient: over 1 for more than two levels.
  [[nodiscard]] int spins() const;
  /// The row of query i in `all`, an array of solutions: spins() numbers a variable.
  template <class T>
  [[nodiscard]] std::span<const T> x_row(const std::vector<T>& all, int i) const {
    const auto s = static_cast<std::size_t>(spins());
    return std::span(all).subspan(begin(i) * s, static_cast<std::size_t>(size(i)) * s);
  }
  template <class T>
  [[nodiscard]] std::span<T> x_row(std::vector<T>& all, int i) const {
    const auto s = static_cast<std::size_t>(spins());
    return std::span(all).subspan(begin(i) * s, static_cast<std::size_t>(size(i)) * s);
  }
  [[nodiscard]] std::size_t x_variables() const {
    return variables() * static_cast<std::size_t>(spins());
  }

  /// True if any member is set that problems of single images lack.
  [[nodiscard]] bool of_task() const {
    return !sizes.empty() || place.layer > 0 || place.heads > 1 || !residual.empty() ||
           targets.per_row > 0;
  }
};

/// A hash of J, h and sizes, equal for two different problems with probability 2^-64.
[[nodiscard]] std::uint64_t fingerprint(const Problem& problem);

/// The quality of a solution, as stored in a stream.
enum class Status : std::uint8_t { ProvedOptimal = 0, BestFound = 1, Stopped = 2 };

/// A problem with a solution of each query:
/// coefficients, energy, proved lower bound (-inf if there is none), status and time.
struct SolvedProblem {
  Problem problem;
  /// Rows as h, with 0 or 1 for each spin; empty if coefficients are real.
  std::vector<std::uint8_t> x;
  std::vector<float> real_x;    ///< rows as h if coefficients are real, else empty
  std::vector<double> energy;   ///< (n)
  std::vector<double> bound;    ///< (n)
  std::vector<Status> status;   ///< (n)
  std::vector<double> seconds;  ///< (n)
  /// (n): nodes of the search trees, 0 without a tree;
  /// empty if unknown, as for solutions from a file.
  std::vector<std::int64_t> nodes;
  /// Methods that found the solutions: "exact", or with counts "exact 47, tabu 2".
  std::string solver;

  /// The requested number of distinct lowest solutions of each query, sorted.
  /// Query i has top_count[i] solutions; its other rows are zero.
  int top = 0;
  std::vector<std::int64_t> top_count;  ///< (n)
  std::vector<std::uint8_t> top_x;      ///< for each query `top` rows as in x
  std::vector<double> top_energy;       ///< (n,top)

  /// The k-th lowest solution of query i.
  [[nodiscard]] std::span<const std::uint8_t> top_row(int i, int k) const {
    return std::span(top_x).subspan(top_begin(i, k), x_size(i));
  }
  [[nodiscard]] std::span<std::uint8_t> top_row(int i, int k) {
    return std::span(top_x).subspan(top_begin(i, k), x_size(i));
  }

 private:
  [[nodiscard]] std::size_t x_size(int i) const {
    return static_cast<std::size_t>(problem.size(i)) *
           static_cast<std::size_t>(problem.spins());
  }
  [[nodiscard]] std::size_t top_begin(int i, int k) const {
    return problem.begin(i) * static_cast<std::size_t>(problem.spins()) *
               static_cast<std::size_t>(top) +
           x_size(i) * static_cast<std::size_t>(k);
  }
};

/// Returns 1/2 x'Jx + h'x of the leading block of a J with `stride` columns, for 0/1 x.
/// Rounded once, so that equal energies are equal doubles.  O(ones^2).
[[nodiscard]] double energy(std::span<const float> j,
                            int stride,
                            std::span<const float> h,
                            std::span<const std::uint8_t> x);

/// Returns energy() with the whole J.
[[nodiscard]] double energy(std::span<const float> j,
                            std::span<const float> h,
                            std::span<const std::uint8_t> x);

/// Returns 1/2 x'Jx + h'x + l1 |x|_1 for real x, summed in double.  O(m^2).
[[nodiscard]] double energy(std::span<const float> j,
                            int stride,
                            std::span<const float> h,
                            std::span<const float> x,
                            float l1);
[[nodiscard]] double energy(std::span<const float> j,
                            std::span<const float> h,
                            std::span<const float> x,
                            float l1 = 0.0F);

/// Returns E_i(x) of query i.  If coefficients have levels, x holds their spins,
/// and E_i includes penalties of violated encodings.
[[nodiscard]] double energy(const Problem& problem,
                            int i,
                            std::span<const std::uint8_t> x);
[[nodiscard]] double energy(const Problem& problem, int i, std::span<const float> x);

}  // namespace oa::qubo
