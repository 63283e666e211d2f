#include "oa/solve/single/polynomial.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/polynomial/presolve.h"
#include "oa/solve/polynomial/search.h"
#include "oa/solve/polynomial/task.h"
#include "oa/solve/polynomial/whole_polynomial.h"
#include "oa/solve/single/solve_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

/// Results of a polynomial to be minimised in whole numbers, as those of `p`.
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
    const bool reduce = settings_.presolve && settings_.solver.top == 1 &&
                        !settings_.sampled && whole_.error == 0.0;
    const Result found = reduce ? solve_reduced() : solve_part(whole_, {}, {}, 1.0);
    ModelResult result;
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
    if (may_quadratise(result)) {
      prove_as_quadratic(result);
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
    task.starts =
        variables.empty() ? settings_.initial : parts_of(settings_.initial, variables);
    if (settings_.target) {
      task.target = most_for(*settings_.target, offset);
    }
    if (settings_.improved) {
      task.improved = [&](std::span<const std::uint8_t> x) {
        improved(variables.empty() ? std::vector(x.begin(), x.end())
                                   : whole_x(x, variables));
      };
    }
    const bool later = part.n > kMostOwn && may_quadratise({});  // a proof comes later
    const Stop stop = stop_.share(later ? kOwnShare * share : share);
    const Rng rng = rng_.fork(static_cast<std::uint64_t>(parts_++));
    if (later && settings_.method == &exact_method()) {
      task.settings.reads = kFirstReads;
      return search_polynomial(task, rng, stop);
    }
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

  /// True if the function without monomials of more than two variables is not much
  /// larger, and there is something to prove.
  [[nodiscard]] bool may_quadratise(const ModelResult& result) const {
    if (!settings_.method->proves || settings_.solver.top > 1 || !settings_.presolve ||
        result.status == qubo::Status::ProvedOptimal) {
      return false;
    }
    if (settings_.target && !result.best.empty() &&
        !qubo::better(p_.sense, *settings_.target, result.best.front().energy)) {
      return false;
    }
    // Monomials of spins become 2^degree.
    constexpr double kMostTimes = 64.0;
    double size = 0.0;
    for (const qubo::Monomial& m : p_.monomials) {
      const auto d = static_cast<double>(m.variables.size());
      size += p_.vartype == qubo::Vartype::Spin ? std::exp2(std::min(d, 30.0)) * d : d;
    }
    return p_.n > kMostOwn && size <= kMostTimes * p_.n;
  }

  /// Proofs for quadratic functions use their structure.
  void prove_as_quadratic(ModelResult& result) {
    const qubo::Reduced reduced = qubo::reduced(p_, "polynomial");
    if (reduced.f.size() > settings_.method->most_variables) {
      return;
    }
    ModelSettings rest = settings_;
    rest.solver.time_limit_s = stop_.left_s();
    rest.initial = {result.best.front().x};
    rest.initial.front().resize(reduced.f.linear.size());
    if (settings_.improved) {
      rest.improved = [&](double energy) { improved(energy); };
    }
    if (settings_.bounded) {
      rest.bounded = [&](double bound) { bounded(bound); };
    }
    ModelResult found = solve_model(reduced.f, rest, rng_.fork(at(parts_)), token_);
    std::vector<Solution> best = std::move(found.best);
    best.front().x.resize(at(p_.n));
    const std::vector<Solution> all = ranked({result.best.front(), best.front()});
    const bool better = all.front().x != result.best.front().x;
    if (found.status == qubo::Status::ProvedOptimal) {
      result.bound = all.front().energy;
      result.proved_by = found.proved_by;
    } else if (qubo::better(p_.sense, result.bound, found.bound)) {
      result.bound = maximising() ? std::max(found.bound, all.front().energy)
                                  : std::min(found.bound, all.front().energy);
    }
    result.status = found.status;
    result.method = better ? found.method : result.method;
    result.best = {all.front()};
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
    return std::ranges::any_of(settings_.initial, [&](const auto& x) {
      ExactSum difference = qubo::exact_value(p_, x);
      difference.subtract(qubo::exact_value(p_, best.x));
      return difference.value() == 0.0;
    });
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
  static constexpr int kMostOwn = 34;  // variables of polynomials proved by themselves
  static constexpr int kFirstReads = 16;    // before other proofs
  static constexpr double kOwnShare = 0.5;  // of the time left, before such a proof

  const qubo::Polynomial& p_;
  const ModelSettings& settings_;
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

ModelResult solve_in_own_form(const qubo::Polynomial& p,
                              const ModelSettings& settings,
                              const Rng& rng,
                              const std::stop_token& stop) {
  return OwnForm(p, settings, rng, stop).solve();
}

}  // namespace oa::solve
