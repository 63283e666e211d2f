#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/solve/sparse_anneal.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "oa/solve/anneal_sweep-inl.h"
#include "oa/solve/sparse_anneal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <hwy/highway.h>

#ifndef OA_SOLVE_SPARSE_ROWS
#define OA_SOLVE_SPARSE_ROWS
namespace oa::solve {
namespace {

struct SparseRows {
  const std::size_t* begin;
  const FloatCoupling* couplings;
};

}  // namespace
}  // namespace oa::solve
#endif

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

bool SparseSweep(const SparseRows& rows,
                 const AnnealState& s,
                 const num::FloatLine& t,
                 Pace& pace) {
  return anneal_sweep(s, t, pace, [&](int i, const auto& add) HWY_ATTR {
    const FloatCoupling* begin = rows.couplings + rows.begin[i];
    const FloatCoupling* end = rows.couplings + rows.begin[i + 1];
    for (const FloatCoupling* c = begin; c < end; ++c) {
      add(c->other, c->weight);
    }
    return end - begin;
  });
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(SparseSweep);

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

num::FloatLine all(float t) {
  num::FloatLine line;
  std::ranges::fill(line.lane, t);
  return line;
}

/// Which lane has which temperature.
class Ladder {
 public:
  /// `temperature`: one for each lane, hottest first.
  Ladder(const Temperatures& temperature, const Rng& rng) : rng_(rng) {
    for (int k = 0; k < kReplicas; ++k) {
      line_.lane[k] = temperature(k / (kReplicas - 1.0));
    }
    std::iota(lane_.begin(), lane_.end(), 0);
  }

  [[nodiscard]] const num::FloatLine& temperature() const { return line_; }

  /// Lanes of neighbouring temperatures change them, such that what each temperature
  /// visits stays as likely: with probability exp((1/T - 1/T')(E - E')).
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
      rows_(at(f.size()) + 1),
      own_(at(f.size())),
      sign_(at(f.size())),
      field_(at(f.size())) {
  double most = 0.0;
  for (int i = 0; i < f.size(); ++i) {
    most = std::max(most, std::abs(f.linear[at(i)]));
    for (const qubo::Coupling& c : f.row(i)) {
      most = std::max(most, std::abs(c.weight));
    }
  }
  if (most > 0.0) {
    scale_ = std::ldexp(1.0, -std::max(std::ilogb(most), -1000));
  }
  couplings_.reserve(2 * static_cast<std::size_t>(f.pairs()));
  for (int i = 0; i < f.size(); ++i) {
    double squares = 0.0;
    for (const qubo::Coupling& c : f.row(i)) {
      const double weight = c.weight * scale_;
      couplings_.push_back({c.other, static_cast<float>(weight)});
      squares += weight * weight;
    }
    rows_[at(i) + 1] = couplings_.size();
    own_[at(i)] = static_cast<float>(f.linear[at(i)] * scale_);
    spread_ += std::sqrt(squares) / f.size();
  }
  if (spread_ == 0.0) {
    spread_ = 1.0;  // nothing is coupled; any cooling will do
  }
}

void SparseAnneal::begin(std::span<const std::uint8_t> start) {
  energy_ = {};
  origin_ = f_.offset;
  std::vector<float> field = own_;
  if (!start.empty()) {
    origin_ = qubo::energy(f_, start);
    for (int i = 0; i < f_.size(); ++i) {
      for (const qubo::Coupling& c : f_.row(i)) {
        if (start[at(c.other)] != 0) {
          field[at(i)] += static_cast<float>(c.weight * scale_);
        }
      }
    }
  }
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    std::ranges::fill(sign_[i].lane, !start.empty() && start[i] != 0 ? -1.0F : 1.0F);
    std::ranges::fill(field_[i].lane, field[i]);
  }
}

bool SparseAnneal::run(const Run& run,
                       const Rng& rng,
                       const Stop& stop,
                       BestStates& best) {
  LaneRandom random(rng);
  begin(run.start);
  best.clear();
  best.update(sign_, energy_);
  const SparseRows rows{rows_.data(), couplings_.data()};
  const AnnealState state{f_.size(), sign_.data(), field_.data(), &energy_, &random};
  const double wanted = (run.target - origin_) * scale_;
  Pace pace(stop);
  const auto sweep = [&](const num::FloatLine& t) {
    const bool flipped = HWY_DYNAMIC_DISPATCH(SparseSweep)(rows, state, t, pace);
    if (flipped) {
      best.update(sign_, energy_);
    }
    return flipped;
  };
  const auto reached = [&] {
    return double{*std::ranges::min_element(energy_.lane)} <= wanted;
  };
  Ladder ladder(
      Temperatures({kReplicas, Schedule::Geometric, run.cooling.hot, run.cooling.cold},
                   scale_,
                   spread_),
      rng.fork(1));
  const Temperatures temperature(run.cooling, scale_, spread_);
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
  // Downhill to the end; rounding errors could make flips go in circles.
  for (int round = 0; round < f_.size() && sweep(all(0.0F)); ++round) {
  }
  return pace.stopped();
}

}  // namespace oa::solve
#endif
