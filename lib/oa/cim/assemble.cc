#include "oa/cim/assemble.h"

#include "oa/base/index.h"
#include "oa/cim/pack.h"
#include "oa/qubo/levels.h"
#include "oa/solve/exact/exact.h"
#include "oa/solve/exact/level_search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace oa::cim {
namespace {

/// The optimum of a block: its x without extra spins, and x'Qx with them.
struct Optimum {
  double energy = 0.0;
  machine::Bits x;
};

Optimum solve_block(const machine::SubmittedQuery& query) {
  const machine::Reduced problem = machine::reduced(query.q, query.extra);
  solve::Exact exact(problem.j, {});
  const solve::Stop never({}, std::numeric_limits<double>::infinity());
  solve::Result result = exact.solve(problem.h, never);
  return {result.best.front().energy + problem.offset,
          std::move(result.best.front().x)};
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A solution of a problem and both its energies.
struct Candidate {
  machine::Bits x;
  double submitted = 0.0;
  double original = 0.0;
};

/// The results of the query's task.
const std::vector<TaskResult>& results_of(const machine::SubmittedQuery& query,
                                          const machine::Submission& submission,
                                          const Matcher& matcher) {
  static const std::vector<TaskResult> kNone;
  const machine::Task* task = submission.find(query.task);
  return task == nullptr ? kNone : matcher.results(at(task - submission.tasks.data()));
}

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
    for (const auto& [task, gap] : gaps_) {
      ++all_.checked;
      all_.best_is_optimal += gap == 0.0 ? 1 : 0;
      all_.gap += gap;
      all_.gap_max = std::max(all_.gap_max, gap);
    }
    return std::move(all_);
  }

 private:
  void begin() {
    qubo::ImageSolution& s = all_.solution;
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
    if (query.task < 0) {
      candidates.push_back(candidate(i, {}, 0.0));
      set_answer(i, std::move(candidates));
    } else if (!results.empty()) {
      for (const TaskResult& result : results) {
        for (const machine::Shot& shot : result.shots) {
          candidates.push_back(candidate(i,
                                         machine::block_x(query, shot.x),
                                         machine::block_energy(query, shot.x, ones_)));
        }
      }
      compare(query, candidates);
      all_.from[at(i)] = query.task;
      all_.solution.seconds[at(i)] = seconds(query, results.front());
      set_answer(i, std::move(candidates));
    } else {
      solve(i, query);
    }
  }

  Candidate candidate(int i, std::span<const std::uint8_t> x, double submitted) const {
    Candidate c{restored(image_.queries[at(i)].fixed, x), submitted, 0.0};
    c.original = qubo::energy(problem_, i, c.x);
    return c;
  }

  /// Adds the gap between the best solution that came back and the block's optimum.
  void compare(const machine::SubmittedQuery& query,
               const std::vector<Candidate>& candidates) {
    const double best =
        std::ranges::min_element(candidates, {}, &Candidate::submitted)->submitted;
    gaps_[query.task] += best - solve_block(query).energy;
  }

  double seconds(const machine::SubmittedQuery& query, const TaskResult& result) const {
    if (!result.report || !result.report->run_ms) {
      return 0.0;
    }
    const auto blocks = std::ssize(submission_.find(query.task)->blocks);
    return *result.report->run_ms / 1e3 / static_cast<double>(blocks);
  }

  void solve(int i, const machine::SubmittedQuery& query) {
    if (settings_.missing == Missing::Exact) {
      const Optimum optimum = solve_block(query);
      set_answer(i, {candidate(i, optimum.x, optimum.energy)});
    } else if (settings_.missing == Missing::Original) {
      solve_original(i);
    } else {
      all_.missing = true;
    }
  }

  /// Proves the optimum of the problem as it is in the stream.
  void solve_original(int i) {
    const qubo::Matrix j =
        qubo::Matrix(problem_.m, problem_.j).leading(problem_.size(i));
    const auto floats = problem_.query(i);
    std::vector<double> h(floats.begin(), floats.end());
    const bool has_levels = problem_.coefficients == Coefficients::Levels;
    solve::Result r;
    if (has_levels) {
      for (double& linear : h) {
        linear *= double{problem_.steps[at(i)]};
      }
      r = solve::LevelSearch(j, problem_.levels, {}).solve(h, {});
      r.best.front().x = qubo::spins_of(qubo::code_of(problem_), r.best.front().x);
    } else {
      r = solve::Exact(j, {}).solve(h, solve::Stop({}, kInfinity));
    }
    const double energy = qubo::energy(problem_, i, r.best.front().x);
    set_answer(i,
               {{r.best.front().x, std::numeric_limits<double>::quiet_NaN(), energy}});
    const bool proved = r.status == qubo::Status::ProvedOptimal;
    all_.solution.bound[at(i)] = !has_levels ? r.bound : proved ? energy : -kInfinity;
    all_.solution.status[at(i)] = r.status;
  }

  /// Makes the best candidates the answer to query i; ties stay in their order.
  void set_answer(int i, std::vector<Candidate> candidates) {
    std::ranges::stable_sort(candidates,
                             {},
                             settings_.choose == Choose::Original
                                 ? &Candidate::original
                                 : &Candidate::submitted);
    qubo::ImageSolution& s = all_.solution;
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
    // A stream orders solutions by the energies of its own problem.
    std::ranges::stable_sort(distinct, {}, &Candidate::original);
    s.top_count[at(i)] = std::ssize(distinct);
    for (int k = 0; k < static_cast<int>(distinct.size()); ++k) {
      std::ranges::copy(distinct[at(k)].x, s.top_row(i, k).begin());
      s.top_energy[at(i) * at(s.top) + at(k)] = distinct[at(k)].original;
    }
  }

  const machine::SubmittedImage& image_;
  const qubo::ImageProblem& problem_;
  const machine::Submission& submission_;
  const Matcher& matcher_;
  const AssembleSettings& settings_;
  Assembled all_;
  std::map<std::int64_t, double> gaps_;  // of the tasks of this image
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
