#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "oa/solve/replicas.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "oa/solve/replicas.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = HWY_CAPPED(float, kReplicas);
using V = hn::Vec<D>;
constexpr D d;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));

HWY_INLINE V load(const num::FloatLine& line, int l) {
  return hn::Load(d, line.lane + l);
}

// Four rows at a time, so that no sum waits for itself.
void Fields(const Couplings& j,
            const float* own,
            const num::FloatLine* x,
            num::FloatLine* field) {
  const int n = j.size();
  for (int l = 0; l < kReplicas; l += kLanes) {
    int i = 0;
    for (; i + 4 <= n; i += 4) {
      const float* r0 = j.row(i);
      const float* r1 = j.row(i + 1);
      const float* r2 = j.row(i + 2);
      const float* r3 = j.row(i + 3);
      V s0 = hn::Set(d, own[i]);
      V s1 = hn::Set(d, own[i + 1]);
      V s2 = hn::Set(d, own[i + 2]);
      V s3 = hn::Set(d, own[i + 3]);
      for (int k = 0; k < n; ++k) {
        const V xk = load(x[k], l);
        s0 = hn::MulAdd(hn::Set(d, r0[k]), xk, s0);
        s1 = hn::MulAdd(hn::Set(d, r1[k]), xk, s1);
        s2 = hn::MulAdd(hn::Set(d, r2[k]), xk, s2);
        s3 = hn::MulAdd(hn::Set(d, r3[k]), xk, s3);
      }
      hn::Store(s0, d, field[i].lane + l);
      hn::Store(s1, d, field[i + 1].lane + l);
      hn::Store(s2, d, field[i + 2].lane + l);
      hn::Store(s3, d, field[i + 3].lane + l);
    }
    for (; i < n; ++i) {
      V sum = hn::Set(d, own[i]);
      for (int k = 0; k < n; ++k) {
        sum = hn::MulAdd(hn::Set(d, j.row(i)[k]), load(x[k], l), sum);
      }
      hn::Store(sum, d, field[i].lane + l);
    }
  }
}

void Energies(const float* own,
              const num::FloatLine* x,
              const num::FloatLine* field,
              int n,
              num::FloatLine* energy) {
  for (int l = 0; l < kReplicas; l += kLanes) {
    V sum = hn::Zero(d);
    for (int i = 0; i < n; ++i) {
      sum = hn::MulAdd(
          load(x[i], l), hn::Add(load(field[i], l), hn::Set(d, own[i])), sum);
    }
    hn::Store(hn::Mul(hn::Set(d, 0.5F), sum), d, energy->lane + l);
  }
}

void Update(const num::FloatLine* sign,
            const num::FloatLine& energy,
            int n,
            num::FloatLine* best,
            num::FloatLine* lowest) {
  for (int l = 0; l < kReplicas; l += kLanes) {
    const auto lower = hn::Lt(load(energy, l), load(*lowest, l));
    if (hn::AllFalse(d, lower)) {
      continue;
    }
    hn::Store(hn::Min(load(energy, l), load(*lowest, l)), d, lowest->lane + l);
    for (int i = 0; i < n; ++i) {
      hn::Store(hn::IfThenElse(lower, load(sign[i], l), load(best[i], l)),
                d,
                best[i].lane + l);
    }
  }
}

void Descend(const Couplings& j,
             num::FloatLine* sign,
             num::FloatLine* field,
             num::FloatLine* energy) {
  for (int l = 0; l < kReplicas; l += kLanes) {
    V sum = load(*energy, l);
    bool flipped = true;
    // Rounding errors could make flips go in circles.
    for (int round = 0; flipped && round < j.size(); ++round) {
      flipped = false;
      for (int i = 0; i < j.size(); ++i) {
        const V before = load(sign[i], l);
        const V change = hn::Mul(before, load(field[i], l));
        const auto lower = hn::Lt(change, hn::Zero(d));
        if (hn::AllFalse(d, lower)) {
          continue;
        }
        flipped = true;
        sum = hn::Add(sum, hn::IfThenElseZero(lower, change));
        const V delta = hn::IfThenElseZero(lower, before);
        for (int k = 0; k < j.size(); ++k) {
          const V step = hn::MulAdd(hn::Set(d, j.row(i)[k]), delta, load(field[k], l));
          hn::Store(step, d, field[k].lane + l);
        }
        hn::Store(hn::IfThenElse(lower, hn::Neg(before), before), d, sign[i].lane + l);
      }
    }
    hn::Store(sum, d, energy->lane + l);
  }
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {

HWY_EXPORT(Fields);
HWY_EXPORT(Energies);
HWY_EXPORT(Update);
HWY_EXPORT(Descend);

void BestStates::clear() {
  std::ranges::fill(lowest_.lane, std::numeric_limits<float>::max());
}

void BestStates::update(std::span<const num::FloatLine> sign,
                        const num::FloatLine& energy) {
  HWY_DYNAMIC_DISPATCH(Update)
  (sign.data(), energy, static_cast<int>(sign_.size()), sign_.data(), &lowest_);
}

void BestStates::offer_to(Collector& found, int reads) {
  each(
      reads, found.top() > 1, [&](std::span<const std::uint8_t> x) { found.offer(x); });
}

void BestStates::each(int reads,
                      bool all,
                      const std::function<void(std::span<const std::uint8_t>)>& offer) {
  x_.resize(sign_.size());
  const float least = *std::min_element(lowest_.lane, lowest_.lane + reads);
  // Floats cannot tell energies this close apart.
  const float most =
      all ? std::numeric_limits<float>::max() : least + 1e-5F * std::abs(least);
  for (int l = 0; l < reads; ++l) {
    if (lowest_.lane[l] <= most) {
      for (std::size_t i = 0; i < x_.size(); ++i) {
        x_[i] = sign_[i].lane[l] < 0.0F ? 1 : 0;
      }
      offer(x_);
    }
  }
}

void replica_fields(const Couplings& j,
                    std::span<const float> own,
                    std::span<const num::FloatLine> x,
                    std::span<num::FloatLine> field) {
  HWY_DYNAMIC_DISPATCH(Fields)(j, own.data(), x.data(), field.data());
}

num::FloatLine replica_energies(std::span<const float> own,
                                std::span<const num::FloatLine> x,
                                std::span<const num::FloatLine> field) {
  num::FloatLine energy;
  HWY_DYNAMIC_DISPATCH(Energies)
  (own.data(), x.data(), field.data(), static_cast<int>(x.size()), &energy);
  return energy;
}

void replica_descend(const Couplings& j,
                     std::span<num::FloatLine> sign,
                     std::span<num::FloatLine> field,
                     num::FloatLine& energy) {
  HWY_DYNAMIC_DISPATCH(Descend)(j, sign.data(), field.data(), &energy);
}

}  // namespace oa::solve
#endif
