#include "oa/cim/assemble.h"

#include "oa/base/index.h"
#include "oa/cim/optima.h"
#include "oa/cim/pack.h"
#include "oa/cim/single.h"
#include "oa/cim/split.h"
#include "oa/qubo/levels.h"
#include "oa/solve/exact/box/exact.h"
#include "oa/solve/exact/box/level_search.h"
#include "oa/solve/single/solve_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace oa::cim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The best x that an exact search found, and a bound.
struct Optimum {
  double energy = 0.0;
  machine::Bits x;
  double bound = 0.0;  ///< lower bound of all energies
  bool proved = true;  ///< x is an optimum
};

/// Searches with at most `nodes` nodes; empty if `nodes` is 0.
std::optional<Optimum> searched(const qubo::Matrix& j,
                                std::span<const double> h,
                                std::int64_t max_nodes) {
  if (max_nodes == 0) {
    return std::nullopt;
  }
  solve::Settings settings;
  settings.max_nodes = max_nodes;
  solve::Exact exact(j, settings);
  solve::Result result = exact.solve(h, solve::Stop({}, kInfinity));
  return Optimum{result.best.front().energy,
                 std::move(result.best.front().x),
                 result.bound,
                 result.status == qubo::Status::ProvedOptimal};
}

/// Minimises f with little effort by the methods for single problems,
/// which suit large and sparse problems better than the exact search.
Optimum proved_quickly(const qubo::Quadratic& f) {
  constexpr std::int64_t kMaxNodes = 200;
  solve::ModelSettings settings;
  settings.method = &solve::exact_method();
  settings.solver.max_nodes = kMaxNodes;
  const solve::ModelResult result = solve::solve_model(f, settings, Rng(0), {});
  const double sign = f.sense == qubo::Sense::Max ? -1.0 : 1.0;
  return {sign * result.best.front().energy,
          result.best.front().x,
          sign * result.bound,
          result.status == qubo::Status::ProvedOptimal};
}

qubo::Quadratic quadratic_of(const machine::Reduced& problem) {
  const int n = problem.j.size();
  qubo::Quadratic f(n);
  f.linear = problem.h;
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k) {
      if (problem.j(i, k) != 0.0) {
        terms.push_back({i, k, problem.j(i, k)});
      }
    }
  }
  f.add(terms);
  return f;
}

/// The optimum of a block, if proved: x without extra spins, but x'Qx with all spins.
std::optional<Optimum> solve_block(const machine::SubmittedQuery& query,
                                   std::int64_t max_nodes = kAllNodes) {
  const machine::Reduced problem = machine::reduced(query.q, query.extra);
  auto optimum = searched(problem.j, problem.h, max_nodes);
  if (!optimum) {
    optimum = proved_quickly(quadratic_of(problem));
  }
  if (!optimum || !optimum->proved) {
    return std::nullopt;
  }
  optimum->energy += problem.offset;
  return optimum;
}

/// Converts a bound to the user's numbers:
/// the energy of an x in the file minus the gap of the search for x.
double bound_below(double energy, double gap) {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  return energy - gap - kRounding * (std::abs(energy) + gap);
}

/// A solution of a problem with both energies.
struct Candidate {
  machine::Bits x;
  double submitted = 0.0;
  double original = 0.0;
  std::int64_t broken = 0;  ///< variables whose copies differ
};

const std::vector<TaskResult>& results_of(const machine::SubmittedQuery& query,
                                          const machine::Submission& submission,
                                          const Matcher& matcher) {
  static const std::vector<TaskResult> kNone;
  const machine::Task* task = submission.find(query.task);
  return task == nullptr ? kNone : matcher.results(at(task - submission.tasks.data()));
}

/// Returns the number of runs of each entry of a result.
/// An array has an entry for each distinct solution;
/// any other result has one entry, whose answer is the best of all solutions.
std::vector<std::int64_t> entries_of(const TaskResult& result) {
  return result.array()
             ? std::vector<std::int64_t>(result.times.begin(), result.times.end())
             : std::vector{result.runs()};
}

/// The state of a task while its problems are compared.
struct OpenTask {
  TaskOutcome outcome;
  const std::vector<TaskResult>* results = nullptr;
  // For each entry of the results (entries_of()):
  std::vector<double> energies;  // in the submitted matrix
  std::vector<double> gaps;      // to the submitted matrix's optimum

