#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/solve/arithmetic/whole.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// A polynomial of binary or spin variables, to be minimised, whose weights are
/// multiples of 2^unit, so that sums and comparisons are exact.  Monomials are
/// distinct, sorted, and none has weight 0.
struct WholePolynomial {
  int n = 0;
  bool spin = false;
  int unit = 0;
  int digits = 0;      ///< the sum of all magnitudes is below 2^digits units
  double error = 0.0;  ///< of values, if weights span too many digits; else 0
  Whole constant = 0;
  std::vector<Whole> weights;             ///< of monomials
  std::vector<std::size_t> begins = {0};  ///< of the variables of each monomial
  std::vector<std::int32_t> variables;    ///< rising in each monomial

  [[nodiscard]] std::size_t size() const { return weights.size(); }
  [[nodiscard]] std::span<const std::int32_t> monomial(std::size_t m) const {
    return std::span(variables).subspan(begins[m], begins[m + 1] - begins[m]);
  }

  /// Appends a monomial that comes after all others.
  void append(std::span<const std::int32_t> monomial, Whole weight);

  /// The value at x in units.  O(size of all monomials).
  [[nodiscard]] Whole value(std::span<const std::uint8_t> x) const;
  [[nodiscard]] TwoDoubles energy(std::span<const std::uint8_t> x) const {
    return in_doubles(value(x), unit);
  }
};

/// Sums of monomials, added in any order.
class MonomialSums {
 public:
  explicit MonomialSums(std::size_t count) { keys_.reserve(count); }

  /// `monomial` is sorted.
  void add(std::span<const std::int32_t> monomial, Whole weight);

  /// Adds the sums to a polynomial without monomials, and chooses its unit.
  void append_to(WholePolynomial& p);

 private:
  struct Key {
    std::size_t begin;
    std::size_t size;
    Whole weight;
  };

  [[nodiscard]] std::span<const std::int32_t> of(const Key& key) const {
    return std::span(variables_).subspan(key.begin, key.size);
  }

  std::vector<Key> keys_;
  std::vector<std::int32_t> variables_;
};

/// `p` without its constraints, negated if it is maximised.
[[nodiscard]] WholePolynomial in_whole_numbers(const qubo::Polynomial& p);

/// The inverse of in_whole_numbers(), to be minimised.
[[nodiscard]] qubo::Polynomial in_doubles(const WholePolynomial& p);

/// The same function of binary variables for one of spins, s = 2 x - 1, and the other
/// way round; nothing if it would be too large, or if p is even.
[[nodiscard]] std::optional<WholePolynomial> in_other_form(const WholePolynomial& p);

/// The form that has fewer numbers.
[[nodiscard]] WholePolynomial in_shorter_form(WholePolynomial p);

/// A lower bound: each monomial at its minimum.
[[nodiscard]] Whole simple_bound(const WholePolynomial& p);

/// True if flipping all variables never changes the value.
[[nodiscard]] bool is_even(const WholePolynomial& p);

/// The monomials of each variable, contiguous and in order.
class MonomialIndex {
 public:
  explicit MonomialIndex(const WholePolynomial& p);

  [[nodiscard]] std::span<const std::int32_t> of(int variable) const {
    const auto i = static_cast<std::size_t>(variable);
    return std::span(monomials_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::int32_t> monomials_;
};

}  // namespace oa::solve
