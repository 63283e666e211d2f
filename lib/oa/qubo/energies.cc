#include "oa/qubo/energies.h"

#include <cmath>
#include <cstdlib>

namespace oa::qubo {
namespace {

constexpr int kBits = 62;  // sums of magnitudes stay below 2^62 units

std::size_t first_pair(std::size_t a) {
  return a * (a - 1) / 2;
}

}  // namespace

Energies::Energies(const Matrix& j)
    : j_(&j),
      halves_(static_cast<std::size_t>(j.size())),
      linear_(static_cast<std::size_t>(j.size())) {
  const auto n = static_cast<std::size_t>(j.size());
  double total = 0.0;
  for (int a = 0; a < j.size(); ++a) {
    const double* row = j.row(a);
    double sum = 0.5 * std::abs(row[a]);
    for (int b = 0; b < a; ++b) {
      sum += std::abs(row[b]);
    }
    total += sum;
  }
  pairs_.resize(first_pair(n + 1));
  // Linear terms may weigh eight times what the matrix does; twice that leaves room for
  // the rounding of `total` itself.
  choose_unit(16.0 * total);
  room_ = 8.0 * total;
  matrix_in_units_ = true;
  std::int64_t* pair = pairs_.data();
  for (int a = 0; a < j.size() && matrix_in_units_; ++a) {
    const double* row = j.row(a);
    for (int b = 0; b < a; ++b) {
      matrix_in_units_ &= in_units(row[b], *pair);
      bits_ |= *pair++;
    }
    matrix_in_units_ &= in_units(0.5 * row[a], halves_[static_cast<std::size_t>(a)]);
  }
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

void Energies::set_linear(std::span<const double> h) {
  h_ = h;
  step_ = 0.0;
  if (!matrix_in_units_) {
    return;
  }
  double total = 0.0;
  for (const double x : h) {
    total += std::abs(x);
  }
  if (room_ == 0.0) {
    choose_unit(2.0 * total);
  } else if (total > room_) {
    return;
  }
  std::int64_t bits = bits_;
  for (std::size_t a = 0; a < h.size(); ++a) {
    if (!in_units(h[a], linear_[a])) {
      return;
    }
    linear_[a] += halves_[a];
    bits |= linear_[a];
  }
  // The lowest bit set in any coefficient.  If all are zero any step will do.
  step_ = bits == 0 ? 1.0 : unit_ * static_cast<double>(bits & -bits);
}

double Energies::operator()(std::span<const int> ones) const {
  if (step_ == 0.0) {
    return energy(*j_, h_, ones);
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
  return static_cast<double>(sum) * unit_;
}

}  // namespace oa::qubo
