#pragma once

#include "arrays.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/qubo/model.h"

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

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
[[nodiscard]] Array<std::int8_t> values_of(std::span<const std::uint8_t> x, bool spin);

/// First variables, second variables and weights of terms, as arrays.
using TermArrays = std::tuple<Array<std::int32_t>, Array<std::int32_t>, Array<double>>;
[[nodiscard]] TermArrays arrays_of(std::span<const qubo::Term> terms);

[[nodiscard]] inline qubo::Vartype vartype_of(bool spin) {
  return spin ? qubo::Vartype::Spin : qubo::Vartype::Binary;
}
[[nodiscard]] inline qubo::Sense sense_of(bool maximise) {
  return maximise ? qubo::Sense::Max : qubo::Sense::Min;
}

void declare_problem(nanobind::module_& m);
void declare_state(nanobind::class_<Problem>& problem, nanobind::module_& m);

}  // namespace oa::python
