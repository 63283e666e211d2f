#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/base/index.h"
#include "oa/solve/heuristic/anneal.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/heuristic/lane_random-inl.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <hwy/highway.h>

#ifndef OA_SOLVE_PAIR_ROWS
#define OA_SOLVE_PAIR_ROWS
namespace oa::solve {
namespace {

/// The stored couplings of a function, with their scale factor.
struct PairRows {
  const std::size_t* begin;    // null: dense rows
  const std::int32_t* others;  // variables of sparse rows
  const qubo::Numbers* weights;
  double scale;
};

}  // namespace
}  // namespace oa::solve
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

/// Proposes to flip each variable once, in order, in every lane.  Accepts a rise D of
/// the energy with probability exp(-D/T), T >= 0 the lane's temperature. neighbours(i,
/// add) calls add(k, weight) for each neighbour k of i and returns their number.
/// Returns true if any variable flipped.  Ends early if `pace` stops it.
template <class Neighbours>
HWY_INLINE bool anneal_sweep(const AnnealState& s,
                             const num::FloatLine& temperature,
                             Pace& pace,
                             const Neighbours& neighbours) {
  namespace hn = hwy::HWY_NAMESPACE;
  using D = HWY_CAPPED(float, kReplicas);
  constexpr D d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  const num::FloatLine t = temperature;
  num::FloatLine reach;  // largest rise that can be accepted
  for (int l = 0; l < kReplicas; ++l) {
    reach.lane[l] = random::kMaxExponential * t.lane[l];
  }
  bool flipped = false;
  std::int64_t work = 0;  // numbers changed by the previous variable
  for (int i = 0; i < s.n && !pace(kReplicas + work); ++i) {
    work = 0;
    for (int l = 0; l < kReplicas; l += kLanes) {
      const auto sign = hn::Load(d, s.sign[i].lane + l);
      const auto change = hn::Mul(sign, hn::Load(d, s.field[i].lane + l));
      if (hn::AllFalse(d, hn::Lt(change, hn::Load(d, reach.lane + l)))) {
        continue;
      }
      const auto cost =
          hn::Mul(hn::Load(d, t.lane + l), random::exponential(*s.random, l));
      const auto accept = hn::Lt(change, cost);
      if (hn::AllFalse(d, accept)) {
        continue;
      }
      flipped = true;
      const auto delta = hn::IfThenElseZero(accept, sign);
      work +=
          kLanes * neighbours(i, [&](int k, float weight) HWY_ATTR {
            float* field = s.field[k].lane + l;
            hn::Store(
                hn::MulAdd(hn::Set(d, weight), delta, hn::Load(d, field)), d, field);
          });
      hn::Store(hn::IfThenElse(accept, hn::Neg(sign), sign), d, s.sign[i].lane + l);
      float* energy = s.energy->lane + l;
      hn::Store(
          hn::Add(hn::Load(d, energy), hn::IfThenElseZero(accept, change)), d, energy);
    }
  }
  return flipped;
}

/// Integers times a power of 2 are exact floats.
/// Large or small weights may be floats only as a product.
template <class T>
HWY_INLINE float scaled(T weight, float scale, double exact_scale) {
  if constexpr (std::numeric_limits<T>::is_integer) {
    (void)exact_scale;
    return static_cast<float>(weight) * scale;
  } else {
    (void)scale;
    return static_cast<float>(double{weight} * exact_scale);
  }
}

