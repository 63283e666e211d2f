#include "oa/solve/general.h"

#include "oa/base/error.h"
#include "oa/base/exact_sum.h"
#include "oa/base/number.h"
#include "oa/solve/portfolio.h"
#include "oa/solve/presolve.h"
#include "oa/solve/stop.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

qubo::Matrix dense(const qubo::Quadratic& f) {
  const std::size_t n = f.linear.size();
  std::vector<double> j(n * n);
  for (const qubo::Term& t : f.terms()) {
    j[at(t.first) * n + at(t.second)] = t.weight;
    j[at(t.second) * n + at(t.first)] = t.weight;
  }
  return {f.size(), j};
}

/// The sum, or a double just below it.
double rounded_down(ExactSum sum) {
  const double value = sum.value();
  sum.add(-value);
  return sum.value() == 0.0 ? value : std::nextafter(value, -kInfinity);
}

/// Below every value of sign * f: all that can be negative is.
double simple_bound(const qubo::Quadratic& f, double sign = 1.0) {
  const auto least = [&](double weight) {
    return f.vartype == qubo::Vartype::Spin ? -std::abs(weight)
                                            : std::min(0.0, sign * weight);
  };
  ExactSum sum;
  sum.add(sign * f.offset);
  for (const double h : f.linear) {
    sum.add(least(h));
  }
  for (int i = 0; i < f.size(); ++i) {
    for (const qubo::Coupling& c : f.row(i)) {
      if (c.other > i) {
        sum.add(least(c.weight));
      }
    }
  }
  return rounded_down(sum);
}

