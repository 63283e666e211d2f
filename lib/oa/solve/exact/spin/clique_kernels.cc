#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/num/lines-inl.h"
#include "oa/solve/exact/spin/clique_kernels.h"

#include <cmath>
#include <cstddef>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace num::HWY_NAMESPACE::double_lines;
constexpr int kParts = kVectorRank / kLanes;

// Separate sums for even and odd k hide the latency of additions.
HWY_ATTR void TurnVectors(const double* e, int n, SpinVector* v, double* length) {
  for (int i = 0; i < n; ++i) {
    const double* row = e + std::ptrdiff_t{n} * i;
    V even[kParts];
    V odd[kParts];
    for (int p = 0; p < kParts; ++p) {
      even[p] = odd[p] = hn::Zero(d);
    }
    int k = 0;
    for (; k + 1 < n; k += 2) {
      const double* a = num::elements(v[k].line);
      const V ea = hn::Set(d, row[k]);
      const V eb = hn::Set(d, row[k + 1]);
      for (int p = 0; p < kParts; ++p) {
        even[p] = hn::MulAdd(ea, hn::Load(d, a + p * kLanes), even[p]);
        odd[p] = hn::MulAdd(eb, hn::Load(d, a + kVectorRank + p * kLanes), odd[p]);
      }
    }
    if (k < n) {
      const double* a = num::elements(v[k].line);
      for (int p = 0; p < kParts; ++p) {
        even[p] = hn::MulAdd(hn::Set(d, row[k]), hn::Load(d, a + p * kLanes), even[p]);
      }
    }
    V square = hn::Zero(d);
    for (int p = 0; p < kParts; ++p) {
      even[p] = hn::Add(even[p], odd[p]);
      square = hn::MulAdd(even[p], even[p], square);
    }
    length[i] = std::sqrt(hn::GetLane(hn::SumOfLanes(d, square)));
    if (length[i] > 0.0) {
      const V scale = hn::Set(d, -1.0 / length[i]);
      double* own = num::elements(v[i].line);
      for (int p = 0; p < kParts; ++p) {
        hn::Store(hn::Mul(scale, even[p]), d, own + p * kLanes);
      }
    }
  }
}

HWY_ATTR void FindFar(const double* b,
                      const double* c,
                      int from,
                      int n,
                      double sum,
                      double difference,
                      std::vector<int>& found) {
  const V most_sum = hn::Set(d, sum);
  const V most_difference = hn::Set(d, difference);
  int k = from + 1;
  for (; k + kLanes <= n; k += kLanes) {
    const V vb = hn::LoadU(d, b + k);
    const V vc = hn::LoadU(d, c + k);
    const auto far = hn::Or(hn::Gt(hn::Abs(hn::Add(vb, vc)), most_sum),
                            hn::Gt(hn::Abs(hn::Sub(vb, vc)), most_difference));
    if (!hn::AllFalse(d, far)) {
      for (int l = k; l < k + kLanes; ++l) {
        if (std::abs(b[l] + c[l]) > sum || std::abs(b[l] - c[l]) > difference) {
          found.push_back(l);
        }
      }
    }
  }
  for (; k < n; ++k) {
    if (std::abs(b[k] + c[k]) > sum || std::abs(b[k] - c[k]) > difference) {
      found.push_back(k);
    }
  }
}

HWY_ATTR double Dot(const double* a, const double* b, int n) {
  V sum[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  int k = 0;
  for (; k + 4 * kLanes <= n; k += 4 * kLanes) {
    for (int p = 0; p < 4; ++p) {
      sum[p] = hn::MulAdd(
          hn::LoadU(d, a + k + p * kLanes), hn::LoadU(d, b + k + p * kLanes), sum[p]);
    }
  }
  double rest = 0.0;
  for (; k < n; ++k) {
    rest += a[k] * b[k];
  }
  const V all = hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]));
  return rest + hn::GetLane(hn::SumOfLanes(d, all));
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace oa::solve {
namespace {
HWY_EXPORT(TurnVectors);
HWY_EXPORT(FindFar);
HWY_EXPORT(Dot);
}  // namespace

void turn_vectors(std::span<const double> e,
                  std::span<SpinVector> v,
                  std::span<double> d) {
  HWY_DYNAMIC_DISPATCH(TurnVectors)
  (e.data(), static_cast<int>(v.size()), v.data(), d.data());
}

void find_far(std::span<const double> b,
              std::span<const double> c,
              int from,
              double sum,
              double difference,
              std::vector<int>& found) {
  HWY_DYNAMIC_DISPATCH(FindFar)
  (b.data(), c.data(), from, static_cast<int>(b.size()), sum, difference, found);
}

double dot_product(std::span<const double> a, std::span<const double> b) {
  return HWY_DYNAMIC_DISPATCH(Dot)(a.data(), b.data(), static_cast<int>(a.size()));
}

}  // namespace oa::solve

#endif
