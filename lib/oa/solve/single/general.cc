#include "oa/solve/single/general.h"

#include "oa/base/error.h"
#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/qubo/model.h"
#include "oa/solve/exact/presolve/presolve.h"
#include "oa/solve/exact/tree/tree.h"
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

/// The part of a time limit that is kept for exact energies and for writing.
double after_s(const qubo::Quadratic& f, double limit_s) {
  // A few evaluations, which are fast for dense integer couplings, and some time a
  // variable for writing and freeing memory.
  const bool quick = f.couplings().dense() && !f.couplings().sums().empty();
  const double pair_seconds = quick ? 1e-9 : 10e-9;
  constexpr double kVariableSeconds = 200e-9;
  return std::min(
      0.5 * limit_s,
      pair_seconds * static_cast<double>(f.pairs()) + kVariableSeconds * f.size());
}

class General {
 public:
  General(const qubo::Quadratic& f,
          const GeneralSettings& settings,
          const Rng& rng,
          const std::stop_token& token)
      : f_(f),
        settings_(settings),
        rng_(rng),
        token_(token),
        stop_(token,
              settings.solver.time_limit_s - after_s(f, settings.solver.time_limit_s)),
        posed_(pose(f)),
        g_(posed_.g),
        presolve_{.symmetric = symmetric(), .ties = ties()},
        reduce_(settings.presolve && settings.solver.top == 1 && posed_.error == 0.0 &&
                !settings.sampled && Presolve::pays(g_, presolve_)) {}

  /// False if the numbers of f span so many digits that they were rounded.
  [[nodiscard]] bool exact() const { return posed_.error == 0.0; }

