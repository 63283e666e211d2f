#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/problem_tensors.h"
#include "oa/qubo/checks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace oa::io {
namespace {

constexpr const char* kSolver = "oa.solver";
constexpr std::int64_t kMaxTop = 1'000'000;

/// The accepted error of an energy:
/// 1e-9 of the energy or, if linear terms cancel, 1e-12 of the linear terms.
double tolerance(double energy, std::span<const float> h) {
  double scale = 0.0;
  for (const float v : h) {
    scale += std::abs(double{v});
  }
  return 1e-9 * std::max(std::abs(energy), 1e-3 * scale);
}

template <class Coefficient>
void check_energies(const Frame& frame,
                    const qubo::SolvedProblem& s,
                    const std::vector<Coefficient>& x) {
  for (int i = 0; i < s.problem.n; ++i) {
    const auto q = static_cast<std::size_t>(i);
    const auto where = [&] { return frame.where + ": query " + format(i); };
    const double energy = qubo::energy(s.problem, i, s.problem.x_row(x, i));
    if (s.energy[q] == energy && s.bound[q] <= energy) {
      continue;
    }
    const double slack = tolerance(energy, s.problem.query(i));
    if (!(std::abs(s.energy[q] - energy) <= slack)) {
      throw InputError(where() + ": the energy of its x is " + format(energy) +
                       ", not " + format(s.energy[q]));
    }
    if (!(s.bound[q] <= s.energy[q] + slack)) {
      throw InputError(where() + ": the bound " + format(s.bound[q]) +
                       " lies above the energy " + format(s.energy[q]));
    }
  }
}

void check_binary(const Frame& frame,
                  std::string_view name,
                  std::span<const std::uint8_t> x) {
  const auto bad = std::ranges::find_if(x, [](std::uint8_t v) { return v > 1; });
  if (bad != x.end()) {
    throw InputError(frame.where + ": " + std::string(name) + " holds " +
                     format(int{*bad}) + " (expected 0 or 1)");
  }
}

Shape top_shape(const qubo::SolvedProblem& s) {
  const auto& p = s.problem;
  return p.of_task() ? Shape{s.top * static_cast<std::int64_t>(p.x_variables())}
                     : Shape{p.n, s.top, std::int64_t{p.m} * p.spins()};
}

/// Reads real coefficients, which are continuous unless the head gives another kind.
void read_real(const Frame& frame, qubo::SolvedProblem& s) {
  qubo::Problem& p = s.problem;
  if (p.coefficients == Coefficients::Levels) {
    throw InputError(frame.where +
                     ": x has real numbers (expected U8, the spins of "
                     "levels)");
  }
  s.real_x = copied(frame.data.get<float>("x", row_shape(p), frame.where));
  qubo::check_finite(frame.where, "x", s.real_x, p);
  if (p.coefficients == Coefficients::Lasso) {
    return;
  }
  p.coefficients = Coefficients::Continuous;
  const auto bad =
      std::ranges::find_if(s.real_x, [](float v) { return v < 0.0F || v > 1.0F; });
  if (bad != s.real_x.end()) {
    throw InputError(frame.where + ": x holds " + format(*bad) + " (expected 0 to 1)");
  }
}

void read_bits(const Frame& frame, qubo::SolvedProblem& s) {
  const qubo::Problem& p = s.problem;
  if (p.coefficients != Coefficients::Binary &&
      p.coefficients != Coefficients::Levels) {
    throw InputError(frame.where +
                     ": x has whole numbers (expected F32: the head says " +
                     field_text(p.coefficients) + " coefficients)");
  }
  s.x = copied(frame.data.get<std::uint8_t>("x", x_shape(p), frame.where));
  check_binary(frame, "x", s.x);
}

void check_seconds(const Frame& frame, std::span<const double> seconds) {
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (!std::isfinite(seconds[i]) || seconds[i] < 0.0) {
      throw InputError(frame.where + ": query " + std::to_string(i) + ": seconds is " +
                       format(seconds[i]) + " (expected a finite number, at least 0)");
    }
  }
}

