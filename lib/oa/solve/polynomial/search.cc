#include "oa/solve/polynomial/search.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/polynomial/walks.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kTemperatures = 16;    // of replica exchange
constexpr int kSetReads = 16;        // if only the number of sweeps is set
constexpr int kSetSweeps = 1024;     // if only the number of reads is set
constexpr int kFirstLength = 64;     // sweeps
constexpr double kTabuSweeps = 4.0;  // work of a first tabu search, in sweeps
constexpr int kMaxDoubled = 24;
// The number of numbers read without time limit and settings, about 1 ns each.
constexpr double kAllWork = 8e9;
constexpr std::int64_t kMinJobs = 64;
constexpr std::int64_t kMaxJobs = 4096;
constexpr double kPart = 0.9;

/// Luby's sequence 1, 1, 2, 1, 1, 2, 4, 1, ...: these run lengths are nearly as good as
/// the best single length (Luby, Sinclair and Zuckerman 1993).
int luby(std::int64_t k) {
  auto rest = static_cast<std::uint64_t>(k) + 1;
  while (!std::has_single_bit(rest + 1)) {
    rest -= std::bit_floor(rest) - 1;
  }
  return static_cast<int>(std::min<std::uint64_t>((rest + 1) / 2, 1U << kMaxDoubled));
}

/// Collects the best solutions of all jobs.
class Finds {
 public:
  Finds(const PolynomialTask& task) : task_(task), pool_(task.settings.top) {}

  /// Reports x if it improves on all earlier x.
  void see(std::span<const std::uint8_t> x) {
    const TwoDoubles energy = task_.p.energy(x);
    const std::lock_guard lock(mutex_);
    if (!reported_ || energy < *reported_) {
      reported_ = energy;
      if (task_.improved) {
        task_.improved(x);
      }
    }
    enough_ = enough_ || energy <= task_.target;
  }

  /// Takes the best x of a job.
  void take(std::span<const std::uint8_t> x,
            std::int64_t job,
            std::string_view method) {
    const Solution s(task_.p.energy(x), {x.begin(), x.end()});
    const std::lock_guard lock(mutex_);
    const bool first = pool_.best().empty();
    if (first || s < pool_.best().front() ||
        (job < job_ && s.x == pool_.best().front().x)) {
      job_ = job;
      method_ = method;
    }
    pool_.insert(s.value(), s.x);
  }

  [[nodiscard]] const std::atomic<bool>& enough() const { return enough_; }

  [[nodiscard]] Result result(bool stopped) {
    Result result;
    result.best = pool_.take_best();
    result.method = method_;
    result.status = stopped ? qubo::Status::Stopped : qubo::Status::BestFound;
    return result;
  }

 private:
  const PolynomialTask& task_;
  std::mutex mutex_;
  Pool pool_;
  std::optional<TwoDoubles> reported_;
  std::int64_t job_ = 0;
  std::string_view method_;
  std::atomic<bool> enough_ = false;
};

enum class Kind : std::uint8_t { Anneal, Temper, Tabu, Mixed };

/// Runs jobs with random numbers of their own: results do not depend on threads.
class Jobs {
 public:
  Jobs(const PolynomialTask& task, Kind kind, const Rng& rng, const Stop& stop)
      : task_(task),
        kind_(kind),
        rng_(rng),
        stop_(stop),
        table_(task.p),
        scale_(gain_scale(table_, rng.fork(0), stop)),
        finds_(task) {
    double all = 0.0;
    for (int i = 0; i < table_.size(); ++i) {
      all += 2.0 + static_cast<double>(table_.work(i));
    }
    sweep_work_ = std::max(1.0, all);
  }

  Result run() {
    const Settings& s = task_.settings;
    const bool until = s.until(stop_);
    const bool set = s.reads > 0 || s.sweeps > 0;
    const std::int64_t count = until         ? std::numeric_limits<std::int64_t>::max()
                               : s.reads > 0 ? s.reads
                               : set         ? (kind_ == Kind::Temper ? 1 : kSetReads)
                                             : free_jobs();
    if (task_.sampled) {
      states_.resize(at(count));
    }
    go_down();
    std::atomic<std::int64_t> next = 0;
    run_workers(task_.threads, [&](int /*worker*/) {
      if (stop_()) {
        return;
      }
      std::vector<Walk> walks;
      for (int k = 0; k < (kind_ == Kind::Temper ? kTemperatures : 1); ++k) {
        walks.emplace_back(table_, stop_, finds_.enough(), [&](const FlipState& state) {
          see(state);
        });
      }
      for (std::int64_t k = next++; k < count; k = next++) {
        if (stop_() || finds_.enough()) {
          break;
        }
        one(walks, k);
      }
    });
    for (const std::vector<std::uint8_t>& x : states_) {
      if (!x.empty()) {
        task_.sampled(x);
      }
    }
    return finds_.result(stop_() || (until && !finds_.enough()));
  }

