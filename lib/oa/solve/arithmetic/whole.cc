#include "oa/solve/arithmetic/whole.h"

#include "oa/base/index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

/// Adds `weight` to the weight of a pair, or inserts the pair.
void add_to(std::vector<WholeCoupling>& row, std::int32_t other, Whole weight) {
  const auto found = std::ranges::find(row, other, &WholeCoupling::other);
  if (found == row.end()) {
    row.push_back({other, weight});
  } else {
    found->weight += weight;
  }
}

/// Splits a finite number: |weight| = whole * 2^unit.
struct Parts {
  std::uint64_t whole;
  int unit;
};

Parts parts_of(double weight) {
  static_assert(std::numeric_limits<double>::is_iec559);
  constexpr int kStored =
      std::numeric_limits<double>::digits - 1;  // bits of the mantissa
  constexpr int kMin = std::numeric_limits<double>::min_exponent - 1 - kStored;
  const auto bits = std::bit_cast<std::uint64_t>(std::abs(weight));
  const auto exponent = static_cast<int>(bits >> kStored);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << kStored) - 1);
  return exponent == 0
             ? Parts{mantissa, kMin}
             : Parts{mantissa | (std::uint64_t{1} << kStored), kMin + exponent - 1};
}

}  // namespace

Whole in_units(double weight, int unit) {
  return static_cast<Whole>(std::ldexp(weight, -unit));
}

TwoDoubles in_doubles(Whole units, int unit) {
  const auto nearest = static_cast<double>(units);
  const auto rest = static_cast<double>(units - static_cast<Whole>(nearest));
  return {std::ldexp(nearest, unit), std::ldexp(rest, unit)};
}

WholeFunction in_whole_numbers(const qubo::Quadratic& f, int unit, Pace& pace) {
  WholeFunction whole{unit, {}, std::vector<std::vector<WholeCoupling>>(at(f.size()))};
  whole.linear.reserve(f.linear.size());
  for (int i = 0; i < f.size(); ++i) {
    whole.linear.push_back(in_units(f.linear[at(i)], unit));
    std::vector<WholeCoupling>& row = whole.rows[at(i)];
    const std::size_t count = f.row(i).size();
    if (pace(16 + 8 * static_cast<std::int64_t>(count))) {
      continue;
    }
    row.reserve(count);
    f.row(i).each([&](std::int32_t other, double weight) {
      row.push_back({other, in_units(weight, unit)});
    });
  }
  for (const qubo::Term& t : f.rests()) {
    const Whole weight = in_units(t.weight, unit);
    if (t.first != t.second) {
      add_to(whole.rows[at(t.first)], t.second, weight);
      add_to(whole.rows[at(t.second)], t.first, weight);
    } else if (t.first != qubo::kConstant) {
      whole.linear[at(t.first)] += weight;
    }
  }
  return whole;
}

WholeFunction restricted(const WholeFunction& f,
                         std::span<const int> variables,
                         std::vector<std::int32_t>& place) {
  for (std::size_t k = 0; k < variables.size(); ++k) {
    place[at(variables[k])] = static_cast<std::int32_t>(k);
  }
  WholeFunction part{f.unit, {}, {}};
  for (const int i : variables) {
    part.linear.push_back(f.linear[at(i)]);
    std::vector<WholeCoupling>& row = part.rows.emplace_back();
    for (const WholeCoupling& c : f.rows[at(i)]) {
      if (place[at(c.other)] >= 0) {
        row.push_back({place[at(c.other)], c.weight});
      }
    }
  }
  for (const int i : variables) {
    place[at(i)] = -1;
  }
  return part;
}

Whole constant_of(const qubo::Quadratic& f, int unit) {
  Whole constant = in_units(f.offset, unit);
  for (const qubo::Term& t : f.rests()) {
    constant += t.first == qubo::kConstant ? in_units(t.weight, unit) : 0;
  }
  return constant;
}

qubo::Quadratic in_doubles(const WholeFunction& f) {
  qubo::Quadratic g(f.size());
  std::vector<qubo::Term> terms;
  std::vector<qubo::Term> rests;
  const auto add = [&](std::int32_t i, std::int32_t k, const TwoDoubles& weight) {
    terms.push_back({i, k, weight.value});
    if (weight.rest != 0.0) {
      rests.push_back({i, k, weight.rest});
    }
  };
  for (int i = 0; i < f.size(); ++i) {
    add(i, i, in_doubles(f.linear[at(i)], f.unit));
    for (const WholeCoupling& c : f.rows[at(i)]) {
      if (c.other > i) {
        add(i, c.other, in_doubles(c.weight, f.unit));
      }
    }
  }
  terms.insert(terms.end(), rests.begin(), rests.end());
  g.add(terms);
  return g;
}

Digits digits_of(const qubo::Quadratic& f) {
  Digits digits{0.0, 0, std::numeric_limits<double>::max_exponent};
  const auto see = [&](double weight) {
    if (weight != 0.0) {
      const auto [whole, unit] = parts_of(weight);
      digits.unit = std::min(digits.unit, unit + std::countr_zero(whole));
      digits.total += std::abs(weight);
    }
  };
  see(f.offset);
  for (int i = 0; i < f.size(); ++i) {
    see(f.linear[at(i)]);
    if (f.couplings().sums().empty()) {
      f.row(i).each(
          [&](std::int32_t other, double weight) { see(other > i ? weight : 0.0); });
    }
  }
  for (const auto& [negative, positive] : f.couplings().sums()) {
    // Each pair is in two rows.
    digits.total +=
        0.5 * std::abs(f.factor()) * static_cast<double>(positive - negative);
  }
  if (const std::uint32_t bits = f.couplings().bits(); bits != 0) {
    digits.unit =
        std::min(digits.unit, std::ilogb(f.factor()) + std::countr_zero(bits));
  }
  for (const qubo::Term& t : f.rests()) {
    see(t.weight);
  }
  if (digits.total == 0.0) {
    digits.unit = 0;
  } else {
    digits.top = std::ilogb(digits.total) + 2;  // + 2: `total` is rounded
  }
  return digits;
}

double step_of(const qubo::Quadratic& f) {
  const Stop never;
  Pace pace(never);
  const int unit = digits_of(f).unit;
  const WholeFunction whole = in_whole_numbers(f, unit, pace);
  Whole step = 0;
  const auto see = [&](Whole weight) {
    Whole a = weight < 0 ? -weight : weight;
    while (a != 0) {
      step = std::exchange(a, step % a);
    }
  };
  for (int i = 0; i < whole.size(); ++i) {
    see(whole.linear[at(i)]);
    for (const WholeCoupling& c : whole.rows[at(i)]) {
      see(c.weight);
    }
  }
  const TwoDoubles exact = in_doubles(step, unit);
  return exact.rest < 0.0 ? std::nextafter(exact.value, 0.0) : exact.value;
}

}  // namespace oa::solve
