#include "oa/solve/portfolio/squares.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/solve/method/incumbent.h"
#include "oa/solve/program/chains.h"
#include "oa/solve/program/exchange.h"
#include "oa/solve/program/states.h"
#include "oa/solve/program/ways.h"
#include "oa/solve/program/whole_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace oa::solve {
namespace {

constexpr std::int64_t kStateWork = 50'000'000;  // of a proof by states
constexpr std::int64_t kMinWidth = 256;
constexpr std::int64_t kMaxWidth = 1 << 17;

/// Searches with a fixed set of squares as constraints.
class SquareSearch {
 public:
  SquareSearch(const PartTask& task,
               const Squares& squares,
               const Rng& rng,
               const Stop& stop)
      : task_(task),
        program_(squares),
        exchange_(program_.objective(), program_.rows()),
        chains_(program_.objective(), program_.rows(), stop),
        rng_(rng),
        best_(task) {
    (void)offer(program_.shortened(best().x));
  }

  /// A bound by dynamic programming over states, if suitable;
  /// `proved` if it is the optimum under the constraints.  Offers the x found.
  struct Optimum {
    TwoDoubles bound = -std::numeric_limits<double>::infinity();
    bool proved = false;
  };
  Optimum prove(const Stop& stop) {
    const qubo::Quadratic& objective = program_.objective();
    const std::int64_t width =
        kStateWork /
        (std::max<std::int64_t>(1, objective.pairs()) * std::max(1, objective.size()));
    if (width < kMinWidth) {
      return {};
    }
    const auto whole = in_whole_numbers(program_.program());
    if (!whole || !StateTables::suit(*whole)) {
      return {};
    }
    const std::vector<std::uint8_t> x = program_.shortened(best().x);
    std::optional<Whole> known;
    if (feasible(program_.rows(), x)) {
      known = value_of(*whole, x);
    }
    const StatesFound found =
        search_states(StateTables(*whole, known),
                      known,
                      static_cast<std::size_t>(std::min(width, kMaxWidth)),
                      stop);
    if (!found.x.empty()) {
      (void)offer(found.x);
    }
    if (!found.bound) {
      return {std::numeric_limits<double>::infinity(), true};  // no x is feasible
    }
    return {in_doubles(*found.bound + whole->constant, whole->unit), found.proved};
  }

  /// The best value of a feasible x; infinite if none is known.
  [[nodiscard]] TwoDoubles lowest_holding() const { return holding_; }

  [[nodiscard]] const Solution& best() const { return best_.best(); }

  Solution run(const Stop& stop) {
    const WaySettings settings{
        .threads = task_.threads,
        .value = [&](std::span<const std::uint8_t> x) { return offer(x); },
        .enough = [&] { return best_.reached(); }};
    const std::vector<std::uint8_t> start = program_.shortened(best().x);
    Ways(exchange_, chains_, program_.rows(), settings)
        .run(start, best().value(), rng_, stop);
    return best();
  }

 private:
  /// Stores x if it is the best.  Returns its energy.
  TwoDoubles offer(std::span<const std::uint8_t> of_program) {
    std::vector<std::uint8_t> x = program_.restored(of_program);
    const TwoDoubles energy = exact_energy(task_.f, x).two();
    if (feasible(program_.rows(), of_program)) {
      const std::lock_guard lock(holding_lock_);
      holding_ = std::min(holding_, energy);
    }
    best_.offer({energy, std::move(x)});
    return energy;
  }

  const PartTask& task_;
  SquareProgram program_;
  Exchange exchange_;
  Chains chains_;
  Rng rng_;
  Incumbent best_;
  std::mutex holding_lock_;
  TwoDoubles holding_ = std::numeric_limits<double>::infinity();
};

/// Returns a lower bound of f: every term at its minimum.
ExactSum least(const qubo::Quadratic& f) {
  ExactSum sum;
  sum.add(f.offset);
  const auto add = [&](double weight) { sum.add(std::min(weight, 0.0)); };
  std::ranges::for_each(f.linear, add);
  for (const qubo::Term& t : f.terms()) {
    add(t.weight);
  }
  for (const qubo::Term& t : f.rests()) {
    t.first == qubo::kConstant ? sum.add(t.weight) : add(t.weight);
  }
  return sum;
}

/// Returns a lower bound of all x that violate some square, by at least 1.
double least_violating(const Squares& squares) {
  ExactSum sum = least(squares.rest);
  sum.add(std::ranges::min(squares.squares, {}, &Square::penalty).penalty);
  return sum.rounded_down();
}

/// Describes the effect of the penalties.  `holding` is the best value of a feasible x.
std::string verdict(const Squares& squares,
                    const Solution& best,
                    TwoDoubles holding,
                    double violating) {
  if (holding < TwoDoubles(violating)) {
    return "sufficient";
  }
  if (!(best.value() < holding) || !std::isfinite(holding.value)) {
    return "";
  }
  std::size_t worst = 0;
  std::int64_t most = 0;
  for (std::size_t k = 0; k < squares.squares.size(); ++k) {
    std::int64_t missed = -squares.squares[k].right;
    for (const auto& e : squares.squares[k].entries) {
      missed += best.x[at(e.variable)] != 0 ? e.weight : 0;
    }
    if (std::abs(missed) > most) {
      most = std::abs(missed);
      worst = k;
    }
  }
  const auto times = static_cast<double>(most) * static_cast<double>(most);
  return "too small: square " + std::to_string(worst + 1) + " by " +
         format((holding.value - best.value().value) / times);
}

}  // namespace

Result solve_squares(const PartTask& task,
                     const Squares& squares,
                     const Rng& rng,
                     const Stop& stop) {
  SquareSearch search(task, squares, rng, stop);
  const SquareSearch::Optimum under = search.prove(stop);
  const double violating = least_violating(squares);
  const auto proves = [&](const Solution& s) {
    return (under.proved || s.value() <= under.bound) &&
           s.value() <= TwoDoubles(violating);
  };
  Result result;
  result.best = {proves(search.best()) ? search.best() : search.run(stop)};
  const Solution& best = result.best.front();
  const double all = least(squares.rest).rounded_down();
  const double bound = under.bound.rest < 0.0
                           ? std::nextafter(under.bound.value, -HUGE_VAL)
                           : under.bound.value;
  result.bound = std::min(std::max(all, std::min(bound, violating)), best.energy);
  const bool proved = proves(best) || best.value() <= TwoDoubles(result.bound);
  result.status = proved && task.settings.top == 1 ? qubo::Status::ProvedOptimal
                                                   : qubo::Status::Stopped;
  if (proved) {
    result.bound = best.energy;
  }
  result.method = "squares";
  result.proof = "squares";
  if (task.recovered != nullptr) {
    task.recovered->penalties =
        verdict(squares, best, search.lowest_holding(), violating);
  }
  return result;
}

}  // namespace oa::solve
