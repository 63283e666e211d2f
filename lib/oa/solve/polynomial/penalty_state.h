#pragma once

#include "oa/solve/polynomial/penalties.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// Penalties with values for some variables.  A term with one open literal adds its
/// cost to the cost of the literal; a term that cannot cost anything is removed.
class PenaltyState {
 public:
  static constexpr std::uint8_t kOpen = 2;

  struct Use {
    std::int32_t term;
    Literal literal;
  };

  /// `penalties` must outlive this.
  explicit PenaltyState(const Penalties& penalties);

  /// Sets a literal true.  O(terms of its variable, times their lengths).
  void assign(Literal literal);
  /// Undoes the last assignments, and keeps the first `count`.
  void undo(std::size_t count);

  [[nodiscard]] const Penalties& penalties() const { return *all_; }
  [[nodiscard]] std::size_t assigned() const { return trail_.size(); }
  [[nodiscard]] std::uint8_t value(int variable) const {
    return value_[static_cast<std::size_t>(variable)];
  }
  [[nodiscard]] bool free(int variable) const { return value(variable) == kOpen; }
  /// The cost that is certain, including the constant.
  [[nodiscard]] Whole paid() const { return paid_; }
  /// The cost of making `literal` true, whose variable is free.
  [[nodiscard]] Whole cost(Literal literal) const {
    return unary_[static_cast<std::size_t>(literal)];
  }
  /// True if at least two literals are open and the cost of the term is undecided.
  [[nodiscard]] bool open(std::size_t term) const {
    return ended_[term] == 0 && left_[term] >= 2;
  }
  [[nodiscard]] int left(std::size_t term) const { return left_[term]; }
  /// True if an odd number of the literals with values in the term is true.
  [[nodiscard]] bool odd(std::size_t term) const { return odd_[term] != 0; }
  [[nodiscard]] std::span<const Use> uses(int variable) const {
    const auto i = static_cast<std::size_t>(variable);
    return std::span(uses_).subspan(use_begins_[i],
                                    use_begins_[i + 1] - use_begins_[i]);
  }

 private:
  void undo_last();
  [[nodiscard]] Whole& last_cost(std::size_t term);

  const Penalties* all_;
  std::vector<std::size_t> use_begins_;  // first use of each variable
  std::vector<Use> uses_;
  std::vector<std::uint8_t> value_;
  std::vector<Whole> unary_;
  std::vector<std::int32_t> left_;  // open literals of each term
  std::vector<std::uint8_t> odd_;
  std::vector<std::uint8_t> ended_;  // a false literal decided the term
  std::vector<std::uint32_t> end_;   // position of that literal in the trail
  std::vector<Literal> trail_;
  Whole paid_;
};

}  // namespace oa::solve