  GeneralResult solve() {
    if (!reduce_) {
      refuse_too_large(g_);
    }
    go_down();
    Result found = reduce_ ? solve_reduced() : solve_part(g_, whole(), {}, 1.0);
    const auto top = at(settings_.solver.top);
    GeneralResult result;
    result.method = found.method.empty() ? settings_.method->name : found.method;
    result.searched = searched_;
    result.recovered = recovered_;
    result.status = status(found);
    if (posed_.error > 0.0 && top == 1 &&
        result.status != qubo::Status::ProvedOptimal) {
      descend_exactly(f_, found.best.front().x, stop_);
    }
    const bool compared = !reduce_ && posed_.error == 0.0;  // with the solutions found
    if (!compared && result.status != qubo::Status::ProvedOptimal) {
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
    if (settings_.count_optima) {
      count_optima(result);
    }
    return result;
  }

 private:
  /// True if f(x) = f(-x) and no start is preferred.
  [[nodiscard]] bool symmetric() const {
    return f_.vartype == qubo::Vartype::Spin && settings_.initial.empty() &&
           std::ranges::all_of(f_.linear, [](double h) { return h == 0.0; }) &&
           std::ranges::all_of(f_.rests(), [](const qubo::Term& t) {
             return t.first == qubo::kConstant || t.first != t.second;
           });
  }

  [[nodiscard]] Ties ties() const {
    return f_.size() <= kMostOrdered ? Ties::Smallest : Ties::Any;
  }

  /// Descends from 0 and from the initial states: no result is worse.  The time limit
  /// does not end the first descent, which takes less time than reading.
  void go_down() {
    const auto go = [&](std::vector<std::uint8_t> x, const Stop& stop) {
      x = descend(g_, std::move(x), stop);
      const TwoDoubles energy = exact_energy(g_, x).two();
      return Solution(energy, std::move(x));
    };
    known_ = go(std::vector<std::uint8_t>(f_.linear.size()), Stop(token_, kInfinity));
    for (const std::vector<std::uint8_t>& x : settings_.initial) {
      known_ = std::min(known_, go(x, stop_));
    }
    improved(known_.x);
  }

  [[nodiscard]] std::string_view finder(const GeneralResult& result) const {
    const Solution& best = result.best.front();
    const auto as_good = [&](const std::vector<std::uint8_t>& x) {
      return x == best.x || exact_energy(f_, x).two() == best.value();
    };
    if (std::ranges::any_of(settings_.initial, as_good)) {
      return "initial";
    }
    return as_good(known_.x) ? "greedy" : result.method;
  }

  void count_optima(GeneralResult& result) const {
    if (result.status != qubo::Status::ProvedOptimal) {
      result.uncounted = "the best is not proved optimal";
    } else if (posed_.error > 0.0) {
      result.uncounted = "its numbers differ too much in size for exact sums";
    } else {
      MinimaCount counted = count_minima(g_, settings_.threads, stop_);
      result.optima = counted.count;
      result.uncounted = std::move(counted.why);
    }
  }

  void refuse_too_large(const qubo::Quadratic& f) const {
    const Method& method = *settings_.method;
    if (f.size() > method.most_variables) {
      throw InputError(format_grouped(f.size()) + " variables are too many for " +
                       std::string(method.name) + " (expected " +
                       format_grouped(method.most_variables) + ", or another solver)");
    }
  }

  /// True if the best known x reaches the target.
  [[nodiscard]] bool enough() const {
    return settings_.target &&
           !qubo::better(f_.sense, *settings_.target, qubo::energy(f_, known_.x));
  }

  [[nodiscard]] Result only(Solution s) const {
    Result result;
    result.best = {std::move(s)};
    result.method = "greedy";
    result.status = stop_() ? qubo::Status::Stopped : qubo::Status::BestFound;
    return result;
  }

  [[nodiscard]] bool maximising() const { return f_.sense == qubo::Sense::Max; }

  /// Parts are solved one by one only if no energy of the whole is reported on the way.
  [[nodiscard]] bool may_split() const {
    return !settings_.target && !settings_.improved && !settings_.bounded;
  }

  [[nodiscard]] std::vector<int> whole() const {
    std::vector<int> all;
    for (int i = 0; i < g_.size(); ++i) {
      all.push_back(i);
    }
    return all;
  }

  /// Distinct solutions with their energies of f, by energy, then by x.
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

  /// The status for f of what `found` proves for g.
  [[nodiscard]] qubo::Status status(const Result& found) const {
    if (found.status != qubo::Status::ProvedOptimal || posed_.error == 0.0) {
      return found.status;
    }
    // The search was asked for one more solution, if it is worse by no more than
    // rounding.
    const auto top = at(settings_.solver.top);
    const bool clear =
        found.best.size() <= top ||
        found.best[top].energy - found.best[top - 1].energy > least_gap();
    return clear ? qubo::Status::ProvedOptimal : qubo::Status::BestFound;
  }

  /// A solution of g that is worse by more than this is worse for f, too.
  [[nodiscard]] double least_gap() const { return 4.0 * posed_.error; }

  [[nodiscard]] double bound(double of_g, const GeneralResult& result) {
    const double best = result.best.front().energy;
    if (result.status == qubo::Status::ProvedOptimal) {
      return best;
    }
    const double low = bound_of_f(of_g);
    return maximising() ? std::max(low, best) : std::min(low, best);
  }

  /// The bound of f that a bound of g implies.
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

  Result solve_reduced() {
    const Presolve reduced(g_, posed_.unit, presolve_, stop_);
    if (stop_()) {
      return only(known_);
    }
    std::vector<Presolve::Part> parts = reduced.parts();
    if (parts.size() > 1 && !may_split()) {
      parts = {joined(parts)};
    }
    double left = 0.0;
    for (const Presolve::Part& part : parts) {
      left += static_cast<double>(part.variables.size());
    }
    Result all;
    all.status = qubo::Status::ProvedOptimal;
    Solution& x = all.best.emplace_back();
    x.x.resize(f_.linear.size());
    ExactSum bound;
    bound.add(reduced.offset().value);
    bound.add(reduced.offset().rest);
    for (const Presolve::Part& part : parts) {
      const auto size = static_cast<double>(part.variables.size());
      restore_ = &reduced;
      const Result one =
          solve_part(part.f, part.variables, reduced.offset(), size / left);
      left -= size;
      for (std::size_t k = 0; k < part.variables.size(); ++k) {
        x.x[at(part.variables[k])] = one.best.front().x[k];
      }
      bound.add(std::max(one.bound, simple_bound(part.f)));
      if (one.status != qubo::Status::ProvedOptimal &&
          all.status != qubo::Status::Stopped) {
        all.status = one.status;
      }
      all.method = all.method.empty() ? one.method : all.method;
      all.proof = all.proof.empty() ? one.proof : all.proof;
    }
    reduced.restore(x.x);
    if (parts.empty()) {
      all.method = "presolve";
      all.proof = "presolve";
      improved(x.x);
    }
    all.bound = bound.rounded_down();
    return all;
  }

  static Presolve::Part joined(const std::vector<Presolve::Part>& parts) {
    Presolve::Part all;
    std::vector<qubo::Term> terms;
    std::vector<qubo::Term> fields;
    std::vector<double> linear;
    for (const Presolve::Part& part : parts) {
      const auto first = static_cast<std::int32_t>(all.variables.size());
      for (const qubo::Term& t : part.f.terms()) {
        terms.push_back({first + t.first, first + t.second, t.weight});
      }
      for (const qubo::Term& t : part.f.rests()) {
        (t.first == t.second ? fields : terms)
            .push_back({first + t.first, first + t.second, t.weight});
      }
      all.variables.insert(
          all.variables.end(), part.variables.begin(), part.variables.end());
      linear.insert(linear.end(), part.f.linear.begin(), part.f.linear.end());
    }
    all.f = qubo::Quadratic(static_cast<int>(linear.size()));
    all.f.linear = std::move(linear);
    all.f.add(terms);
    all.f.add_linear(fields);
    return all;
  }

  /// The target as an energy of a part, `offset` being that of the rest.  Energies that
  /// round to the target reach it.
  [[nodiscard]] TwoDoubles target_beside(const TwoDoubles& offset) const {
    const double target = std::ldexp(
        maximising() ? -*settings_.target : *settings_.target, -posed_.scale);
    ExactSum sum;
    sum.add(target);
    sum.add(0.5 * (std::nextafter(target, kInfinity) - target));
    sum.add(-offset.value);
    sum.add(-offset.rest);
    TwoDoubles most = sum.two();
    // A tie may round away from the target.
    most.rest = std::nextafter(most.rest, -kInfinity);
    return most;
  }

  /// `offset` is the energy of the rest of the problem; `share` is a share of the time
  /// left.
  Result solve_part(const qubo::Quadratic& f,
                    const std::vector<int>& variables,
                    const TwoDoubles& offset,
                    double share) {
    refuse_too_large(f);
    searched_ += f.size();
    const Stop stop = stop_.share(share);
    const Solution known = known_of(f, variables, stop);
    if (stop() || enough()) {
      return only(known);
    }
    Settings settings = settings_.solver;
    if (posed_.error > 0.0) {
      ++settings.top;
      settings.window = least_gap();
    }
    settings.hot = std::ldexp(settings.hot, -posed_.scale);
    settings.cold = std::ldexp(settings.cold, -posed_.scale);
    PartTask task{
        .f = f, .settings = settings, .known = known, .threads = settings_.threads};
    task.sampled = settings_.sampled;
    if (settings_.target) {
      task.target = target_beside(offset);
    }
    task.starts = parts_of(settings_.initial, variables);
    if (settings_.improved) {
      task.improved = [&](std::span<const std::uint8_t> x) { report(x, variables); };
    }
    task.recovered = &recovered_;
    if (settings_.bounded) {
      task.bounded = [&](double of_part) { report_bound(of_part, offset); };
    }
    const Rng rng = rng_.fork(static_cast<std::uint64_t>(parts_++));
    Result result = settings_.method->solve_part(task, rng, stop);
    if (result.status != qubo::Status::ProvedOptimal) {
      put_first(known, result);
    }
    if (task.improved) {
      task.improved(result.best.front().x);
    }
    return result;
  }

  /// The best known x of a part: that of the whole, or one of a descent in the part,
  /// which is often better after presolving.
  [[nodiscard]] Solution known_of(const qubo::Quadratic& f,
                                  const std::vector<int>& variables,
                                  const Stop& stop) const {
    if (&f == &g_) {
      return known_;
    }
    std::vector<std::uint8_t> x;
    for (const int i : variables) {
      x.push_back(known_.x[at(i)]);
    }
    std::vector<std::uint8_t> y =
        descend(f, std::vector<std::uint8_t>(f.linear.size()), stop);
    const TwoDoubles of_x = exact_energy(f, x).two();
    const TwoDoubles of_y = exact_energy(f, y).two();
    return of_y < of_x ? Solution(of_y, std::move(y)) : Solution(of_x, std::move(x));
  }

  /// Makes `s` the best if it is better than `found`.
  static void put_first(const Solution& s, Result& found) {
    if (s.value() < found.best.front().value()) {
      found.best.insert(found.best.begin(), s);
      found.method = "greedy";
    }
  }

  void report(std::span<const std::uint8_t> part, const std::vector<int>& variables) {
    std::vector<std::uint8_t> x(f_.linear.size());
    for (std::size_t k = 0; k < variables.size(); ++k) {
      x[at(variables[k])] = part[k];
    }
    if (restore_ != nullptr) {
      restore_->restore(x);
    }
    improved(x);
  }

  /// Reports bounds only if the part is the whole rest of the problem.
  void report_bound(double of_part, const TwoDoubles& offset) {
    if (!std::isfinite(of_part)) {
      return;
    }
    ExactSum sum;
    sum.add(of_part);
    sum.add(offset.value);
    sum.add(offset.rest);
    bounded(bound_of_f(sum.rounded_down()));
  }

  void bounded(double bound) {
    if (settings_.bounded && std::isfinite(bound) &&
        (!reported_bound_ || qubo::better(f_.sense, *reported_bound_, bound))) {
      reported_bound_ = bound;
      settings_.bounded(bound);
    }
  }

  /// An x may be better and its rounded energy the same.
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
  const GeneralSettings& settings_;
  Rng rng_;
  std::stop_token token_;
  Stop stop_;
  Posed posed_;
  const qubo::Quadratic& g_;  // of posed_
  Presolve::Options presolve_;
  bool reduce_;  // whether to presolve
  int searched_ = 0;
  int parts_ = 0;
  qubo::Recovered recovered_;
  Solution known_;  // of g, found by descent
  std::optional<double> reported_;
  std::optional<double> reported_bound_;
  std::optional<std::pair<double, double>>
      simple_bounds_;  // bounds of g and of sign * f
  const Presolve* restore_ = nullptr;
};

}  // namespace

GeneralResult solve_general(const qubo::Quadratic& f,
                            const GeneralSettings& settings,
                            const Rng& rng,
                            const std::stop_token& stop) {
  General general(f, settings, rng, stop);
  if (!general.exact() && f.size() <= kMostTried && settings.method->proves) {
    const qubo::Polynomial p = qubo::polynomial_of(f);
    if (auto found =
            solve_by_enumeration(p, {}, {settings.solver.top}, settings, stop)) {
      return *std::move(found);
    }
  }
  return general.solve();
}

}  // namespace oa::solve
