#include "oa/solve/single/quadratic.h"

#include "oa/base/error.h"
#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/qubo/model.h"
#include "oa/solve/heuristic/descent.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/single/enumerate.h"
#include "oa/solve/single/posed.h"
#include "oa/solve/single/simple_bound.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Solutions beyond the wanted ones to look for where rounding may change their order.
constexpr int kClose = 15;

class WholeQuadratic {
 public:
  WholeQuadratic(const qubo::Quadratic& f,
                 const ModelSettings& settings,
                 const Rng& rng,
                 const std::stop_token& token)
      : f_(f),
        settings_(settings),
        rng_(rng),
        token_(token),
        stop_(token, settings.solver.time_limit_s),
        posed_(pose(f)),
        g_(posed_.g) {}

  /// False if the numbers of f span so many digits that they were rounded.
  [[nodiscard]] bool exact() const { return posed_.error == 0.0; }

  ModelResult solve() {
    refuse_too_large();
    go_down();
    Result found = stop_() || enough() ? only_known() : search(1);
    if (found.status == qubo::Status::ProvedOptimal && !clear(found, 1)) {
      found = search(kClose);
      if (!clear(found, kClose)) {
        found.status = std::max(found.status, qubo::Status::BestFound);
      }
    }
    const auto top = at(settings_.solver.top);
    ModelResult result;
    result.method = found.method.empty() ? settings_.method->name : found.method;
    result.searched = g_.size();
    result.recovered = recovered_;
    result.status = found.status;
    if (posed_.error > 0.0 && top == 1 &&
        result.status != qubo::Status::ProvedOptimal) {
      descend_exactly(f_, found.best.front().x, stop_);
    }
    if (posed_.error > 0.0 && result.status != qubo::Status::ProvedOptimal) {
      found.best.push_back(known_);
    }
    result.best = ranked(std::move(found.best));
    if (result.best.size() > top) {
      result.best.resize(top);
    }
    if (result.best.front().x == known_.x &&
        result.status != qubo::Status::ProvedOptimal) {
      result.method = "greedy";
    }
    result.found_by = finder(result);
    if (result.status == qubo::Status::ProvedOptimal) {
      result.proved_by = found.proof.empty() ? settings_.method->name : found.proof;
    }
    improved(result.best.front().x);
    result.bound = bound(found.bound, result);
    bounded(result.bound);
    return result;
  }

 private:
  /// Descends from 0, the known vector and the initial states,
  /// so that no result is worse.  The first descent ignores the time limit,
  /// because it takes less time than reading f.
  void go_down() {
    const auto go = [&](std::vector<std::uint8_t> x, const Stop& stop) {
      x = descend(g_, std::move(x), stop);
      const TwoDoubles energy = exact_energy(g_, x).two();
      return Solution(energy, std::move(x));
    };
    known_ = go(std::vector<std::uint8_t>(f_.linear.size()), Stop(token_, kInfinity));
    if (!settings_.known.empty()) {
      known_ = std::min(known_, go(settings_.known, stop_));
    }
    for (const std::vector<std::uint8_t>& x : settings_.initial) {
      known_ = std::min(known_, go(x, stop_));
    }
    improved(known_.x);
  }

  [[nodiscard]] std::string_view finder(const ModelResult& result) const {
    const Solution& best = result.best.front();
    const bool as_good =
        known_.x == best.x || exact_energy(f_, known_.x).two() == best.value();
    return as_good ? "greedy" : result.method;
  }

  void refuse_too_large() const {
    const Method& method = *settings_.method;
    if (f_.size() > method.most_variables) {
      throw InputError(format_grouped(f_.size()) + " variables are too many for " +
                       std::string(method.name) + " (expected " +
                       format_grouped(method.most_variables) + ", or another solver)");
    }
  }

  /// True if the best x reaches the target.
  [[nodiscard]] bool enough() const {
    return settings_.target &&
           !qubo::better(f_.sense, *settings_.target, qubo::energy(f_, known_.x));
  }

  [[nodiscard]] Result only_known() const {
    Result result;
    result.best = {known_};
    result.method = "greedy";
    result.status = stop_() ? qubo::Status::Stopped : qubo::Status::BestFound;
    return result;
  }

  [[nodiscard]] bool maximising() const { return f_.sense == qubo::Sense::Max; }

