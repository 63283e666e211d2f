#include "oa/score/gaps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

namespace oa::score {
namespace {

/// Relative tolerance when comparing energies of other programs.
constexpr double kSame = 1e-9;

/// The optimum of problem `i`, if a solver proved it.
std::optional<double> optimum_of(std::span<const SolvedImage* const> solvers,
                                 std::size_t i) {
  std::optional<double> optimum;
  for (const SolvedImage* solver : solvers) {
    if (solver->status[i] == qubo::Status::ProvedOptimal) {
      optimum = solver->energy[i];
    }
  }
  return optimum;
}

}  // namespace

SolvedImage solved_image(const qubo::SolvedProblem& s) {
  return {qubo::fingerprint(s.problem),
          s.energy,
          s.status,
          std::accumulate(s.seconds.begin(), s.seconds.end(), 0.0)};
}

void GapCount::add_image(std::span<const SolvedImage* const> solvers) {
  for (std::size_t r = 0; r < solvers.size(); ++r) {
    gaps_[r].seconds += solvers[r]->seconds;
  }
  for (std::size_t i = 0; i < solvers.front()->energy.size(); ++i) {
    const std::optional<double> optimum = optimum_of(solvers, i);
    if (!optimum) {
      ++unproved_;
      continue;
    }
    const double scale = *optimum == 0.0 ? 1.0 : std::abs(*optimum);
    for (std::size_t r = 0; r < solvers.size(); ++r) {
      const double gap = (solvers[r]->energy[i] - *optimum) / scale;
      if (gap <= kSame) {
        ++gaps_[r].optimal;
      } else {
        gaps_[r].above.push_back(gap);
      }
    }
  }
}

std::vector<Gaps> GapCount::take_gaps() {
  for (Gaps& gaps : gaps_) {
    std::ranges::sort(gaps.above);
  }
  return std::exchange(gaps_, {});
}

}  // namespace oa::score
