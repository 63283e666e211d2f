#include "oa/base/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace oa {
namespace {

constexpr std::size_t kBlock = 1024;
constexpr std::size_t kMaxTerms = 16;  // up to this many are added one by one
constexpr std::size_t kLanes = 4;
// Sums of kBlock + kLanes numbers below 2^e stay below 2^(e + kRoom).
constexpr int kRoom = 11;

double greatest(std::span<const double> terms) {
  double most = 0.0;
  for (const double x : terms) {
    most = std::max(most, std::abs(x));
  }
  return most;
}

/// The sum of the leading digits of a block of numbers.
struct Slice {
  double sum;   // without rounding
  double most;  // largest magnitude among the remainders
};

/// Subtracts from each number its multiple of ulp(sigma), and sums these multiples
/// without rounding.  `sigma` is a power of 2 above 2^kRoom times every magnitude.
Slice take_slice(std::span<double> terms, double sigma) {
  std::array<double, kLanes> sum{};
  std::array<double, kLanes> most{};
  for (std::size_t k = 0; k < terms.size(); k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      double& x = terms[k + lane];
      const double high = (sigma + x) - sigma;
      x -= high;
      sum[lane] += high;
      most[lane] = std::max(most[lane], std::abs(x));
    }
  }
  return {(sum[0] + sum[1]) + (sum[2] + sum[3]), *std::ranges::max_element(most)};
}

/// Merges parts that do not overlap, in order of magnitude, into few doubles: from the
/// largest part down, each double takes 53 bits.  Returns the number of doubles.
int packed(std::span<double> parts) {
  std::size_t out = parts.size();
  double rest = parts.back();
  for (std::size_t i = parts.size() - 1; i-- > 0;) {
    const double sum = rest + parts[i];
    const double error = parts[i] - (sum - rest);
    if (error != 0.0) {
      parts[--out] = sum;
    }
    rest = error != 0.0 ? error : sum;
  }
  parts[--out] = rest;
  return static_cast<int>(std::ranges::copy(parts.subspan(out), parts.begin()).out -
                          parts.begin());
}

}  // namespace

void ExactSum::keep(double x) {
  if (!std::isfinite(top_)) {
    return;  // x is no error
  }
  if (count_ == std::ssize(parts_)) {
    count_ = packed(parts_);
  }
  int kept = 0;
  for (int i = 0; i < count_; ++i) {
    const double sum = parts_[i] + x;
    const double error = rounding(parts_[i], x, sum);
    if (error != 0.0) {
      parts_[kept++] = error;
    }
    x = sum;
  }
  parts_[kept++] = x;
  count_ = kept;
}

// Splits numbers into slices of about 40 bits, whose sums are exact (Rump, Ogita and
// Oishi, "Accurate floating-point summation", 2008).
void ExactSum::add(std::span<const double> terms) {
  std::array<double, kBlock> rest;
  while (terms.size() > kMaxTerms) {
    const auto block = terms.first(std::min(terms.size(), kBlock));
    double most = greatest(block);
    if (!(most < 0x1p1000)) {
      break;  // sigma may overflow
    }
    const std::size_t count = (block.size() + kLanes - 1) / kLanes * kLanes;
    std::fill(std::ranges::copy(block, rest.begin()).out, rest.begin() + count, 0.0);
    while (most != 0.0) {
      const double sigma = std::ldexp(1.0, std::ilogb(most) + 1 + kRoom);
      const Slice slice = take_slice(std::span(rest).first(count), sigma);
      add(slice.sum);
      most = slice.most;
    }
    terms = terms.subspan(block.size());
  }
  for (const double x : terms) {
    add(x);
  }
}

double ExactSum::value() const {
  if (count_ == 0 || !std::isfinite(top_)) {
    return top_;
  }
  ExactSum all = *this;
  all.keep(top_);
  // Adds from the largest part down until rounding loses something.
  int i = all.count_ - 1;
  double sum = all.parts_[i];
  double lost = 0.0;
  while (i > 0 && lost == 0.0) {
    const double part = all.parts_[--i];
    const double next = sum + part;
    lost = part - (next - sum);
    sum = next;
  }
  // If the lost part is exactly half an ulp, the smaller parts decide the rounding.
  if (i > 0 && (lost < 0.0) == (all.parts_[i - 1] < 0.0)) {
    const double up = sum + 2.0 * lost;
    if (up - sum == 2.0 * lost) {
      sum = up;
    }
  }
  return sum;
}

TwoDoubles ExactSum::two() const {
  const double nearest = value();
  if (count_ == 0 || !std::isfinite(nearest)) {
    return nearest;
  }
  ExactSum left = *this;
  left.add(-nearest);
  return {nearest, left.value()};
}

double ExactSum::rounded_down() const {
  const TwoDoubles sum = two();
  return sum.rest < 0.0
             ? std::nextafter(sum.value, -std::numeric_limits<double>::infinity())
             : sum.value;
}

}  // namespace oa
