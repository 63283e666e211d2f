#include "oa/solve/single/solve_model.h"

#include "oa/base/index.h"
#include "oa/base/stopwatch.h"
#include "oa/solve/exact/tree/tree.h"
#include "oa/solve/polynomial/enumerate.h"
#include "oa/solve/polynomial/penalty_search.h"
#include "oa/solve/single/constrained.h"
#include "oa/solve/single/enumerate.h"
#include "oa/solve/single/pass.h"
#include "oa/solve/single/piecewise.h"
#include "oa/solve/single/polynomial.h"
#include "oa/solve/single/posed.h"
#include "oa/solve/single/quadratic.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

/// Compares two exact sums.
bool equal(ExactSum a, const ExactSum& b) {
  a.subtract(b);
  return a.value() == 0.0;
}

/// True if a and b have the same exact value.
bool as_good(const qubo::Model& model, const Solution& a, const Solution& b) {
  return a.value() == b.value() &&
         equal(qubo::exact_value(model, a.x), qubo::exact_value(model, b.x));
}

using Search = std::function<ModelResult(const ModelSettings&)>;

/// Lists more and more solutions until one is worse than the first.
ModelResult list_optima(const qubo::Model& model,
                        const Search& search,
                        ModelSettings settings) {
  constexpr int kFirst = 16;
  constexpr int kTimes = 25;
  const double limit_s = settings.solver.time_limit_s;
  const Stopwatch since_begin;
  settings.all_optima = false;
  for (int top = kFirst;; top = std::min(kTimes * top, kMaxListed)) {
    settings.solver.top = top;
    settings.solver.time_limit_s = limit_s - since_begin.seconds();
    ModelResult result = search(settings);
    std::vector<Solution>& best = result.best;
    const bool proved = result.status == qubo::Status::ProvedOptimal;
    const auto end = std::ranges::find_if_not(
        best, [&](const Solution& s) { return as_good(model, s, best.front()); });
    result.complete = proved && (std::ssize(best) < top || end != best.end());
    if (result.complete || !proved || top == kMaxListed) {
      best.erase(end, best.end());
      return result;
    }
  }
}

/// Returns a constraint that excludes only x.
qubo::Constraint all_but(std::span<const std::uint8_t> x, qubo::Vartype vartype) {
  qubo::Constraint c{"another", {}, qubo::Relation::AtMost, 0.0};
  double sum = 0.0;  // left side at x, its maximum
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(x.size()); ++i) {
    c.terms.push_back({i, i, x[at(i)] != 0 ? 1.0 : -1.0});
    sum += vartype == qubo::Vartype::Spin || x[at(i)] != 0 ? 1.0 : 0.0;
  }
  c.right = sum - 1.0;
  return c;
}

/// Finds several solutions one after another; each search excludes earlier solutions.
ModelResult keep_constraints(const qubo::Model& model,
                             const ModelSettings& settings,
                             const Rng& rng,
                             const std::stop_token& stop) {
  const Stopwatch since_begin;
  qubo::Model left = model;
  ModelSettings one = settings;
  one.all_optima = false;
  const int most = settings.all_optima ? kMaxKept : settings.solver.top;
  one.solver.top = 1;
  std::optional<ModelResult> all;
  for (int k = 0; k < most; ++k) {
    one.solver.time_limit_s = (most == 1 ? 1.0 : 0.5) *
                              (settings.solver.time_limit_s - since_begin.seconds());
    ModelResult found = solve_constrained(left, one, rng.fork(at(k)), stop);
    Solution& best = found.best.front();
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    if (all && (qubo::violated(left, best.x) >= 0 ||
                (settings.all_optima && !as_good(left, best, all->best.front())))) {
      all->complete = proved;
      break;
    }
    one.improved = {};  // later optima are not better
    one.bounded = {};
    left.constraints.push_back(all_but(best.x, left.f.vartype));
    if (!all) {
      all = std::move(found);
    } else {
      all->best.push_back(std::move(best));
    }
    if (!proved) {
      all->status = found.status;
    }
    if (!proved && settings.all_optima) {
      break;
    }
  }
  return *std::move(all);
}

/// The result if pass `method` left no variable.
ModelResult only(const qubo::Model& model, std::string_view method) {
  ModelResult result;
  const TwoDoubles energy = qubo::exact_value(model, {}).two();
  result.best.emplace_back(energy, std::vector<std::uint8_t>());
  result.bound = energy.value;
  result.status = qubo::Status::ProvedOptimal;
  result.method = result.found_by = result.proved_by = method;
  result.optima = 1;
  result.complete = true;
  return result;
}

/// Tries every x of a small model that is not just a quadratic function.
std::optional<ModelResult> try_all(const qubo::Model& model,
                                   const ModelSettings& settings,
                                   const std::stop_token& stop) {
  if (model.quadratic() || !settings.method->proves) {
    return std::nullopt;
  }
  const qubo::Polynomial p = qubo::polynomial_of(model);
  if (!enumerable(p, {})) {
    return std::nullopt;
  }
  const Wanted wanted{settings.all_optima ? kMaxListed : settings.solver.top,
                      settings.all_optima};
  auto found = solve_by_enumeration(p, {}, wanted, settings, stop);
  if (found) {
    found->complete =
        std::cmp_greater_equal(found->best.size(), found->optima.value_or(0));
  }
  return found;
}

