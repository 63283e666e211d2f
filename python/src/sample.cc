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
#include <vector>

#include <nanobind/stl/optional.h>
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

nb::object rows_of(const std::vector<std::vector<std::uint8_t>>& states,
                   const Problem& problem) {
  const auto n = static_cast<std::size_t>(problem.size());
  const std::int8_t zero = problem.spin() ? -1 : 0;
  std::vector<std::int8_t> values;
  values.reserve(states.size() * n);
  for (const std::vector<std::uint8_t>& x : states) {
    for (const std::uint8_t bit : x) {
      values.push_back(bit != 0 ? std::int8_t{1} : zero);
    }
  }
  return array_of(std::move(values), {states.size(), n});
}

nb::tuple tuple_of(const solve::Marginals& m, const Problem& problem) {
  std::vector<double> means = m.ones;
  if (problem.spin()) {
    for (double& mean : means) {
      mean = 2.0 * mean - 1.0;
    }
  }
  nb::list numbers;
  for (const solve::NumberShares& number : m.numbers) {
    numbers.append(nb::make_tuple(array_of(number.variables), array_of(number.shares)));
  }
  return nb::make_tuple(
      array_of(std::move(means)), numbers, m.exact, m.effective, m.stopped);
}

nb::tuple sample(const Problem& problem,
                 const std::vector<std::string>& words,
                 const std::optional<Row<std::uint8_t>>& fixed) {
  const auto samples =
      Request(problem, words, fixed).run<solve::Samples>(app::sample_problem);
  return nb::make_tuple(rows_of(samples.states, problem),
                        samples.exact,
                        samples.effective,
                        samples.acceptance,
                        samples.exchanges,
                        samples.sweeps,
                        samples.stopped,
                        tuple_of(samples.marginals, problem));
}

nb::tuple marginals(const Problem& problem,
                    const std::vector<std::string>& words,
                    const std::optional<Row<std::uint8_t>>& fixed) {
  return tuple_of(
      Request(problem, words, fixed).run<solve::Marginals>(app::marginals_of_problem),
      problem);
}

nb::object energies(const Problem& problem, const States& states) {
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

}  // namespace

void declare_sample(nb::module_& m) {
  m.def(
      "sample", sample, nb::arg("problem"), nb::arg("words"), nb::arg("fixed").none());
  m.def("marginals",
        marginals,
        nb::arg("problem"),
        nb::arg("words"),
        nb::arg("fixed").none());
  m.def("energies", energies);
}

}  // namespace oa::python
