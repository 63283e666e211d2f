#pragma once

#include "oa/io/quadratic/problem_file.h"
#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace oa::python {

/// A single problem, from arrays or a file.  Immutable.
struct Problem {
  qubo::Model model;
  std::string format = {};  ///< of its file

  [[nodiscard]] int size() const { return model.size(); }
  [[nodiscard]] bool spin() const { return model.f.vartype == qubo::Vartype::Spin; }
};

/// 0s and 1s as an array of int8: the values that the variables of a problem have.
[[nodiscard]] nanobind::object values_of(std::span<const std::uint8_t> x, bool spin);

void declare_problem(nanobind::module_& m);

}  // namespace oa::python