ModelResult solve_whole(const qubo::Model& model,
                        const ModelSettings& settings,
                        const Rng& rng,
                        const std::stop_token& stop) {
  if (auto found = try_all(model, settings, stop)) {
    return *std::move(found);
  }
  if (!model.constraints.empty()) {
    return keep_constraints(model, settings, rng, stop);
  }
  const auto search = [&](const ModelSettings& mine) {
    return model.higher.empty()
               ? solve_quadratic(model.f, mine, rng, stop)
               : solve_in_own_form(qubo::polynomial_of(model), mine, rng, stop);
  };
  return settings.all_optima ? list_optima(model, search, settings) : search(settings);
}

/// Evaluates solutions on the model and sorts them by value, then by x.
/// Drops duplicates; drops infeasible solutions if a feasible solution exists.
void rank(const qubo::Model& model, std::vector<Solution>& best) {
  for (Solution& s : best) {
    s = {qubo::exact_value(model, s.x).two(), std::move(s.x)};
  }
  const auto first_broken = std::ranges::stable_partition(
      best, [&](const Solution& s) { return qubo::violated(model, s.x) < 0; });
  best.erase(
      best.begin() == first_broken.begin() ? best.begin() + 1 : first_broken.begin(),
      best.end());
  const bool max = model.f.sense == qubo::Sense::Max;
  std::ranges::sort(best, [&](const Solution& a, const Solution& b) {
    return a.value() == b.value() ? a.x < b.x : (a.value() < b.value()) != max;
  });
  const auto repeated = std::ranges::unique(best, {}, &Solution::x);
  best.erase(repeated.begin(), repeated.end());
}

/// The number of optima of a polynomial, if a few seconds suffice.
std::optional<std::uint64_t> optima_of(const WholePolynomial& p,
                                       const Solution& best,
                                       int threads,
                                       const Stop& stop) {
  constexpr double kSeconds = 10.0;  // of an enumeration
  constexpr std::int64_t kWork = 5'000'000'000;
  const double seconds = enumeration_seconds(p) / threads;
  if (p.n <= kMaxEnumerated && seconds < std::min(kSeconds, stop.left_s())) {
    const Enumerated all = enumerate(p, 1, threads, stop);
    if (all.complete) {
      return all.optima;
    }
  }
  return count_optima(p, {{}, best.x}, kWork, stop);
}

void count_in_own_form(const qubo::Model& model,
                       int threads,
                       const Stop& stop,
                       ModelResult& result) {
  if (!model.constraints.empty() || !model.soft.empty()) {
    return;
  }
  const WholePolynomial p =
      in_shorter_form(in_whole_numbers(qubo::polynomial_of(model)));
  if (p.error == 0.0) {
    result.optima = optima_of(p, result.best.front(), threads, stop);
  }
  if (!result.optima) {
    result.uncounted = "the search for all of them takes too long";
  }
}

/// Counts the optima, if one is proved.
void count_optima(const qubo::Model& model,
                  int threads,
                  const Stop& stop,
                  ModelResult& result) {
  if (result.status != qubo::Status::ProvedOptimal) {
    result.uncounted = "the best is not proved optimal";
    return;
  }
  if (model.size() <= kMaxTried) {
    if (const auto all = best_of_all(qubo::polynomial_of(model), {}, {}, stop)) {
      result.optima = all->optima;
    }
    return;
  }
  if (!model.quadratic()) {
    count_in_own_form(model, threads, stop, result);
    return;
  }
  const Posed posed = pose(model.f);
  if (posed.error > 0.0) {
    result.uncounted = "its numbers differ too much in size for exact sums";
  } else {
    MinimaCount counted = count_minima(posed.g, threads, stop);
    result.optima = counted.count;
    result.uncounted = std::move(counted.why);
  }
}

/// The share of a time limit, in seconds, for exact energies and for writing.
double after_s(const qubo::Quadratic& f, double limit_s) {
  // Reserves time for a few evaluations, which are fast for dense integers,
  // and some time per variable for writing and freeing memory.
  const bool quick = f.couplings().dense() && !f.couplings().sums().empty();
  const double pair_seconds = quick ? 1e-9 : 10e-9;
  constexpr double kVariableSeconds = 200e-9;
  return std::min(
      0.5 * limit_s,
      pair_seconds * static_cast<double>(f.pairs()) + kVariableSeconds * f.size());
}

/// Forwards numbers that improve on all earlier numbers.
std::function<void(double)> rising(std::function<void(double)> tell,
                                   qubo::Sense sense) {
  if (!tell) {
    return {};
  }
  return [tell = std::move(tell), best = std::optional<double>(), sense](
             double value) mutable {
    if (std::isfinite(value) && (!best || qubo::better(sense, value, *best))) {
      best = value;
      tell(value);
    }
  };
}

