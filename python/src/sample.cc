#include "sample.h"

#include "app/solve/sampling.h"
#include "arrays.h"
#include "interrupt.h"
#include "oa/base/error.h"
#include "oa/qubo/fixed.h"
#include "oa/qubo/quadratic.h"
#include "options.h"
#include "problem.h"

#include <limits>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

using States =
    nb::ndarray<const std::int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// What a call asks for.
class Request {
 public:
  Request(const Problem& problem,
          const std::vector<std::string>& words,
          const std::optional<Row<std::uint8_t>>& fixed)
      : problem_(problem),
        options_(read_options(words)) {
    if (!problem.model.constraints.empty()) {
      throw InputError("constraints (samples need a problem without)");
    }
    app::check_sampling(options_.solving, true);
    if (fixed) {
      fixed_.assign(fixed->data(), fixed->data() + fixed->size());
      fixed_.resize(problem.model.f.linear.size(), qubo::kFree);
    }
  }

  /// sample_problem() or marginals_of_problem(), on a thread of its own.
  template <class Result, class Work>
  [[nodiscard]] Result run(const Work& work) const {
    const app::SolveOptions& o = options_.solving;
    const solve::SampleSettings settings{.samples = o.samples,
                                         .temperature = o.temperature,
                                         .sweeps = o.settings.sweeps,
                                         .threads = options_.common.threads};
    const double limit_s =
        o.time_limit_s > 0.0 ? o.time_limit_s : std::numeric_limits<double>::infinity();
    Result result;
    run_interruptible([&](const std::stop_source& stop) {
      result = work(problem_.model,
                    fixed_,
                    settings,
                    Rng(options_.common.seed).fork(0),
                    solve::Stop(stop.get_token(), limit_s));
    });
    return result;
  }

 private:
  const Problem& problem_;
  Options options_;
  std::vector<std::uint8_t> fixed_;
};

/// A distribution, and whether values are -1 and 1.
struct Marginals {
  solve::Marginals found;
  bool spin;
};

struct Samples {
  solve::Samples found;
  bool spin;
};

Array<std::int8_t> states_of(const Samples& s) {
  const auto& states = s.found.states;
  const std::size_t n = s.found.marginals.ones.size();
  const std::int8_t zero = s.spin ? -1 : 0;
  std::vector<std::int8_t> values;
  values.reserve(states.size() * n);
  for (const std::vector<std::uint8_t>& x : states) {
    for (const std::uint8_t bit : x) {
      values.push_back(bit != 0 ? std::int8_t{1} : zero);
    }
  }
  return array_of(std::move(values), {states.size(), n});
}

Array<double> mean_of(const Marginals& m) {
  std::vector<double> means = m.found.ones;
  if (m.spin) {
    for (double& mean : means) {
      mean = 2.0 * mean - 1.0;
    }
  }
  return array_of(std::move(means));
}

/// The variables of each number, and the shares of its values.
std::vector<std::pair<Array<int>, Array<double>>> numbers_of(const Marginals& m) {
  std::vector<std::pair<Array<int>, Array<double>>> all;
  for (const solve::NumberShares& number : m.found.numbers) {
    all.emplace_back(array_of(number.variables), array_of(number.shares));
  }
  return all;
}

Samples sample(const Problem& problem,
               const std::vector<std::string>& words,
               const std::optional<Row<std::uint8_t>>& fixed) {
  return {Request(problem, words, fixed).run<solve::Samples>(app::sample_problem),
          problem.spin()};
}

Marginals marginals(const Problem& problem,
                    const std::vector<std::string>& words,
                    const std::optional<Row<std::uint8_t>>& fixed) {
  return {
      Request(problem, words, fixed).run<solve::Marginals>(app::marginals_of_problem),
      problem.spin()};
}

Array<double> energies(const Problem& problem, const States& states) {
  std::vector<double> values;
  std::vector<std::uint8_t> x(states.shape(1));
  for (std::size_t k = 0; k < states.shape(0); ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = states(k, i) > 0 ? 1 : 0;
    }
    values.push_back(qubo::exact_energy(problem.model.f, x).value());
  }
  return array_of(std::move(values));
}

/// A member of what the library found.
template <class Result, class T, class From>
auto of_found(T From::*member) {
  return [member](const Result& result) { return result.found.*member; };
}

}  // namespace

void declare_sample(nb::module_& m) {
  nb::class_<Marginals>(m, "Marginals")
      .def_prop_ro("mean", mean_of, kOwned)
      .def_prop_ro("numbers", numbers_of, kOwned)
      .def_prop_ro("exact", of_found<Marginals>(&solve::Marginals::exact))
      .def_prop_ro("effective", of_found<Marginals>(&solve::Marginals::effective))
      .def_prop_ro("stopped", of_found<Marginals>(&solve::Marginals::stopped));
  nb::class_<Samples>(m, "Samples")
      .def_prop_ro("x", states_of, kOwned)
      .def_prop_ro("exact", of_found<Samples>(&solve::Samples::exact))
      .def_prop_ro("effective", of_found<Samples>(&solve::Samples::effective))
      .def_prop_ro("acceptance", of_found<Samples>(&solve::Samples::acceptance))
      .def_prop_ro("exchanges", of_found<Samples>(&solve::Samples::exchanges))
      .def_prop_ro("sweeps", of_found<Samples>(&solve::Samples::sweeps))
      .def_prop_ro("stopped", of_found<Samples>(&solve::Samples::stopped))
      .def_prop_ro("marginals", [](const Samples& s) {
        return Marginals{s.found.marginals, s.spin};
      });
  m.def(
      "sample", sample, nb::arg("problem"), nb::arg("words"), nb::arg("fixed").none());
  m.def("marginals",
        marginals,
        nb::arg("problem"),
        nb::arg("words"),
        nb::arg("fixed").none());
  m.def("energies", energies, nb::arg("problem"), nb::arg("x"));
}

}  // namespace oa::python