template <class T>
HWY_INLINE bool sweep_rows(const PairRows& rows,
                           std::span<const T> weights,
                           const AnnealState& s,
                           const num::FloatLine& t,
                           Pace& pace) {
  const auto scale = static_cast<float>(rows.scale);
  const double exact = rows.scale;
  if (rows.begin == nullptr) {
    return anneal_sweep(s, t, pace, [&](int i, const auto& add) HWY_ATTR {
      const T* row = weights.data() + static_cast<std::ptrdiff_t>(i) * s.n;
      const auto add_from = [&](int k, int end) HWY_ATTR {  // skips the diagonal
        for (; k < end; ++k) {
          add(k, scaled(row[k], scale, exact));
        }
      };
      add_from(0, i);
      add_from(i + 1, s.n);
      return std::ptrdiff_t{s.n};
    });
  }
  return anneal_sweep(s, t, pace, [&](int i, const auto& add) HWY_ATTR {
    const std::size_t end = rows.begin[i + 1];
    for (std::size_t k = rows.begin[i]; k < end; ++k) {
      add(rows.others[k], scaled(weights[k], scale, exact));
    }
    return static_cast<std::ptrdiff_t>(end - rows.begin[i]);
  });
}

bool PairSweep(const PairRows& rows,
               const AnnealState& s,
               const num::FloatLine& t,
               Pace& pace) {
  return rows.weights->visit(
      [&](auto weights) HWY_ATTR { return sweep_rows(rows, weights, s, t, pace); });
}

bool Sweep(const Couplings& j,
           const AnnealState& s,
           const num::FloatLine& t,
           Pace& pace) {
  return anneal_sweep(s, t, pace, [&](int i, const auto& add) HWY_ATTR {
    const float* row = j.row(i, nullptr).weights;
    for (int k = 0; k < s.n; ++k) {
      add(k, row[k]);
    }
    return s.n;
  });
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(PairSweep);
HWY_EXPORT(Sweep);

num::FloatLine all(float t) {
  num::FloatLine line;
  std::ranges::fill(line.lane, t);
  return line;
}

}  // namespace

SparseAnneal::SparseAnneal(const qubo::Quadratic& f)
    : f_(f),
      scale_(scale_of(f)),
      own_(at(f.size())),
      sign_(at(f.size())),
      field_(at(f.size())) {
  for (int i = 0; i < f.size(); ++i) {
    own_[at(i)] = static_cast<float>(f.linear[at(i)] * scale_.energy);
  }
}

void SparseAnneal::begin(const AnnealRun& run) {
  energy_ = {};
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    std::ranges::fill(sign_[i].lane, 1.0F);
    std::ranges::fill(field_[i].lane, own_[i]);
  }
  origin_ = run.starts.empty() ? f_.offset
                               : qubo::energy(f_, state_of(run.starts, run.first));
  if (run.starts.size() == 1) {
    place(run.starts.front(), 0, kReplicas);
    return;
  }
  for (int l = 0; l < kReplicas && !run.starts.empty(); ++l) {
    place(state_of(run.starts, run.first + l), l, l + 1);
  }
}

/// Sets lanes [lane, end), now at 0, to x.
void SparseAnneal::place(std::span<const std::uint8_t> x, int lane, int end) {
  const auto each = [&](num::FloatLine& line, float added) {
    for (int l = lane; l < end; ++l) {
      line.lane[l] += added;
    }
  };
  each(energy_, static_cast<float>((qubo::energy(f_, x) - origin_) * scale_.energy));
  for (int i = 0; i < f_.size(); ++i) {
    if (x[at(i)] != 0) {
      each(sign_[at(i)], -2.0F);
      f_.row(i).each([&](std::int32_t other, double weight) {
        each(field_[at(other)], static_cast<float>(weight * scale_.energy));
      });
    }
  }
}

bool SparseAnneal::run(const AnnealRun& run,
                       const Rng& rng,
                       const Stop& stop,
                       BestStates& best) {
  LaneRandom random(rng);
  begin(run);
  best.clear();
  best.update(sign_, energy_);
  const qubo::Pairs& pairs = f_.couplings();
  const PairRows rows{pairs.dense() ? nullptr : pairs.begins().data(),
                      pairs.others().data(),
                      &pairs.weights(),
                      scale_.energy * f_.factor()};
  const AnnealState state{f_.size(), sign_.data(), field_.data(), &energy_, &random};
  const double wanted = (run.target - origin_) * scale_.energy;
  Pace pace(stop);
  const auto sweep = [&](const num::FloatLine& t) {
    const bool flipped = HWY_DYNAMIC_DISPATCH(PairSweep)(rows, state, t, pace);
    if (flipped) {
      best.update(sign_, energy_);
    }
    return flipped;
  };
  bool enough = false;
  anneal_lanes(run, scale_, energy_, rng, stop, [&](const num::FloatLine& t) {
    enough = sweep(t) && double{*std::ranges::min_element(energy_.lane)} <= wanted;
    return !enough && !pace.stopped();
  });
  if (enough) {
    return false;
  }
  // Descends to the end; a limit ends cycles of flips, which rounding can cause.
  for (int round = 0; round < f_.size() && sweep(all(0.0F)); ++round) {
  }
  return pace.stopped();
}

