#include "oa/solve/portfolio/squares.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/solve/method/incumbent.h"
#include "oa/solve/program/chains.h"
#include "oa/solve/program/exchange.h"
#include "oa/solve/program/product_search.h"
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
constexpr double kProductsShare = 0.5;           // share of the remaining time
constexpr std::int64_t kMinWidth = 256;
constexpr std::int64_t kMaxWidth = 1 << 17;
constexpr double kMaxCost = 0x1p100;  // largest cost of a violation, in units

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

  /// A bound by dynamic programming over states, or by products;
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
    if (width < kMinWidth && objective.size() > ProductBound::kMaxVariables) {
      return {};
    }
    const auto whole = in_whole_numbers(program_.program());
    if (!whole) {
      return {};
    }
    Optimum found;
    if (width >= kMinWidth && StateTables::suit(*whole)) {
      found = prove_by_states(*whole, width, stop);
    }
    if (!found.proved && ProductBound::suits(*whole)) {
      const Optimum products = prove_by_products(*whole, stop);
      found = {std::max(found.bound, products.bound), products.proved};
    }
    return found;
  }

  /// True if it is proved that every x that violates a square is worse than the best x,
  /// which must be feasible.  A violation of a to b - 1 costs at least a^2 penalties,
  /// and allows what limits wider by b - 1 allow.
  bool violations_are_worse(const Squares& squares, double least, const Stop& stop) {
    const auto priced = [&](const Square& s) {
      return std::ranges::any_of(
          s.slack, [&](std::int32_t i) { return squares.rest.linear[at(i)] != 0.0; });
    };
    if (std::ranges::any_of(squares.squares, priced)) {
      return false;
    }
    std::vector<std::int64_t> most;  // violations, of x no worse than the best
    for (const Square& s : squares.squares) {
      most.push_back(1 + static_cast<std::int64_t>(
                             std::sqrt((best().value().value - least) / s.penalty)));
    }
    for (std::size_t k = 0; k < most.size(); ++k) {
      std::int64_t end = 0;
      for (std::int64_t begin = 1; begin <= most[k]; begin = end) {
        end = std::min(2 * begin, most[k] + 1);
        const double penalty = squares.squares[k].penalty;
        while (!violation_is_worse(most, k, begin, end, penalty, stop)) {
          if (stop() || end == begin + 1) {
            return false;
          }
          end = begin + 1;
        }
      }
    }
    return true;
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
  Optimum prove_by_states(const WholeProgram& whole,
                          std::int64_t width,
                          const Stop& stop) {
    const std::optional<Whole> known = known_value(whole);
    const StatesFound found =
        search_states(StateTables(whole, known),
                      known,
                      static_cast<std::size_t>(std::min(width, kMaxWidth)),
                      stop);
    if (!found.x.empty()) {
      (void)offer(found.x);
    }
    if (!found.bound) {
      return {std::numeric_limits<double>::infinity(), true};  // no x is feasible
    }
    return {in_doubles(*found.bound + whole.constant, whole.unit), found.proved};
  }

  Optimum prove_by_products(const WholeProgram& whole, const Stop& stop) {
    std::optional<Whole> best = known_value(whole);
    if (!best) {
      return {};
    }
    ProductSearch products(whole, *best, [&](std::span<const std::uint8_t> x) {
      best = value_of(whole, x);
      (void)offer(x);
      return best_.reached();
    });
    const bool proved = products.run(work(stop), stop.share(kProductsShare));
    const std::optional<Whole> bound = proved ? best : products.first_bound();
    return bound ? Optimum{in_doubles(*bound + whole.constant, whole.unit), proved}
                 : Optimum{};
  }

  /// True if it is proved that every x that violates square k by `begin` to `end` - 1,
  /// and others by at most `most`, is worse than the best x.
  bool violation_is_worse(std::span<const std::int64_t> most,
                          std::size_t k,
                          std::int64_t begin,
                          std::int64_t end,
                          double penalty,
                          const Stop& stop) {
    qubo::Program wide = program_.program();
    for (std::size_t j = 0; j < wide.rows.size(); ++j) {
      qubo::ProgramRow& row = wide.rows[j];
      const std::int64_t by = j == k ? end - 1 : most[j];
      row.low = std::max(row.low - by, row.least);
      row.high = std::min(row.high + by, row.most);
    }
    const auto whole = in_whole_numbers(wide);
    if (!whole || !ProductBound::suits(*whole)) {
      return false;
    }
    const std::optional<Whole> best = known_value(*whole);
    const double cost = std::ldexp(penalty, -whole->unit) * static_cast<double>(begin) *
                        static_cast<double>(begin);
    if (!best || !(cost < kMaxCost)) {
      return false;
    }
    // The values of x as good as the best are at most best - cost.
    const Whole beyond = *best - static_cast<Whole>(cost * (1.0 - 1e-12));
    ProductSearch products(*whole,
                           beyond + whole->step,
                           [](std::span<const std::uint8_t>) { return true; });
    return products.run(work(stop), stop.share(kProductsShare));
  }

  [[nodiscard]] static std::int64_t work(const Stop& stop) {
    return stop.limited() ? std::numeric_limits<std::int64_t>::max() : kSomeProductWork;
  }

  /// The value of the best x in units; empty unless it is feasible.
  [[nodiscard]] std::optional<Whole> known_value(const WholeProgram& whole) const {
    const std::vector<std::uint8_t> x = program_.shortened(best().x);
    return feasible(program_.rows(), x) ? std::optional(value_of(whole, x))
                                        : std::nullopt;
  }

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
  double violating = least_violating(squares);
  const double all = least(squares.rest).rounded_down();
  const bool holds = under.proved && search.best().value() == search.lowest_holding();
  if (holds && TwoDoubles(violating) <= search.best().value() &&
      search.violations_are_worse(squares, all, stop)) {
    violating = std::numeric_limits<double>::infinity();
  }
  const auto proves = [&](const Solution& s) {
    return (under.proved || s.value() <= under.bound) &&
           s.value() <= TwoDoubles(violating);
  };
  Result result;
  result.best = {proves(search.best()) ? search.best() : search.run(stop)};
  const Solution& best = result.best.front();
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