 private:
  /// The number of jobs if neither settings nor a time limit determine it.
  [[nodiscard]] std::int64_t free_jobs() const {
    const double walks = kind_ == Kind::Temper ? kTemperatures : 1.0;
    const double jobs = kAllWork / (sweep_work_ * kFirstLength * 4.0 * walks);
    return std::clamp(static_cast<std::int64_t>(jobs), kMinJobs, kMaxJobs);
  }

  /// Descends from 0, even after the time limit: no result is worse.
  void go_down() {
    const Stop never;
    Walk walk(
        table_, never, finds_.enough(), [&](const FlipState& state) { see(state); });
    walk.descend();
    finds_.take(walk.best_x(), -1, "greedy");
  }

  void see(const FlipState& state) {
    std::int64_t least = seen_;
    while (state.value() < least) {
      if (seen_.compare_exchange_weak(least, state.value())) {
        finds_.see(state.x());
        return;
      }
    }
  }

  void one(std::vector<Walk>& walks, std::int64_t k) {
    Rng rng = rng_.fork(at(k) + 1);
    for (Walk& walk : walks) {
      const bool begun = !task_.starts.empty() &&
                         (k < std::ssize(task_.starts) || kind_ == Kind::Anneal);
      begun ? walk.begin(state_of(task_.starts, k)) : walk.begin(rng);
      if (k < std::max<std::int64_t>(1, std::ssize(task_.starts))) {
        walk.descend();  // no result is worse
      }
    }
    const Kind kind = kind_ != Kind::Mixed ? kind_
                      : k % 2 == 0         ? Kind::Tabu
                                           : Kind::Anneal;
    const std::int64_t place = kind_ == Kind::Mixed ? k / 2 : k;
    const Settings& s = task_.settings;
    const int sweeps =
        s.sweeps > 0 ? s.sweeps
        : s.reads > 0
            ? kSetSweeps
            : static_cast<int>(std::min<std::int64_t>(
                  std::int64_t{kFirstLength} * luby(place), 1 << kMaxDoubled));
    if (kind == Kind::Tabu) {
      walks[0].descend();
      search_tabu(walks[0], tabu_steps(luby(place)), rng.fork(0));
    } else {
      const Temperatures t({sweeps, s.schedule, s.hot, s.cold},
                           std::ldexp(1.0, -task_.p.unit - table_.shift()),
                           scale_.spread,
                           scale_.step);
      if (kind == Kind::Anneal) {
        anneal(walks[0], t, kPart, rng.fork(0));
      } else {
        exchange_replicas(walks, t, sweeps, rng.fork(0));
      }
    }
    constexpr std::array<std::string_view, 3> kNames{"sa", "pt", "tabu"};
    for (Walk& walk : walks) {
      finds_.take(walk.best_x(), k, kNames[static_cast<std::size_t>(kind)]);
    }
    if (task_.sampled) {
      const auto x = walks[0].state().x();
      states_[at(k)].assign(x.begin(), x.end());
    }
  }

  /// The number of tabu steps that take as long as `times` sweeps.
  /// A step flips one variable and scans all variables.
  [[nodiscard]] std::int64_t tabu_steps(int times) const {
    const std::int64_t n = table_.size();
    if (task_.settings.sweeps > 0) {
      return n * task_.settings.sweeps;
    }
    const double each = static_cast<double>(n) + sweep_work_ / static_cast<double>(n);
    const auto steps = static_cast<std::int64_t>(kTabuSweeps * sweep_work_ / each);
    return std::max(steps, n / 2 + 1) * times;
  }

  const PolynomialTask& task_;
  Kind kind_;
  Rng rng_;
  const Stop& stop_;
  FlipTable table_;
  GainScale scale_;
  Finds finds_;
  double sweep_work_ = 1.0;
  std::atomic<std::int64_t> seen_ = std::numeric_limits<std::int64_t>::max();
  std::vector<std::vector<std::uint8_t>> states_;  // final states of reads
};

}  // namespace

Result anneal_polynomial(const PolynomialTask& task, const Rng& rng, const Stop& stop) {
  return Jobs(task, Kind::Anneal, rng, stop).run();
}

Result temper_polynomial(const PolynomialTask& task, const Rng& rng, const Stop& stop) {
  return Jobs(task, Kind::Temper, rng, stop).run();
}

Result tabu_polynomial(const PolynomialTask& task, const Rng& rng, const Stop& stop) {
  return Jobs(task, Kind::Tabu, rng, stop).run();
}

Result search_polynomial(const PolynomialTask& task, const Rng& rng, const Stop& stop) {
  return Jobs(task, Kind::Mixed, rng, stop).run();
}

}  // namespace oa::solve
