#pragma once

#include "oa/machine/single.h"
#include "oa/qubo/fixed.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/problem.h"
#include "oa/qubo/quadratic.h"

#include <span>
#include <vector>

namespace oa::cim {

/// A single problem f as machines take it: f(x) = 2^scale (1/2 x'Jx + h'x) + constant,
/// or minus that where f is to be maximised, over 0/1 variables, minimised.
struct DenseSingle {
  qubo::Matrix j;
  std::vector<double> h;
  int scale = 0;
};

/// The variables that its user left open.
[[nodiscard]] qubo::Fixed open_part(const machine::Single& single);

/// The variables that the machine gets.
struct MachinePart {
  qubo::Fixed part;
  bool reference = false;
};

/// Those left open.  Where no field tells a solution from its opposite, the last of
/// them is 1 and the reference of the others: it is the shared spin of the machine, so
/// n spins without fields need n spins of the machine, not n + 1.
[[nodiscard]] MachinePart machine_part(const machine::Single& single);

/// O(n^2).
[[nodiscard]] DenseSingle dense_single(const qubo::Quadratic& f);

/// The same as the only query of an image, rounded to floats, which are divided by a
/// power of two where they would overflow or vanish.
[[nodiscard]] qubo::Problem image_of(const DenseSingle& single);

/// E of x in the problem as its user has it, to be minimised: -f(x) where f is to be
/// maximised.
[[nodiscard]] double minimised_energy(const qubo::Quadratic& f,
                                      std::span<const std::uint8_t> x);

/// The energy of x in its file, to be minimised.  If x violates a constraint, the
/// energy of the quadratic function, with its penalties.
[[nodiscard]] double file_energy(const machine::Single& single,
                                 std::span<const std::uint8_t> x);

}  // namespace oa::cim