/// No sum of some of the numbers of f, rounded, is further than this from the sum: 0
/// where all are multiples of one power of two and too small to be rounded.
double rounding_of(const qubo::Quadratic& f) {
  double total = 0.0;
  int unit = std::numeric_limits<double>::max_exponent;  // a power of two
  const auto take = [&](double weight) {
    int exponent = 0;
    const double mantissa = std::frexp(weight, &exponent);
    if (mantissa != 0.0) {
      constexpr int kDigits = std::numeric_limits<double>::digits;
      const auto whole =
          static_cast<std::uint64_t>(std::ldexp(std::abs(mantissa), kDigits));
      unit = std::min(unit, exponent - kDigits + std::countr_zero(whole));
      total += std::abs(weight);
    }
  };
  take(f.offset);
  for (int i = 0; i < f.size(); ++i) {
    take(f.linear[at(i)]);
    for (const qubo::Coupling& c : f.row(i)) {
      take(c.weight);
    }
  }
  // Twice the half of a unit in the last place, for `total` is rounded, too.
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  return std::ldexp(total, -unit) < 1.0 / kEpsilon ? 0.0 : kEpsilon * total;
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
        stop_(token, settings.solver.time_limit_s) {
    qubo::Converted c = converted(f, qubo::Vartype::Binary);
    error_ = c.error;
    g_ = maximising() ? negated(std::move(c.f)) : std::move(c.f);
    reduce_ = settings_.presolve && settings_.solver.top == 1 && error_ == 0.0;
    margin_ = error_;
    if (reduce_ || g_.offset != 0.0) {
      // Solvers do not see the offset, nor what presolving took away.  Energies that
      // are rounded to the same number without it may differ with it.
      margin_ += rounding_of(g_);
    }
  }

  GeneralResult solve() {
    const int top = settings_.solver.top;
    Result found = reduce_ ? solve_reduced() : solve_part(g_, whole(), g_.offset, 1.0);
    found.bound = std::max(found.bound, simple_bound(g_));
    GeneralResult result;
    result.method = found.method.empty() ? settings_.method->name : found.method;
    result.searched = searched_;
    result.status = status(found);
    for (Solution& s : found.best) {
      s.energy = qubo::energy(f_, s.x);
    }
    std::ranges::stable_sort(found.best, [&](const Solution& a, const Solution& b) {
      return qubo::better(f_.sense, a.energy, b.energy);
    });
    if (std::ssize(found.best) > top) {
      found.best.resize(at(top));
    }
    result.best = std::move(found.best);
    result.bound = bound(found.bound, result);
    return result;
  }

 private:
  [[nodiscard]] bool maximising() const { return f_.sense == qubo::Sense::Max; }

  /// One problem is solved as several only where nobody asks for the energy of the
  /// whole on the way.
  [[nodiscard]] bool may_split() const {
    return !settings_.target && !settings_.improved;
  }

  [[nodiscard]] std::vector<int> whole() const {
    std::vector<int> all;
    for (int i = 0; i < g_.size(); ++i) {
      all.push_back(i);
    }
    return all;
  }

  /// What `found` proves of the function that was solved, as far as it holds for f too.
  [[nodiscard]] qubo::Status status(const Result& found) const {
    if (found.status != qubo::Status::ProvedOptimal || margin_ == 0.0) {
      return found.status;
    }
    // The search was asked for one more: it must be worse by more than was rounded.
    const auto top = at(settings_.solver.top);
    const bool clear =
        found.best.size() <= top ||
        found.best[top].energy - found.best[top - 1].energy > 2.0 * margin_;
    return clear ? qubo::Status::ProvedOptimal : qubo::Status::BestFound;
  }

  [[nodiscard]] double bound(double of_g, const GeneralResult& result) const {
    const double best = result.best.front().energy;
    if (result.status == qubo::Status::ProvedOptimal) {
      return best;
    }
    double low = of_g;
    if (margin_ > 0.0) {
      low = std::nextafter(low - margin_, -kInfinity);
    }
    low = std::max(low, simple_bound(f_, maximising() ? -1.0 : 1.0));
    return maximising() ? std::max(-low, best) : std::min(low, best);
  }

  Result solve_reduced() {
    const bool symmetric =
        f_.vartype == qubo::Vartype::Spin &&
        std::ranges::all_of(f_.linear, [](double h) { return h == 0.0; });
    Presolve reduced(g_, symmetric && settings_.initial.empty());
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
    bound.add(reduced.offset());
    for (const Presolve::Part& part : parts) {
      const auto size = static_cast<double>(part.variables.size());
      restore_ = &reduced;
      const Result one =
          solve_part(part.f, part.variables, reduced.offset(), size / left);
      left -= size;
      for (std::size_t k = 0; k < part.variables.size(); ++k) {
        x.x[at(part.variables[k])] = one.best.front().x[k];
      }
      bound.add(std::max(one.bound, simple_bound(part.f)) - part.f.offset);
      const qubo::Status proved = status(one);
      if (proved != qubo::Status::ProvedOptimal &&
          all.status != qubo::Status::Stopped) {
        all.status = proved;
      }
      all.method = all.method.empty() ? one.method : all.method;
    }
    reduced.restore(x.x);
    if (parts.empty()) {
      all.method = "presolve";
      if (settings_.improved) {
        settings_.improved(qubo::energy(f_, x.x));
      }
    }
    all.bound = rounded_down(bound);
    return all;
  }

  static Presolve::Part joined(const std::vector<Presolve::Part>& parts) {
    Presolve::Part all;
    std::vector<qubo::Term> terms;
    std::vector<double> linear;
    for (const Presolve::Part& part : parts) {
      const auto first = static_cast<std::int32_t>(all.variables.size());
      for (const qubo::Term& t : part.f.terms()) {
        terms.push_back({first + t.first, first + t.second, t.weight});
      }
      all.variables.insert(
          all.variables.end(), part.variables.begin(), part.variables.end());
      linear.insert(linear.end(), part.f.linear.begin(), part.f.linear.end());
    }
    all.f = qubo::Quadratic(static_cast<int>(linear.size()));
    all.f.linear = std::move(linear);
    all.f.add(terms);
    return all;
  }

  /// Energies of the result are without `offset`; `share` of the time left is for it.
  Result solve_part(const qubo::Quadratic& f,
                    const std::vector<int>& variables,
                    double offset,
                    double share) {
    searched_ += f.size();
    Settings settings = settings_.solver;
    settings.time_limit_s = share * stop_.left_s();
    settings.top += margin_ > 0.0 ? 1 : 0;
    PartTask task{f, settings, settings_.threads, -kInfinity, {}, false, {}};
    if (settings_.target) {
      task.target =
          (maximising() ? -*settings_.target : *settings_.target) - offset + f.offset;
    }
    if (!settings_.initial.empty()) {
      for (const int i : variables) {
        task.start.push_back(settings_.initial[at(i)]);
      }
    }
    if (settings_.improved) {
      task.improved = [&](std::span<const std::uint8_t> x) { tell(x, variables); };
    }
    const Rng rng = rng_.fork(static_cast<std::uint64_t>(parts_++));
    if (settings_.method->name == "auto") {
      return solve_portfolio(task, rng, token_);
    }
    task.tempering = settings_.method->name == "pt";
    if (task.tempering || settings_.method->name == "sa") {
      return solve_annealing(task, rng, token_);
    }
    if (f.size() > kMostDense) {
      throw InputError(format_grouped(f.size()) + " variables are too many for " +
                       std::string(settings_.method->name) + " (expected " +
                       format_grouped(kMostDense) + ", or the solver auto, sa or pt)");
    }
    const qubo::Matrix j = dense(f);
    Result result = settings_.method->prepare(j, settings)(f.linear, rng, token_);
    result.bound += f.offset;
    if (task.improved) {
      task.improved(result.best.front().x);
    }
    return result;
  }

  void tell(std::span<const std::uint8_t> part, const std::vector<int>& variables) {
    std::vector<std::uint8_t> x(f_.linear.size());
    for (std::size_t k = 0; k < variables.size(); ++k) {
      x[at(variables[k])] = part[k];
    }
    if (restore_ != nullptr) {
      restore_->restore(x);
    }
    settings_.improved(qubo::energy(f_, x));
  }

  const qubo::Quadratic& f_;
  const GeneralSettings& settings_;
  Rng rng_;
  std::stop_token token_;
  Stop stop_;
  qubo::Quadratic g_;    // f, to be minimised over 0/1 vectors
  double error_ = 0.0;   // of any value of g
  double margin_ = 0.0;  // what energies may be off that solvers compare
  bool reduce_ = false;  // presolving comes first
  int searched_ = 0;
  int parts_ = 0;
  const Presolve* restore_ = nullptr;
};

}  // namespace

GeneralResult solve_general(const qubo::Quadratic& f,
                            const GeneralSettings& settings,
                            const Rng& rng,
                            const std::stop_token& stop) {
  return General(f, settings, rng, stop).solve();
}

}  // namespace oa::solve
