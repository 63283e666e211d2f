#include "batch.h"

#include "app/pose/level_posing.h"
#include "app/solve/problem_solver.h"
#include "arrays.h"
#include "interrupt.h"
#include "oa/base/error.h"
#include "oa/base/field.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/qubo/checks.h"
#include "oa/qubo/levels.h"
#include "options.h"
#include "progress.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

using Cube =
    nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;  // (b,_,_)

/// Problems that share couplings, and where their answers go.
class Batch {
 public:
  /// `j` is (1,m,m) or (b,m,m), `h` is (b,n,m).
  Batch(const Cube& j,
        const Cube& h,
        Coefficients coefficients,
        std::optional<int> levels)
      : j_(j),
        h_(h),
        coefficients_(coefficients),
        levels_(levels),
        real_(coefficients != Coefficients::Binary || levels),
        m_(h.shape(2)),
        n_(h.shape(1)) {
    const std::size_t queries = h.shape(0) * n_;
    real_x.resize(real_ ? queries * m_ : 0);
    x.resize(real_ ? 0 : queries * m_);
    energy.resize(queries);
    bound.resize(queries, -std::numeric_limits<double>::infinity());
    status.resize(queries, static_cast<std::uint8_t>(qubo::Status::Stopped));
    nodes.resize(queries);
    seconds.resize(queries);
  }

  [[nodiscard]] std::size_t size() const { return h_.shape(0); }
  [[nodiscard]] std::size_t queries() const { return n_; }
  [[nodiscard]] std::size_t variables() const { return m_; }
  [[nodiscard]] bool real() const { return real_; }

  [[nodiscard]] qubo::Problem problem(std::size_t b) const {
    qubo::Problem p;
    p.index = static_cast<std::int64_t>(b);
    p.m = static_cast<int>(m_);
    p.n = static_cast<int>(n_);
    p.coefficients = coefficients_;
    const float* j = j_.data() + (j_.shape(0) == 1 ? 0 : b * m_ * m_);
    const float* h = h_.data() + b * n_ * m_;
    // Turns -0 into 0, because halves may differ in that.
    p.j.resize(m_ * m_);
    std::transform(j, j + m_ * m_, p.j.begin(), [](float w) { return w + 0.0F; });
    p.h.assign(h, h + n_ * m_);
    const std::string where = "problem " + format(p.index);
    qubo::check_finite(where, "J", p.j, p.m);
    qubo::check_finite(where, "h", p.h, p);
    qubo::check_symmetric(where, p.j, p.m);
    if (levels_) {
      model::Config config;
      config.levels = *levels_;
      app::pose_levels(config, {}, where, p);
    }
    return p;
  }

  void take(std::size_t b, const qubo::SolvedProblem& s) {
    const std::size_t row = b * n_;
    std::ranges::copy(s.energy, energy.begin() + static_cast<std::ptrdiff_t>(row));
    std::ranges::copy(s.bound, bound.begin() + static_cast<std::ptrdiff_t>(row));
    std::ranges::copy(s.nodes, nodes.begin() + static_cast<std::ptrdiff_t>(row));
    std::ranges::copy(s.seconds, seconds.begin() + static_cast<std::ptrdiff_t>(row));
    std::ranges::transform(s.status,
                           status.begin() + static_cast<std::ptrdiff_t>(row),
                           [](qubo::Status k) { return static_cast<std::uint8_t>(k); });
    const auto place = static_cast<std::ptrdiff_t>(row * m_);
    if (levels_) {
      const qubo::LevelCode code = qubo::code_of(s.problem);
      const float top = static_cast<float>(*levels_ - 1);
      std::ranges::transform(
          qubo::levels_of(code, s.x), real_x.begin() + place, [top](std::uint8_t k) {
            return static_cast<float>(k) / top;
          });
    } else if (real_) {
      std::ranges::copy(s.real_x, real_x.begin() + place);
    } else {
      std::ranges::copy(s.x, x.begin() + place);
    }
  }

  std::vector<std::int8_t> x;
  std::vector<float> real_x;
  std::vector<double> energy;
  std::vector<double> bound;
  std::vector<std::uint8_t> status;
  std::vector<std::int64_t> nodes;
  std::vector<double> seconds;

 private:
  Cube j_;
  Cube h_;
  Coefficients coefficients_;
  std::optional<int> levels_;
  bool real_;
  std::size_t m_;
  std::size_t n_;
};

/// Rows for the problems of a batch.
struct Answers {
  std::variant<Array<std::int8_t>, Array<float>> x;
  Array<double> energy;
  Array<double> bound;
  Array<std::uint8_t> status;
  Array<std::int64_t> nodes;
  Array<double> seconds;
};

Answers solve_batch(const Cube& j,
                    const Cube& h,
                    const std::string& kind,
                    std::optional<int> levels,
                    const std::vector<std::string>& words,
                    const ProgressFunction& progress) {
  const Options options = read_options(words);
  Coefficients coefficients{};
  if (!parse_field(kind, coefficients)) {
    throw InputError("coefficients: '" + kind + "' (expected binary or continuous)");
  }
  Batch batch(j, h, coefficients, levels);
  PythonProgress told(progress);
  told.start("problems", static_cast<std::int64_t>(batch.size() * batch.queries()));
  run_interruptible([&](const std::stop_source& stop) {
    const app::SolveTask task{options.common, options.solving};
    const app::ProblemSolver solver(task, stop.get_token());
    (void)solver.coefficients(coefficients, "J");
    parallel_for(
        static_cast<std::int64_t>(batch.size()),
        options.common.threads,
        [&](std::int64_t b, int) {
          const auto at = static_cast<std::size_t>(b);
          batch.take(at, solver.solve(batch.problem(at), "problem " + format(b)));
          told.advance(static_cast<std::int64_t>(batch.queries()));
        },
        stop.get_token());
    told.finish();
  });
  const std::size_t b = batch.size();
  const std::size_t n = batch.queries();
  const std::size_t m = batch.variables();
  Answers answers{{},
                  array_of(std::move(batch.energy), {b, n}),
                  array_of(std::move(batch.bound), {b, n}),
                  array_of(std::move(batch.status), {b, n}),
                  array_of(std::move(batch.nodes), {b, n}),
                  array_of(std::move(batch.seconds), {b, n})};
  if (batch.real()) {
    answers.x = array_of(std::move(batch.real_x), {b, n, m});
  } else {
    answers.x = array_of(std::move(batch.x), {b, n, m});
  }
  return answers;
}

}  // namespace

void declare_batch(nb::module_& m) {
  nb::class_<Answers>(m, "Answers")
      .def_ro("x", &Answers::x, kOwned)
      .def_ro("energy", &Answers::energy, kOwned)
      .def_ro("bound", &Answers::bound, kOwned)
      .def_ro("status", &Answers::status, kOwned)
      .def_ro("nodes", &Answers::nodes, kOwned)
      .def_ro("seconds", &Answers::seconds, kOwned);
  m.def("solve_batch",
        solve_batch,
        nb::arg("j"),
        nb::arg("h"),
        nb::arg("coefficients"),
        nb::arg("levels").none(),
        nb::arg("words"),
        nb::arg("progress").none() = nb::none());
}

}  // namespace oa::python
