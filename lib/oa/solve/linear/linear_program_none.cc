#include "oa/solve/linear/linear_program.h"

#include <cassert>

namespace oa::solve {

class LinearProgram::Model {};

bool LinearProgram::available() {
  return false;
}

LinearProgram::LinearProgram(std::span<const double> /*costs*/) {
  assert(available());
}

LinearProgram::~LinearProgram() = default;

void LinearProgram::add(const Rows& /*rows*/) {}

void LinearProgram::remove(std::span<const int> /*rows*/) {}

void LinearProgram::set_bounds(std::span<const double> /*low*/,
                               std::span<const double> /*high*/) {}

void LinearProgram::set_cutoff(double /*cutoff*/) {}

LinearProgram::Outcome LinearProgram::solve(const Stop& /*stop*/) {
  return Outcome::Failed;
}

std::span<const double> LinearProgram::x() const {
  return {};
}

std::vector<double> LinearProgram::prices() const {
  return {};
}

std::vector<double> LinearProgram::ray() const {
  return {};
}

std::int64_t LinearProgram::work() const {
  return 0;
}

}  // namespace oa::solve
