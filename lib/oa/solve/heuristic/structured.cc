#include "oa/solve/heuristic/structured.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"

#include <algorithm>
#include <limits>
#include <mutex>

namespace oa::solve {
namespace {

constexpr int kTemperatures = 16;
constexpr double kHottest = 1.0;  // start temperature in spreads of fields
constexpr double kColdest = 1e-3;
constexpr double kColdAcceptance = 0.002;
constexpr double kHotAcceptance = 0.4;
constexpr std::int64_t kFirstAdapt = 32;
constexpr std::int64_t kSlice = 64;  // steps between descents

}  // namespace

StructuredSearch::StructuredSearch(const PartTask& task,
                                   const Structure& structure,
                                   const Rng& rng)
    : task_(task),
      problem_(task.f, structure),
      ladder_(problem_,
              std::max(kHottest * problem_.spread(), 1e-300),
              std::max(kColdest * problem_.spread(), 1e-303),
              kTemperatures,
              rng),
      descent_(problem_, rng.fork(99)),
      best_(task.known),
      lowest_(std::numeric_limits<double>::infinity()) {
  ladder_.begin_at_random();
}

void StructuredSearch::begin(std::span<const std::uint8_t> x) {
  ladder_.begin(x);
}

void StructuredSearch::take(const Chain& chain, Pace& pace) {
  descent_.begin(chain.x());
  descent_.descend(pace);
  if (descent_.energy() >= lowest_) {
    return;
  }
  lowest_ = descent_.energy();
  best_ = std::min(best_,
                   Solution(exact_energy(task_.f, descent_.x()).two(), descent_.x()));
}

/// Adapts temperatures:
/// at the coldest nearly no proposal is accepted, at the hottest half.
void StructuredSearch::adapt() {
  const int last = ladder_.size() - 1;
  double hot = ladder_.temperature(0);
  double cold = ladder_.temperature(last);
  if (ladder_.acceptance(last) > kColdAcceptance) {
    cold *= 0.25;
  }
  if (ladder_.acceptance(0) > kHotAcceptance) {
    hot *= 0.5;
  }
  ladder_.adapt();
  ladder_.stretch(hot, cold);
}

const Solution& StructuredSearch::run(std::int64_t steps, const Stop& stop) {
  Pace pace(stop);
  for (std::int64_t k = 0; k < steps && best_.value() > task_.target; ++k) {
    const bool stopped = !ladder_.step(pace);
    if (!stopped && ++steps_ == next_adapt_) {
      adapt();
      next_adapt_ += std::max<std::int64_t>(next_adapt_ / 4, kFirstAdapt);
    }
    if (stopped || steps_ % kSlice == 0) {
      for (int t = ladder_.size() - (stopped ? 2 : ladder_.size() / 2);
           t < ladder_.size();
           ++t) {
        take(ladder_.chain(t), pace);
      }
    }
    if (stopped) {
      break;
    }
  }
  return best_;
}

Structure structure_of(const PartTask& task, const Stop& stop) {
  return task.settings.recover ? find_structure(task.f, stop) : Structure{};
}

Result solve_structured(const PartTask& task,
                        const Structure& structure,
                        const Rng& rng,
                        const Stop& stop) {
  // Ensembles do not depend on the number of threads, unless time limits them.
  const bool endless = task.settings.until(stop);
  const std::int64_t ensembles =
      endless ? task.threads : std::max(1, task.settings.reads);
  constexpr std::int64_t kWork = 400'000'000;
  std::vector<Solution> found(at(ensembles), task.known);
  std::mutex telling;
  TwoDoubles told = task.known.value();
  parallel_for(ensembles, task.threads, [&](std::int64_t k, int) {
    if (stop()) {
      return;
    }
    StructuredSearch search(task, structure, rng.fork(static_cast<std::uint64_t>(k)));
    if (!task.starts.empty()) {
      search.begin(state_of(task.starts, k));
    }
    const std::int64_t steps =
        endless ? std::numeric_limits<std::int64_t>::max()
        : task.settings.sweeps > 0
            ? task.settings.sweeps
            : std::max<std::int64_t>(64, kWork / kTemperatures / (task.f.size() * 16));
    for (std::int64_t done = 0; done < steps && !stop(); done += kSlice) {
      const Solution& best = search.run(std::min(kSlice, steps - done), stop);
      found[at(k)] = best;
      const std::lock_guard lock(telling);
      if (best.value() < told) {
        told = best.value();
        if (task.improved) {
          task.improved(best.x);
        }
      }
      if (told <= task.target) {
        break;
      }
    }
  });
  Result result;
  Pool pool(task.settings.top);
  for (const Solution& s : found) {
    pool.insert(s.value(), s.x);
  }
  result.best = pool.take_best();
  result.status = stop() || endless ? qubo::Status::Stopped : qubo::Status::BestFound;
  return result;
}

namespace {

class StructuredSolver final : public Solver {
 public:
  StructuredSolver(qubo::Quadratic f, Structure structure, const Settings& settings)
      : f_(std::move(f)),
        own_(f_.linear),
        structure_(std::move(structure)),
        settings_(settings) {}

  Result solve(std::span<const double> h, const Rng& rng, const Stop& stop) override {
    for (std::size_t i = 0; i < own_.size(); ++i) {
      f_.linear[i] = own_[i] + h[i];
    }
    const Solution zero(TwoDoubles(0.0), std::vector<std::uint8_t>(own_.size()));
    return solve_structured(
        {.f = f_, .settings = settings_, .known = zero}, structure_, rng, stop);
  }

 private:
  qubo::Quadratic f_;
  std::vector<double> own_;  // J_ii / 2
  Structure structure_;
  Settings settings_;
};

}  // namespace

std::unique_ptr<Solver> make_structured(const Batch& batch,
                                        const Settings& settings,
                                        const Stop& stop) {
  const qubo::Matrix& j = *batch.matrix;
  qubo::Quadratic f(j.size());
  std::vector<qubo::Term> terms;
  for (int i = 0; i < j.size(); ++i) {
    f.linear[at(i)] = 0.5 * j(i, i);
    for (int k = 0; k < i; ++k) {
      terms.push_back({k, i, j(i, k)});
    }
  }
  f.add(terms);
  Structure structure = find_structure(f, stop);
  structure.groups.clear();  // groups depend on linear terms
  return structure.empty() ? nullptr
                           : std::make_unique<StructuredSolver>(
                                 std::move(f), std::move(structure), settings);
}

}  // namespace oa::solve
