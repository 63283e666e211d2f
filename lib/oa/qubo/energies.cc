#include "oa/qubo/energies.h"

#include <cmath>
#include <cstdlib>

namespace oa::qubo {
namespace {

constexpr int kBits = 62;  // sums of magnitudes stay below 2^62 units

std::size_t first_pair(std::size_t a) {
  return a * (a - 1) / 2;
}

/// Several independent sums hide the latency of additions.
double sum_of_magnitudes(const double* values, int count) {
  double a = 0.0;
  double b = 0.0;
  double c = 0.0;
  double d = 0.0;
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    a += std::abs(values[i]);
    b += std::abs(values[i + 1]);
    c += std::abs(values[i + 2]);
    d += std::abs(values[i + 3]);
  }
  for (; i < count; ++i) {
    a += std::abs(values[i]);
  }
  return (a + b) + (c + d);
}

}  // namespace

Energies::Energies(const Matrix& j)
    : j_(&j),
      halves_(static_cast<std::size_t>(j.size())),
      linear_(static_cast<std::size_t>(j.size())) {
  const auto n = static_cast<std::size_t>(j.size());
  double total = 0.0;
  for (int a = 0; a < j.size(); ++a) {
    total += 0.5 * std::abs(j(a, a)) + sum_of_magnitudes(j.row(a), a);
  }
  pairs_.resize(first_pair(n));
  // Leaves room for linear terms of 8 times the total weight of the matrix;
  // the factor 2 covers the rounding of `total`.
  choose_unit(16.0 * total);
  room_ = 8.0 * total;
  if (!std::isfinite(16.0 * total) || !std::isfinite(units_)) {
    return;
  }
  matrix_in_units_ = true;
  for (int a = 0; a < j.size() && matrix_in_units_; ++a) {
    const auto row = static_cast<std::size_t>(a);
    matrix_in_units_ = row_in_units(j.row(a), a, pairs_.data() + first_pair(row)) &&
                       in_units(0.5 * j(a, a), halves_[row]);
  }
  for (std::size_t k = 0; k < pairs_.size() && matrix_in_units_; ++k) {
    bits_ |= pairs_[k];
  }
}

// Converts `count` numbers to integer multiples of the unit.
// Has no branches, because it converts every matrix.
bool Energies::row_in_units(const double* row, int count, std::int64_t* units) const {
  bool whole = true;
  for (int b = 0; b < count; ++b) {
    const double scaled = row[b] * units_;
    units[b] = static_cast<std::int64_t>(scaled);
    whole &= static_cast<double>(units[b]) == scaled;
  }
  return whole;
}

void Energies::choose_unit(double total) {
  const int exponent = total > 0.0 ? std::ilogb(total) + 1 - kBits : 0;
  unit_ = std::ldexp(1.0, exponent);
  units_ = std::ldexp(1.0, -exponent);
}

bool Energies::in_units(double x, std::int64_t& units) const {
  const double scaled = x * units_;
  if (!(std::abs(scaled) < 0x1p62)) {
    return false;
  }
  units = static_cast<std::int64_t>(scaled);
  return static_cast<double>(units) == scaled;
}

void Energies::set_linear(std::span<const double> h, std::span<const Term> rests) {
  h_ = h;
  rests_ = rests;
  step_ = 0.0;
  if (!matrix_in_units_) {
    return;
  }
  double total = sum_of_magnitudes(h.data(), static_cast<int>(h.size()));
  for (const Term& t : rests) {
    total += std::abs(t.weight);
  }
  if (room_ == 0.0) {
    choose_unit(2.0 * total);
  } else if (total > room_) {
    return;
  }
  if (!std::isfinite(total) || !std::isfinite(units_) ||
      !row_in_units(h.data(), static_cast<int>(h.size()), linear_.data())) {
    return;
  }
  std::int64_t bits = bits_;
  for (std::size_t a = 0; a < h.size(); ++a) {
    linear_[a] += halves_[a];
    bits |= linear_[a];
  }
  rests_in_units_.resize(rests.size());
  for (std::size_t k = 0; k < rests.size(); ++k) {
    if (!in_units(rests[k].weight, rests_in_units_[k])) {
      return;
    }
    bits |= rests_in_units_[k];
  }
  // The lowest bit set in any coefficient; without coefficients, any step is valid.
  step_ = bits == 0 ? 1.0 : unit_ * static_cast<double>(bits & -bits);
}

template <class Take>
void Energies::each_rest(std::span<const int> ones, const Take& take) {
  if (rests_.empty()) {
    return;
  }
  is_one_.assign(h_.size(), false);
  for (const int i : ones) {
    is_one_[static_cast<std::size_t>(i)] = true;
  }
  for (std::size_t k = 0; k < rests_.size(); ++k) {
    if (is_one_[static_cast<std::size_t>(rests_[k].first)] &&
        is_one_[static_cast<std::size_t>(rests_[k].second)]) {
      take(k);
    }
  }
}

TwoDoubles Energies::operator()(std::span<const int> ones) {
  if (step_ == 0.0) {
    ExactSum sum = exact_energy(*j_, h_, ones);
    each_rest(ones, [&](std::size_t k) { sum.add(rests_[k].weight); });
    return sum.two();
  }
  std::int64_t sum = 0;
  for (std::size_t a = 0; a < ones.size(); ++a) {
    const auto i = static_cast<std::size_t>(ones[a]);
    const std::int64_t* pairs = pairs_.data() + first_pair(i);
    sum += linear_[i];
    for (std::size_t b = 0; b < a; ++b) {
      sum += pairs[ones[b]];
    }
  }
  each_rest(ones, [&](std::size_t k) { sum += rests_in_units_[k]; });
  const auto nearest = static_cast<double>(sum);
  const auto left = static_cast<double>(sum - static_cast<std::int64_t>(nearest));
  return {nearest * unit_, left * unit_};
}

}  // namespace oa::qubo
