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

/// The domain of variables.  Vectors x always store 0s and 1s; 1 means the spin +1.
enum class Vartype : std::uint8_t {
  Binary,  ///< 0 or 1
  Spin,    ///< -1 or +1
};

/// Marks a free variable in a vector of 0s and 1s.
inline constexpr std::uint8_t kFree = 2;

/// Whether a function is minimised or maximised.
enum class Sense : std::uint8_t { Min, Max };

/// A quadratic function of binary or spin variables, to be minimised or maximised:
///   f(x) = offset + sum_i linear_i x_i + sum over pairs of weight_ij x_i x_j
///          + rests().
/// Each pair is in the rows of both of its variables.  Rows are sorted, without zeros.
///
/// Copies share the couplings, as do -f and f with the other vartype.
///
/// Numbers are exact sums of the added terms.
/// If a sum is not a double, the member holds the nearest double,
/// and rests() holds the remainder, smaller by 2^53.  Usually rests() is empty.
class Quadratic {
 public:
  Vartype vartype = Vartype::Binary;
  Sense sense = Sense::Min;
  double offset = 0.0;
  std::vector<double> linear;
  /// Names of the variables in a file, as JSON; empty if they are numbers from 0.
  std::vector<std::string> names;

  Quadratic() = default;
  /// Creates the zero function of `n` variables.
  explicit Quadratic(int n)
      : linear(static_cast<std::size_t>(n)),
        pairs_(std::make_shared<Pairs>(n)) {}
  /// Creates x'Qx from a finite square matrix, row by row.
  Quadratic(int n, Vartype type, Numbers q);

  [[nodiscard]] int size() const { return static_cast<int>(linear.size()); }
  [[nodiscard]] std::int64_t pairs() const { return pairs_->count(); }

  [[nodiscard]] Row row(int i) const { return pairs_->row(i, factor_); }

  /// True weights are factor() times the stored weights.
  [[nodiscard]] const Pairs& couplings() const { return *pairs_; }
  [[nodiscard]] double factor() const { return factor_; }

  /// Adds `terms`.  O(n + pairs + terms).  After a stop request there are no couplings.
  void add(std::span<const Term> terms, const std::stop_token& stop = {});

  /// Adds terms with first == second, which are linear also for spins.  O(terms).
  void add_linear(std::span<const Term> terms);

  void add_constant(double weight);
  void add_constant(ExactSum sum);

  /// Halves the weights of all pairs exactly; halves must be doubles.
  /// Stored integers stay integers.
  void halve_pairs();

  /// Remainders of sums: linear if first == second, constant if first == kConstant.
  [[nodiscard]] std::span<const Term> rests() const { return rests_; }

  /// Lists every pair once, first < second, in order.
  [[nodiscard]] std::vector<Term> terms() const;

 private:
  friend struct Converted converted(const Quadratic& f, Vartype vartype);
  friend Quadratic negated(Quadratic f);

  std::shared_ptr<const Pairs> pairs_ = std::make_shared<Pairs>(0);
  double factor_ = 1.0;  // a power of two, or minus it
  std::vector<Term> rests_;
};

/// Marks a remainder of the constant in rests().
inline constexpr std::int32_t kConstant = -1;

/// Returns the exact f(x).  `x` holds 0s and 1s.  O(n + pairs).
[[nodiscard]] ExactSum exact_energy(const Quadratic& f,
                                    std::span<const std::uint8_t> x);

/// Returns exact_energy(), rounded once.
[[nodiscard]] double energy(const Quadratic& f, std::span<const std::uint8_t> x);

/// A function rewritten for the other vartype, s = 2x - 1.
struct Converted {
  Quadratic f;
  bool exact = true;  ///< false if half of a weight underflows
};
[[nodiscard]] Converted converted(const Quadratic& f, Vartype vartype);

/// Returns -f with the opposite sense.
[[nodiscard]] Quadratic negated(Quadratic f);

/// Returns the couplings as a dense matrix.  O(n^2).
[[nodiscard]] Matrix dense_matrix(const Quadratic& f);

/// True if energy a is better than energy b.
[[nodiscard]] inline bool better(Sense sense, double a, double b) {
  return sense == Sense::Min ? a < b : a > b;
}

}  // namespace oa::qubo