  /// Returns distinct solutions with energies of f, sorted by energy, then by x.
  [[nodiscard]] std::vector<Solution> ranked(std::vector<Solution> all) const {
    std::vector<ExactSum> energies;
    std::vector<std::size_t> order;
    for (const Solution& s : all) {
      order.push_back(energies.size());
      energies.push_back(exact_energy(f_, s.x));
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      ExactSum difference = energies[a];
      difference.subtract(energies[b]);
      const double sign = difference.value();
      return sign != 0.0 ? qubo::better(f_.sense, sign, 0.0) : all[a].x < all[b].x;
    });
    std::vector<Solution> best;
    for (const std::size_t k : order) {
      if (best.empty() || best.back().x != all[k].x) {
        best.emplace_back(energies[k].two(), std::move(all[k].x));
      }
    }
    return best;
  }

  /// True if the best solutions of g, of which the last `more` are not wanted, include
  /// the best of f: the remaining ones are worse by more than rounding changes.
  [[nodiscard]] bool clear(const Result& found, int more) const {
    const auto top = at(settings_.solver.top);
    return posed_.error == 0.0 || found.best.size() < top + at(more) ||
           found.best.back().energy - found.best[top - 1].energy > least_gap();
  }

  /// Solutions of g that differ by more than this are in the same order for f.
  [[nodiscard]] double least_gap() const { return 4.0 * posed_.error; }

  [[nodiscard]] double bound(double of_g, const ModelResult& result) {
    const double best = result.best.front().energy;
    if (result.status == qubo::Status::ProvedOptimal) {
      return best;
    }
    const double low = bound_of_f(of_g);
    return maximising() ? std::max(low, best) : std::min(low, best);
  }

  /// Converts a bound of g to a bound of f.
  [[nodiscard]] double bound_of_f(double of_g) {
    if (!simple_bounds_) {
      const double simple = simple_bound(g_);
      const bool same = f_.vartype == qubo::Vartype::Binary && posed_.scale == 0 &&
                        posed_.error == 0.0;
      simple_bounds_ = {simple,
                        same ? simple : simple_bound(f_, maximising() ? -1.0 : 1.0)};
    }
    const auto [simple_of_g, simple_of_f] = *simple_bounds_;
    ExactSum least;
    least.add(std::max(of_g, simple_of_g));
    least.add(-posed_.error);
    double low = least.rounded_down();
    if (posed_.scale != 0) {
      low = std::nextafter(std::ldexp(low, posed_.scale), -kInfinity);
    }
    low = std::max(low, simple_of_f);
    return maximising() ? -low : low;
  }

  /// The largest energy of g that rounds to the target.
  [[nodiscard]] TwoDoubles target_of_g() const {
    const double target = std::ldexp(
        maximising() ? -*settings_.target : *settings_.target, -posed_.scale);
    ExactSum sum;
    sum.add(target);
    sum.add(0.5 * (std::nextafter(target, kInfinity) - target));
    TwoDoubles most = sum.two();
    // A tie may round away from the target.
    most.rest = std::nextafter(most.rest, -kInfinity);
    return most;
  }

  /// `more`: the number of further solutions to look for if numbers were rounded.
  Result search(int more) {
    PartTask task{.f = g_,
                  .settings = settings_.solver,
                  .known = known_,
                  .threads = settings_.threads,
                  .starts = settings_.initial,
                  .sampled = settings_.sampled,
                  .recovered = &recovered_,
                  .staged = settings_.staged};
    Settings& settings = task.settings;
    if (posed_.error > 0.0) {
      settings.top += more;
      settings.window = least_gap();
    }
    settings.hot = std::ldexp(settings.hot, -posed_.scale);
    settings.cold = std::ldexp(settings.cold, -posed_.scale);
    if (settings_.target) {
      task.target = target_of_g();
    }
    if (settings_.improved) {
      task.improved = [&](std::span<const std::uint8_t> x) { improved(x); };
    }
    if (settings_.bounded) {
      task.bounded = [&](double of_g) {
        if (std::isfinite(of_g)) {
          bounded(bound_of_f(of_g));
        }
      };
    }
    Result result = settings_.method->solve_part(task, rng_.fork(0), stop_);
    if (result.status == qubo::Status::BestFound && stop_()) {
      result.status = qubo::Status::Stopped;
    }
    if (result.status != qubo::Status::ProvedOptimal) {
      put_first(known_, result);
    }
    if (task.improved) {
      task.improved(result.best.front().x);
    }
    return result;
  }

  /// Puts `s` first if it is better than the best of `found`.
  static void put_first(const Solution& s, Result& found) {
    if (s.value() < found.best.front().value()) {
      found.best.insert(found.best.begin(), s);
      found.method = "greedy";
    }
  }

  void bounded(double bound) {
    if (settings_.bounded && std::isfinite(bound) &&
        (!reported_bound_ || qubo::better(f_.sense, *reported_bound_, bound))) {
      reported_bound_ = bound;
      settings_.bounded(bound);
    }
  }

  /// Reports x unless its rounded energy equals the last reported energy.
  void improved(std::span<const std::uint8_t> x) {
    if (!settings_.improved) {
      return;
    }
    const double energy = qubo::energy(f_, x);
    if (!reported_ || qubo::better(f_.sense, energy, *reported_)) {
      reported_ = energy;
      settings_.improved(energy);
    }
  }

  const qubo::Quadratic& f_;
  const ModelSettings& settings_;
  Rng rng_;
  std::stop_token token_;
  Stop stop_;
  Posed posed_;
  const qubo::Quadratic& g_;  // of posed_
  qubo::Recovered recovered_;
  Solution known_;  // of g, found by descent
  std::optional<double> reported_;
  std::optional<double> reported_bound_;
  std::optional<std::pair<double, double>> simple_bounds_;  // of g, and of sign * f
};

}  // namespace

ModelResult solve_quadratic(const qubo::Quadratic& f,
                            const ModelSettings& settings,
                            const Rng& rng,
                            const std::stop_token& stop) {
  WholeQuadratic whole(f, settings, rng, stop);
  ModelResult result = whole.solve();
  if (result.status == qubo::Status::BestFound && !whole.exact() &&
      f.size() <= kMaxTried && settings.method->proves) {
    const qubo::Polynomial p = qubo::polynomial_of(f);
    if (auto found =
            solve_by_enumeration(p, {}, {settings.solver.top}, settings, stop)) {
      return *std::move(found);
    }
  }
  return result;
}

}  // namespace oa::solve
