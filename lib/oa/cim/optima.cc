#include "oa/cim/optima.h"

#include <algorithm>
#include <limits>

namespace oa::cim {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

solve::Exact finder(const qubo::Matrix& j,
                    int top,
                    std::int64_t max_nodes = solve::Settings{}.max_nodes) {
  solve::Settings settings;
  settings.top = top;
  settings.max_nodes = max_nodes;
  return {j, settings};
}

/// The lowest solutions, as many as the finder was made for.
std::vector<solve::Solution> lowest(solve::Exact& exact, std::span<const double> h) {
  return exact.solve(h, solve::Stop({}, kNoLimit)).best;
}

bool all_equal(const std::vector<solve::Solution>& best) {
  return best.back().energy == best.front().energy;
}

}  // namespace

OptimaFinder::OptimaFinder(const qubo::Matrix& j) : j_(j), two_(finder(j, 2)) {}

Optima OptimaFinder::operator()(std::span<const double> h) {
  std::vector<solve::Solution> best = lowest(two_, h);
  for (int top = 32; std::ssize(best) >= 2 && all_equal(best); top *= 32) {
    const auto before = best.size();
    if (top > kMostOptima) {
      break;
    }
    solve::Exact more = finder(j_, top);
    best = lowest(more, h);
    if (best.size() == before) {
      break;  // there are no others
    }
  }
  Optima optima{best.front().energy, {}};
  for (solve::Solution& s : best) {
    if (s.energy == optima.energy) {
      optima.x.push_back(std::move(s.x));
    }
  }
  return optima;
}

machine::KeptOptima kept_by(const machine::Block& block, const Optima& original) {
  const machine::Reduced quantised =
      machine::reduced(machine::task_matrix_of(block), block.extra);
  // One more than the original optima: if that many tie, one of them is not original.
  const int top = original.is_optimum ? 2 : static_cast<int>(original.x.size()) + 1;
  const solve::Result found = finder(quantised.j, top, original.max_nodes)
                                  .solve(quantised.h, solve::Stop({}, kNoLimit));
  const std::vector<solve::Solution>& best = found.best;
  const double least = best.front().energy;
  const auto is_original = [&](const machine::Bits& x) {
    return original.is_optimum ? original.is_optimum(x)
                               : std::ranges::find(original.x, x) != original.x.end();
  };
  machine::KeptOptima kept;
  kept.optimum = best.front().x;
  if (found.status != qubo::Status::ProvedOptimal) {
    return kept;
  }
  kept.some = std::ranges::any_of(original.x, [&](const machine::Bits& x) {
    return qubo::energy(quantised.j, quantised.h, x) == least;
  });
  kept.first = is_original(best.front().x);
  kept.some = kept.some || kept.first;
  kept.every = std::ranges::all_of(best, [&](const solve::Solution& s) {
    return s.energy > least || is_original(s.x);
  });
  return kept;
}

}  // namespace oa::cim
