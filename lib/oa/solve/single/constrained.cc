#include "oa/solve/single/constrained.h"

#include "oa/base/index.h"
#include "oa/qubo/program.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/program/backtrack.h"
#include "oa/solve/program/branch.h"
#include "oa/solve/program/exchange.h"
#include "oa/solve/program/product_search.h"
#include "oa/solve/program/states.h"
#include "oa/solve/program/ways.h"
#include "oa/solve/single/program_record.h"
#include "oa/solve/single/relaxed.h"
#include "oa/solve/single/solve_model.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
constexpr std::size_t kFirstWidth = 256;
constexpr std::size_t kWidthGrows = 8;
constexpr std::size_t kSmallWidth = 2048;
constexpr std::size_t kSomeWidth = std::size_t{1} << 17;
constexpr std::size_t kMaxWidth = std::size_t{1} << 20;
constexpr std::size_t kMaxBytes = std::size_t{1} << 28;  // of states in memory
constexpr std::int64_t kMaxStates = 50'000'000;          // if time is unlimited
constexpr std::size_t kSmallBytes = 512;         // of a state; fewer larger ones
constexpr std::int64_t kQuickWork = 50'000'000;  // of states, if there are products
constexpr std::int64_t kLongWork = 500'000'000;
constexpr std::int64_t kFirstBoundWork = 4'000'000;
constexpr std::int64_t kFailures = 100'000;  // of a search for a feasible x
constexpr std::int64_t kSmallFailures = 1000;
constexpr double kFirstShare = 0.1;   // of the time, for the first search
constexpr double kStatesShare = 0.3;  // of the time, if other methods follow
// Shares of the remaining time for bounds of quadratic programs.
constexpr double kFirstProductShare = 0.15;
constexpr double kFirstRelaxedShare = 0.3;
constexpr double kBoundShare = 0.8;         // for the better of both
constexpr double kLargeRelaxedShare = 0.3;  // many variables prove little
constexpr std::int64_t kFirstProductWork = 100'000'000;
constexpr std::int64_t kProductWork = 500'000'000;
constexpr std::int64_t kFirstBranching = 20'000'000;  // work of linear programs
constexpr std::int64_t kMaxBranching = 50'000'000;
constexpr double kFirstBranchingShare = 0.4;
constexpr double kBranchingShare = 0.7;
constexpr int kSquareLaps = 24;  // laps if the program has only equations
constexpr int kPriceLaps = 24;
constexpr int kMaxSemidefinite = 600;            // variables for semidefinite bounds
constexpr std::uint64_t kPenalties = 1U << 20U;  // first random stream of penalties
constexpr int kMaxUntimed = 1000;  // variables for all ways without a limit

class Constrained {
 public:
  Constrained(const qubo::Model& model,
              const ModelSettings& settings,
              const Rng& rng,
              const std::stop_token& token)
      : p_(qubo::polynomial_of(model)),
        settings_(settings),
        record_(p_, settings),
        rng_(rng),
        token_(token),
        stop_(token, 0.98 * settings.solver.time_limit_s),
        program_(qubo::program_of(p_, "constraints")),
        whole_(in_whole_numbers(program_)),
        linear_(std::ranges::all_of(program_.objective, [](const qubo::Monomial& m) {
          return m.variables.size() <= 1;
        })) {}

