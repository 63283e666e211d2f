#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/solve/anneal.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "oa/solve/anneal_sweep-inl.h"
#include "oa/solve/method.h"
#include "oa/solve/replicas.h"
#include "oa/solve/stop.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <hwy/highway.h>

// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) of dense problems.

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

bool Sweep(const Couplings& j, const AnnealState& s, const num::FloatLine& t) {
  return anneal_sweep(s, t, [&](int i, const auto& add) HWY_ATTR {
    const float* row = j.row(i);
    for (int k = 0; k < s.n; ++k) {
      add(k, row[k]);
    }
  });
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(Sweep);

int default_sweeps(int n) {
  return 8 + n / 4;
}

class Anneal {
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
        reads_(settings.reads > 0 ? settings.reads : kReplicas),
        limit_s_(settings.time_limit_s),
        own_(static_cast<std::size_t>(j_.stride())),
        sign_(static_cast<std::size_t>(j.size())),
        field_(sign_.size()),
        best_(j.size()) {}

  Result solve(std::span<const double> h,
               const Rng& rng,
               const std::stop_token& token) {
    const Stop stop(token, limit_s_);
    found_.begin(h);
    j_.fields(h, own_.data());
    return run_reads(
        reads_, rng, best_, found_, [&](const Rng& draws) { return run(draws, stop); });
  }

 private:
  // Sixteen reads from x = 0.  Returns whether they were stopped.
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
    for (int i = 0; i < temperature_.sweeps(); ++i) {
      if (stop()) {
        return true;
      }
      num::FloatLine same;
      std::ranges::fill(same.lane, temperature_(i));
      if (HWY_DYNAMIC_DISPATCH(Sweep)(j_, state, same)) {
        best_.update(sign_, energy);
      }
    }
    replica_descend(j_, sign_, field_, energy);
    best_.update(sign_, energy);
    return false;
  }

  Couplings j_;
  Collector found_;
  Temperatures temperature_;
  int reads_;
  double limit_s_;
  std::vector<float> own_;
  std::vector<num::FloatLine> sign_;
  std::vector<num::FloatLine> field_;
  BestStates best_;
};

}  // namespace

Solver anneal(const qubo::Matrix& j, const Settings& settings) {
  const auto solver = std::make_shared<Anneal>(j, settings);
  return
      [solver](std::span<const double> h, const Rng& rng, const std::stop_token& stop) {
        return solver->solve(h, rng, stop);
      };
}

}  // namespace oa::solve
#endif
