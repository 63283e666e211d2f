#include "oa/solve/heuristic/structured.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
                                   const Rng& rng,
                                   Incumbent& common)
    : task_(task),
      common_(common),
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
  common_.offer(best_);
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
  for (std::int64_t k = 0; k < steps && !common_.reached(); ++k) {
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
  Incumbent common(task);
  parallel_for(ensembles, task.threads, [&](std::int64_t k, int) {
    if (stop()) {
      return;
    }
    StructuredSearch search(
        task, structure, rng.fork(static_cast<std::uint64_t>(k)), common);
    if (!task.starts.empty()) {
      search.begin(state_of(task.starts, k));
    }
    const std::int64_t steps =
        endless ? std::numeric_limits<std::int64_t>::max()
        : task.settings.sweeps > 0
            ? task.settings.sweeps
            : std::max<std::int64_t>(64, kWork / kTemperatures / (task.f.size() * 16));
    found[at(k)] = search.run(steps, stop);
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

// Cooled chains with the moves of a problem's structure:
// reads of annealing, and the improvement of tabu search's results.
namespace {

// In units of mean row norms.  Penalties make rows large compared with the objective,
// so cooling goes far; it ends early once nothing moves.
constexpr double kReadCold = 1e-5;
constexpr double kPolishHotLeast = 0.002;
constexpr double kPolishHotMost = 0.03;
constexpr int kStill = 4;  // sweeps without a change that end a run
constexpr double kReadPart = 0.9;

constexpr int kReadsOfRound = 16;
constexpr int kFirstSweeps = 64;
constexpr int kSomeSweeps = 16 * kFirstSweeps;  // if only the number of reads is set
constexpr std::int64_t kMinPolish = 32;         // sweeps
// The work of the last round if time is unlimited: some seconds.
constexpr double kReadsWork = 1e9;

double unit_of(const ChainProblem& problem) {
  return std::max(problem.spread(), 1e-300);
}

/// Independent reads of a problem; keeps the best.
class Reads {
 public:
  Reads(const PartTask& task, const Structure& structure, const Stop& stop)
      : task_(task),
        stop_(stop),
        problem_(task.f, structure),
        pool_(task.settings.top),
        best_(task) {
    pool_.insert(task.known.value(), task.known.x);
  }

  void round(int reads, int sweeps, const Rng& rng) {
    std::vector<Solution> found(at(reads));
    parallel_for(reads, task_.threads, [&](std::int64_t k, int) {
      if (done()) {
        return;
      }
      const double left = std::ceil(static_cast<double>(reads - k) / task_.threads);
      found[at(k)] =
          read(k, sweeps, kReadPart / left, rng.fork(static_cast<std::uint64_t>(k)));
    });
    for (const Solution& s : found) {
      if (s.x.empty()) {
        continue;
      }
      if (task_.sampled) {
        task_.sampled(s.x);
      }
      pool_.insert(s.value(), s.x);
    }
  }

  [[nodiscard]] bool done() const { return best_.reached() || stop_(); }
  [[nodiscard]] double work(int reads, int sweeps) const {
    return static_cast<double>(problem_.work()) * reads * sweeps;
  }
  [[nodiscard]] std::vector<Solution> best() { return pool_.take_best(); }

 private:
  Solution read(std::int64_t number, int sweeps, double part, const Rng& rng) {
    Chain chain(problem_, rng);
    if (!task_.starts.empty()) {
      chain.begin(state_of(task_.starts, number));
    }
    const Settings& s = task_.settings;
    cool(chain, problem_, {sweeps, s.schedule, s.hot, s.cold}, part, stop_);
    Solution found(exact_energy(task_.f, chain.x()).two(), chain.x());
    best_.offer(found);
    return found;
  }

  const PartTask& task_;
  const Stop& stop_;
  ChainProblem problem_;
  Pool pool_;
  Incumbent best_;
};

}  // namespace

void cool(Chain& chain,
          const ChainProblem& problem,
          Cooling cooling,
          double part,
          const Stop& stop) {
  const double unit = unit_of(problem);
  if (cooling.cold <= 0.0) {
    cooling.cold = kReadCold * unit;
    if (cooling.hot > 0.0) {
      cooling.cold = std::min(cooling.cold, cooling.hot);
    }
  }
  const Temperatures temperature(cooling, 1.0 / unit, 1.0);
  const Course course(temperature.sweeps(), stop, part);
  Pace pace(stop);
  int still = 0;
  bool cold = false;
  for (int i = 0; i < temperature.sweeps() && still < kStill && !cold; ++i) {
    if (pace(problem.touched())) {
      break;
    }
    const double done = course(i);
    cold = done >= 1.0;
    const std::int64_t before = chain.accepted();
    chain.sweep(std::max(unit * static_cast<double>(temperature(done)), 1e-300));
    still = chain.accepted() == before ? still + 1 : 0;
  }
  chain.descend(pace);
}

bool suits_structured_reads(const Structure& structure, int n) {
  std::vector<bool> inside(at(n));
  for (const Number& number : structure.numbers) {
    for (const int i : number.variables) {
      inside[at(i)] = true;
    }
  }
  for (const Group& group : structure.groups) {
    for (const int i : group.variables) {
      inside[at(i)] = true;
    }
  }
  return 2 * std::ranges::count(inside, true) > n;
}

Result anneal_structured(const PartTask& task,
                         const Structure& structure,
                         const Rng& rng,
                         const Stop& stop) {
  const Settings& s = task.settings;
  Reads reads(task, structure, stop);
  const bool endless = s.until(stop);
  if (s.sweeps > 0 || s.reads > 0 || (s.schedule == Schedule::Vendor && !endless)) {
    reads.round(s.reads > 0 ? s.reads : kReadsOfRound,
                s.sweeps > 0 ? s.sweeps : kSomeSweeps,
                rng.fork(0));
  } else {
    constexpr int kMaxSweeps = 1 << 24;
    int sweeps = kFirstSweeps;
    for (std::uint64_t k = 0; !reads.done(); ++k) {
      reads.round(kReadsOfRound, sweeps, rng.fork(k));
      sweeps = std::min(2 * sweeps, kMaxSweeps);
      if (!endless && reads.work(kReadsOfRound, sweeps) > kReadsWork) {
        break;
      }
    }
  }
  Result result;
  result.status = stop() || endless ? qubo::Status::Stopped : qubo::Status::BestFound;
  result.best = reads.best();
  return result;
}

StructuredPolish::StructuredPolish(const qubo::Quadratic& f,
                                   const Structure& structure,
                                   const Rng& rng)
    : problem_(f, structure),
      chain_(problem_, rng.fork(0)),
      rng_(rng.fork(1)) {}

void StructuredPolish::operator()(std::vector<std::uint8_t>& x,
                                  std::int64_t work,
                                  const Stop& stop) {
  constexpr std::int64_t kMax = std::numeric_limits<int>::max();
  const std::int64_t sweeps = std::max(kMinPolish, work / problem_.work());
  const double hot =
      kPolishHotLeast * std::pow(kPolishHotMost / kPolishHotLeast, rng_.uniform());
  chain_.begin(x);
  const double before = chain_.energy();
  cool(chain_,
       problem_,
       {.sweeps = static_cast<int>(std::min(sweeps, kMax)),
        .hot = hot * unit_of(problem_)},
       1.0,
       stop);
  if (chain_.energy() < before) {
    x = chain_.x();
  }
}

}  // namespace oa::solve
