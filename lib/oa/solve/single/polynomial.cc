#include "oa/solve/single/polynomial.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/exact/tree/elimination.h"
#include "oa/solve/polynomial/enumerate.h"
#include "oa/solve/polynomial/penalty_search.h"
#include "oa/solve/polynomial/presolve.h"
#include "oa/solve/polynomial/task.h"
#include "oa/solve/polynomial/whole_polynomial.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace oa::solve {
namespace {

/// Results of a polynomial to be minimised in whole numbers, as those of `p`.
class OwnForm {
 public:
  OwnForm(const qubo::Polynomial& p,
          const GeneralSettings& settings,
          const Rng& rng,
          const std::stop_token& token)
      : p_(p),
        settings_(settings),
        rng_(rng),
        token_(token),
        stop_(token, settings.solver.time_limit_s),
        whole_(in_whole_numbers(p)) {}

  GeneralResult solve() {
    const bool one = settings_.solver.top == 1 && !settings_.sampled;
    const bool reduce = settings_.presolve && one && whole_.error == 0.0;
    if (reduce && is_narrow()) {
      if (auto proof = prove_as_quadratic()) {
        return *std::move(proof);
      }
    }
    const Result found = reduce ? solve_reduced() : solve_part(whole_, {}, {}, 1.0);
    GeneralResult result;
    result.best = ranked(found.best);
    result.method = found.method;
    result.searched = searched_;
    const bool exact = whole_.error == 0.0;
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    result.status = proved && !exact ? qubo::Status::BestFound : found.status;
    if (result.status == qubo::Status::ProvedOptimal) {
      result.proved_by = found.proof;
      result.bound = result.best.front().energy;
    } else {
      result.bound = bound(found.bound, result.best.front().energy);
    }
    if (settings_.count_optima) {
      count_optima(result);
    }
    result.found_by = is_initial(result.best.front()) ? "initial" : result.method;
    improved(result.best.front().x);
    bounded(result.bound);
    return result;
  }

 private:
  [[nodiscard]] bool maximising() const { return p_.sense == qubo::Sense::Max; }

  /// `offset` is the value of the rest; `share` is a share of the time left.
  Result solve_part(const WholePolynomial& part,
                    const std::vector<std::int32_t>& variables,
                    const TwoDoubles& offset,
                    double share) {
    searched_ += part.n;
    const WholePolynomial shorter = in_shorter_form(part);
    PolynomialTask task{
        .p = shorter, .settings = settings_.solver, .threads = settings_.threads};
    task.sampled = settings_.sampled;
    for (const std::int32_t i : variables) {
      if (!settings_.initial.empty()) {
        task.start.push_back(settings_.initial[at(i)]);
      }
    }
    if (variables.empty()) {
      task.start = settings_.initial;
    }
    if (settings_.target) {
      task.target = most_for(*settings_.target, offset);
    }
    if (settings_.improved) {
      task.improved = [&](std::span<const std::uint8_t> x) {
        improved(variables.empty() ? std::vector(x.begin(), x.end())
                                   : whole_x(x, variables));
      };
    }
    const Stop stop = stop_.share(share);
    const Rng rng = rng_.fork(static_cast<std::uint64_t>(parts_++));
    return settings_.method->solve_polynomial(task, rng, stop);
  }

  [[nodiscard]] std::vector<std::uint8_t> whole_x(
      std::span<const std::uint8_t> x,
      const std::vector<std::int32_t>& variables) const {
    std::vector<std::uint8_t> all(at(p_.n));
    for (std::size_t k = 0; k < x.size(); ++k) {
      all[at(variables[k])] = x[k];
    }
    presolve_->restore(all);
    return all;
  }

