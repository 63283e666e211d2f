#include "oa/solve/single/posed.h"

#include "oa/solve/arithmetic/whole.h"

#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

// Conversion to 0/1 variables makes sums up to 9 times as large.
constexpr int kMaxDigits = 102;
// Numbers up to 2^this can be multiplied without overflow or underflow.
constexpr int kMaxScale = 400;

/// f with all numbers replaced.
template <class Change>
qubo::Quadratic changed(const qubo::Quadratic& f, const Change& change) {
  qubo::Quadratic g(f.size());
  g.vartype = f.vartype;
  g.sense = f.sense;
  std::vector<qubo::Term> terms = f.terms();
  std::vector<qubo::Term> fields;
  g.offset = change(f.offset);
  for (std::size_t i = 0; i < f.linear.size(); ++i) {
    g.linear[i] = change(f.linear[i]);
  }
  for (qubo::Term& t : terms) {
    t.weight = change(t.weight);
  }
  for (const qubo::Term& t : f.rests()) {
    const qubo::Term rest{t.first, t.second, change(t.weight)};
    if (t.first == qubo::kConstant) {
      g.add_constant(rest.weight);
    } else {
      (t.first == t.second ? fields : terms).push_back(rest);
    }
  }
  g.add_linear(fields);
  g.add(terms);
  return g;
}

}  // namespace

Posed pose(const qubo::Quadratic& f) {
  const Digits digits = digits_of(f);
  Posed posed;
  posed.scale = std::abs(digits.top) > kMaxScale ? digits.top : 0;
  posed.unit = std::max(digits.unit, digits.top - kMaxDigits) - posed.scale;
  posed.g = f;
  const bool coarse = digits.unit < posed.unit + posed.scale;
  if (posed.scale != 0 || coarse) {
    double changes = 0.0;
    posed.g = changed(f, [&](double weight) {
      // Rounds a number of units, so that nothing underflows on the way.
      const double units =
          std::nearbyint(std::ldexp(weight, -posed.unit - posed.scale));
      changes += std::ldexp(units, posed.unit + posed.scale) != weight ? 1.0 : 0.0;
      return std::ldexp(units, posed.unit);
    });
    posed.error = std::ldexp(changes, posed.unit);  // at most half a unit each
  }
  if (posed.g.vartype == qubo::Vartype::Spin) {
    posed.g = converted(posed.g, qubo::Vartype::Binary).f;
  }
  if (posed.g.sense == qubo::Sense::Max) {
    posed.g = negated(std::move(posed.g));
  }
  return posed;
}

}  // namespace oa::solve
