#include "oa/score/marginals.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cstddef>

namespace oa::score {
namespace {

std::size_t levels_of(const qubo::Problem& p) {
  return p.coefficients == Coefficients::Levels ? at(p.levels) : 2;
}

/// Sets each coefficient to choose(shares of its levels), a number of levels.
template <class Choose>
void choose_each(std::span<const float> shares,
                 qubo::SolvedProblem& s,
                 const Choose& choose) {
  const qubo::Problem& p = s.problem;
  const std::size_t levels = levels_of(p);
  s.real_x.clear();
  for (int i = 0; i < p.n; ++i) {
    const float steps = p.steps.empty() ? 1.0F : p.steps[at(i)];
    for (int k = 0; k < p.size(i); ++k) {
      s.real_x.push_back(choose(shares.first(levels)) / steps);
      shares = shares.subspan(levels);
    }
  }
}

std::size_t gray(std::size_t level) {
  return level ^ (level >> 1U);
}

}  // namespace

void take_means(std::span<const float> shares, qubo::SolvedProblem& s) {
  choose_each(shares, s, [](std::span<const float> own) {
    float mean = 0.0F;
    for (std::size_t level = 0; level < own.size(); ++level) {
      mean += own[level] * static_cast<float>(level);
    }
    return mean;
  });
}

void take_likeliest_bits(std::span<const float> shares, qubo::SolvedProblem& s) {
  choose_each(shares, s, [](std::span<const float> own) {
    std::size_t code = 0;
    for (std::size_t bit = 1; bit < own.size(); bit *= 2) {
      float one = 0.0F;
      float all = 0.0F;
      for (std::size_t level = 0; level < own.size(); ++level) {
        one += (gray(level) & bit) != 0 ? own[level] : 0.0F;
        all += own[level];
      }
      code |= 2.0F * one > all ? bit : 0;
    }
    // A Gray code without a level is replaced by the most frequent level.
    for (std::size_t level = 0; level < own.size(); ++level) {
      if (gray(level) == code) {
        return static_cast<float>(level);
      }
    }
    return static_cast<float>(std::ranges::max_element(own) - own.begin());
  });
}

}  // namespace oa::score