  Result solve_reduced() {
    presolve_.emplace(whole_);
    const bool split = !settings_.target && !settings_.improved && !settings_.bounded;
    const auto parts = presolve_->parts(split);
    double left = 0.0;
    for (const PolynomialPresolve::Part& part : parts) {
      left += part.p.n;
    }
    Result all;
    all.status = qubo::Status::ProvedOptimal;
    all.method = all.proof = "presolve";
    std::vector<std::uint8_t> x(at(p_.n));
    ExactSum bound;
    bound.add(presolve_->offset().value);
    bound.add(presolve_->offset().rest);
    for (const PolynomialPresolve::Part& part : parts) {
      const Result one =
          solve_part(part.p, part.variables, presolve_->offset(), part.p.n / left);
      left -= part.p.n;
      for (std::size_t k = 0; k < part.variables.size(); ++k) {
        x[at(part.variables[k])] = one.best.front().x[k];
      }
      bound.add(std::max(one.bound, least_of(part.p)));
      if (one.status != qubo::Status::ProvedOptimal &&
          all.status != qubo::Status::Stopped) {
        all.status = one.status;
      }
      if (&part == parts.data()) {
        all.method = one.method;
        all.proof = one.proof;
      }
    }
    presolve_->restore(x);
    all.bound = bound.rounded_down();
    all.best.emplace_back(TwoDoubles(), std::move(x));
    return all;
  }

  /// True if a tree decomposition of it has small tables: the quadratic function has
  /// one, too, and is solved in no time.
  [[nodiscard]] bool is_narrow() const {
    constexpr int kMostWidth = 18;
    constexpr double kMostPairs = 32.0;  // a variable
    if (!settings_.method->proves || settings_.count_optima || p_.n <= kFewestNarrow) {
      return false;
    }
    double pairs = 0.0;
    for (std::size_t m = 0; m < whole_.size(); ++m) {
      pairs += std::pow(static_cast<double>(whole_.monomial(m).size()), 2.0);
    }
    if (pairs > kMostPairs * p_.n) {
      return false;
    }
    WholeFunction graph{.linear = std::vector<Whole>(at(p_.n)),
                        .rows = std::vector<std::vector<WholeCoupling>>(at(p_.n))};
    const MonomialIndex index(whole_);
    for (std::int32_t i = 0; i < p_.n; ++i) {
      std::set<std::int32_t> others;
      for (const std::int32_t m : index.of(i)) {
        others.insert(whole_.monomial(at(m)).begin(), whole_.monomial(at(m)).end());
      }
      others.erase(i);
      for (const std::int32_t k : others) {
        graph.rows[at(i)].push_back({k, 1});
      }
    }
    return eliminate(graph, kMostWidth, stop_.share(kTreeShare)).has_value();
  }

  /// Nothing without a proof.
  std::optional<GeneralResult> prove_as_quadratic() {
    const qubo::Reduced reduced = qubo::reduced(p_, "polynomial");
    if (reduced.f.size() > settings_.method->most_variables) {
      return std::nullopt;
    }
    GeneralSettings rest = settings_;
    rest.solver.time_limit_s = kTreeShare * stop_.left_s();
    rest.initial.resize(settings_.initial.empty() ? 0 : reduced.f.linear.size());
    if (settings_.improved) {
      rest.improved = [&](double energy) { improved(energy); };
    }
    if (settings_.bounded) {
      rest.bounded = [&](double bound) { bounded(bound); };
    }
    GeneralResult found = solve_general(reduced.f, rest, rng_.fork(0), token_);
    if (found.status != qubo::Status::ProvedOptimal) {
      return std::nullopt;
    }
    found.best.front().x.resize(at(p_.n));
    found.best = ranked({found.best.front()});
    found.bound = found.best.front().energy;
    return found;
  }

  void count_optima(GeneralResult& result) const {
    constexpr double kSeconds = 10.0;  // of an enumeration
    constexpr std::int64_t kWork = 5'000'000'000;
    if (result.status != qubo::Status::ProvedOptimal) {
      result.uncounted = "the best is not proved optimal";
      return;
    }
    const WholePolynomial shorter = in_shorter_form(whole_);
    const double seconds = enumeration_seconds(shorter) / settings_.threads;
    if (shorter.n <= kMostEnumerated && seconds < std::min(kSeconds, stop_.left_s())) {
      const Enumerated all = enumerate(shorter, 1, settings_.threads, stop_);
      if (all.complete) {
        result.optima = all.optima;
        return;
      }
    }
    result.optima =
        solve::count_optima(shorter, {{}, result.best.front().x}, kWork, stop_);
    if (!result.optima) {
      result.uncounted = "the search for all of them takes too long";
    }
  }