namespace {

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) or parallel tempering
/// (Hukushima and Nemoto 1996) of problems with a common matrix.
/// A read of tempering is a set of 16 replicas; all are reported.
class Anneal final : public Solver {
 public:
  Anneal(const qubo::Matrix& j, const Settings& settings, const AnnealRun& run)
      : j_(j),
        found_(j, settings.top),
        run_(run),
        settings_(settings),
        own_(at(j_.stride())),
        sign_(at(j.size())),
        field_(sign_.size()),
        best_(j.size()) {}

  Result solve(std::span<const double> h, const Rng& rng, const Stop& stop) override {
    found_.begin(h);
    j_.fields(h, own_.data());
    Settings settings = settings_;
    if (run_.tempering) {
      settings.reads =
          kReplicas * std::max(settings.reads, settings.until(stop) ? 0 : 1);
    }
    return run_reads(
        settings, rng, stop, best_, found_, [&](const Rng& draws, int /*round*/) {
          return run(draws, stop);
        });
  }

 private:
  // Does 16 reads from x = 0.  Returns true if stopped.
  bool run(const Rng& rng, const Stop& stop) {
    LaneRandom random(rng);
    num::FloatLine energy{};
    for (std::size_t i = 0; i < sign_.size(); ++i) {
      std::ranges::fill(sign_[i].lane, 1.0F);
      std::ranges::fill(field_[i].lane, own_[i]);
    }
    best_.clear();
    best_.update(sign_, energy);
    const AnnealState state{j_.size(), sign_.data(), field_.data(), &energy, &random};
    Pace pace(stop);
    const Scale scale{j_.scale(), j_.spread()};
    anneal_lanes(run_, scale, energy, rng, stop, [&](const num::FloatLine& t) {
      if (HWY_DYNAMIC_DISPATCH(Sweep)(j_, state, t, pace)) {
        best_.update(sign_, energy);
      }
      return !pace.stopped();
    });
    replica_descend(j_, sign_, field_, energy, pace);
    best_.update(sign_, energy);
    return stop();
  }

  Couplings j_;
  Collector found_;
  AnnealRun run_;
  Settings settings_;
  std::vector<float> own_;
  std::vector<num::FloatLine> sign_;
  std::vector<num::FloatLine> field_;
  BestStates best_;
};

// The default numbers of sweeps were measured on attention problems of 49 variables.
std::unique_ptr<Solver> make(const Batch& batch,
                             const Settings& s,
                             bool tempering,
                             int default_sweeps) {
  const Cooling cooling{s.sweeps > 0 ? s.sweeps : default_sweeps,
                        tempering ? Schedule::Geometric : s.schedule,
                        s.hot,
                        s.cold};
  return std::make_unique<Anneal>(
      *batch.matrix, s, AnnealRun{.cooling = cooling, .tempering = tempering});
}

}  // namespace

std::unique_ptr<Solver> make_annealing(const Batch& batch,
                                       const Settings& settings,
                                       const Stop& /*stop*/) {
  return make(batch, settings, false, 8 + batch.size() / 4);
}

std::unique_ptr<Solver> make_tempering(const Batch& batch,
                                       const Settings& settings,
                                       const Stop& /*stop*/) {
  return make(batch, settings, true, 16 + batch.size() / 2);
}

}  // namespace oa::solve
#endif
