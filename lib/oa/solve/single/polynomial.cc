#include "oa/solve/single/polynomial.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/exact/tree/elimination.h"
#include "oa/solve/polynomial/task.h"
#include "oa/solve/polynomial/whole_polynomial.h"
#include "oa/solve/single/solve_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace oa::solve {
namespace {

/// Converts results of a minimised integer polynomial to results of `p`.
class OwnForm {
 public:
  OwnForm(const qubo::Polynomial& p,
          const ModelSettings& settings,
          const Rng& rng,
          const std::stop_token& token)
      : p_(p),
        settings_(settings),
        rng_(rng),
        token_(token),
        stop_(token, settings.solver.time_limit_s),
        whole_(in_whole_numbers(p)) {}

  ModelResult solve() {
    if (settings_.presolve && settings_.one_best() && whole_.error == 0.0 &&
        is_narrow()) {
      if (auto proof = prove_as_quadratic()) {
        return *std::move(proof);
      }
    }
    const Result found = search();
    ModelResult result;
    result.best = ranked(found.best);
    result.method = found.method;
    result.searched = p_.n;
    const bool exact = whole_.error == 0.0;
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    result.status = proved && !exact ? qubo::Status::BestFound : found.status;
    if (result.status == qubo::Status::ProvedOptimal) {
      result.proved_by = found.proof;
      result.bound = result.best.front().energy;
    } else {
      result.bound = bound(found.bound, result.best.front().energy);
    }
    result.found_by = result.method;
    return result;
  }

 private:
  [[nodiscard]] bool maximising() const { return p_.sense == qubo::Sense::Max; }

  [[nodiscard]] Result search() const {
    const WholePolynomial shorter = stop_() ? whole_ : in_shorter_form(whole_);
    PolynomialTask task{.p = shorter,
                        .settings = settings_.solver,
                        .threads = settings_.threads,
                        .starts = settings_.initial,
                        .sampled = settings_.sampled};
    if (settings_.target) {
      task.target = most_for(*settings_.target);
    }
    if (settings_.improved) {
      task.improved = [&](std::span<const std::uint8_t> x) {
        settings_.improved(qubo::exact_value(p_, x).value());
      };
    }
    if (settings_.bounded) {
      task.bounded = [&](double bound) { settings_.bounded(of_p(bound)); };
    }
    return settings_.method->solve_polynomial(task, rng_.fork(0), stop_);
  }

  /// True if a tree decomposition has small tables.
  /// Then the quadratic function has small tables, too, and is solved at once.
  [[nodiscard]] bool is_narrow() const {
    constexpr int kMaxTreeWidth = 18;
    constexpr double kMaxPairs = 32.0;  // for each variable
    if (!settings_.method->proves || p_.n <= kMinNarrow) {
      return false;
    }
    double pairs = 0.0;
    for (std::size_t m = 0; m < whole_.size(); ++m) {
      pairs += std::pow(static_cast<double>(whole_.monomial(m).size()), 2.0);
    }
    if (pairs > kMaxPairs * p_.n) {
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
    return eliminate(graph, kMaxTreeWidth, stop_.share(kTreeShare)).has_value();
  }

  /// Tries a proof on the quadratic function; empty without a proof.
  std::optional<ModelResult> prove_as_quadratic() {
    const qubo::Reduced reduced = qubo::reduced(p_, "polynomial");
    if (reduced.f.size() > settings_.method->most_variables) {
      return std::nullopt;
    }
    ModelSettings rest = settings_;
    rest.solver.time_limit_s = kTreeShare * stop_.left_s();
    rest.count_optima = false;
    for (std::vector<std::uint8_t>& x : rest.initial) {
      x.resize(reduced.f.linear.size());
    }
    ModelResult found = solve_model(reduced.f, rest, rng_.fork(0), token_);
    if (found.status != qubo::Status::ProvedOptimal) {
      return std::nullopt;
    }
    found.best.front().x.resize(at(p_.n));
    found.best = ranked({found.best.front()});
    found.bound = found.best.front().energy;
    return found;
  }

  /// Converts a bound of the integer polynomial to a bound of p.
  [[nodiscard]] double of_p(double bound) const {
    ExactSum sum;
    sum.add(bound);
    sum.add(-whole_.error);
    const double low = sum.rounded_down();
    return maximising() ? -low : low;
  }

  /// A simple lower bound, rounded down.
  static double least_of(const WholePolynomial& p) {
    const TwoDoubles simple = in_doubles(simple_bound(p), p.unit);
    return simple.rest < 0.0 ? std::nextafter(simple.value, -kInfinity) : simple.value;
  }

  [[nodiscard]] double bound(double of_whole, double best) const {
    const double all = of_p(std::max(least_of(whole_), of_whole));
    return maximising() ? std::max(all, best) : std::min(all, best);
  }

  /// The largest energy of the integer polynomial that rounds to the target.
  [[nodiscard]] TwoDoubles most_for(double target) const {
    const double least = maximising() ? -target : target;
    ExactSum sum;
    sum.add(least);
    sum.add(0.5 * (std::nextafter(least, kInfinity) - least));
    TwoDoubles most = sum.two();
    most.rest = std::nextafter(most.rest, -kInfinity);  // a tie may round away
    return most;
  }

  /// Returns solutions with energies of p, best first.
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

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr int kMinNarrow = 24;      // variables; fewer are enumerated
  static constexpr double kTreeShare = 0.3;  // of the remaining time

  const qubo::Polynomial& p_;
  const ModelSettings& settings_;
  Rng rng_;
  std::stop_token token_;
  Stop stop_;
  WholePolynomial whole_;
};

}  // namespace

ModelResult solve_in_own_form(const qubo::Polynomial& p,
                              const ModelSettings& settings,
                              const Rng& rng,
                              const std::stop_token& stop) {
  return OwnForm(p, settings, rng, stop).solve();
}

}  // namespace oa::solve
