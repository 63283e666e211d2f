#include "solve.h"

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

/// Tells a function of Python what a search has found.  It stops the search by
/// returning True or by raising an exception, which is raised again when the search has
/// ended.
class Trace {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Trace(nb::object function) : function_(std::move(function)) {}
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace() = default;

  [[nodiscard]] bool on() const { return !function_.is_none(); }

  void tell(const char* what, double value, std::stop_source stop) {
    if (stop.stop_requested()) {
      return;
    }
    const std::chrono::duration<double> seconds = Clock::now() - begin_;
    const nb::gil_scoped_acquire lock;
    try {
      if (nb::cast<bool>(nb::bool_(function_(what, value, seconds.count())))) {
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
  nb::object function_;
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

nb::object list_of(const std::vector<std::vector<std::uint8_t>>& all, bool spin) {
  nb::list list;
  for (const auto& x : all) {
    list.append(values_of(x, spin));
  }
  return list;
}

nb::object recovered_of(const qubo::Recovered& found) {
  if (!found.any()) {
    return nb::none();
  }
  nb::dict counts;
  counts["products"] = found.products;
  counts["constraints"] = found.constraints;
  counts["conflicts"] = found.conflicts;
  counts["numbers"] = found.numbers;
  if (!found.penalties.empty()) {
    counts["penalties"] = found.penalties;
  }
  return counts;
}

nb::object samples_of(const io::Samples& samples, const Problem& problem) {
  nb::list list;
  for (const io::Sample& s : samples.ranked(problem.model)) {
    list.append(nb::make_tuple(s.energy, values_of(s.x, problem.spin()), s.count));
  }
  return list;
}

nb::tuple solve(const Problem& problem,
                const std::vector<std::string>& words,
                const std::optional<Rows<double>>& initial,
                const std::optional<Row<std::uint8_t>>& fixed,
                bool sampled,
                nb::object trace_function) {
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

  const io::ResultLine& line = result.line;
  const bool spin = problem.spin();
  nb::list top;
  for (const auto& [energy, x] : line.top) {
    top.append(nb::make_tuple(energy, values_of(x, spin)));
  }
  nb::dict paid;
  if (line.paid) {
    for (const auto& [name, price] : *line.paid) {
      paid[name.c_str()] = price;
    }
  }
  const auto if_soft = [&](double value) {
    return line.paid ? std::optional(value) : std::nullopt;
  };
  nb::list warnings;
  for (const std::string& warning : result.warnings) {
    warnings.append(warning);
  }
  return nb::make_tuple(
      values_of(line.x, spin),
      line.energy,
      line.bound,
      io::status_of(line),
      line.solver,
      line.method,
      line.found_by,
      line.proved_by,
      seconds.count(),
      top,
      line.fixed,
      line.target_reached,
      line.feasible,
      line.violated,
      line.tolerant ? qubo::kTolerance : 0.0,
      recovered_of(line.recovered),
      line.optima_complete ? list_of(line.optima, spin) : nb::object(nb::none()),
      line.optima_complete,
      line.optima_count,
      sampled ? samples_of(samples, problem) : nb::object(nb::none()),
      if_soft(line.objective),
      if_soft(line.penalty),
      line.paid ? nb::object(paid) : nb::object(nb::none()),
      warnings);
}

/// The vectors of a file, in rows; infinity for open values.
nb::object read_vectors(const std::string& path) {
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
                                  : double{value};
    });
  }
  return array_of(std::move(rows), {all.size(), length});
}

/// The values that a file gives to variables; 2: none.
nb::object read_fixed(const std::string& path, const Problem& problem) {
  io::Input input = io::Input::open(path);
  return array_of(io::read_fixed(input, problem.model.f, problem.model.integers));
}

}  // namespace

void declare_solve(nb::module_& m) {
  m.def("solve",
        solve,
        nb::arg("problem"),
        nb::arg("words"),
        nb::arg("initial").none(),
        nb::arg("fixed").none(),
        nb::arg("sampled"),
        nb::arg("trace").none());
  m.def("read_vectors", read_vectors);
  m.def("read_fixed", read_fixed);
  nb::list solvers;
  for (const solve::Method& method : solve::methods()) {
    solvers.append(std::string(method.name));
  }
  m.attr("solvers") = solvers;
}

}  // namespace oa::python
