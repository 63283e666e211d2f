#pragma once

#include "oa/machine/single.h"
#include "oa/qubo/fixed.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/problem.h"
#include "oa/qubo/quadratic.h"

#include <span>
#include <vector>

namespace oa::cim {

/// A single problem f as a machine takes it, minimised over 0/1 variables:
/// f(x) = 2^scale (1/2 x'Jx + h'x) + constant, or minus this if f is maximised.
struct DenseSingle {
  qubo::Matrix j;
  std::vector<double> h;
  int scale = 0;
};

/// The problem of the variables that are not fixed.
[[nodiscard]] qubo::Fixed open_part(const machine::Single& single);

/// The variables sent to the machine.
struct MachinePart {
  qubo::Fixed part;
  bool reference = false;
};

/// Returns the free variables.  If there are no fields, fixes the last variable at 1,
/// which then acts as the machine's shared spin and saves a spin.
[[nodiscard]] MachinePart machine_part(const machine::Single& single);

/// Converts f to a dense problem.  O(n^2).
[[nodiscard]] DenseSingle dense_single(const qubo::Quadratic& f);

/// The problem as an image with one query, rounded to floats and divided by a power of
/// 2 against overflow and underflow.
[[nodiscard]] qubo::Problem image_of(const DenseSingle& single);

/// The value to minimise: f(x), or -f(x) if f is maximised.
[[nodiscard]] double minimised_energy(const qubo::Quadratic& f,
                                      std::span<const std::uint8_t> x);

/// The value of x in the problem's file, to be minimised.
/// If x violates a constraint: the value of the quadratic function with penalties.
[[nodiscard]] double file_energy(const machine::Single& single,
                                 std::span<const std::uint8_t> x);

}  // namespace oa::cim