  void count_hits() {
    if (results == nullptr) {
      return;
    }
    std::set<machine::Bits> distinct;
    std::int64_t timed = 0;
    double ms = 0.0;
    const auto best = std::ranges::min_element(energies);
    outcome.best_submitted = *best;
    outcome.submitted_optimum = *best - gaps[at(best - energies.begin())];
    std::size_t e = 0;
    for (const TaskResult& result : *results) {
      for (const std::int64_t runs : entries_of(result)) {
        outcome.runs += runs;
        outcome.hits += gaps[e] == 0.0 ? runs : 0;
        outcome.best_hits += energies[e] == outcome.best_submitted ? runs : 0;
        ++e;
      }
      for (std::int64_t k = 0; k < result.shots.size(); ++k) {
        distinct.insert(result.shots.x(k));
      }
      for (const machine::Run& report : result.reports) {
        timed += report.run_ms() ? 1 : 0;
        ms += report.run_ms().value_or(0.0);
      }
    }
    outcome.distinct = std::ssize(distinct);
    if (timed == outcome.runs) {
      outcome.run_ms = ms / static_cast<double>(timed);
    }
  }
};

class Assembler {
 public:
  Assembler(const machine::SubmittedImage& image,
            const machine::Submission& submission,
            const Matcher& matcher,
            const AssembleSettings& settings)
      : image_(image),
        problem_(image.problem),
        submission_(submission),
        matcher_(matcher),
        settings_(settings) {}

  Assembled operator()() {
    begin();
    for (int i = 0; i < problem_.n; ++i) {
      answer(i);
    }
    for (auto& [number, task] : tasks_) {
      task.count_hits();
      all_.tasks.push_back(task.outcome);
    }
    return std::move(all_);
  }

 private:
  void begin() {
    qubo::SolvedProblem& s = all_.solution;
    s.problem = problem_;
    const auto n = at(problem_.n);
    s.x.resize(problem_.x_variables());
    s.energy.resize(n);
    s.bound.assign(n, -kInfinity);
    s.status.assign(n, qubo::Status::BestFound);
    s.seconds.resize(n);
    all_.submitted.resize(n);
    all_.from.assign(n, -1);
    if (settings_.top > 1) {
      s.top = settings_.top;
      s.top_count.resize(n);
      s.top_x.resize(problem_.x_variables() * at(s.top));
      s.top_energy.resize(n * at(s.top));
    }
  }

  void answer(int i) {
    const machine::SubmittedQuery& query = image_.queries[at(i)];
    const auto& results = results_of(query, submission_, matcher_);
    std::vector<Candidate> candidates;
    if (query.task >= 0) {
      tasks_[query.task].outcome.task = query.task;
    }
    if (query.task < 0) {
      candidates.push_back(candidate(i, {}, 0.0));
      set_answer(i, std::move(candidates));
    } else if (!results.empty()) {
      std::vector<double> best;  // lowest submitted energy of each entry
      for (const TaskResult& result : results) {
        for (std::int64_t k = 0; k < result.shots.size(); ++k) {
          const machine::Bits x = result.shots.x(k);
          candidates.push_back(
              candidate(i,
                        machine::block_x(query, x),
                        machine::block_energy(query.q, query.first, x, ones_)));
          const double energy = candidates.back().submitted;
          const std::int64_t times = result.array() ? result.times[at(k)] : 1;
          all_.broken_solutions += candidates.back().broken > 0 ? times : 0;
          all_.broken_variables += times * candidates.back().broken;
          if (k == 0 || result.array()) {
            best.push_back(energy);
          }
          best.back() = std::min(best.back(), energy);
        }
      }
      all_.from[at(i)] = query.task;
      all_.solution.seconds[at(i)] = seconds(query, results.front());
      set_answer(i, std::move(candidates));
      compare(i, query, results, best);
    } else {
      solve(i, query);
    }
  }

  Candidate candidate(int i, std::span<const std::uint8_t> x, double submitted) const {
    const machine::SubmittedQuery& query = image_.queries[at(i)];
    if (!query.copies.empty()) {
      return decoded(i, x, submitted);
    }
    Candidate c{restored(query.fixed, x), submitted, 0.0};
    c.original = original_energy(i, c.x);
    return c;
  }

