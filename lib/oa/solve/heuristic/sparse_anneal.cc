#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/base/index.h"
#include "oa/solve/heuristic/anneal_sweep-inl.h"
#include "oa/solve/heuristic/sparse_anneal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

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

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(PairSweep);

num::FloatLine all(float t) {
  num::FloatLine line;
  std::ranges::fill(line.lane, t);
  return line;
}

/// The assignment of temperatures to lanes.
class LaneLadder {
 public:
  /// `temperature` has one temperature for each lane, hottest first.
  LaneLadder(const Temperatures& temperature, const Rng& rng) : rng_(rng) {
    for (int k = 0; k < kReplicas; ++k) {
      line_.lane[k] = temperature(k / (kReplicas - 1.0));
    }
    std::iota(lane_.begin(), lane_.end(), 0);
  }

  [[nodiscard]] const num::FloatLine& temperature() const { return line_; }

  /// Exchanges adjacent temperatures T and T' of energies E and E' with probability
  /// exp((1/T - 1/T')(E - E')), which keeps the distribution at each temperature.
  void exchange(const num::FloatLine& energy) {
    for (std::size_t k = odd_ ? 1 : 0; k + 1 < lane_.size(); k += 2) {
      float& hot = line_.lane[lane_[k]];
      float& cold = line_.lane[lane_[k + 1]];
      const float gain = energy.lane[lane_[k + 1]] - energy.lane[lane_[k]];
      const double likely = double{gain} * (1.0 / double{cold} - 1.0 / double{hot});
      if (likely >= 0.0 || rng_.uniform() < std::exp(likely)) {
        std::swap(hot, cold);
        std::swap(lane_[k], lane_[k + 1]);
      }
    }
    odd_ = !odd_;
  }

 private:
  Rng rng_;
  num::FloatLine line_{};
  std::array<std::size_t, kReplicas> lane_{};  // by temperature, hottest first
  bool odd_ = false;
};

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
  const auto reached = [&] {
    return double{*std::ranges::min_element(energy_.lane)} <= wanted;
  };
  LaneLadder ladder(
      Temperatures({kReplicas, Schedule::Geometric, run.cooling.hot, run.cooling.cold},
                   scale_.energy,
                   scale_.spread),
      rng.fork(1));
  const Temperatures temperature(
      run.cooling, scale_.energy, scale_.spread, scale_.step);
  const Course course(temperature.sweeps(), stop, run.part);
  bool cold = false;
  for (int i = 0; i < temperature.sweeps() && !cold && !pace.stopped(); ++i) {
    const double done = course(i);
    cold = done >= 1.0;
    if (sweep(run.tempering ? ladder.temperature() : all(temperature(done))) &&
        reached()) {
      return false;
    }
    if (run.tempering) {
      ladder.exchange(energy_);
    }
  }
  // Descends to the end; a limit ends cycles of flips, which rounding can cause.
  for (int round = 0; round < f_.size() && sweep(all(0.0F)); ++round) {
  }
  return pace.stopped();
}

}  // namespace oa::solve
#endif