  ModelResult solve() {
    if (std::ranges::any_of(program_.rows, &qubo::ProgramRow::never)) {
      record_.prove("presolve");
    }
    if (linear_ && settings_.method->proves && !done() &&
        qubo::only_conflicts(program_.rows)) {
      by_penalties();  // an independent set
    }
    if (!done()) {
      search(kFirstShare, {.reads = 4});
    }
    const bool searched = record_.feasible();
    if (!record_.feasible() && !done()) {
      by_backtracking();
    }
    if (settings_.method->proves && !done()) {
      by_branching(kFirstBranching, stop_.share(kFirstBranchingShare));
    }
    if (settings_.method->proves && !done()) {
      by_states();
    } else if (!record_.feasible() && !done()) {
      by_states(without_objective(program_), kSmallWidth);
    }
    if (record_.feasible() && !(searched && linear_) && !done()) {
      search(kFirstShare,
             {.reads = 4,
              .sweeps = linear_ ? ExchangeSettings().sweeps : long_sweeps(program_)});
    }
    if (settings_.method->proves && !done()) {
      by_branching(kMaxBranching, stop_.share(kBranchingShare));
    }
    const bool relaxes = settings_.method->proves && record_.feasible() && whole_;
    if (relaxes && !linear_ && !done()) {
      by_bounds();
      if (!done()) {
        by_states(*whole_, width_for(kLongWork));
      }
    }
    if (!relaxes && !done()) {
      by_penalties();
    }
    if (settings_.method->proves && !done()) {
      search_to_end();
    }
    if (!record_.proved()) {
      set_first_bound();
    }
    ModelResult result = record_.result(stop_());
    result.penalised = penalised_;
    return result;
  }

 private:
  [[nodiscard]] bool done() const {
    return record_.proved() || record_.enough() || stop_();
  }

  void search(double share, ExchangeSettings settings) {
    settings.improved = [&](std::span<const std::uint8_t> x) {
      record_.offer(x, "exchange");
      return record_.enough();
    };
    const Stop stop = stop_.share(share);
    if (!exchange_) {
      exchange_.emplace(program_);
    }
    const Exchanged found =
        exchange_->run(record_.x(), settings, rng_.fork(searches_++), stop);
    record_.offer(found.x, "exchange");
  }

  void search_to_end() {
    const bool limited = stop_.limited();
    const auto wide = [](const qubo::Monomial& m) { return m.variables.size() > 2; };
    if (!linear_ && std::ranges::none_of(program_.objective, wide) &&
        record_.feasible() && (limited || p_.n <= kMaxUntimed)) {
      by_ways();
      return;
    }
    for (bool again = true; again && !done(); again = limited) {
      search(1.0, {.reads = limited ? 64 : 16});
    }
  }

  /// Searches a quadratic program from a feasible x, until the time is over.
  void by_ways() {
    std::mutex telling;
    const auto value = [&](std::span<const std::uint8_t> x) -> TwoDoubles {
      if (qubo::violated(p_, x) >= 0) {
        return kUnknown;
      }
      const std::lock_guard lock(telling);
      record_.offer(x, "exchange");
      return record_.minimised(x).two();
    };
    const WaySettings settings{
        settings_.threads, value, [&] { return record_.enough(); }};
    const Chains chains(quadratic_of(program_), program_.rows, stop_);
    Ways(*exchange_, chains, program_.rows, settings)
        .run(record_.x(),
             record_.minimised(record_.x()).two(),
             rng_.fork(searches_++),
             stop_);
  }

  /// The value of the best feasible x in units; empty if none is known.
  [[nodiscard]] std::optional<Whole> known(const WholeProgram& whole) const {
    return record_.feasible() ? std::optional(value_of(whole, record_.x()))
                              : std::nullopt;
  }

  /// Tries a proof by linear programs.
  void by_branching(std::int64_t work, const Stop& stop) {
    if (!whole_ || !BranchAndBound::suits(*whole_)) {
      return;
    }
    if (!branches_) {
      const auto improved = [&](std::span<const std::uint8_t> x) {
        record_.offer(x, "branching");
        return record_.enough();
      };
      const auto bounded = [&](Whole bound) {
        record_.raise_bound(in_doubles(bound + whole_->constant, whole_->unit));
      };
      branches_.emplace(*whole_, BranchAndBound::Events{improved, bounded});
    }
    if (record_.feasible()) {
      branches_->know(value_of(*whole_, record_.x()));
    }
    if (branches_->run(settings_.solver.max_nodes, work, stop)) {
      record_.prove("branching");
    }
  }

  void by_backtracking() {
    const std::int64_t failures = settings_.method->proves ? kFailures : kSmallFailures;
    const Backtracked found =
        backtrack(program_.rows, p_.n, failures, stop_.share(kStatesShare));
    if (found.x) {
      record_.offer(*found.x, "backtracking");
    } else if (found.decided) {
      record_.prove("backtracking");
    }
  }

