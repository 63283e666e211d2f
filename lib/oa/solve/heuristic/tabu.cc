#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/num/lines-inl.h"
#include "oa/solve/heuristic/couplings.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/heuristic/structured.h"
#include "oa/solve/heuristic/tabu.h"
#include "oa/solve/method/collector.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <hwy/highway.h>

// Tabu search (Glover 1986) in its simplest form: flips the variable that lowers the
// energy most, or raises it least, and does not flip this variable back for some steps,
// unless that gives a new lowest energy.  Reads from random states come first;
// later reads start between the best results (path relinking: Glover 1997;
// Wang, Lue, Glover and Hao 2012).
// If a single problem has structure, cooling with its moves follows each read.

#ifndef OA_SOLVE_TABU_STATE
#define OA_SOLVE_TABU_STATE
namespace oa::solve {
namespace {

// The arrays of a read, `stride` floats each.
struct TabuState {
  float* sign;    // 1 where x is 0, else -1: flipping i adds sign_i field_i
  float* field;   // h_i + J_ii/2 + sum of J_ik x_k
  float* until;   // step from which i may flip again
  float* change;  // scratch
  float* best;    // sign at the lowest energy
  float* row;     // scratch: a row as floats; zeros if rows are sparse
  float* few;     // scratch: a sparse row's weights
  float energy;   // relative to the start of the read
  float lowest;   // the lowest `energy`
};

}  // namespace
}  // namespace oa::solve
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace num::HWY_NAMESPACE::float_lines;

// Returns the first lane of `values` equal to x, which must exist.
HWY_INLINE int find(const float* values, float x) {
  const V wanted = hn::Set(d, x);
  for (int i = 0;; i += kLanes) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Eq(load(values + i), wanted), bytes);
    const unsigned bits = bytes[0] | unsigned{bytes[1]} << 8;
    if (bits != 0) {
      return i + std::countr_zero(bits);
    }
  }
}

// Adds delta times row k to the fields if the row is sparse.
// Returns the float row that the caller must still add, or zeros.
HWY_INLINE const float* take_row(const Couplings& j,
                                 const TabuState& s,
                                 int k,
                                 float delta) {
  if (!j.sparse()) {
    return j.row(k, s.row).weights;
  }
  const CouplingRow row = j.row(k, s.few);
  for (int i = 0; i < row.count; ++i) {
    s.field[row.others[i]] += delta * row.weights[i];
  }
  return s.row;
}

// Does `steps` flips from the current state.
// A single loop over variables applies a flip and finds the next flip,
// so that no value is reloaded right after a store of another width.
void Search(const Couplings& j, TabuState& s, int steps, int tenure) {
  const int stride = j.stride();
  const V zero = hn::Zero(d);
  const V never = hn::Set(d, std::numeric_limits<float>::max());
  const V none = hn::Set(d, -1.0F);
  float energy = s.energy;
  float lowest = s.lowest;
  const float* row = take_row(j, s, 0, 0.0F);
  V delta = zero;  // no flip yet
  V flipped = none;
  for (int step = 0;; ++step) {
    const V now = hn::Set(d, static_cast<float>(step));
    const V later = hn::Set(d, static_cast<float>(step + tenure));
    const V enough = hn::Set(d, lowest - energy);
    V lane = hn::Iota(d, 0.0F);
    V least = never;
    for (int i = 0; i < stride; i += kLanes) {
      const auto here = hn::Eq(lane, flipped);
      const V field = hn::MulAdd(delta, load(row + i), load(s.field + i));
      const V sign = load(s.sign + i);
      const V new_sign = hn::IfThenElse(here, hn::Neg(sign), sign);
      const V until = hn::IfThenElse(here, later, load(s.until + i));
      const V change = hn::Mul(new_sign, field);
      const auto open = hn::Or(hn::Le(until, now), hn::Lt(change, enough));
      const V allowed = hn::IfThenElse(open, change, never);
      least = hn::Min(least, allowed);
      hn::Store(field, d, s.field + i);
      hn::Store(new_sign, d, s.sign + i);
      hn::Store(until, d, s.until + i);
      hn::Store(allowed, d, s.change + i);
      lane = hn::Add(lane, hn::Set(d, static_cast<float>(kLanes)));
    }
    if (energy < lowest) {
      lowest = energy;
      std::copy_n(s.sign, stride, s.best);
    }
    if (step == steps) {
      s.energy = energy;
      s.lowest = lowest;
      return;
    }
    const float change = hn::GetLane(hn::MinOfLanes(d, least));
    const int k = find(s.change, change);
    delta = hn::Set(d, s.sign[k]);
    flipped = hn::Set(d, static_cast<float>(k));
    row = take_row(j, s, k, s.sign[k]);
    energy += change;
  }
}

