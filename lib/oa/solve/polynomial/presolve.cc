#include "oa/solve/polynomial/presolve.h"

#include "oa/base/index.h"
#include "oa/qubo/quadratic.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kMaxRounds = 20;

/// The least and the largest value of a derivative.
struct Range {
  Whole low = 0;
  Whole high = 0;
};

std::vector<Range> derivatives(const WholePolynomial& p) {
  std::vector<Range> all(at(p.n));
  for (std::size_t m = 0; m < p.size(); ++m) {
    const Whole w = p.weights[m];
    const Whole size = w < 0 ? -w : w;
    const bool alone = p.monomial(m).size() == 1;
    for (const std::int32_t i : p.monomial(m)) {
      all[at(i)].low += alone ? w : p.spin ? -size : std::min(w, Whole{0});
      all[at(i)].high += alone ? w : p.spin ? size : std::max(w, Whole{0});
    }
  }
  return all;
}

}  // namespace

PolynomialPresolve::PolynomialPresolve(WholePolynomial p)
    : p_(std::move(p)),
      removed_(at(p_.n)) {
  for (int k = 0; k < kMaxRounds && round(); ++k) {
  }
  for (std::int32_t i = 0; i < p_.n; ++i) {
    if (!removed_[at(i)]) {
      variables_.push_back(i);
    }
  }
}

/// Removes the variables that can be removed at once.  False if there are none.
bool PolynomialPresolve::round() {
  const MonomialIndex index(p_);
  const std::vector<Range> ranges = derivatives(p_);
  std::vector<std::uint8_t> values(at(p_.n), qubo::kFree);
  std::vector<bool> follows(p_.size());  // a variable leaves this monomial
  std::vector<Step> given;               // restored before those that follow
  const std::size_t before = steps_.size();
  for (std::int32_t i = 0; i < p_.n; ++i) {
    const auto monomials = index.of(i);
    if (removed_[at(i)]) {
      continue;
    }
    if (ranges[at(i)].low >= 0 || ranges[at(i)].high < 0) {
      values[at(i)] = ranges[at(i)].low >= 0 ? 0 : 1;
      given.push_back({i, values[at(i)], {}});
    } else if (monomials.size() == 1 && p_.monomial(at(monomials[0])).back() == i &&
               !follows[at(monomials[0])]) {
      const auto m = at(monomials[0]);
      follows[m] = true;
      const auto factors = p_.monomial(m).first(p_.monomial(m).size() - 1);
      const bool same = !p_.spin || p_.weights[m] < 0;
      steps_.push_back({i,
                        static_cast<std::uint8_t>(same ? 1 : 0),
                        {factors.begin(), factors.end()}});
    } else {
      continue;
    }
    removed_[at(i)] = true;
  }
  std::ranges::move(given, std::back_inserter(steps_));
  if (steps_.size() == before) {
    return false;
  }
  MonomialSums sums(p_.size());
  std::vector<std::int32_t> rest;
  for (std::size_t m = 0; m < p_.size(); ++m) {
    Whole weight = p_.weights[m];
    rest.clear();
    for (const std::int32_t i : p_.monomial(m)) {
      if (values[at(i)] == qubo::kFree) {
        rest.push_back(i);
      } else if (values[at(i)] == 0) {
        weight = p_.spin ? -weight : Whole{0};
      }
    }
    if (follows[m] && p_.spin) {
      weight = weight < 0 ? weight : -weight;
      rest.clear();
    } else if (follows[m]) {
      rest.pop_back();
    }
    sums.add(rest, weight);
  }
  WholePolynomial left;
  left.n = p_.n;
  left.spin = p_.spin;
  left.unit = p_.unit;
  left.error = p_.error;
  left.constant = p_.constant;
  sums.append_to(left);
  p_ = std::move(left);
  return true;
}

WholePolynomial PolynomialPresolve::rest() const {
  WholePolynomial rest;
  rest.n = static_cast<int>(variables_.size());
  rest.spin = p_.spin;
  rest.unit = p_.unit;
  rest.digits = p_.digits;
  rest.error = p_.error;
  rest.constant = p_.constant;
  std::vector<std::int32_t> place(at(p_.n));
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    place[at(variables_[k])] = static_cast<std::int32_t>(k);
  }
  std::vector<std::int32_t> renamed;
  for (std::size_t m = 0; m < p_.size(); ++m) {
    renamed.clear();
    for (const std::int32_t i : p_.monomial(m)) {
      renamed.push_back(place[at(i)]);
    }
    rest.append(renamed, p_.weights[m]);
  }
  return rest;
}

void PolynomialPresolve::restore(std::span<std::uint8_t> x) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    std::size_t zeros = 0;
    for (const std::int32_t i : step->factors) {
      zeros += x[at(i)] == 0 ? 1U : 0U;
    }
    const bool one = p_.spin ? zeros % 2 == 0 : zeros == 0;
    x[at(step->variable)] =
        one ? step->value : static_cast<std::uint8_t>(1 - step->value);
  }
}

}  // namespace oa::solve
