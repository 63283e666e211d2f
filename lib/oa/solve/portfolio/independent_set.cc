#include "oa/solve/portfolio/independent_set.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/conflict/cover_walk.h"
#include "oa/solve/conflict/penalty_walk.h"
#include "oa/solve/conflict/search.h"
#include "oa/solve/method/incumbent.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

// The number of numbers that a walk reads per vertex between exchanges of the best set;
// the number of slices before a proof and, without a time limit, after it.
constexpr std::int64_t kVertexWork = 20'000;
constexpr std::int64_t kMaxWork = 50'000'000;
constexpr int kFirstSlices = 4;
constexpr int kLastSlices = 40;
constexpr std::int64_t kProofNodes = 1'000'000;  // if time is unlimited

// The shares of the remaining time.
constexpr double kFirstShare = 0.1;
constexpr double kSmallProofShare = 0.75;
constexpr double kLargeProofShare = 0.25;
constexpr int kSmall = 400;  // vertices of a small graph

/// Parallel walks with a common best set.
class Walks {
 public:
  /// Runs a number of walks that depends on `threads`.
  Walks(const PartTask& task, const Conflicts& conflicts, int threads, const Rng& rng)
      : task_(task),
        conflicts_(conflicts),
        work_(std::min(kMaxWork, kVertexWork * conflicts.size())),
        best_(task) {
    const bool equal = std::ranges::all_of(conflicts.weights, [&](std::int64_t w) {
      return w == conflicts.weights.front();
    });
    const int penalised = equal ? std::max(1, threads / 3) : 0;
    const int covering = std::max(1, threads - penalised);
    const std::vector<int> known = conflicts.independent(task.known.x);
    for (int k = 0; k < covering; ++k) {
      covers_.push_back(std::make_unique<CoverWalk>(
          conflicts, known, rng.fork(2 * static_cast<std::uint64_t>(k))));
    }
    for (int k = 0; k < penalised; ++k) {
      penalties_.push_back(std::make_unique<PenaltyWalk>(
          conflicts, rng.fork(2 * static_cast<std::uint64_t>(k) + 1)));
    }
    offer(covers_.front()->best());
  }

  [[nodiscard]] const Solution& best() const { return best_.best(); }
  [[nodiscard]] bool reached() const { return best_.reached(); }

  void offer(const Solution& s) { offer(conflicts_.independent(s.x)); }

  /// Continues all walks until `slices` are done, or until stopped.
  void run(int slices, const Stop& stop) {
    for (int k = 0; k < slices && !stop() && !reached(); ++k) {
      std::vector<std::uint8_t> better(covers_.size() + penalties_.size());
      parallel_for(std::ssize(better), task_.threads, [&](std::int64_t i, int) {
        better[at(i)] = go_on(at(i), stop) ? 1 : 0;
      });
      for (std::size_t i = 0; i < better.size(); ++i) {
        if (better[i] != 0) {
          offer(i < covers_.size() ? covers_[i]->best()
                                   : penalties_[i - covers_.size()]->found());
        }
      }
    }
  }

 private:
  bool go_on(std::size_t i, const Stop& stop) {
    Pace pace(stop);
    return i < covers_.size() ? covers_[i]->run(work_, pace)
                              : penalties_[i - covers_.size()]->run(size_, work_, pace);
  }

  void offer(const std::vector<int>& vertices) {
    size_ = std::max(size_, vertices.size());
    for (const auto& walk : covers_) {
      walk->offer(vertices);
    }
    std::vector<std::uint8_t> x = conflicts_.x_of(vertices, task_.f.size());
    best_.offer({exact_energy(task_.f, x).two(), std::move(x)});
  }

  const PartTask& task_;
  const Conflicts& conflicts_;
  std::int64_t work_;  // of each slice
  std::vector<std::unique_ptr<CoverWalk>> covers_;
  std::vector<std::unique_ptr<PenaltyWalk>> penalties_;
  Incumbent best_;
  std::size_t size_ = 0;  // size of the largest set
};

Result prove_set(const PartTask& task,
                 const Conflicts& conflicts,
                 const Solution& known,
                 const Stop& stop) {
  PartTask part = begun_at(known, task);
  if (!stop.limited()) {
    part.settings.max_nodes = std::min(part.settings.max_nodes, kProofNodes);
  }
  const double share = conflicts.size() <= kSmall ? kSmallProofShare : kLargeProofShare;
  return search_conflicts(part, conflicts, stop.share(share), true);
}

}  // namespace

bool suits_independent_set(const Conflicts& conflicts) {
  // In large sparse graphs, annealing finds more than walks.
  constexpr int kMaxSparse = 3000;
  constexpr std::int64_t kSmallPairs = 16;  // for each vertex
  const std::int64_t n = conflicts.size();
  const bool large = n > kMaxSparse && conflicts.pairs() < kSmallPairs * n;
  return conflicts.further.empty() && !large &&
         std::ranges::all_of(conflicts.weights, [](std::int64_t w) { return w > 0; });
}

Result solve_independent_set(const PartTask& task,
                             const Conflicts& conflicts,
                             const Rng& rng,
                             const Stop& stop) {
  Walks walks(task, conflicts, stop.limited() ? task.threads : 1, rng);
  walks.run(kFirstSlices, stop.share(kFirstShare));
  Result result;
  if (conflicts.size() <= kMaxConflicting && !walks.reached()) {
    result = prove_set(task, conflicts, walks.best(), stop);
    if (result.status == qubo::Status::ProvedOptimal) {
      const bool better = result.best.front().value() < walks.best().value();
      result.method = better ? result.method : "swaps";
      return result;
    }
    walks.offer(result.best.front());
  }
  walks.run(stop.limited() ? INT32_MAX : kLastSlices, stop);
  result.best = {walks.best()};
  result.method = "swaps";
  result.proof = "conflicts";
  if (!(TwoDoubles(result.bound) < walks.best().value())) {
    result.status = qubo::Status::ProvedOptimal;
  } else {
    result.status = stop() ? qubo::Status::Stopped : qubo::Status::BestFound;
  }
  return result;
}

}  // namespace oa::solve
