#pragma once

#include "oa/solve/exact/tree/elimination.h"
#include "oa/solve/method/stop.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// The better value of a variable for each entry, a choice of the `others` of its step.
/// Bit k of an entry is the value of others[k].
class Decisions {
 public:
  Decisions() = default;
  explicit Decisions(std::size_t entries)
      : ones_((entries + 63) / 64),
        ties_(ones_.size()) {}

  /// Sets 64 entries at once.
  void set(std::size_t word, std::uint64_t ones, std::uint64_t ties) {
    ones_[word] = ones;
    ties_[word] = ties;
  }

  /// True if 1 is better than 0; tied() is true if both values are equally good.
  [[nodiscard]] bool one(std::size_t entry) const { return bit(ones_, entry); }
  [[nodiscard]] bool tied(std::size_t entry) const { return bit(ties_, entry); }

 private:
  static bool bit(const std::vector<std::uint64_t>& words, std::size_t entry) {
    return (words[entry / 64] >> entry % 64 & 1) != 0;
  }

  std::vector<std::uint64_t> ones_;
  std::vector<std::uint64_t> ties_;
};

/// The minima that follow from the decisions.
class Minima {
 public:
  /// `order` and `decisions` must outlive this.
  Minima(const Elimination& order, const std::vector<Decisions>& decisions);

  /// One minimum; tied variables are 0.
  [[nodiscard]] const std::vector<std::uint8_t>& first() const { return first_; }
  /// True if a variable was tied, so that the minimum may not be unique.
  [[nodiscard]] bool tied() const { return tied_; }

  /// The lexicographically smallest minimum;
  /// empty if there are too many minima, or if stopped.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> smallest(
      const Stop& stop) const;
  /// The number of minima, at most 2^64 - 1; empty if there are too many minima,
  /// or if stopped.  Copes with more minima than smallest().
  [[nodiscard]] std::optional<std::uint64_t> count(const Stop& stop) const;

 private:
  class Reached;

  const Elimination& order_;
  const std::vector<Decisions>& decisions_;
  std::vector<std::uint8_t> first_;
  bool tied_ = false;
};

}  // namespace oa::solve
