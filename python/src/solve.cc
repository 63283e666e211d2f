#include "solve.h"

#include "answer.h"
#include "app/solve/solving.h"
#include "arrays.h"
#include "interrupt.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/samples.h"
#include "oa/io/quadratic/vectors.h"
#include "oa/qubo/fixed.h"
#include "oa/qubo/program.h"
#include "options.h"
#include "problem.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

using TraceFunction = std::optional<
    nb::typed<nb::callable, std::optional<bool>(std::string, double, double)>>;

/// Tells a function of Python what a search has found.  It stops the search by
/// returning True or by raising an exception, which is raised again when the search has
/// ended.
class Trace {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Trace(TraceFunction function) : function_(std::move(function)) {}
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace() = default;

  [[nodiscard]] bool on() const { return function_.has_value(); }

  void tell(const char* what, double value, std::stop_source stop) {
    if (stop.stop_requested()) {
      return;
    }
    const std::chrono::duration<double> seconds = Clock::now() - begin_;
    const nb::gil_scoped_acquire lock;
    try {
      if (nb::cast<bool>(nb::bool_((*function_)(what, value, seconds.count())))) {
        stop.request_stop();
      }
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_StopIteration)) {
        error_.emplace(std::move(error));
      }
      stop.request_stop();
    }
  }

  /// Called with the interpreter's lock.
  void raise_again() {
    if (error_) {
      throw nb::python_error(std::move(*error_));
    }
  }

 private:
  TraceFunction function_;
  Clock::time_point begin_ = Clock::now();
  std::optional<nb::python_error> error_;
};

/// With at most so many variables the default solver proves the optimum in
/// milliseconds.
constexpr int kBriefVariables = 16;

/// The states of rows, with 0 for open values.
solve::States states_of(const std::optional<Rows<double>>& rows,
                        const Problem& problem) {
  solve::States states;
  const std::size_t length = rows ? rows->shape(1) : 0;
  for (std::size_t k = 0; rows && k < rows->shape(0); ++k) {
    if (std::cmp_not_equal(length, problem.size())) {
      throw InputError("initial: x has " + format(static_cast<std::int64_t>(length)) +
                       " elements (expected " + format(problem.size()) + ")");
    }
    auto& x = states.emplace_back(
        io::bits_of(std::span(rows->data() + k * length, length), "initial"));
    std::ranges::replace(x, qubo::kFree, std::uint8_t{0});
  }
  return states;
}

Answer solve(const Problem& problem,
             const std::vector<std::string>& words,
             const std::optional<Rows<double>>& initial,
             const std::optional<Row<std::uint8_t>>& fixed,
             bool sampled,
             TraceFunction trace_function) {
  Options options = read_options(words);
  options.single.samples = sampled ? "samples" : "";
  if (!words.empty() || sampled) {
    app::check_effects({options.common, options.solving}, options.single);
  }
  app::SingleTask task{.model = problem.model,
                       .settings = {.initial = states_of(initial, problem)}};
  if (fixed) {
    task.settings.fixed.assign(fixed->data(), fixed->data() + fixed->size());
    task.settings.fixed.resize(problem.model.f.linear.size(), qubo::kFree);
  }
  Trace trace(std::move(trace_function));
  io::Samples samples;
  if (sampled) {
    task.settings.sampled = [&](std::span<const std::uint8_t> x) { samples.add(x); };
  }
  const auto begin = std::chrono::steady_clock::now();
  app::SingleResult result;
  const auto work = [&](const std::stop_source& stop) {
    if (trace.on()) {
      task.settings.improved = [&](double energy) {
        trace.tell("energy", energy, stop);
      };
      task.settings.bounded = [&](double bound) { trace.tell("bound", bound, stop); };
    }
    result = app::solve_single({options.common, options.solving},
                               options.single,
                               std::move(task),
                               stop.get_token());
  };
  const bool brief = words.empty() && !trace.on() && problem.size() <= kBriefVariables;
  brief ? run_briefly(work) : run_interruptible(work);
  trace.raise_again();
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;

  Answer answer{std::move(result.line),
                problem.spin(),
                seconds.count(),
                std::move(result.warnings)};
  if (sampled) {
    answer.samples = samples.ranked(problem.model);
  }
  return answer;
}

/// The vectors of a file, in rows; infinity for open values.
Array<double> read_vectors(const std::string& path) {
  io::Input input = io::Input::open(path);
  const std::vector<io::Claim> all = io::read_vectors(input);
  const std::size_t length = all.front().x.size();
  std::vector<double> rows;
  for (const io::Claim& claim : all) {
    if (!claim.values.empty()) {
      throw InputError(claim.where + ": values by name (expected vectors)");
    }
    if (claim.x.size() != length) {
      throw InputError(claim.where + ": x has " + format(std::ssize(claim.x)) +
                       " elements (expected " +
                       format(static_cast<std::int64_t>(length)) + ")");
    }
    std::ranges::transform(claim.x, std::back_inserter(rows), [](std::uint8_t value) {
      return value == qubo::kFree ? std::numeric_limits<double>::infinity()
                                  : static_cast<double>(value);
    });
  }
  return array_of(std::move(rows), {all.size(), length});
}

/// The values that a file gives to variables; 2: none.
Array<std::uint8_t> read_fixed(const std::string& path, const Problem& problem) {
  io::Input input = io::Input::open(path);
  return array_of(io::read_fixed(input, problem.model.f, problem.model.integers));
}

std::vector<std::string> solvers() {
  std::vector<std::string> names;
  for (const solve::Method& method : solve::methods()) {
    names.emplace_back(method.name);
  }
  return names;
}

}  // namespace

void declare_solve(nb::module_& m) {
  declare_answer(m);
  m.def("solve",
        solve,
        nb::arg("problem"),
        nb::arg("words"),
        nb::arg("initial").none(),
        nb::arg("fixed").none(),
        nb::arg("sampled"),
        nb::arg("trace").none());
  m.def("read_vectors", read_vectors, nb::arg("path"));
  m.def("read_fixed", read_fixed, nb::arg("path"), nb::arg("problem"));
  m.def("solvers", solvers, nb::sig("def solvers() -> list[oa._types.Solver]"));
}

}  // namespace oa::python
