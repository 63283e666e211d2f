#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/solve/heuristic/anneal_sweep-inl.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/heuristic/replicas.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <hwy/highway.h>

// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) of dense problems.

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

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

HWY_EXPORT(Sweep);

constexpr double kCooling = 0.9;  // share of the remaining time

int default_sweeps(int n) {
  return 8 + n / 4;
}

class Anneal final : public Solver {
 public:
  Anneal(const qubo::Matrix& j, const Settings& settings)
      : j_(j),
        found_(j, settings.top),
        temperature_({settings.sweeps > 0 ? settings.sweeps : default_sweeps(j.size()),
                      settings.schedule,
                      settings.hot,
                      settings.cold},
                     j_.scale(),
                     j_.spread()),
        settings_(settings),
        own_(static_cast<std::size_t>(j_.stride())),
        sign_(static_cast<std::size_t>(j.size())),
        field_(sign_.size()),
        best_(j.size()) {}

  Result solve(std::span<const double> h, const Rng& rng, const Stop& stop) override {
    found_.begin(h);
    j_.fields(h, own_.data());
    return run_reads(
        settings_, rng, stop, best_, found_, [&](const Rng& draws, int /*round*/) {
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
    const Course course(temperature_.sweeps(), stop, kCooling);
    bool cold = false;
    for (int i = 0; i < temperature_.sweeps() && !cold && !pace.stopped(); ++i) {
      const double done = course(i);
      cold = done >= 1.0;
      num::FloatLine same;
      std::ranges::fill(same.lane, temperature_(done));
      if (HWY_DYNAMIC_DISPATCH(Sweep)(j_, state, same, pace)) {
        best_.update(sign_, energy);
      }
    }
    replica_descend(j_, sign_, field_, energy, pace);
    best_.update(sign_, energy);
    return stop();
  }

  Couplings j_;
  Collector found_;
  Temperatures temperature_;
  Settings settings_;
  std::vector<float> own_;
  std::vector<num::FloatLine> sign_;
  std::vector<num::FloatLine> field_;
  BestStates best_;
};

}  // namespace

std::unique_ptr<Solver> make_annealing(const Batch& batch,
                                       const Settings& settings,
                                       const Stop& /*stop*/) {
  return std::make_unique<Anneal>(*batch.matrix, settings);
}

}  // namespace oa::solve
#endif
