#include "oa/cim/optima.h"

#include <algorithm>
#include <utility>

namespace oa::cim {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

solve::Exact finder(const qubo::Matrix& j, int top, std::int64_t max_nodes) {
  solve::Settings settings;
  settings.top = top;
  settings.max_nodes = max_nodes;
  return {j, settings};
}

struct Lowest {
  std::vector<solve::Solution> best;
  bool proved;
};

Lowest lowest(solve::Exact& exact, std::span<const double> h) {
  solve::Result result = exact.solve(h, solve::Stop({}, kNoLimit));
  return {std::move(result.best), result.status == qubo::Status::ProvedOptimal};
}

bool all_equal(const std::vector<solve::Solution>& best) {
  return best.back().energy == best.front().energy;
}

}  // namespace

std::int64_t proof_nodes(int variables) {
  constexpr int kMaxVariables = 300;
  constexpr double kWork = 4e8;  // a node reads the matrix up to twice
  return variables > kMaxVariables
             ? 0
             : std::max<std::int64_t>(
                   1000, static_cast<std::int64_t>(kWork / variables / variables));
}

OptimaFinder::OptimaFinder(const qubo::Matrix& j, std::int64_t max_nodes)
    : j_(j),
      max_nodes_(max_nodes) {
  if (max_nodes > 0) {
    two_ = finder(j, 2, max_nodes);
  }
}

Optima OptimaFinder::operator()(std::span<const double> h) {
  if (!two_) {
    return {0.0, {}, false};
  }
  Lowest found = lowest(*two_, h);
  for (int top = 32;
       found.proved && std::ssize(found.best) >= 2 && all_equal(found.best);
       top *= 32) {
    const auto before = found.best.size();
    if (top > kMaxOptima) {
      break;
    }
    solve::Exact more = finder(j_, top, max_nodes_);
    found = lowest(more, h);
    if (found.best.size() == before) {
      break;  // no further optimum
    }
  }
  Optima optima{found.best.front().energy, {}, found.proved};
  for (solve::Solution& s : found.best) {
    if (s.energy == optima.energy) {
      optima.x.push_back(std::move(s.x));
    }
  }
  return optima;
}

machine::KeptOptima kept_by(const machine::Block& block,
                            const Optima& original,
                            std::int64_t max_nodes) {
  return kept_by(machine::reduced(machine::task_matrix_of(block), block.extra),
                 original,
                 max_nodes);
}

machine::KeptOptima kept_by(const machine::Reduced& quantised,
                            const Optima& original,
                            std::int64_t max_nodes) {
  machine::KeptOptima kept;
  kept.known = false;
  if (!original.proved) {
    return kept;
  }
  // Lists one more than there are original optima, so that one is not original.
  const int top = original.is_optimum ? 2 : static_cast<int>(original.x.size()) + 1;
  solve::Exact exact = finder(quantised.j, top, max_nodes);
  const auto [best, proved] = lowest(exact, quantised.h);
  if (!proved) {
    return kept;
  }
  const double least = best.front().energy;
  const auto is_original = [&](const machine::Bits& x) {
    return original.is_optimum ? original.is_optimum(x)
                               : std::ranges::find(original.x, x) != original.x.end();
  };
  kept.known = true;
  kept.some = std::ranges::any_of(original.x, [&](const machine::Bits& x) {
    return qubo::energy(quantised.j, quantised.h, x) == least;
  });
  kept.first = is_original(best.front().x);
  kept.some = kept.some || kept.first;
  kept.every = std::ranges::all_of(best, [&](const solve::Solution& s) {
    return s.energy > least || is_original(s.x);
  });
  kept.optimum = best.front().x;
  return kept;
}

}  // namespace oa::cim