  /// Decodes copies of variables by majority.  Where copies differ, repairs by flips
  /// that lower the original energy.
  Candidate decoded(int i, std::span<const std::uint8_t> x, double submitted) const {
    const machine::SubmittedQuery& query = image_.queries[at(i)];
    std::vector<bool> broken;
    const machine::Bits own = merged(query.copies, x, broken);
    Candidate c{restored(query.fixed, own), submitted, 0.0};
    c.original = original_energy(i, c.x);
    std::vector<std::size_t> doubtful;  // variables whose copies differ
    for (std::size_t v = 0, free = 0; v < query.fixed.size(); ++v) {
      if (query.fixed[v] == qubo::kFree && broken[free++]) {
        doubtful.push_back(v);
      }
    }
    c.broken = std::ssize(doubtful);
    for (bool better = true; better;) {
      better = false;
      for (const std::size_t v : doubtful) {
        c.x[v] ^= 1U;
        const double energy = original_energy(i, c.x);
        better = better || energy < c.original;
        c.x[v] ^= energy < c.original ? 0U : 1U;
        c.original = std::min(c.original, energy);
      }
    }
    return c;
  }

  /// The energy to minimise.  For a single problem:
  /// in the numbers of its file, with penalties only if x violates a constraint.
  [[nodiscard]] double original_energy(int i, std::span<const std::uint8_t> x) const {
    return image_.single ? file_energy(*image_.single, x)
                         : qubo::energy(problem_, i, x);
  }

  /// The optimum of the unrounded problem, or its best x and a bound,
  /// in the user's numbers.
  [[nodiscard]] Optimum original_optimum(int i, std::int64_t nodes) const {
    if (image_.single) {
      return single_optimum(nodes);
    }
    const qubo::Matrix j =
        qubo::Matrix(problem_.m, problem_.j).leading(problem_.size(i));
    const auto floats = problem_.query(i);
    std::vector<double> h(floats.begin(), floats.end());
    Optimum found = has_levels() ? searched_in_levels(i, j, std::move(h), nodes)
                                 : searched(j, h, nodes).value();
    const double gap = found.energy - found.bound;
    found.energy = original_energy(i, found.x);
    found.bound = found.proved ? found.energy : bound_below(found.energy, gap);
    return found;
  }

  [[nodiscard]] Optimum single_optimum(std::int64_t nodes) const {
    const qubo::Fixed part = open_part(*image_.single);
    const DenseSingle dense = dense_single(part.rest().f);
    std::optional<Optimum> found = searched(dense.j, dense.h, nodes);
    if (found) {
      const double gap = std::ldexp(found->energy - found->bound, dense.scale);
      const double energy = minimised_energy(image_.single->f, part.whole(found->x));
      found->bound = bound_below(energy, gap);
    }
    if (!found || !found->proved) {
      Optimum quick = proved_quickly(part.rest().f);
      quick.bound = std::max(quick.bound, found ? found->bound : -kInfinity);
      found = std::move(quick);
    }
    found->x = part.whole(found->x);
    found->energy = original_energy(0, found->x);
    found->bound = found->proved ? found->energy : found->bound;
    return *std::move(found);
  }

  [[nodiscard]] bool has_levels() const {
    return problem_.coefficients == Coefficients::Levels;
  }

  /// original_optimum() for coefficients with levels.  A bound without proof is -inf.
  [[nodiscard]] Optimum searched_in_levels(int i,
                                           const qubo::Matrix& j,
                                           std::vector<double> h,
                                           std::int64_t nodes) const {
    for (double& linear : h) {
      linear *= double{problem_.steps[at(i)]};
    }
    solve::Settings settings;
    settings.max_nodes = nodes;
    const solve::Result r =
        solve::LevelSearch(j, problem_.levels, settings).solve(h, {});
    const bool proved = r.status == qubo::Status::ProvedOptimal;
    return {0.0,
            qubo::spins_of(qubo::code_of(problem_), r.best.front().x),
            proved ? 0.0 : -kInfinity,
            proved};
  }

