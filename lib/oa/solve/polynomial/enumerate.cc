#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/polynomial/enumerate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

/// Transforms coefficients of monomials into values, by the bits of their index.
/// Compilers vectorise the loops.
template <class T>
HWY_INLINE T transform(bool spin, std::span<const T> coefficients, T* HWY_RESTRICT v) {
  const std::size_t size = coefficients.size();
  std::copy(coefficients.begin(), coefficients.end(), v);
  for (std::size_t half = 1; half < size; half *= 2) {
    for (std::size_t begin = 0; begin < size; begin += 2 * half) {
      T* HWY_RESTRICT zero = v + begin;
      T* HWY_RESTRICT one = v + begin + half;
      if (spin) {
        for (std::size_t k = 0; k < half; ++k) {
          const T a = zero[k];
          zero[k] = a - one[k];
          one[k] += a;
        }
      } else {
        for (std::size_t k = 0; k < half; ++k) {
          one[k] += zero[k];
        }
      }
    }
  }
  T least = v[0];
  for (std::size_t k = 1; k < size; ++k) {
    least = v[k] < least ? v[k] : least;
  }
  return least;
}

std::int32_t TransformInt32(bool spin,
                            std::span<const std::int32_t> c,
                            std::int32_t* v) {
  return transform(spin, c, v);
}
std::int64_t TransformInt64(bool spin,
                            std::span<const std::int64_t> c,
                            std::int64_t* v) {
  return transform(spin, c, v);
}
Whole TransformWhole(bool spin, std::span<const Whole> c, Whole* v) {
  return transform(spin, c, v);
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(TransformInt32);
HWY_EXPORT(TransformInt64);
HWY_EXPORT(TransformWhole);

std::int32_t least_of(bool spin, std::span<const std::int32_t> c, std::int32_t* v) {
  return HWY_DYNAMIC_DISPATCH(TransformInt32)(spin, c, v);
}
std::int64_t least_of(bool spin, std::span<const std::int64_t> c, std::int64_t* v) {
  return HWY_DYNAMIC_DISPATCH(TransformInt64)(spin, c, v);
}
Whole least_of(bool spin, std::span<const Whole> c, Whole* v) {
  return HWY_DYNAMIC_DISPATCH(TransformWhole)(spin, c, v);
}

constexpr int kLow = 12;   // variables of a transform
constexpr int kSplit = 6;  // bits that number the jobs for several threads

/// Merges the lists of two parts.
void merge(Enumerated& all, Enumerated part, std::size_t top) {
  const auto least = [](const Enumerated& e) { return e.best.front().value; };
  all.complete = all.complete && part.complete;
  if (part.best.empty()) {
    return;
  }
  if (all.best.empty() || least(part) < least(all)) {
    all.optima = part.optima;
  } else if (least(part) == least(all)) {
    all.optima += part.optima;
  }
  all.best.insert(all.best.end(), part.best.begin(), part.best.end());
  std::ranges::sort(all.best);
  all.best.resize(std::min(all.best.size(), top));
}

/// The vectors x whose first variables are fixed.
template <class T>
class Blocks {
 public:
  Blocks(const WholePolynomial& p, const MonomialIndex& index, int low, std::size_t top)
      : p_(p),
        index_(index),
        upper_(p.n - low),
        top_(top),
        bits_(at(upper_)),
        zeros_(p.size()),
        weights_(p.weights.begin(), p.weights.end()),
        coefficients_(std::size_t{1} << low),
        values_(coefficients_.size()) {
    const std::int32_t first_low = upper_;
    coefficients_[0] = 0;
    for (std::size_t m = 0; m < p.size(); ++m) {
      std::uint32_t place = 0;
      for (const std::int32_t i : p.monomial(m)) {
        if (i < first_low) {
          ++zeros_[m];  // all variables start at 0
        } else {
          place |= 1U << (p.n - 1 - i);
        }
      }
      place_.push_back(place);
      if (p.spin) {
        weights_[m] = zeros_[m] % 2 == 0 ? weights_[m] : -weights_[m];
        coefficients_[place] += weights_[m];
      } else if (zeros_[m] == 0) {
        coefficients_[place] += weights_[m];
      }
    }
  }

  void flip(int i) {
    const bool one = (bits_[at(i)] ^= 1U) != 0;
    for (const std::int32_t k : index_.of(i)) {
      const auto m = at(k);
      T& c = coefficients_[place_[m]];
      if (p_.spin) {
        c -= 2 * weights_[m];
        weights_[m] = -weights_[m];
      } else if (one) {
        c += --zeros_[m] == 0 ? weights_[m] : T{0};
      } else {
        c -= zeros_[m]++ == 0 ? weights_[m] : T{0};
      }
    }
  }

  /// Flips the variables from `first` on in the order of a Gray code.
  Enumerated all_from(int first, const Stop& stop) {
    Pace pace(stop);
    const std::uint64_t count = std::uint64_t{1} << (upper_ - first);
    for (std::uint64_t k = 0;; ++k) {
      if (pace(std::ssize(values_))) {
        return std::move(found_);
      }
      look();
      if (k + 1 == count) {
        break;
      }
      flip(upper_ - 1 - std::countr_zero(k + 1));
    }
    found_.complete = true;
    std::ranges::sort(found_.best);
    return std::move(found_);
  }

 private:
  void look() {
    const T least =
        least_of(p_.spin, std::span<const T>(coefficients_), values_.data());
    if (found_.best.size() == top_ && Whole{least} > worst()) {
      return;
    }
    std::uint64_t high = 0;
    for (const std::uint8_t bit : bits_) {
      high = 2 * high + bit;
    }
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (found_.best.size() < top_ || Whole{values_[k]} <= worst()) {
        take({Whole{values_[k]}, high * values_.size() + k});
      }
    }
  }

  [[nodiscard]] Whole worst() const { return found_.best.front().value; }

  /// Inserts into the list, a heap with the worst entry first.
  void take(const Enumerated::One& one) {
    std::vector<Enumerated::One>& best = found_.best;
    if (best.empty() || one.value < least_) {
      least_ = one.value;
      found_.optima = 0;
    }
    found_.optima += one.value == least_ ? 1U : 0U;
    if (best.size() == top_) {
      if (best.front() < one) {
        return;
      }
      std::ranges::pop_heap(best);
      best.pop_back();
    }
    best.push_back(one);
    std::ranges::push_heap(best);
  }

  const WholePolynomial& p_;
  const MonomialIndex& index_;
  int upper_;
  std::size_t top_;
  std::vector<std::uint8_t> bits_;    // values of the first variables
  std::vector<std::int32_t> zeros_;   // of each monomial: its zeros among the first
  std::vector<T> weights_;            // multiplied by the signs of the first spins
  std::vector<std::uint32_t> place_;  // of each monomial: coefficient to which it adds
  std::vector<T> coefficients_;
  std::vector<T> values_;
  Enumerated found_;
  Whole least_ = 0;
};

