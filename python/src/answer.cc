#include "answer.h"

#include "arrays.h"
#include "oa/qubo/program.h"
#include "problem.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

using Values = Array<std::int8_t>;
using Counts = nb::typed<nb::dict, nb::str, std::variant<std::int64_t, std::string>>;
using Prices = nb::typed<nb::dict, nb::str, double>;

Values x_of(const Answer& a) {
  return values_of(a.line.x, a.spin);
}

std::vector<std::pair<double, Values>> top_of(const Answer& a) {
  std::vector<std::pair<double, Values>> all;
  for (const auto& [energy, x] : a.line.top) {
    all.emplace_back(energy, values_of(x, a.spin));
  }
  return all;
}

std::optional<std::vector<Values>> optima_of(const Answer& a) {
  if (!a.line.optima_complete) {
    return std::nullopt;
  }
  std::vector<Values> all;
  for (const auto& x : a.line.optima) {
    all.push_back(values_of(x, a.spin));
  }
  return all;
}

std::optional<std::vector<std::tuple<double, Values, std::int64_t>>> samples_of(
    const Answer& a) {
  if (!a.samples) {
    return std::nullopt;
  }
  std::vector<std::tuple<double, Values, std::int64_t>> all;
  for (const io::Sample& s : *a.samples) {
    all.emplace_back(s.energy, values_of(s.x, a.spin), s.count);
  }
  return all;
}

std::optional<Counts> recovered_of(const Answer& a) {
  const qubo::Recovered& found = a.line.recovered;
  if (!found.any()) {
    return std::nullopt;
  }
  Counts counts;
  counts["products"] = found.products;
  counts["constraints"] = found.constraints;
  counts["conflicts"] = found.conflicts;
  counts["numbers"] = found.numbers;
  if (!found.penalties.empty()) {
    counts["penalties"] = found.penalties;
  }
  return counts;
}

std::optional<Prices> soft_of(const Answer& a) {
  if (!a.line.paid) {
    return std::nullopt;
  }
  Prices prices;
  for (const auto& [name, price] : *a.line.paid) {
    prices[name.c_str()] = price;
  }
  return prices;
}

/// A member of the line.
template <class T>
auto of_line(T io::ResultLine::*member) {
  return [member](const Answer& a) { return a.line.*member; };
}

/// A number that only soft constraints give.
auto if_soft(double io::ResultLine::*member) {
  return [member](const Answer& a) {
    return a.line.paid ? std::optional(a.line.*member) : std::nullopt;
  };
}

}  // namespace

void declare_answer(nb::module_& m) {
  using Line = io::ResultLine;
  nb::class_<Answer>(m, "Answer")
      .def_prop_ro("x", x_of, kOwned)
      .def_prop_ro("energy", of_line(&Line::energy))
      .def_prop_ro("bound", of_line(&Line::bound))
      .def_prop_ro(
          "status",
          [](const Answer& a) { return io::status_of(a.line); },
          nb::sig("def status(self) -> oa._types.Status"))
      .def_prop_ro("solver",
                   of_line(&Line::solver),
                   nb::sig("def solver(self) -> oa._types.Solver"))
      .def_prop_ro("method", of_line(&Line::method))
      .def_prop_ro("found_by", of_line(&Line::found_by))
      .def_prop_ro("proved_by", of_line(&Line::proved_by))
      .def_ro("seconds", &Answer::seconds)
      .def_prop_ro("top", top_of, kOwned)
      .def_prop_ro("fixed", of_line(&Line::fixed))
      .def_prop_ro("target_reached", of_line(&Line::target_reached))
      .def_prop_ro("feasible", of_line(&Line::feasible))
      .def_prop_ro("violated", of_line(&Line::violated))
      .def_prop_ro(
          "tolerance",
          [](const Answer& a) { return a.line.tolerant ? qubo::kTolerance : 0.0; })
      .def_prop_ro("recovered", recovered_of)
      .def_prop_ro("optima", optima_of, kOwned)
      .def_prop_ro("optima_complete", of_line(&Line::optima_complete))
      .def_prop_ro("optima_count", of_line(&Line::optima_count))
      .def_prop_ro("samples", samples_of, kOwned)
      .def_prop_ro("objective", if_soft(&Line::objective))
      .def_prop_ro("penalty", if_soft(&Line::penalty))
      .def_prop_ro("soft", soft_of)
      .def_ro("warnings", &Answer::warnings);
}

}  // namespace oa::python
