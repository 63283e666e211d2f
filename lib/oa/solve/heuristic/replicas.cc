#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/num/lines-inl.h"
#include "oa/solve/heuristic/replicas.h"

#include <cmath>
#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace num::HWY_NAMESPACE::float_lines;

// The number of rows computed together to hide the latency of additions:
// two units, with a sum in every pipeline stage.
constexpr int kRows = 8;

// Computes lanes l, l + 1, ... of fields `first` to `first` + rows - 1.
template <int rows>
HWY_INLINE void FieldsOf(const float* const* row,
                         int n,
                         const float* own,
                         const num::FloatLine* x,
                         int first,
                         int l,
                         num::FloatLine* field) {
  V sum[rows];
  for (int r = 0; r < rows; ++r) {
    sum[r] = hn::Set(d, own[first + r]);
  }
  for (int k = 0; k < n; ++k) {
    const V xk = load(x[k], l);
    for (int r = 0; r < rows; ++r) {
      sum[r] = hn::MulAdd(hn::Set(d, row[r][k]), xk, sum[r]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    hn::Store(sum[r], d, field[first + r].lane + l);
  }
}

// Computes fields `first` to `first` + rows - 1.
template <int rows>
HWY_INLINE void DenseFields(const Couplings& j,
                            const float* own,
                            const num::FloatLine* x,
                            int first,
                            num::FloatLine* scratch,
                            num::FloatLine* field) {
  const float* row[rows];
  for (int r = 0; r < rows; ++r) {
    float* own_scratch = num::elements(scratch) + std::ptrdiff_t{r} * j.stride();
    row[r] = j.row(first + r, own_scratch).weights;
  }
  for (int l = 0; l < kReplicas; l += kLanes) {
    FieldsOf<rows>(row, j.size(), own, x, first, l, field);
  }
}

void SparseField(const CouplingRow& row,
                 float own,
                 const num::FloatLine* x,
                 num::FloatLine* field) {
  for (int l = 0; l < kReplicas; l += kLanes) {
    V sum = hn::Set(d, own);
    for (int k = 0; k < row.count; ++k) {
      sum = hn::MulAdd(hn::Set(d, row.weights[k]), load(x[row.others[k]], l), sum);
    }
    hn::Store(sum, d, field->lane + l);
  }
}

bool Fields(const Couplings& j,
            const float* own,
            const num::FloatLine* x,
            num::FloatLine* field,
            Pace& pace) {
  const std::size_t rows = j.sparse() ? 1 : kRows;
  std::vector<num::FloatLine> scratch(rows * j.scratch() / num::kFloatLine);
  int i = 0;
  if (j.sparse()) {
    for (; i < j.size(); ++i) {
      const CouplingRow row = j.row(i, num::elements(scratch.data()));
      if (pace(kReplicas * (1 + row.count))) {
        return false;
      }
      SparseField(row, own[i], x, field + i);
    }
    return true;
  }
  for (; i + kRows <= j.size(); i += kRows) {
    if (pace(std::int64_t{kRows} * kReplicas * j.size())) {
      return false;
    }
    DenseFields<kRows>(j, own, x, i, scratch.data(), field);
  }
  for (; i < j.size(); ++i) {
    DenseFields<1>(j, own, x, i, scratch.data(), field);
  }
  return true;
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

template <class M>
HWY_INLINE std::uint64_t BitsOf(M mask) {
  std::uint8_t bytes[8] = {};  // StoreMaskBits() may write 8 bytes
  std::uint64_t bits = 0;
  hn::StoreMaskBits(d, mask, bytes);
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

void Update(const num::FloatLine* sign,
            const num::FloatLine& energy,
            int n,
            std::uint16_t* best,
            num::FloatLine* lowest) {
  static_assert(kReplicas == 16);
  std::uint64_t lower = 0;
  for (int l = 0; l < kReplicas; l += kLanes) {
    lower |= BitsOf(hn::Lt(load(energy, l), load(*lowest, l))) << l;
    hn::Store(hn::Min(load(energy, l), load(*lowest, l)), d, lowest->lane + l);
  }
  if (lower == 0) {
    return;
  }
  for (int i = 0; i < n; ++i) {
    std::uint64_t x = 0;
    for (int l = 0; l < kReplicas; l += kLanes) {
      x |= BitsOf(hn::Lt(load(sign[i], l), hn::Zero(d))) << l;
    }
    best[i] = static_cast<std::uint16_t>((x & lower) | (best[i] & ~lower));
  }
}

// The lanes from l of the states of Descend().
struct Lanes {
  const Couplings& j;
  num::FloatLine* sign;
  num::FloatLine* field;
  int l;
  float* scratch;
  V energy;
};

HWY_INLINE float* other_field(const Lanes& s, const CouplingRow& row, int k) {
  return s.field[row.others != nullptr ? row.others[k] : k].lane + s.l;
}

// Flips variable i in the lanes of `which`.
template <class M>
HWY_INLINE void flip(Lanes& s, int i, M which) {
  const V before = load(s.sign[i], s.l);
  const V delta = hn::IfThenElseZero(which, before);
  s.energy = hn::Add(s.energy, hn::Mul(delta, load(s.field[i], s.l)));
  const CouplingRow row = s.j.row(i, s.scratch);
  for (int k = 0; k < row.count; ++k) {
    float* at = other_field(s, row, k);
    hn::Store(hn::MulAdd(hn::Set(d, row.weights[k]), delta, hn::Load(d, at)), d, at);
  }
  hn::Store(hn::IfThenElse(which, hn::Neg(before), before), d, s.sign[i].lane + s.l);
}

// Flips each variable whose flip lowers the energy.  False if none does.
bool flip_all(Lanes& s, Pace& pace) {
  bool flipped = false;
  for (int i = 0; i < s.j.size() && !pace.stopped(); ++i) {
    const V change = hn::Mul(load(s.sign[i], s.l), load(s.field[i], s.l));
    const auto lower = hn::Lt(change, hn::Zero(d));
    if (!hn::AllFalse(d, lower) && !pace(s.j.size())) {
      flip(s, i, lower);
      flipped = true;
    }
  }
  return flipped;
}

// Flips each pair of coupled variables that lowers the energy.  False if none does.
bool flip_pairs(Lanes& s, Pace& pace) {
  bool flipped = false;
  std::vector<float> weights(s.j.scratch());
  for (int i = 0; i < s.j.size(); ++i) {
    const CouplingRow row = s.j.row(i, weights.data());
    if (pace(row.count)) {
      break;
    }
    for (int k = 0; k < row.count; ++k) {
      const int other = row.others != nullptr ? row.others[k] : k;
      if (other <= i) {
        continue;
      }
      const V first = load(s.sign[i], s.l);
      const V second = load(s.sign[other], s.l);
      const V field = hn::MulAdd(
          hn::Set(d, row.weights[k]), first, hn::Load(d, other_field(s, row, k)));
      const V change = hn::MulAdd(second, field, hn::Mul(first, load(s.field[i], s.l)));
      const auto lower = hn::Lt(change, hn::Zero(d));
      if (!hn::AllFalse(d, lower)) {
        flip(s, i, lower);
        flip(s, other, lower);
        flipped = true;
      }
    }
  }
  return flipped;
}

void Descend(const Couplings& j,
             num::FloatLine* sign,
             num::FloatLine* field,
             num::FloatLine* energy,
             Pace& pace) {
  std::vector<num::FloatLine> scratch(j.scratch() / num::kFloatLine);
  for (int l = 0; l < kReplicas; l += kLanes) {
    Lanes s{j, sign, field, l, num::elements(scratch.data()), load(*energy, l)};
    // The limit ends cycles of flips, which rounding can cause.
    for (int round = 0; round < j.size() && (flip_all(s, pace) || flip_pairs(s, pace));
         ++round) {
    }
    hn::Store(s.energy, d, energy->lane + l);
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

namespace {

constexpr float kNothing = std::numeric_limits<float>::max();  // no state seen yet

}  // namespace

void BestStates::clear() {
  std::ranges::fill(lowest_.lane, kNothing);
}

void BestStates::update(std::span<const num::FloatLine> sign,
                        const num::FloatLine& energy) {
  HWY_DYNAMIC_DISPATCH(Update)
  (sign.data(), energy, static_cast<int>(reads_.size()), reads_.data(), &lowest_);
}

void BestStates::each(int reads,
                      Which which,
                      const std::function<void(std::span<const std::uint8_t>)>& offer) {
  x_.resize(reads_.size());
  const float least = *std::min_element(lowest_.lane, lowest_.lane + reads);
  // Floats cannot distinguish energies that are closer.
  const float most = which == Which::Ties  ? least + 1e-5F * std::abs(least)
                     : which == Which::All ? kNothing
                                           : least;
  for (int l = 0; l < reads; ++l) {
    if (lowest_.lane[l] <= most && lowest_.lane[l] < kNothing) {
      for (std::size_t i = 0; i < x_.size(); ++i) {
        x_[i] = static_cast<std::uint8_t>(reads_[i] >> l & 1);
      }
      offer(x_);
      if (which == Which::Lowest) {
        return;
      }
    }
  }
}

bool replica_fields(const Couplings& j,
                    std::span<const float> own,
                    std::span<const num::FloatLine> x,
                    std::span<num::FloatLine> field,
                    Pace& pace) {
  return HWY_DYNAMIC_DISPATCH(Fields)(j, own.data(), x.data(), field.data(), pace);
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
                     num::FloatLine& energy,
                     Pace& pace) {
  HWY_DYNAMIC_DISPATCH(Descend)(j, sign.data(), field.data(), &energy, pace);
}

}  // namespace oa::solve
#endif
