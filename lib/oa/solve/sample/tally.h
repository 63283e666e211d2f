#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Counts over the states that a chain visits, in batches of consecutive ones.
class Tally {
 public:
  /// `total` states of n variables.
  Tally(int n, std::int64_t total);

  void add(std::span<const std::uint8_t> x, double energy);

  [[nodiscard]] std::int64_t states() const { return states_; }
  /// How many of the states have each variable at 1.
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

/// The number of independent states that would estimate the mean energy, or the mean of
/// the worst variable, as well: the variance of a state over that of the mean, which
/// the batches show.  At most the number of states.
[[nodiscard]] double effective_size(std::span<const Tally> tallies);

}  // namespace oa::solve