ProblemSize size_of(const qubo::Model& model) {
  return {model.size(),
          model.f.pairs() + std::ssize(model.higher),
          std::ssize(model.constraints)};
}

/// Applies the passes to the model and to the settings.
class Passes {
 public:
  Passes(const qubo::Model& model, ModelSettings& settings, const Stop& stop)
      : asked_(&model),
        last_(&model),
        initial_(settings.initial) {
    for (const NamedPass& named : passes()) {
      const Stopwatch since_begin;
      std::unique_ptr<Pass> pass = named.make(*last_, settings, stop);
      if (pass && settings.staged) {
        settings.staged({named.name,
                         since_begin.seconds(),
                         size_of(*last_),
                         size_of(pass->model())});
      }
      if (pass) {
        if (!settings.known.empty()) {
          known_ = qubo::exact_value(*last_, settings.known);
        }
        take(settings, *pass);
        if (pass->keeps_optima() && last_ == asked_) {
          asked_ = &pass->model();
          initial_ = settings.initial;
        }
        last_ = &pass->model();
        name_ = named.name;
        done_.push_back(std::move(pass));
      }
    }
  }

  [[nodiscard]] bool none() const { return done_.empty(); }
  [[nodiscard]] const qubo::Model& last() const { return *last_; }
  /// The first model with the same optima as the original, and its initial states.
  [[nodiscard]] const qubo::Model& asked() const { return *asked_; }
  [[nodiscard]] const States& initial() const { return initial_; }
  /// The value of a descent's vector before the last pass.
  [[nodiscard]] const std::optional<ExactSum>& known() const { return known_; }
  /// The name of the last pass.
  [[nodiscard]] std::string_view name() const { return name_; }

  void back(ModelResult& result) const {
    for (const std::unique_ptr<Pass>& pass : std::views::reverse(done_)) {
      pass->tell(result.recovered);
      result.penalised = result.penalised || pass->penalises();
      for (Solution& s : result.best) {
        s.x = pass->back(s.x);
      }
    }
  }

 private:
  static void take(ModelSettings& settings, const Pass& pass) {
    for (std::vector<std::uint8_t>& x : settings.initial) {
      x = pass.forward(x);
    }
    if (!settings.known.empty()) {
      settings.known = pass.forward(settings.known);
    }
    if (settings.sampled) {
      settings.sampled = [&pass, tell = std::move(settings.sampled)](
                             std::span<const std::uint8_t> x) { tell(pass.back(x)); };
    }
  }

  std::vector<std::unique_ptr<Pass>> done_;
  const qubo::Model* asked_;
  const qubo::Model* last_;
  States initial_;
  std::optional<ExactSum> known_;
  std::string_view name_;
};

/// Records if an initial state or a descent was as good as the best.
void name_finder(const qubo::Model& model, const Passes& passes, ModelResult& result) {
  const ExactSum value = qubo::exact_value(model, result.best.front().x);
  const qubo::Model& asked = passes.asked();
  const bool initial = std::ranges::any_of(passes.initial(), [&](const auto& x) {
    return qubo::violated(asked, x) < 0 && equal(qubo::exact_value(asked, x), value);
  });
  if (initial) {
    result.found_by = "initial";
  } else if (passes.known() && equal(*passes.known(), value)) {
    result.found_by = "greedy";
  } else if (result.found_by == "initial") {
    result.found_by = result.method;
  }
}

}  // namespace

ModelResult solve_model(const qubo::Model& model,
                        ModelSettings settings,
                        const Rng& rng,
                        const std::stop_token& token) {
  const Stop stop(
      token,
      settings.solver.time_limit_s - after_s(model.f, settings.solver.time_limit_s));
  const qubo::Sense sense = model.f.sense;
  settings.improved = rising(std::move(settings.improved), sense);
  settings.bounded =
      rising(std::move(settings.bounded),
             sense == qubo::Sense::Min ? qubo::Sense::Max : qubo::Sense::Min);
  const Passes passes(model, settings, stop);
  const qubo::Model& left = passes.last();
  if (stop.limited()) {
    settings.solver.time_limit_s = stop.left_s();
  }
  ModelResult result = left.size() == 0
                           ? only(left, passes.name())
                           : solve_by_pieces(left, settings, rng, token, solve_whole);
  if (&passes.asked() != &left) {
    result.optima.reset();  // counted for a smaller model
  }
  passes.back(result);
  if (!passes.none()) {
    rank(model, result.best);
  }
  const Solution& best = result.best.front();
  if (settings.improved && qubo::violated(model, best.x) < 0) {
    settings.improved(best.energy);
  }
  if (settings.bounded) {
    settings.bounded(result.bound);
  }
  name_finder(model, passes, result);
  if (settings.count_optima && !result.optima) {
    count_optima(passes.asked(), settings.threads, stop, result);
  }
  return result;
}

}  // namespace oa::solve
