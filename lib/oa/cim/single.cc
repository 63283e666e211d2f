#include "oa/cim/single.h"

#include "oa/base/index.h"
#include "oa/solve/single/posed.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::cim {
namespace {

/// True if f(x) = f(1 - x) for all x: as a function of spins, f has no fields.
bool has_no_fields(const qubo::Quadratic& f) {
  if (std::ranges::any_of(f.rests(), [](const qubo::Term& rest) {
        return rest.first != qubo::kConstant;
      })) {
    return false;
  }
  for (int i = 0; i < f.size(); ++i) {
    ExactSum field;  // the field of i, times 1 or 4
    field.add(f.linear[at(i)]);
    if (f.vartype == qubo::Vartype::Binary) {
      field.add(f.linear[at(i)]);
      f.row(i).each([&](std::int32_t, double weight) { field.add(weight); });
    }
    if (field.value() != 0.0) {
      return false;
    }
  }
  return true;
}

}  // namespace

qubo::Fixed open_part(const machine::Single& single) {
  const auto n = at(single.f.size());
  return {
      single.f,
      single.given.empty() ? std::vector<std::uint8_t>(n, qubo::kFree) : single.given};
}

MachinePart machine_part(const machine::Single& single) {
  qubo::Fixed open = open_part(single);
  const int n = open.rest().f.size();
  if (n == 0 || !has_no_fields(open.rest().f)) {
    return {std::move(open), false};
  }
  std::vector<std::uint8_t> reference(at(n), qubo::kFree);
  reference.back() = 1;
  return {{single.f, open.whole(reference)}, true};
}

DenseSingle dense_single(const qubo::Quadratic& f) {
  const solve::Posed posed = solve::pose(f);
  const qubo::Quadratic& g = posed.g;
  const int n = g.size();
  std::vector<double> j(at(n) * at(n));
  for (int i = 0; i < n; ++i) {
    g.row(i).each([&](std::int32_t other, double weight) {
      j[at(i) * at(n) + at(other)] = weight;
    });
  }
  return {qubo::Matrix(n, j), g.linear, posed.scale};
}

qubo::Problem image_of(const DenseSingle& single) {
  constexpr int kMaxExponent = 100;  // floats up to 2^100: their sums do not overflow
  const int n = single.j.size();
  double most = 0.0;
  const auto look = [&](double value) { most = std::max(most, std::abs(value)); };
  std::ranges::for_each(single.h, look);
  for (int i = 0; i < n; ++i) {
    std::for_each_n(single.j.row(i), n, look);
  }
  const int exponent = most > 0.0 ? std::ilogb(most) : 0;
  const int down = std::abs(exponent) > kMaxExponent ? exponent : 0;
  const auto rounded = [&](double value) {
    return static_cast<float>(std::ldexp(value, -down));
  };
  qubo::Problem p;
  p.m = n;
  p.n = 1;
  p.d = 1;
  p.v.assign(at(n), 1.0F);
  p.j.reserve(at(n) * at(n));
  for (int i = 0; i < n; ++i) {
    std::transform(
        single.j.row(i), single.j.row(i) + n, std::back_inserter(p.j), rounded);
    p.h.push_back(rounded(single.h[at(i)]));
  }
  return p;
}

double minimised_energy(const qubo::Quadratic& f, std::span<const std::uint8_t> x) {
  const double energy = qubo::energy(f, x);
  return f.sense == qubo::Sense::Max ? -energy : energy;
}

double file_energy(const machine::Single& single, std::span<const std::uint8_t> x) {
  if (!single.model) {
    return minimised_energy(single.f, x);
  }
  const qubo::Model& model = *single.model;
  const auto own = x.first(at(model.size()));
  if (qubo::violated(model, own) >= 0) {
    return minimised_energy(single.f, x);
  }
  const double energy = qubo::exact_value(model, own).value();
  return model.f.sense == qubo::Sense::Max ? -energy : energy;
}

}  // namespace oa::cim
