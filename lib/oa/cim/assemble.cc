#include "oa/cim/assemble.h"

#include "oa/base/index.h"
#include "oa/cim/optima.h"
#include "oa/cim/pack.h"
#include "oa/cim/single.h"
#include "oa/qubo/levels.h"
#include "oa/solve/exact/exact.h"
#include "oa/solve/exact/level_search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace oa::cim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The optimum of a problem, if it is proved.
struct Optimum {
  double energy = 0.0;
  machine::Bits x;
};

std::optional<Optimum> proved_optimum(const qubo::Matrix& j,
                                      std::span<const double> h,
                                      std::int64_t max_nodes) {
  if (max_nodes == 0) {
    return std::nullopt;
  }
  solve::Settings settings;
  settings.max_nodes = max_nodes;
  solve::Exact exact(j, settings);
  solve::Result result = exact.solve(h, solve::Stop({}, kInfinity));
  if (result.status != qubo::Status::ProvedOptimal) {
    return std::nullopt;
  }
  return Optimum{result.best.front().energy, std::move(result.best.front().x)};
}

/// The optimum of a block: its x without extra spins, and x'Qx with them.
std::optional<Optimum> solve_block(const machine::SubmittedQuery& query,
                                   std::int64_t max_nodes = kAllNodes) {
  const machine::Reduced problem = machine::reduced(query.q, query.extra);
  auto optimum = proved_optimum(problem.j, problem.h, max_nodes);
  if (optimum) {
    optimum->energy += problem.offset;
  }
  return optimum;
}

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
    for (const auto& [task, gaps] : gaps_) {
      if (!gaps.known) {
        ++all_.unchecked;
        continue;
      }
      ++all_.checked;
      all_.best_is_optimal += gaps.submitted == 0.0 ? 1 : 0;
      all_.optimal_in_original += gaps.original == 0.0 ? 1 : 0;
      all_.gap += gaps.submitted;
      all_.gap_max = std::max(all_.gap_max, gaps.submitted);
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
        for (std::int64_t k = 0; k < result.shots.size(); ++k) {
          const machine::Bits x = result.shots.x(k);
          candidates.push_back(
              candidate(i,
                        machine::block_x(query, x),
                        machine::block_energy(query.q, query.first, x, ones_)));
        }
      }
      all_.from[at(i)] = query.task;
      all_.solution.seconds[at(i)] = seconds(query, results.front());
      const double best =
          std::ranges::min_element(candidates, {}, &Candidate::submitted)->submitted;
      set_answer(i, std::move(candidates));
      compare(i, query, best);
    } else {
      solve(i, query);
    }
  }

  Candidate candidate(int i, std::span<const std::uint8_t> x, double submitted) const {
    Candidate c{restored(image_.queries[at(i)].fixed, x), submitted, 0.0};
    c.original = original_energy(i, c.x);
    return c;
  }

  /// Of a single problem: in the numbers of its user.
  [[nodiscard]] double original_energy(int i, std::span<const std::uint8_t> x) const {
    return image_.single ? minimised_energy(image_.single->f, x)
                         : qubo::energy(problem_, i, x);
  }

  /// The optimum of the problem before it was rounded, if it is proved.
  [[nodiscard]] std::optional<Optimum> original_optimum(int i,
                                                        std::int64_t nodes) const {
    std::optional<Optimum> optimum;
    if (image_.single) {
      const qubo::Fixed part = open_part(*image_.single);
      const DenseSingle dense = dense_single(part.rest());
      optimum = proved_optimum(dense.j, dense.h, nodes);
      if (optimum) {
        optimum->x = part.whole(optimum->x);
      }
    } else {
      const qubo::Matrix j =
          qubo::Matrix(problem_.m, problem_.j).leading(problem_.size(i));
      const auto floats = problem_.query(i);
      std::vector<double> h(floats.begin(), floats.end());
      optimum = has_levels() ? proved_in_levels(i, j, std::move(h), nodes)
                             : proved_optimum(j, h, nodes);
    }
    if (optimum) {
      optimum->energy = original_energy(i, optimum->x);
    }
    return optimum;
  }

  [[nodiscard]] bool has_levels() const {
    return problem_.coefficients == Coefficients::Levels;
  }

  /// As the spins of the problem say it.
  [[nodiscard]] std::optional<Optimum> proved_in_levels(int i,
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
    if (r.status != qubo::Status::ProvedOptimal) {
      return std::nullopt;
    }
    return Optimum{0.0, qubo::spins_of(qubo::code_of(problem_), r.best.front().x)};
  }

  /// Adds the gaps between the best energy that came back and the block's optimum, and
  /// between the answer to query i and the optimum before rounding.
  void compare(int i, const machine::SubmittedQuery& query, double best) {
    // Penalties of encodings make problems hard, as single problems may be.
    const std::int64_t nodes =
        image_.single || has_levels() ? proof_nodes(problem_.size(i)) : kAllNodes;
    const auto block = solve_block(query, nodes);
    const auto original = block ? original_optimum(i, nodes) : std::nullopt;
    Gaps& gaps = gaps_[query.task];
    gaps.known = gaps.known && original.has_value();
    if (original) {
      gaps.submitted += best - block->energy;
      gaps.original += all_.solution.energy[at(i)] - original->energy;
    }
  }

  double seconds(const machine::SubmittedQuery& query, const TaskResult& result) const {
    if (!result.run || !result.run->run_ms()) {
      return 0.0;
    }
    const auto blocks = submission_.find(query.task)->blocks;
    return *result.run->run_ms() / 1e3 / static_cast<double>(blocks);
  }

  void solve(int i, const machine::SubmittedQuery& query) {
    if (settings_.missing == Missing::Exact) {
      const Optimum optimum = solve_block(query).value();
      set_answer(i, {candidate(i, optimum.x, optimum.energy)});
    } else if (settings_.missing == Missing::Original) {
      Optimum optimum = original_optimum(i, kAllNodes).value();
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
  struct Gaps {
    double submitted = 0.0;
    double original = 0.0;
    bool known = true;
  };
  std::map<std::int64_t, Gaps> gaps_;  // of the tasks of this image
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
