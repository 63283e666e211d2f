#pragma once

#include "oa/base/exact_sum.h"
#include "oa/base/large_allocator.h"
#include "oa/qubo/numbers.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace oa::qubo {

/// weight * x_first * x_second.  If first == second,
/// weight * x_first for binary variables, and the constant `weight` for spins.
struct Term {
  std::int32_t first = 0;
  std::int32_t second = 0;
  double weight = 0.0;
};

/// An entry of a row of couplings.
struct Coupling {
  std::int32_t other = 0;
  double weight = 0.0;
};

/// A list of terms for large problems.
using Terms = std::vector<Term, LargeAllocator<Term>>;

/// Returns the double nearest to `sum`.
/// Appends the remainder to `rests` as a term of variables i and k.
[[nodiscard]] double split(ExactSum sum,
                           std::int32_t first,
                           std::int32_t second,
                           std::vector<Term>& rests);

/// A row of couplings of any stored type: its nonzero entries, sorted by variable.
class Row {
 public:
  class Iterator {
   public:
    using value_type = Coupling;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const Row* row, std::size_t k) : row_(row), k_(k) { skip(); }
    Coupling operator*() const {
      const std::size_t k = row_->first_ + k_;
      return {
          row_->others_ != nullptr ? row_->others_[k] : static_cast<std::int32_t>(k_),
          row_->factor_ * (*row_->weights_)[k]};
    }
    Iterator& operator++() {
      ++k_;
      skip();
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return k_ == other.k_; }

   private:
    void skip() {
      if (row_->others_ == nullptr) {
        while (k_ < row_->count_ &&
               (k_ == row_->self_ || (*row_->weights_)[row_->first_ + k_] == 0.0)) {
          ++k_;
        }
      }
    }

    const Row* row_ = nullptr;
    std::size_t k_ = 0;
  };

  /// The row has `count` weights from index `first`, of the variables `others`;
  /// if null, of all variables but `self`.
  Row(const Numbers& weights,
      const std::int32_t* others,
      std::size_t first,
      std::size_t count,
      std::size_t self,
      double factor)
      : weights_(&weights),
        others_(others),
        first_(first),
        count_(count),
        self_(self),
        factor_(factor) {}

  [[nodiscard]] Iterator begin() const { return {this, 0}; }
  [[nodiscard]] Iterator end() const { return {this, count_}; }
  [[nodiscard]] bool empty() const { return begin() == end(); }

  /// Calls take(other, weight) for all entries; faster than the iterators.
  template <class Take>
  void each(const Take& take) const {
    weights_->visit([&](const auto& all) {
      for (std::size_t k = 0; k < count_; ++k) {
        const auto weight = all[first_ + k];
        if (others_ != nullptr) {
          take(others_[first_ + k], factor_ * static_cast<double>(weight));
        } else if (weight != 0 && k != self_) {
          take(static_cast<std::int32_t>(k), factor_ * static_cast<double>(weight));
        }
      }
    });
  }

  /// O(1), or O(n) for a dense row.
  [[nodiscard]] std::size_t size() const;

 private:
  friend class Iterator;

  const Numbers* weights_;
  const std::int32_t* others_;
  std::size_t first_;
  std::size_t count_;
  std::size_t self_;
  double factor_;
};

/// The couplings of n variables, symmetric, in the narrowest type;
/// dense if that takes less memory than sparse.
///
/// Sparse: row i has entries begins()[i] to begins()[i + 1] - 1 of others() and
/// weights(), sorted and nonzero.  Dense: weights() is (n,n); its diagonal is unused.
class Pairs {
 public:
  explicit Pairs(int n) : n_(n), begins_(static_cast<std::size_t>(n) + 1) {}

  /// Sums terms of equal pairs in `lists`; appends remainders of sums to `rests`.
  /// O(n + terms), or O(n^2) if dense.  After a stop request there are no couplings.
  Pairs(int n,
        std::span<const std::span<const Term>> lists,
        std::vector<Term>& rests,
        const std::stop_token& stop = {});

  /// The couplings q_ik + q_ki (i < k) and the diagonal of a finite square matrix.
  /// True couplings are `factor` times the stored numbers.
  /// A borrowed matrix that is dense and symmetric is not copied.
  struct Square;
  static Square of_square(int n, Numbers q, std::vector<Term>& rests);

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] bool dense() const { return dense_; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const Numbers& weights() const { return weights_; }
  [[nodiscard]] std::span<const std::size_t> begins() const { return begins_; }
  [[nodiscard]] std::span<const std::int32_t> others() const { return others_; }

  /// The sums of negative and of positive weights in each row;
  /// empty unless weights are integers.
  struct RowSum {
    std::int64_t negative = 0;
    std::int64_t positive = 0;
  };
  [[nodiscard]] std::span<const RowSum> sums() const { return sums_; }
  [[nodiscard]] std::uint32_t bits() const { return bits_; }

  [[nodiscard]] Row row(int i, double factor) const {
    const auto at = static_cast<std::size_t>(i);
    const auto n = static_cast<std::size_t>(n_);
    return dense_ ? Row(weights_, nullptr, at * n, n, at, factor)
                  : Row(weights_,
                        others_.data(),
                        begins_[at],
                        begins_[at + 1] - begins_[at],
                        at,
                        factor);
  }

 private:
  class Builder;
  void add_up();
  void use_symmetric(Numbers q, std::int64_t count);

  int n_;
  bool dense_ = false;
  std::int64_t count_ = 0;
  Numbers weights_{Width::Int8, std::size_t{0}};
  std::vector<std::size_t> begins_;
  std::vector<std::int32_t, LargeAllocator<std::int32_t>> others_;
  std::vector<RowSum> sums_;
  std::uint32_t bits_ = 0;
};

struct Pairs::Square {
  Pairs pairs;
  std::vector<double> diagonal;
  double factor = 1.0;
};

}  // namespace oa::qubo
