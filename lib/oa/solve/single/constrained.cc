#include "oa/solve/single/constrained.h"

#include "oa/base/index.h"
#include "oa/qubo/program.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/program/backtrack.h"
#include "oa/solve/program/branch.h"
#include "oa/solve/program/exchange.h"
#include "oa/solve/program/states.h"
#include "oa/solve/program/ways.h"
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
// Shares of the remaining time for relaxations; with many variables they prove little.
constexpr double kRelaxedShare = 0.8;
constexpr double kLargeRelaxedShare = 0.3;
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
      prove("presolve");
    }
    begin();
    if (linear_ && settings_.method->proves && !done() &&
        qubo::only_conflicts(program_.rows)) {
      by_penalties();  // an independent set
    }
    if (!done()) {
      search(kFirstShare, {.reads = 4});
    }
    const bool searched = feasible_;
    if (!feasible_ && !done()) {
      by_backtracking();
    }
    if (settings_.method->proves && !done()) {
      by_branching(kFirstBranching, stop_.share(kFirstBranchingShare));
    }
    if (settings_.method->proves && !done()) {
      by_states();
    } else if (!feasible_ && !done()) {
      by_states(without_objective(program_), kSmallWidth);
    }
    if (feasible_ && !(searched && linear_) && !done()) {
      search(kFirstShare,
             {.reads = 4,
              .sweeps = linear_ ? ExchangeSettings().sweeps : long_sweeps(program_)});
    }
    if (settings_.method->proves && !done()) {
      by_branching(kMaxBranching, stop_.share(kBranchingShare));
    }
    const bool relaxes = settings_.method->proves && feasible_ && whole_;
    if (relaxes && !linear_ && !done()) {
      by_relaxing();
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
    if (!proved()) {
      set_first_bound();
    }
    return result();
  }

 private:
  [[nodiscard]] bool proved() const { return !proved_by_.empty(); }
  [[nodiscard]] bool done() const { return proved() || enough_ || stop_(); }

  [[nodiscard]] double sign() const {
    return p_.sense == qubo::Sense::Max ? -1.0 : 1.0;
  }

  void begin() {
    const auto first = state_of(settings_.initial, 0);
    x_.assign(first.begin(), first.end());
    x_.resize(at(p_.n));
    feasible_ = qubo::violated(p_, x_) < 0;
    if (feasible_) {
      report();
    }
    for (std::vector<std::uint8_t> x : settings_.initial) {
      x.resize(at(p_.n));
      offer(x, method_);
    }
    found_by_initial_ = feasible_ && !settings_.initial.empty();
  }

  /// Records a proof that the best x is optimal, or that no x is feasible.
  void prove(std::string_view by) {
    proved_by_ = by;
    if (!feasible_) {
      method_ = by;
    }
  }

  /// Stores x if it is the best feasible x, or if no feasible x is known.
  /// Returns true if it is the best.
  bool offer(std::span<const std::uint8_t> x, std::string_view method) {
    if (qubo::violated(p_, x) >= 0) {
      if (!feasible_) {
        x_.assign(x.begin(), x.end());
      }
      return false;
    }
    if (feasible_ && gap_to(minimised(x)) <= 0.0) {
      return false;
    }
    feasible_ = true;
    found_by_initial_ = false;
    x_.assign(x.begin(), x.end());
    method_ = method;
    report();
    return true;
  }

  void report() {
    const double energy = qubo::exact_value(p_, x_).value();
    enough_ = settings_.target && !qubo::better(p_.sense, *settings_.target, energy);
    if (settings_.improved &&
        (!reported_ || qubo::better(p_.sense, energy, *reported_))) {
      reported_ = energy;
      settings_.improved(energy);
    }
  }

  void search(double share, ExchangeSettings settings) {
    settings.improved = [&](std::span<const std::uint8_t> x) {
      offer(x, "exchange");
      return enough_.load();
    };
    const Stop stop = stop_.share(share);
    if (!exchange_) {
      exchange_.emplace(program_);
    }
    const Exchanged found = exchange_->run(x_, settings, rng_.fork(searches_++), stop);
    offer(found.x, "exchange");
  }

  void search_to_end() {
    const bool limited = stop_.limited();
    const auto wide = [](const qubo::Monomial& m) { return m.variables.size() > 2; };
    if (!linear_ && std::ranges::none_of(program_.objective, wide) && feasible_ &&
        (limited || p_.n <= kMaxUntimed)) {
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
      offer(x, "exchange");
      return minimised(x).two();
    };
    const WaySettings settings{
        settings_.threads, value, [&] { return enough_.load(); }};
    const Chains chains(quadratic_of(program_), program_.rows, stop_);
    Ways(*exchange_, chains, program_.rows, settings)
        .run(x_, minimised(x_).two(), rng_.fork(searches_++), stop_);
  }

  /// The value of the best feasible x in units; empty if none is known.
  [[nodiscard]] std::optional<Whole> known(const WholeProgram& whole) const {
    return feasible_ ? std::optional(value_of(whole, x_)) : std::nullopt;
  }

  /// Tries a proof by linear programs.
  void by_branching(std::int64_t work, const Stop& stop) {
    if (!whole_ || !BranchAndBound::suits(*whole_)) {
      return;
    }
    if (!branches_) {
      const auto improved = [&](std::span<const std::uint8_t> x) {
        offer(x, "branching");
        return enough_.load();
      };
      const auto bounded = [&](Whole bound) {
        raise_bound(in_doubles(bound + whole_->constant, whole_->unit));
      };
      branches_.emplace(*whole_, BranchAndBound::Events{improved, bounded});
    }
    if (feasible_) {
      branches_->know(value_of(*whole_, x_));
    }
    if (branches_->run(settings_.solver.max_nodes, work, stop)) {
      prove("branching");
    }
  }

  void by_backtracking() {
    const std::int64_t failures = settings_.method->proves ? kFailures : kSmallFailures;
    const Backtracked found =
        backtrack(program_.rows, p_.n, failures, stop_.share(kStatesShare));
    if (found.x) {
      offer(*found.x, "backtracking");
    } else if (found.decided) {
      prove("backtracking");
    }
  }

  /// Tries a proof by states.  If no feasible x is known and products would create many
  /// states, first searches a feasible x without the objective.
  void by_states() {
    if (!feasible_ && !(whole_ && linear_)) {
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
        offer(found.x, "states");
      }
      if (!found.bound) {
        prove("states");
        return;
      }
      states_ += found.states;
      if (!objective) {
        if (feasible_) {
          return;
        }
        continue;
      }
      raise_bound(in_doubles(*found.bound + whole.constant, whole.unit));
      if (found.proved) {
        prove("states");
      }
      if (states_ >= settings_.solver.max_nodes) {
        return;
      }
    }
  }

  /// Computes bounds by relaxations with prices of rows.
  void by_relaxing() {
    RelaxedProgram relaxed(program_, x_);
    const bool prices = relaxed.has_inequalities();
    const int laps = prices ? kPriceLaps : kSquareLaps;
    const double step = in_doubles(whole_->step, whole_->unit).value;
    const double share = p_.n > kMaxSemidefinite ? kLargeRelaxedShare : kRelaxedShare;
    for (int lap = 0; lap < laps && !done(); ++lap) {
      const bool whole = !prices || lap + 1 == laps;  // other laps give a first bound
      if (prices && whole) {
        relaxed.restore();
      }
      const qubo::Quadratic f = relaxed.function();
      ModelSettings general = plain_settings();
      // An x below the target breaks equations: their prices are too low.
      const double target = minimised(x_).value() - 0.5 * step;
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
      const bool better = offer(x, found.method);
      if (raise_bound({bound.rounded_down(), 0.0})) {
        relaxed.keep();
      }
      const double gap = gap_to(bound);
      if (gap < step) {
        prove("relaxation");
      }
      const double below =
          prices ? gap : gap_to(qubo::exact_energy(f, found.best[0].x));
      if (!relaxed.learn(x, below) && !better) {
        return;
      }
    }
  }

  /// The value of x for the minimised function.
  [[nodiscard]] ExactSum minimised(std::span<const std::uint8_t> x) const {
    ExactSum value;
    p_.sense == qubo::Sense::Max ? value.subtract(qubo::exact_value(p_, x))
                                 : value.add(qubo::exact_value(p_, x));
    return value;
  }

  /// The best value minus a bound, both of the minimised function.
  [[nodiscard]] double gap_to(const ExactSum& bound) const {
    ExactSum gap = minimised(x_);
    gap.subtract(bound);
    return gap.value();
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
        raise_bound(in_doubles(*found.bound + whole_->constant, whole_->unit));
      }
    }
  }

  /// Takes a bound of the minimised function.  Returns false if it is no better.
  bool raise_bound(const TwoDoubles& bound) {
    const double low =
        bound.rest < 0.0 ? std::nextafter(bound.value, -kUnknown) : bound.value;
    if (!(low > bound_)) {
      return false;
    }
    bound_ = low;
    if (settings_.bounded) {
      settings_.bounded(sign() * low);
    }
    return true;
  }

  void by_penalties() {
    penalised_ = true;
    ModelSettings general = plain_settings();
    general.staged = settings_.staged;
    const ModelResult found = solve_model(
        qubo::reduced(p_, "constraints").f, general, rng_.fork(kPenalties), token_);
    offer(std::span(found.best[0].x).first(at(p_.n)), found.method);
    if (settings_.method->proves) {
      raise_bound({sign() * found.bound, 0.0});
    }
    if (found.status == qubo::Status::ProvedOptimal) {
      // The best of f is the best of p, or p is infeasible.
      prove(found.proved_by.empty() ? found.method : found.proved_by);
      return;
    }
    if (!enough_ && !stop_()) {
      search(1.0, {.reads = 1});
    }
  }

  [[nodiscard]] ModelResult result() {
    ModelResult result;
    result.penalised = penalised_;
    const TwoDoubles energy = qubo::exact_value(p_, x_).two();
    result.method = method_;
    result.found_by = found_by_initial_ ? "initial" : method_;
    result.proved_by = proved_by_;
    result.searched = p_.n;
    result.status = proved()  ? qubo::Status::ProvedOptimal
                    : stop_() ? qubo::Status::Stopped
                              : qubo::Status::BestFound;
    result.bound = proved() ? energy.value : sign() * bound_;
    if (feasible_ && qubo::better(p_.sense, energy.value, result.bound)) {
      result.bound = energy.value;  // rounded
    }
    result.best.emplace_back(energy, std::move(x_));
    return result;
  }

  qubo::Polynomial p_;
  const ModelSettings& settings_;
  Rng rng_;
  std::stop_token token_;
  Stop stop_;
  qubo::Program program_;
  std::optional<Exchange> exchange_;
  std::optional<WholeProgram> whole_;
  bool linear_;
  std::optional<BranchAndBound> branches_;
  std::vector<std::uint8_t> x_;  // best so far
  bool feasible_ = false;
  bool found_by_initial_ = false;
  std::string_view proved_by_;  // empty: no proof
  std::atomic<bool> enough_ = false;
  bool penalised_ = false;
  std::string_view method_ = "greedy";
  double bound_ = -kUnknown;  // of the minimised function
  std::optional<double> reported_;
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
