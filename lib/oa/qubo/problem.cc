#include "oa/qubo/problem.h"

#include "oa/base/exact_sum.h"
#include "oa/base/fingerprint.h"
#include "oa/qubo/levels.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace oa::qubo {
std::size_t Problem::begin(int i) const {
  return sizes.empty()
             ? static_cast<std::size_t>(i) * static_cast<std::size_t>(m)
             : std::accumulate(sizes.begin(), sizes.begin() + i, std::size_t{0});
}

int Problem::spins() const {
  return coefficients == Coefficients::Levels ? spins_of(encoding, levels) : 1;
}

std::uint64_t fingerprint(const Problem& problem) {
  std::uint64_t state = mixed(static_cast<std::uint64_t>(problem.m),
                              static_cast<std::uint64_t>(problem.n));
  for (const std::vector<float>* part : {&problem.j, &problem.h}) {
    for (const float value : *part) {
      state = mixed(state, std::bit_cast<std::uint32_t>(value));
    }
  }
  for (const int size : problem.sizes) {
    state = mixed(state, static_cast<std::uint64_t>(size));
  }
  if (problem.coefficients == Coefficients::Levels) {
    state = mixed(state, static_cast<std::uint64_t>(problem.levels));
    for (const float steps : problem.steps) {
      state = mixed(state, std::bit_cast<std::uint32_t>(steps));
    }
  }
  return state;
}

double energy(std::span<const float> j,
              int stride,
              std::span<const float> h,
              std::span<const std::uint8_t> x) {
  const std::size_t m = x.size();
  const auto columns = static_cast<std::size_t>(stride);
  assert(m <= columns && j.size() == columns * columns && h.size() == m);
  std::vector<std::size_t> ones;
  for (std::size_t i = 0; i < m; ++i) {
    if (x[i] != 0) {
      ones.push_back(i);
    }
  }
  ExactSum sum;
  for (std::size_t a = 0; a < ones.size(); ++a) {
    const float* row = j.data() + ones[a] * columns;
    ExactSum part;  // one sum a row, so that the processor overlaps rows
    part.add(double{h[ones[a]]});
    part.add(0.5 * double{row[ones[a]]});
    for (std::size_t b = 0; b < a; ++b) {
      part.add(double{row[ones[b]]});
    }
    sum.add(part);
  }
  return sum.value();
}

double energy(std::span<const float> j,
              std::span<const float> h,
              std::span<const std::uint8_t> x) {
  return energy(j, static_cast<int>(x.size()), h, x);
}

double energy(std::span<const float> j,
              int stride,
              std::span<const float> h,
              std::span<const float> x,
              float l1) {
  const std::size_t m = x.size();
  const auto columns = static_cast<std::size_t>(stride);
  assert(m <= columns && j.size() == columns * columns && h.size() == m);
  double total = 0.0;
  for (std::size_t a = 0; a < m; ++a) {
    const float* row = j.data() + a * columns;
    double pairs = 0.0;  // sum over b < a of J_ab x_b
    for (std::size_t b = 0; b < a; ++b) {
      pairs += double{row[b]} * double{x[b]};
    }
    const double xa = x[a];
    total += xa * (double{h[a]} + 0.5 * double{row[a]} * xa + pairs) +
             double{l1} * std::abs(xa);
  }
  return total;
}

double energy(std::span<const float> j,
              std::span<const float> h,
              std::span<const float> x,
              float l1) {
  return energy(j, static_cast<int>(x.size()), h, x, l1);
}

double energy(const Problem& problem, int i, std::span<const std::uint8_t> x) {
  if (problem.coefficients == Coefficients::Levels) {
    return level_energy(problem, i, x);
  }
  return energy(problem.j, problem.m, problem.query(i), x);
}

double energy(const Problem& problem, int i, std::span<const float> x) {
  return energy(problem.j, problem.m, problem.query(i), x, problem.l1);
}

}  // namespace oa::qubo
