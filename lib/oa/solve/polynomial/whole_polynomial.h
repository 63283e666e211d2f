#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/solve/arithmetic/whole.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

/// A polynomial of binary or spin variables to minimise, in multiples of 2^unit,
/// so that sums and comparisons are exact.
/// Monomials are distinct and sorted, with nonzero weights.
struct WholePolynomial {
  int n = 0;
  bool spin = false;
  int unit = 0;
  int digits = 0;      ///< the sum of all magnitudes is below 2^digits units
  double error = 0.0;  ///< of values; 0 unless weights span too many digits
  Whole constant = 0;
  std::vector<Whole> weights;             ///< one a monomial
  std::vector<std::size_t> begins = {0};  ///< first variable of each monomial
  std::vector<std::int32_t> variables;    ///< increasing in each monomial

  [[nodiscard]] std::size_t size() const { return weights.size(); }
  [[nodiscard]] std::span<const std::int32_t> monomial(std::size_t m) const {
    return std::span(variables).subspan(begins[m], begins[m + 1] - begins[m]);
  }

  /// Appends a monomial that comes after all others in order.
  void append(std::span<const std::int32_t> monomial, Whole weight);

  /// The value at x, in multiples of 2^unit.  O(size of all monomials).
  [[nodiscard]] Whole value(std::span<const std::uint8_t> x) const;
  [[nodiscard]] TwoDoubles energy(std::span<const std::uint8_t> x) const {
    return in_doubles(value(x), unit);
  }
};

/// Sums equal monomials, which may come in any order.
class MonomialSums {
 public:
  explicit MonomialSums(std::size_t count) { keys_.reserve(count); }

  /// Adds a monomial of sorted variables.
  void add(std::span<const std::int32_t> monomial, Whole weight);

  /// Moves the sums to a polynomial without monomials, and chooses its unit.
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

/// Converts p without its constraints; negates p if it is maximised.
[[nodiscard]] WholePolynomial in_whole_numbers(const qubo::Polynomial& p);

/// Converts back to doubles, to be minimised.
[[nodiscard]] qubo::Polynomial in_doubles(const WholePolynomial& p);

/// Converts from spins to binary variables, s = 2 x - 1, or back.
/// Empty if the result is too large, or if p is even.
[[nodiscard]] std::optional<WholePolynomial> in_other_form(const WholePolynomial& p);

/// Returns the form, spin or binary, with fewer numbers.
[[nodiscard]] WholePolynomial in_shorter_form(WholePolynomial p);

/// Returns a lower bound: each monomial at its minimum.
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
