#include "squares.h"

#include "app/solve/least_squares.h"
#include "arrays.h"
#include "cli/tool/qubo.h"
#include "interrupt.h"
#include "oa/base/index.h"
#include "options.h"
#include "progress.h"

#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

/// An array of real or complex doubles.
using Doubles = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

io::NumberArray numbers_of(const Doubles& array, const char* name) {
  io::NumberArray numbers{name, {}, {}, {}};
  for (std::size_t k = 0; k < array.ndim(); ++k) {
    numbers.shape.push_back(static_cast<std::int64_t>(array.shape(k)));
  }
  if (array.dtype() == nb::dtype<std::complex<double>>()) {
    const auto* data = static_cast<const std::complex<double>*>(array.data());
    for (std::size_t i = 0; i < array.size(); ++i) {
      numbers.real.push_back(data[i].real());
      numbers.imaginary.push_back(data[i].imag());
    }
  } else {
    const auto* data = static_cast<const double*>(array.data());
    numbers.real.assign(data, data + array.size());
  }
  io::check_finite(numbers);
  return numbers;
}

/// The options of oa-qubo for arrays.
cli::QuboOptions read_posing(std::vector<std::string> words) {
  cli::QuboOptions options;
  cli::App app("oa-qubo");
  cli::declare(app, options);
  words.insert(words.end(), {"--values=V", "--queries=queries"});
  app.parse(words);
  return options;
}

/// Solutions in arrays, and the values of their coefficients.
struct Squares {
  Array<std::uint8_t> levels;
  Array<double> bound;
  Array<std::uint8_t> proved;
  Array<std::uint8_t> stopped;
  Array<double> seconds;
  std::string score;
  qubo::Alphabet alphabet;
};

Squares least_squares(const Doubles& v,
                      const Doubles& queries,
                      const std::optional<Doubles>& truth,
                      const std::vector<std::string>& posing,
                      const std::vector<std::string>& words,
                      const ProgressFunction& progress) {
  const cli::QuboOptions posed = read_posing(posing);
  const Options options = read_options(words);
  const app::ArrayProblems problems(numbers_of(v, "V"),
                                    numbers_of(queries, "queries"),
                                    posed.arrays,
                                    posed.posing.images,
                                    posed.posing.levels);
  const std::optional<app::Truth> compared =
      truth ? std::optional<app::Truth>(numbers_of(*truth, "truth")) : std::nullopt;
  PythonProgress told(progress);
  app::LeastSquaresSolutions found;
  run_interruptible([&](const std::stop_source& stop) {
    found = app::solve_least_squares(problems,
                                     {options.common, options.solving},
                                     compared ? &*compared : nullptr,
                                     told,
                                     stop);
  });
  const std::size_t rows = found.bound.size();
  return {array_of(std::move(found.levels), {rows, at(problems.coefficients())}),
          array_of(std::move(found.bound)),
          array_of(std::move(found.proved)),
          array_of(std::move(found.stopped)),
          array_of(std::move(found.seconds)),
          std::move(found.score),
          problems.alphabet()};
}

}  // namespace

void declare_squares(nb::module_& m) {
  nb::class_<Squares>(m, "Squares")
      .def_ro("levels", &Squares::levels, kOwned)
      .def_ro("bound", &Squares::bound, kOwned)
      .def_ro("proved", &Squares::proved, kOwned)
      .def_ro("stopped", &Squares::stopped, kOwned)
      .def_ro("seconds", &Squares::seconds, kOwned)
      .def_ro("score", &Squares::score)
      .def_prop_ro("lowest", [](const Squares& s) { return s.alphabet.lowest; })
      .def_prop_ro("step", [](const Squares& s) { return s.alphabet.step(); })
      .def_prop_ro("complex", [](const Squares& s) { return s.alphabet.complex; });
  m.def("least_squares",
        least_squares,
        nb::arg("v"),
        nb::arg("queries"),
        nb::arg("truth").none(),
        nb::arg("posing"),
        nb::arg("words"),
        nb::arg("progress").none());
}

}  // namespace oa::python
