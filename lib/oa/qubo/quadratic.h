#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/pairs.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace oa::qubo {

/// The values of a variable.  Vectors of both kinds are stored as 0s and 1s; a 1 is the
/// spin +1.
enum class Vartype : std::uint8_t {
  Binary,  ///< 0 or 1
  Spin,    ///< -1 or +1
};

/// Marks a variable without a value in a vector of 0s and 1s.
inline constexpr std::uint8_t kFree = 2;

/// The goal: the least or the greatest value.
enum class Sense : std::uint8_t { Min, Max };

/// A quadratic function of binary or spin variables, to be minimised or maximised:
///   f(x) = offset + sum_i linear_i x_i + sum over pairs of weight_ij x_i x_j
///          + rests().
/// Symmetric: each pair is in the rows of both its variables.  Rows are sorted, and no
/// weight is 0.
///
/// Copies share the couplings, and so do functions that differ by a factor: -f, and f
/// with the other kind of variables.
///
/// Numbers are exact sums of the added terms: if a sum is not a double, the members
/// above hold its nearest double, and rests() the remainder, which is smaller by 2^53.
/// Most functions have no rests.
class Quadratic {
 public:
  Vartype vartype = Vartype::Binary;
  Sense sense = Sense::Min;
  double offset = 0.0;
  std::vector<double> linear;
  /// The names of the variables in a file, as JSON; empty if they are numbered from 0.
  std::vector<std::string> names;

  Quadratic() = default;
  /// A function of `n` variables without terms.
  explicit Quadratic(int n)
      : linear(static_cast<std::size_t>(n)),
        pairs_(std::make_shared<Pairs>(n)) {}
  /// x'Qx with the numbers of a square matrix, row by row; all are finite.
  Quadratic(int n, Vartype type, Numbers q);

  [[nodiscard]] int size() const { return static_cast<int>(linear.size()); }
  [[nodiscard]] std::int64_t pairs() const { return pairs_->count(); }

  [[nodiscard]] Row row(int i) const { return pairs_->row(i, factor_); }

  /// The true weights are factor() times the stored ones.
  [[nodiscard]] const Pairs& couplings() const { return *pairs_; }
  [[nodiscard]] double factor() const { return factor_; }

  /// Adds terms.  O(n + pairs + terms).  After a stop request there are no couplings.
  void add(std::span<const Term> terms, const std::stop_token& stop = {});

  /// Adds terms with first == second, which are linear for spins as well.  O(terms).
  void add_linear(std::span<const Term> terms);

  void add_constant(double weight);
  void add_constant(ExactSum sum);

  /// Halves the weights of all pairs; the halves must be doubles.  Stored integers stay
  /// integers.
  void halve_pairs();

  /// The remainders of sums: first == second is linear, kConstant constant.
  [[nodiscard]] std::span<const Term> rests() const { return rests_; }

  /// Every pair once, first < second, in order.
  [[nodiscard]] std::vector<Term> terms() const;

 private:
  friend struct Converted converted(const Quadratic& f, Vartype vartype);
  friend Quadratic negated(Quadratic f);

  std::shared_ptr<const Pairs> pairs_ = std::make_shared<Pairs>(0);
  double factor_ = 1.0;  // plus or minus a power of two
  std::vector<Term> rests_;
};

/// first and second of a rest that belongs to the constant.
inline constexpr std::int32_t kConstant = -1;

/// The exact f(x).  `x` holds 0s and 1s.  O(n + pairs).
[[nodiscard]] ExactSum exact_energy(const Quadratic& f,
                                    std::span<const std::uint8_t> x);

/// The same, rounded once.
[[nodiscard]] double energy(const Quadratic& f, std::span<const std::uint8_t> x);

/// The same function of variables of `vartype`, s = 2x - 1.
struct Converted {
  Quadratic f;
  bool exact = true;  ///< false if half of a weight is too small for a double
};
[[nodiscard]] Converted converted(const Quadratic& f, Vartype vartype);

/// -f, with the opposite sense.
[[nodiscard]] Quadratic negated(Quadratic f);

/// The couplings as a dense matrix.  O(n^2).
[[nodiscard]] Matrix dense_matrix(const Quadratic& f);

/// True if energy a is better than b.
[[nodiscard]] inline bool better(Sense sense, double a, double b) {
  return sense == Sense::Min ? a < b : a > b;
}

}  // namespace oa::qubo
