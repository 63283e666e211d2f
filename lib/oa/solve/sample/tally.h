#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Statistics of the states that a chain visits, in batches of consecutive states.
class Tally {
 public:
  /// Expects `total` states of n variables.
  Tally(int n, std::int64_t total);

  void add(std::span<const std::uint8_t> x, double energy);

  [[nodiscard]] std::int64_t states() const { return states_; }
  /// The number of states in which each variable is 1.
  [[nodiscard]] std::vector<std::int64_t> ones() const;

 private:
  friend double effective_size(std::span<const Tally> tallies);

  struct Batch {
    std::int64_t states = 0;
    double energies = 0.0;
    double squares = 0.0;
    std::vector<std::uint32_t> ones;
  };

  std::int64_t total_;
  std::int64_t states_ = 0;
  double first_ = 0.0;  // energies are relative to it
  std::vector<Batch> batches_;
};

/// The number of independent states with the same error of the mean energy,
/// or of the mean of the worst variable: the variance of a state over that of the mean,
/// estimated from batches.  At most the number of states.
[[nodiscard]] double effective_size(std::span<const Tally> tallies);

}  // namespace oa::solve