void read_top(const Frame& frame, qubo::SolvedProblem& s) {
  const TensorView* found = frame.data.find("top_x");
  if (found == nullptr) {
    return;
  }
  if (!s.real_x.empty()) {
    throw InputError(frame.where +
                     ": top_x beside real coefficients (expected binary)");
  }
  const qubo::Problem& p = s.problem;
  const std::int64_t n = p.n;
  s.top_energy = copied(frame.data.get<double>("top_energy", {n, -1}, frame.where));
  const std::int64_t top = std::ssize(s.top_energy) / n;
  if (top > kMaxTop) {
    throw InputError(frame.where + ": " + format(top) +
                     " best solutions (expected at most " + format(kMaxTop) + ")");
  }
  s.top = static_cast<int>(top);
  s.top_x = copied(frame.data.get<std::uint8_t>("top_x", top_shape(s), frame.where));
  s.top_count = copied(frame.data.get<std::int64_t>("top_count", {n}, frame.where));
  check_binary(frame, "top_x", s.top_x);
  for (int i = 0; i < s.problem.n; ++i) {
    const auto q = static_cast<std::size_t>(i);
    const std::int64_t count = s.top_count[q];
    if (count < 0 || count > top) {
      throw InputError(frame.where + ": query " + format(i) + ": top_count is " +
                       format(count) + " (expected 0 to " + format(top) + ")");
    }
    for (int k = 0; k < static_cast<int>(count); ++k) {
      const double energy = qubo::energy(p, i, std::as_const(s).top_row(i, k));
      const std::size_t row =
          q * static_cast<std::size_t>(top) + static_cast<std::size_t>(k);
      if (!(std::abs(s.top_energy[row] - energy) <= tolerance(energy, p.query(i)))) {
        throw InputError(frame.where + ": query " + format(i) +
                         ": the energy of top_x " + format(k) + " is " +
                         format(energy) + ", not " + format(s.top_energy[row]));
      }
    }
  }
}

}  // namespace

qubo::SolvedProblem read_solution(const Frame& frame) {
  if (frame.kind != FrameKind::Solution) {
    throw InputError(frame.where + ": a " + std::string(name_of(frame)) +
                     " (expected a solution)");
  }
  qubo::SolvedProblem s;
  s.problem = read_problem(frame);
  const std::int64_t n = s.problem.n;
  s.energy = copied(frame.data.get<double>("energy", {n}, frame.where));
  s.bound = copied(frame.data.get<double>("bound", {n}, frame.where));
  s.seconds = copied(frame.data.get<double>("seconds", {n}, frame.where));
  check_seconds(frame, s.seconds);
  for (const std::uint8_t code :
       frame.data.get<std::uint8_t>("status", {n}, frame.where)) {
    if (code > static_cast<std::uint8_t>(qubo::Status::Stopped)) {
      throw InputError(frame.where + ": status " + format(int{code}) +
                       " (expected 0, 1 or 2)");
    }
    s.status.push_back(static_cast<qubo::Status>(code));
  }
  const TensorView* x = frame.data.find("x");
  if (x != nullptr && x->dtype == Dtype::F32) {
    read_real(frame, s);
    check_energies(frame, s, s.real_x);
  } else {
    read_bits(frame, s);
    check_energies(frame, s, s.x);
  }
  read_top(frame, s);
  const auto solver = frame.data.metadata.find(kSolver);
  if (solver != frame.data.metadata.end()) {
    s.solver = solver->second;
  }
  return s;
}

void write_solution(StreamWriter& writer,
                    const qubo::SolvedProblem& s,
                    Metadata metadata,
                    std::vector<TensorView> more) {
  static_assert(sizeof(qubo::Status) == 1);
  const qubo::Problem& p = s.problem;
  const std::int64_t n = p.n;
  const std::vector<std::int64_t> sizes = sizes_of(p);
  std::vector<TensorView> tensors = problem_tensors(p, sizes);
  if (s.real_x.empty()) {
    tensors.push_back(TensorView::of<std::uint8_t>("x", x_shape(p), s.x));
  } else {
    tensors.push_back(TensorView::of<float>("x", row_shape(p), s.real_x));
  }
  tensors.push_back(TensorView::of<double>("energy", {n}, s.energy));
  tensors.push_back(TensorView::of<double>("bound", {n}, s.bound));
  tensors.push_back({"status", Dtype::U8, {n}, std::as_bytes(std::span(s.status))});
  tensors.push_back(TensorView::of<double>("seconds", {n}, s.seconds));
  if (s.top > 0) {
    tensors.push_back(TensorView::of<std::uint8_t>("top_x", top_shape(s), s.top_x));
    tensors.push_back(TensorView::of<double>("top_energy", {n, s.top}, s.top_energy));
    tensors.push_back(TensorView::of<std::int64_t>("top_count", {n}, s.top_count));
  }
  std::ranges::move(more, std::back_inserter(tensors));
  if (!s.solver.empty()) {
    metadata[kSolver] = s.solver;
  }
  put_frame(writer, FrameKind::Solution, p, std::move(metadata), std::move(tensors));
}

}  // namespace oa::io
