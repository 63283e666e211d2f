#include "oa/solve/single/polynomial.h"

#include "oa/base/exact_sum.h"
#include "oa/solve/polynomial/task.h"
#include "oa/solve/polynomial/whole_polynomial.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

/// Results of a polynomial to be minimised in whole numbers, as those of `p`.
class OwnForm {
 public:
  OwnForm(const qubo::Polynomial& p, const GeneralSettings& settings)
      : p_(p),
        settings_(settings),
        whole_(in_shorter_form(in_whole_numbers(p))) {}

  GeneralResult solve(const Rng& rng, const std::stop_token& token) {
    const Stop stop(token, settings_.solver.time_limit_s);
    PolynomialTask task{
        .p = whole_, .settings = settings_.solver, .threads = settings_.threads};
    task.start = settings_.initial;
    task.sampled = settings_.sampled;
    if (settings_.target) {
      task.target = most_for(*settings_.target);
    }
    if (settings_.improved) {
      task.improved = [&](std::span<const std::uint8_t> x) { improved(x); };
    }
    if (settings_.bounded) {
      task.bounded = [&](double bound) { bounded(of_p(bound)); };
    }
    const Result found = settings_.method->solve_polynomial(task, rng, stop);
    GeneralResult result;
    result.best = ranked(found.best);
    result.method = found.method;
    result.found_by = is_initial(result.best.front()) ? "initial" : found.method;
    result.searched = whole_.n;
    const bool exact = whole_.error == 0.0;
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    result.status = proved && !exact ? qubo::Status::BestFound : found.status;
    if (result.status == qubo::Status::ProvedOptimal) {
      result.proved_by = found.proof;
      result.bound = result.best.front().energy;
    } else {
      result.bound = bound(found.bound, result.best.front().energy);
    }
    improved(result.best.front().x);
    bounded(result.bound);
    return result;
  }

 private:
  [[nodiscard]] bool maximising() const { return p_.sense == qubo::Sense::Max; }

  /// The bound of p that a bound of its whole numbers implies.
  [[nodiscard]] double of_p(double bound) const {
    ExactSum sum;
    sum.add(bound);
    sum.add(-whole_.error);
    const double low = sum.rounded_down();
    return maximising() ? -low : low;
  }

  [[nodiscard]] double bound(double of_whole, double best) const {
    const TwoDoubles simple = in_doubles(simple_bound(whole_), whole_.unit);
    const double low =
        simple.rest < 0.0 ? std::nextafter(simple.value, -kInfinity) : simple.value;
    const double all = of_p(std::max(low, of_whole));
    return maximising() ? std::max(all, best) : std::min(all, best);
  }

  /// Energies that round to the target reach it.
  [[nodiscard]] TwoDoubles most_for(double target) const {
    const double least = maximising() ? -target : target;
    TwoDoubles most(least, 0.5 * (std::nextafter(least, kInfinity) - least));
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
      const double energy = qubo::exact_value(p_, x).value();
      if (!reported_ || qubo::better(p_.sense, energy, *reported_)) {
        reported_ = energy;
        settings_.improved(energy);
      }
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

  const qubo::Polynomial& p_;
  const GeneralSettings& settings_;
  WholePolynomial whole_;
  std::optional<double> reported_;
  std::optional<double> reported_bound_;
};

}  // namespace

GeneralResult solve_single_polynomial(const qubo::Polynomial& p,
                                      const GeneralSettings& settings,
                                      const Rng& rng,
                                      const std::stop_token& stop) {
  return OwnForm(p, settings).solve(rng, stop);
}

}  // namespace oa::solve
