#pragma once

#include "oa/machine/single.h"
#include "oa/qubo/fixed.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/problem.h"
#include "oa/qubo/quadratic.h"

#include <span>
#include <vector>

namespace oa::cim {

/// A single problem f in the form of a machine, to be minimised over 0/1 variables:
/// f(x) = 2^scale (1/2 x'Jx + h'x) + constant, or minus that if f is to be maximised.
struct DenseSingle {
  qubo::Matrix j;
  std::vector<double> h;
  int scale = 0;
};

/// The variables without a fixed value.
[[nodiscard]] qubo::Fixed open_part(const machine::Single& single);

/// The variables for the machine.
struct MachinePart {
  qubo::Fixed part;
  bool reference = false;
};

/// The free variables.  Without fields the last of them is 1 and serves as the shared
/// spin of the machine, so n spins need n spins of the machine, not n + 1.
[[nodiscard]] MachinePart machine_part(const machine::Single& single);

/// O(n^2).
[[nodiscard]] DenseSingle dense_single(const qubo::Quadratic& f);

/// The same as an image with one query, rounded to floats and divided by a power of 2
/// to avoid overflow and underflow.
[[nodiscard]] qubo::Problem image_of(const DenseSingle& single);

/// The energy to minimise: f(x), or -f(x) if f is to be maximised.
[[nodiscard]] double minimised_energy(const qubo::Quadratic& f,
                                      std::span<const std::uint8_t> x);

/// The energy of x in the problem's file, to be minimised.  If x violates a constraint,
/// the energy of the quadratic function with penalties.
[[nodiscard]] double file_energy(const machine::Single& single,
                                 std::span<const std::uint8_t> x);

}  // namespace oa::cim