template <class T>
Enumerated enumerate_as(const WholePolynomial& p,
                        int top,
                        int threads,
                        const Stop& stop) {
  const bool half = top == 1 && p.n > 1 && is_even(p);
  const int low = std::min(p.n - (half ? 1 : 0), kLow);
  const int upper = p.n - low;
  const int fixed = half ? 1 : 0;  // leading variables fixed at 0
  const int split = threads > 1 ? std::min(kSplit, upper - fixed) : 0;
  const MonomialIndex index(p);
  std::vector<Enumerated> parts(std::size_t{1} << split);
  parallel_for(std::ssize(parts), threads, [&](std::int64_t job, int /*worker*/) {
    Blocks<T> blocks(p, index, low, at(top));
    for (int b = 0; b < split; ++b) {
      if ((job >> (split - 1 - b)) % 2 != 0) {
        blocks.flip(fixed + b);
      }
    }
    parts[at(job)] = blocks.all_from(fixed + split, stop);
  });
  Enumerated all;
  all.complete = true;
  for (Enumerated& part : parts) {
    merge(all, std::move(part), at(top));
  }
  for (Enumerated::One& one : all.best) {
    one.value += p.constant;
  }
  all.optima *= half ? 2U : 1U;
  return all;
}

}  // namespace

double enumeration_seconds(const WholePolynomial& p) {
  const double each = p.digits <= 30 ? 1e-9 : p.digits <= 62 ? 2e-9 : 20e-9;
  const double mean =
      p.n > 0 ? 2.0 * static_cast<double>(p.variables.size()) / p.n : 0.0;
  const double low = std::min(p.n, kLow);
  return std::exp2(p.n - (is_even(p) ? 1.0 : 0.0)) *
         (each + 2e-9 * mean / std::exp2(low));
}

Enumerated enumerate(const WholePolynomial& p, int top, int threads, const Stop& stop) {
  // The maximum number of bits in sums of magnitudes of coefficients and values.
  constexpr int kMax32 = 30;
  constexpr int kMax64 = 62;
  return p.digits <= kMax32   ? enumerate_as<std::int32_t>(p, top, threads, stop)
         : p.digits <= kMax64 ? enumerate_as<std::int64_t>(p, top, threads, stop)
                              : enumerate_as<Whole>(p, top, threads, stop);
}

std::vector<std::uint8_t> x_of(std::uint64_t index, int n) {
  std::vector<std::uint8_t> x(at(n));
  for (int i = 0; i < n; ++i) {
    x[at(i)] = static_cast<std::uint8_t>((index >> (n - 1 - i)) & 1U);
  }
  return x;
}

}  // namespace oa::solve
#endif