void Flip(const Couplings& j, const TabuState& s, int k) {
  const V delta = hn::Set(d, s.sign[k]);
  const float* row = take_row(j, s, k, s.sign[k]);
  for (int i = 0; i < j.stride(); i += kLanes) {
    hn::Store(hn::MulAdd(delta, load(row + i), load(s.field + i)), d, s.field + i);
  }
  s.sign[k] = -s.sign[k];
}

// Adds J x to the fields, for the x of `sign`.
void AddRows(const Couplings& j, const TabuState& s) {
  for (int k = 0; k < j.size(); ++k) {
    if (s.sign[k] < 0.0F) {
      const float* row = take_row(j, s, k, 1.0F);
      for (int i = 0; i < j.stride(); i += kLanes) {
        hn::Store(hn::Add(load(row + i), load(s.field + i)), d, s.field + i);
      }
    }
  }
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(Search);
HWY_EXPORT(Flip);
HWY_EXPORT(AddRows);

// Measured on attention problems of 49 variables, for which shorter tenures are better,
// and on Beasley's problems of 100 to 1000.  Below n, so that some variable may flip.
int tenure(int n) {
  return std::min({20, 2 + n / 16, n - 1});
}
std::int64_t default_steps(std::int64_t n) {
  constexpr std::int64_t kMaxWork = 40'000'000'000;  // numbers read: about 30 s
  return std::min((1 + n / 50) * (n + 1), std::max<std::int64_t>(kMaxWork / n, 1000));
}
constexpr int kReads = 8;
// Cooling after a read reads this many numbers for each number of the read:
// both take about equal time.
constexpr double kPolish = 0.25;
constexpr int kElite = 8;  // results between which later reads start
// The number of numbers read between clock readings: about 1 ms.
// Small enough for floats to count steps.
constexpr int kChunk = 1 << 22;

class Tabu : public Solver {
 public:
  /// `structure` is that of the single problem; empty: not used.
  Tabu(const Batch& batch, const Settings& settings, Structure structure = {})
      : batch_(batch),
        structure_(std::move(structure)),
        j_(batch),
        found_(batch, settings.top),
        settings_(settings),
        reads_(settings.reads > 0 ? settings.reads : kReads),
        steps_(settings.sweeps > 0 ? settings.sweeps * std::int64_t{batch.size() + 1}
                                   : default_steps(batch.size())),
        memory_(static_cast<std::size_t>(8 * j_.stride() / num::kFloatLine)),
        x_(static_cast<std::size_t>(batch.size())) {
    float* p = num::elements(memory_.data());
    state_ = {p,
              p + j_.stride(),
              p + 2 * j_.stride(),
              p + 3 * j_.stride(),
              p + 4 * j_.stride(),
              p + 6 * j_.stride(),
              p + 7 * j_.stride(),
              0.0F,
              0.0F};
    fields_ = p + 5 * j_.stride();
  }

  Result solve(std::span<const double> h, const Rng& rng, const Stop& stop) override {
    begin(h, rng);
    return found_.take_result(go_on(settings_.until(stop), rng, stop));
  }

  void begin(std::span<const double> h, const Rng& rng) {
    if (!structure_.empty()) {  // cools results of reads with its moves
      polish_ = std::make_unique<StructuredPolish>(
          batch_.single->f, structure_, rng.fork(1U << 30));
    }
    found_.begin(h);
    elite_ = Pool(kElite);
    j_.fields(h, fields_);
    round_ = read_ = 0;
  }

  // Does one round of reads or, if endless, rounds of doubling length until stopped.
  // Returns true if stopped.
  bool go_on(bool endless, const Rng& rng, const Stop& stop) {
    for (; round_ == 0 || endless; ++round_, read_ = 0) {
      const std::int64_t steps = steps_ << std::min(round_, 20);
      const Rng draws = endless ? rng.fork(static_cast<std::uint64_t>(round_)) : rng;
      while (read_ < reads_) {
        const int number = read_++;
        if (read(number, steps, draws.fork(static_cast<std::uint64_t>(number)), stop)) {
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] const Solution& best() const { return found_.pool().best().front(); }

 private:
  // Does one read.  Returns true if stopped; the solutions found count anyway.
  bool read(int number, std::int64_t steps, Rng draws, const Stop& stop) {
    if (stop() && !found_.pool().best().empty()) {
      return true;
    }
    if (2 * number >= reads_ && elite_.best().size() > 1) {
      start_between(draws, stop);
    } else {
      start(number, draws);
    }
    std::copy_n(state_.sign, j_.stride(), state_.best);
    std::fill_n(state_.until, j_.stride(), 0.0F);
    state_.energy = state_.lowest = 0.0F;
    const int most = std::max(1, kChunk / j_.stride());
    // The callback computes an energy, which must not take most of the time.
    const std::int64_t pause = 2 * j_.size();
    const double work = kPolish * static_cast<double>(steps) * j_.stride();
    std::int64_t reported_steps = steps;
    float reported = 0.0F;
    bool stopped = stop();
    while (steps > 0 && !stopped) {
      const auto some = static_cast<int>(std::min<std::int64_t>(steps, most));
      HWY_DYNAMIC_DISPATCH(Search)(j_, state_, some, tenure(j_.size()));
      for (int i = 0; i < j_.size(); ++i) {
        state_.until[i] -= static_cast<float>(some);
      }
      steps -= some;
      stopped = stop();
      if (found_.on_improved() && state_.lowest < reported &&
          reported_steps - steps >= pause) {
        reported = state_.lowest;
        reported_steps = steps;
        take_best();
        found_.on_improved()(x_);
      }
    }
    take_best();
    if (polish_ && !stopped) {
      (*polish_)(x_, static_cast<std::int64_t>(work), stop);
      stopped = stop();
    }
    elite_.insert(found_.offer(x_), x_);
    return stopped;
  }

  void take_best() {
    for (int i = 0; i < j_.size(); ++i) {
      x_[static_cast<std::size_t>(i)] = state_.best[i] < 0.0F ? 1 : 0;
    }
  }

  // Starts the first read from 0, later reads from random states.
  void start(int read, Rng& draws) {
    std::ranges::fill(x_, std::uint8_t{0});
    std::uint32_t bits = 0;
    for (std::size_t i = 0; read > 0 && i < x_.size(); ++i) {
      bits = i % 32 == 0 ? draws.u32() : bits >> 1;
      x_[i] = bits & 1;
    }
    place();
  }

  void place() {
    std::fill_n(state_.sign, j_.stride(), 1.0F);
    std::copy_n(fields_, j_.stride(), state_.field);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      state_.sign[i] = x_[i] != 0 ? -1.0F : 1.0F;
    }
    HWY_DYNAMIC_DISPATCH(AddRows)(j_, state_);
  }

  // Walks from one good solution to another by best flips.  Starts at the lowest state
  // that is at least 1/3 of the path away from both solutions.
  void start_between(Rng& draws, const Stop& stop) {
    const std::vector<Solution>& all = elite_.best();
    const auto from = draws.below(static_cast<std::uint32_t>(all.size()));
    auto to = draws.below(static_cast<std::uint32_t>(all.size() - 1));
    to += to >= from ? 1 : 0;
    x_ = all[from].x;
    place();
    std::vector<int> ahead;
    for (int i = 0; i < j_.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (x_[k] != all[to].x[k]) {
        ahead.push_back(i);
      }
    }
    const auto third = static_cast<int>(ahead.size() / 3);
    double energy = 0.0;
    double lowest = std::numeric_limits<double>::infinity();
    std::vector<std::uint8_t> here = x_;
    Pace pace(stop);
    for (int step = 1; static_cast<int>(ahead.size()) > third &&
                       !pace(std::ssize(ahead) + std::ssize(here));
         ++step) {
      const auto next = std::ranges::min_element(
          ahead, {}, [&](int i) { return state_.sign[i] * state_.field[i]; });
      const int i = *next;
      energy += double{state_.sign[i]} * double{state_.field[i]};
      HWY_DYNAMIC_DISPATCH(Flip)(j_, state_, i);
      here[static_cast<std::size_t>(i)] ^= 1;
      *next = ahead.back();
      ahead.pop_back();
      if (step > third && energy < lowest) {
        lowest = energy;
        x_ = here;
      }
    }
    place();
  }

  Batch batch_;
  Structure structure_;
  Couplings j_;
  Collector found_;
  Pool elite_{kElite};
  std::unique_ptr<StructuredPolish> polish_;
  Settings settings_;
  int reads_;
  std::int64_t steps_;
  int round_ = 0;  // number of the next round
  int read_ = 0;
  std::vector<num::FloatLine> memory_;
  TabuState state_{};
  float* fields_;
  std::vector<std::uint8_t> x_;
};

}  // namespace

std::unique_ptr<Solver> make_tabu(const Batch& batch,
                                  const Settings& settings,
                                  const Stop& stop) {
  return std::make_unique<Tabu>(
      batch,
      settings,
      batch.single != nullptr ? structure_of(*batch.single, stop) : Structure{});
}

class TabuSearch::Reads : public Tabu {
 public:
  Reads(const PartTask& task, const Structure& structure, const Rng& rng)
      : Tabu(Batch(task), task.settings, structure),
        rng_(rng) {
    begin(task.f.linear, rng);
  }

  const Solution& run(const Stop& stop) {
    go_on(true, rng_, stop);
    return best();
  }

 private:
  Rng rng_;
};

TabuSearch::TabuSearch(const PartTask& task, const Structure& structure, const Rng& rng)
    : reads_(std::make_unique<Reads>(task, structure, rng)) {}

TabuSearch::~TabuSearch() = default;

const Solution& TabuSearch::run(const Stop& stop) {
  return reads_->run(stop);
}

}  // namespace oa::solve
#endif