  /// Tries a proof by states.  If no feasible x is known and products would create many
  /// states, first searches a feasible x without the objective.
  void by_states() {
    if (!record_.feasible() && !(whole_ && linear_)) {
      by_states(without_objective(program_), kSomeWidth);
    }
    if (whole_ && !done()) {
      by_states(*whole_, width_for(kQuickWork));
    }
  }

  /// The number of states for this much work, if there are products.
  [[nodiscard]] std::size_t width_for(std::int64_t work) const {
    if (linear_) {
      return kMaxWidth;
    }
    const auto one = std::ssize(whole_->products) * std::ssize(whole_->linear);
    return std::min(kSomeWidth, static_cast<std::size_t>(work / one));
  }

  void by_states(const WholeProgram& whole, std::size_t most) {
    if (!StateTables::suit(whole)) {
      return;
    }
    const bool objective = whole_ && &whole == &*whole_;
    const Stop stop = stop_.share(kStatesShare);
    const StateTables tables(whole, objective ? known(whole) : std::nullopt);
    const std::size_t size = 8 * (8 + whole.rows.size() + whole.linear.size() / 64);
    most = std::min(most, kMaxBytes / size);
    for (std::size_t width = kFirstWidth; width <= most && !stop() && !done();
         width *= kWidthGrows) {
      if (!stop.limited() &&
          states_ + std::ssize(whole.linear) * static_cast<std::int64_t>(width) >
              kMaxStates / (1 + static_cast<std::int64_t>(size / kSmallBytes))) {
        return;
      }
      const StatesFound found =
          search_states(tables, objective ? known(whole) : std::nullopt, width, stop);
      if (!found.x.empty()) {
        record_.offer(found.x, "states");
      }
      if (!found.bound) {
        record_.prove("states");
        return;
      }
      states_ += found.states;
      if (!objective) {
        if (record_.feasible()) {
          return;
        }
        continue;
      }
      record_.raise_bound(in_doubles(*found.bound + whole.constant, whole.unit));
      if (found.proved) {
        record_.prove("states");
      }
      if (states_ >= settings_.solver.max_nodes) {
        return;
      }
    }
  }

  /// Tries proofs by products and by relaxations; continues with the better bound.
  void by_bounds() {
    if (ProductBound::suits(*whole_)) {
      by_products(kFirstProductWork, kFirstProductShare);
    }
    const double bound = record_.bound();
    if (!done()) {
      by_relaxing(products_ ? kFirstRelaxedShare : kBoundShare);
    }
    if (!products_ || done()) {
      return;
    }
    if (record_.bound() > bound) {
      by_relaxing(kBoundShare);
    } else {
      by_products(kProductWork, kBoundShare);
    }
  }

  void by_products(std::int64_t work, double share) {
    if (!products_) {
      const auto improved = [&](std::span<const std::uint8_t> x) {
        record_.offer(x, "products");
        return record_.enough();
      };
      products_.emplace(*whole_, value_of(*whole_, record_.x()), improved);
    }
    products_->know(value_of(*whole_, record_.x()));
    if (products_->run(work, stop_.share(share))) {
      record_.prove("products");
    } else if (const std::optional<Whole> bound = products_->first_bound()) {
      record_.raise_bound(in_doubles(*bound + whole_->constant, whole_->unit));
    }
  }