  /// The bound of p that a bound of its whole numbers implies.
  [[nodiscard]] double of_p(double bound) const {
    ExactSum sum;
    sum.add(bound);
    sum.add(-whole_.error);
    const double low = sum.rounded_down();
    return maximising() ? -low : low;
  }

  /// A lower bound, rounded down.
  static double least_of(const WholePolynomial& p) {
    const TwoDoubles simple = in_doubles(simple_bound(p), p.unit);
    return simple.rest < 0.0 ? std::nextafter(simple.value, -kInfinity) : simple.value;
  }

  [[nodiscard]] double bound(double of_whole, double best) const {
    const double all = of_p(std::max(least_of(whole_), of_whole));
    return maximising() ? std::max(all, best) : std::min(all, best);
  }

  /// Energies that round to the target reach it; without the value of the rest.
  [[nodiscard]] TwoDoubles most_for(double target, const TwoDoubles& offset) const {
    const double least = maximising() ? -target : target;
    ExactSum sum;
    sum.add(least);
    sum.add(0.5 * (std::nextafter(least, kInfinity) - least));
    sum.add(-offset.value);
    sum.add(-offset.rest);
    TwoDoubles most = sum.two();
    most.rest = std::nextafter(most.rest, -kInfinity);  // a tie may round away
    return most;
  }

  [[nodiscard]] bool is_initial(const Solution& best) const {
    if (settings_.initial.empty()) {
      return false;
    }
    ExactSum difference = qubo::exact_value(p_, settings_.initial);
    difference.subtract(qubo::exact_value(p_, best.x));
    return difference.value() == 0.0;
  }

  /// Solutions with their energies of p, best first.
  [[nodiscard]] std::vector<Solution> ranked(const std::vector<Solution>& all) const {
    std::vector<Solution> best;
    for (const Solution& s : all) {
      TwoDoubles energy = qubo::exact_value(p_, s.x).two();
      if (maximising()) {
        energy = {-energy.value, -energy.rest};
      }
      best.emplace_back(energy, s.x);
    }
    std::ranges::stable_sort(best, std::less<>());
    for (Solution& s : best) {
      if (maximising()) {
        s.energy = -s.energy;
        s.rest = -s.rest;
      }
    }
    return best;
  }

  void improved(std::span<const std::uint8_t> x) {
    if (settings_.improved) {
      improved(qubo::exact_value(p_, x).value());
    }
  }

  void improved(double energy) {
    if (!reported_ || qubo::better(p_.sense, energy, *reported_)) {
      reported_ = energy;
      settings_.improved(energy);
    }
  }

  void bounded(double bound) {
    if (settings_.bounded && std::isfinite(bound) &&
        (!reported_bound_ || qubo::better(p_.sense, *reported_bound_, bound))) {
      reported_bound_ = bound;
      settings_.bounded(bound);
    }
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr int kFewestNarrow = 24;   // variables; fewer are enumerated
  static constexpr double kTreeShare = 0.3;  // of the time left

  const qubo::Polynomial& p_;
  const GeneralSettings& settings_;
  Rng rng_;
  std::stop_token token_;
  Stop stop_;
  WholePolynomial whole_;
  std::optional<PolynomialPresolve> presolve_;
  int parts_ = 0;
  int searched_ = 0;
  std::optional<double> reported_;
  std::optional<double> reported_bound_;
};

}  // namespace

GeneralResult solve_in_own_form(const qubo::Polynomial& p,
                                const GeneralSettings& settings,
                                const Rng& rng,
                                const std::stop_token& stop) {
  return OwnForm(p, settings, rng, stop).solve();
}

}  // namespace oa::solve
