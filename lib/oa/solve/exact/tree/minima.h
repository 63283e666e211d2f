#pragma once

#include "oa/solve/exact/tree/elimination.h"
#include "oa/solve/method/stop.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace oa::solve {

/// Which value of a variable is better, for each value of the others of its step: a bit
/// of an entry is the value of one of them.
class Decisions {
 public:
  Decisions() = default;
  explicit Decisions(std::size_t entries)
      : ones_((entries + 63) / 64),
        ties_(ones_.size()) {}

  /// 64 entries at a time.
  void set(std::size_t word, std::uint64_t ones, std::uint64_t ties) {
    ones_[word] = ones;
    ties_[word] = ties;
  }

  /// 1 is better than 0; one is as good as the other.
  [[nodiscard]] bool one(std::size_t entry) const { return bit(ones_, entry); }
  [[nodiscard]] bool tied(std::size_t entry) const { return bit(ties_, entry); }

 private:
  static bool bit(const std::vector<std::uint64_t>& words, std::size_t entry) {
    return (words[entry / 64] >> entry % 64 & 1) != 0;
  }

  std::vector<std::uint64_t> ones_;
  std::vector<std::uint64_t> ties_;
};

/// The minima that decisions lead to.
class Minima {
 public:
  /// Both must outlive it.
  Minima(const Elimination& order, const std::vector<Decisions>& decisions);

  /// One of them: ties are 0.
  [[nodiscard]] const std::vector<std::uint8_t>& first() const { return first_; }
  /// Whether it met a tie: else it is the only one.
  [[nodiscard]] bool tied() const { return tied_; }

  /// The lexicographically smallest; nothing if there are too many, or if stopped.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> smallest(
      const Stop& stop) const;
  /// How many there are, at most 2^64 - 1; nothing as for smallest(), with more
  /// patience.
  [[nodiscard]] std::optional<std::uint64_t> count(const Stop& stop) const;

 private:
  class Reached;

  const Elimination& order_;
  const std::vector<Decisions>& decisions_;
  std::vector<std::uint8_t> first_;
  bool tied_ = false;
};

}  // namespace oa::solve
