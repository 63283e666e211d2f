#pragma once

#include "oa/solve/polynomial/penalties.h"

#include <cstdint>
#include <vector>

namespace oa::solve {

/// Penalties with the values of some variables.  A term whose literals all have a value
/// but one adds its cost to a literal; a term that cannot cost anything is left out.
class PenaltyState {
 public:
  static constexpr std::uint8_t kOpen = 2;

  struct Use {
    std::int32_t term;
    Literal literal;
  };

  /// `penalties` must outlive this.
  explicit PenaltyState(const Penalties& penalties);

  /// Makes the literal true.  O(terms of its variable, times their lengths).
  void assign(Literal literal);
  /// Undoes assignments until `count` are left.
  void undo(std::size_t count);

  [[nodiscard]] const Penalties& penalties() const { return *all_; }
  [[nodiscard]] std::size_t assigned() const { return trail_.size(); }
  [[nodiscard]] std::uint8_t value(int variable) const {
    return value_[static_cast<std::size_t>(variable)];
  }
  [[nodiscard]] bool free(int variable) const { return value(variable) == kOpen; }
  /// What is paid already, with the constant.
  [[nodiscard]] Whole paid() const { return paid_; }
  /// The cost of a literal of a free variable.
  [[nodiscard]] Whole cost(Literal literal) const {
    return unary_[static_cast<std::size_t>(literal)];
  }
  /// True if two or more of its literals have no value, and the cost is still open.
  [[nodiscard]] bool open(std::size_t term) const {
    return ended_[term] == 0 && left_[term] >= 2;
  }
  [[nodiscard]] int left(std::size_t term) const { return left_[term]; }
  /// Whether an odd number of the literals is true that have a value.
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
  std::vector<std::size_t> use_begins_;  // of variables
  std::vector<Use> uses_;
  std::vector<std::uint8_t> value_;
  std::vector<Whole> unary_;
  std::vector<std::int32_t> left_;  // literals without a value
  std::vector<std::uint8_t> odd_;
  std::vector<std::uint8_t> ended_;  // by a literal that is false
  std::vector<std::uint32_t> end_;   // the place in the trail of that literal
  std::vector<Literal> trail_;
  Whole paid_;
};

}  // namespace oa::solve