  /// Computes bounds by relaxations with prices of rows.
  void by_relaxing(double share) {
    if (!relaxed_) {
      relaxed_.emplace(program_, record_.x());
    }
    RelaxedProgram& relaxed = *relaxed_;
    const bool prices = relaxed.has_inequalities();
    const int laps = prices ? kPriceLaps : kSquareLaps;
    const double step = in_doubles(whole_->step, whole_->unit).value;
    share = p_.n > kMaxSemidefinite ? kLargeRelaxedShare : share;
    for (int lap = 0; lap < laps && !done(); ++lap) {
      const bool whole = !prices || lap + 1 == laps;  // other laps give a first bound
      if (prices && whole) {
        relaxed.restore();
      }
      const qubo::Quadratic f = relaxed.function();
      ModelSettings general = plain_settings();
      // An x below the target breaks equations: their prices are too low.
      const double target = record_.minimised(record_.x()).value() - 0.5 * step;
      general.target = prices ? std::nullopt : std::optional(target);
      // Without a limit, the search would run until a proof.
      if (f.size() <= kMaxSemidefinite && stop_.limited()) {
        general.method = &exact_method();
      }
      general.solver.max_nodes = whole ? general.solver.max_nodes : 1;
      general.solver.time_limit_s =
          stop_.left_s() * (whole ? share : share / (laps - lap));
      const ModelResult found = solve_model(
          f, general, rng_.fork(kPenalties + 1U + static_cast<unsigned>(lap)), token_);
      const std::span<const std::uint8_t> x =
          std::span(found.best[0].x).first(at(p_.n));
      ExactSum bound;
      if (found.status == qubo::Status::ProvedOptimal) {
        bound = qubo::exact_energy(f, found.best[0].x);
      } else {
        bound.add(found.bound);
      }
      const bool better = record_.offer(x, found.method);
      if (!std::isfinite(bound.value())) {
        return;  // stopped before a bound
      }
      if (record_.raise_bound({bound.rounded_down(), 0.0})) {
        relaxed.keep();
      }
      const double gap = record_.gap_to(bound);
      if (gap < step) {
        record_.prove("relaxation");
      }
      const double below =
          prices ? gap : record_.gap_to(qubo::exact_energy(f, found.best[0].x));
      if (!relaxed.learn(x, below) && !better) {
        return;
      }
    }
  }

  [[nodiscard]] ModelSettings plain_settings() const {
    ModelSettings general = settings_;
    general.initial.clear();
    general.improved = {};
    general.bounded = {};
    general.staged = {};
    general.solver.time_limit_s = stop_.left_s();
    return general;
  }

  /// Computes a quick bound with states of width 1.
  void set_first_bound() {
    if (whole_ && StateTables::suit(*whole_) && width_for(kFirstBoundWork) > 0) {
      const StatesFound found = search_states(
          StateTables(*whole_, known(*whole_)), known(*whole_), 1, Stop());
      if (found.bound) {
        record_.raise_bound(in_doubles(*found.bound + whole_->constant, whole_->unit));
      }
    }
  }

  void by_penalties() {
    penalised_ = true;
    ModelSettings general = plain_settings();
    general.staged = settings_.staged;
    const ModelResult found = solve_model(
        qubo::reduced(p_, "constraints").f, general, rng_.fork(kPenalties), token_);
    record_.offer(std::span(found.best[0].x).first(at(p_.n)), found.method);
    if (settings_.method->proves) {
      record_.raise_bound({record_.sign() * found.bound, 0.0});
    }
    if (found.status == qubo::Status::ProvedOptimal) {
      // The best of f is the best of p, or p is infeasible.
      record_.prove(found.proved_by.empty() ? found.method : found.proved_by);
      return;
    }
    if (!record_.enough() && !stop_()) {
      search(1.0, {.reads = 1});
    }
  }

  qubo::Polynomial p_;
  const ModelSettings& settings_;
  ProgramRecord record_;
  Rng rng_;
  std::stop_token token_;
  Stop stop_;
  qubo::Program program_;
  std::optional<Exchange> exchange_;
  std::optional<WholeProgram> whole_;
  bool linear_;
  std::optional<BranchAndBound> branches_;
  std::optional<ProductSearch> products_;
  std::optional<RelaxedProgram> relaxed_;
  bool penalised_ = false;
  std::uint64_t searches_ = 0;
  std::int64_t states_ = 0;
};

}  // namespace

ModelResult solve_constrained(const qubo::Model& model,
                              const ModelSettings& settings,
                              const Rng& rng,
                              const std::stop_token& stop) {
  return Constrained(model, settings, rng, stop).solve();
}

}  // namespace oa::solve