  /// Adds query i to its task's outcome.  best[e]: lowest submitted energy of entry e.
  void compare(int i,
               const machine::SubmittedQuery& query,
               const std::vector<TaskResult>& results,
               const std::vector<double>& best) {
    const std::int64_t nodes = proof_nodes(problem_.size(i));
    const auto block = solve_block(query, nodes);
    const Optimum original = original_optimum(i, nodes);
    OpenTask& task = tasks_[query.task];
    TaskOutcome& outcome = task.outcome;
    task.results = &results;
    task.gaps.resize(best.size());
    task.energies.resize(best.size());
    std::ranges::transform(best, task.energies, task.energies.begin(), std::plus<>());
    outcome.submitted_proved = outcome.submitted_proved && block.has_value();
    if (block) {
      for (std::size_t r = 0; r < best.size(); ++r) {
        task.gaps[r] += best[r] - block->energy;
      }
      outcome.submitted_gap += std::ranges::min(best) - block->energy;
    }
    const double energy = all_.solution.energy[at(i)];
    outcome.proved = outcome.proved && original.proved;
    outcome.energy += energy;
    outcome.bound += original.bound;
    outcome.gap += energy - original.bound;
  }

  double seconds(const machine::SubmittedQuery& query, const TaskResult& result) const {
    if (result.reports.empty() || !result.reports.front().run_ms()) {
      return 0.0;
    }
    const auto blocks = submission_.find(query.task)->blocks;
    return *result.reports.front().run_ms() / 1e3 / static_cast<double>(blocks);
  }

  void solve(int i, const machine::SubmittedQuery& query) {
    if (settings_.missing == Missing::Exact) {
      const Optimum optimum = solve_block(query).value();
      set_answer(i, {candidate(i, optimum.x, optimum.energy)});
    } else if (settings_.missing == Missing::Original) {
      Optimum optimum = original_optimum(i, kAllNodes);
      set_answer(i,
                 {{std::move(optimum.x),
                   std::numeric_limits<double>::quiet_NaN(),
                   optimum.energy}});
      all_.solution.bound[at(i)] = optimum.energy;
      all_.solution.status[at(i)] = qubo::Status::ProvedOptimal;
    } else {
      all_.missing = true;
    }
  }

  /// Stores the best candidates as the solution of query i; ties keep their order.
  void set_answer(int i, std::vector<Candidate> candidates) {
    std::ranges::stable_sort(candidates,
                             {},
                             settings_.choose == Choose::Original
                                 ? &Candidate::original
                                 : &Candidate::submitted);
    qubo::SolvedProblem& s = all_.solution;
    std::ranges::copy(candidates[0].x, problem_.x_row(s.x, i).begin());
    s.energy[at(i)] = candidates[0].original;
    all_.submitted[at(i)] = candidates[0].submitted;
    if (s.top == 0) {
      return;
    }
    std::vector<Candidate> distinct;
    for (Candidate& c : candidates) {
      const bool seen =
          std::ranges::find(distinct, c.x, &Candidate::x) != distinct.end();
      if (!seen && std::ssize(distinct) < s.top) {
        distinct.push_back(std::move(c));
      }
    }
    // Streams order solutions by energy in the original problem.
    std::ranges::stable_sort(distinct, {}, &Candidate::original);
    s.top_count[at(i)] = std::ssize(distinct);
    for (int k = 0; k < static_cast<int>(distinct.size()); ++k) {
      std::ranges::copy(distinct[at(k)].x, s.top_row(i, k).begin());
      s.top_energy[at(i) * at(s.top) + at(k)] = distinct[at(k)].original;
    }
  }

  const machine::SubmittedImage& image_;
  const qubo::Problem& problem_;
  const machine::Submission& submission_;
  const Matcher& matcher_;
  const AssembleSettings& settings_;
  Assembled all_;
  std::map<std::int64_t, OpenTask> tasks_;  // open tasks of this image
  std::vector<int> ones_;
};

}  // namespace

Assembled assemble(const machine::SubmittedImage& image,
                   const machine::Submission& submission,
                   const Matcher& matcher,
                   const AssembleSettings& settings) {
  return Assembler(image, submission, matcher, settings)();
}

}  // namespace oa::cim
