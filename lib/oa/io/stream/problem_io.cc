#include "oa/io/stream/problem_io.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace oa::io {
namespace {

constexpr const char* kSolver = "oa.solver";

template <class T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// The extents of a tensor that must have two.
std::pair<int, int> extents(const Frame& frame,
                            std::string_view name,
                            int max_rows,
                            int max_cols) {
  const TensorView* found = frame.data.find(name);
  const std::string what = frame.where + ": tensor '" + std::string(name) + "'";
  if (found == nullptr) {
    throw InputError(what + " is missing");
  }
  const Shape& s = found->shape;
  if (s.size() != 2 || s[0] < 1 || s[0] > max_rows || s[1] < 1 || s[1] > max_cols) {
    throw InputError(what + " has shape " + to_string(s) + " (expected 1 to " +
                     format(max_rows) + " rows and 1 to " + format(max_cols) +
                     " columns)");
  }
  return {static_cast<int>(s[0]), static_cast<int>(s[1])};
}

/// The place of the first value that is not finite, or -1.
std::ptrdiff_t first_not_finite(std::span<const float> values) {
  // An infinity or NaN has all exponent bits set.  The sum of such hits is computed
  // without a branch, so that the common case runs at the speed of memory.
  constexpr std::uint32_t kExponent = 0x7f800000;
  std::uint32_t hits = 0;
  for (const float v : values) {
    hits += (std::bit_cast<std::uint32_t>(v) & kExponent) == kExponent ? 1U : 0U;
  }
  if (hits == 0) {
    return -1;
  }
  return std::ranges::find_if(values, [](float v) { return !std::isfinite(v); }) -
         values.begin();
}

std::string cell(std::ptrdiff_t at, int cols) {
  return "[" + format(std::int64_t{at / cols}) + "," + format(std::int64_t{at % cols}) +
         "]";
}

void check_finite(const Frame& frame,
                  std::string_view name,
                  std::span<const float> values,
                  int cols) {
  const auto at = first_not_finite(values);
  if (at >= 0) {
    throw InputError(frame.where + ": " + std::string(name) + cell(at, cols) + " is " +
                     format(values[static_cast<std::size_t>(at)]) +
                     " (expected a finite number)");
  }
}

void check_symmetric(const Frame& frame, std::span<const float> j, int m) {
  const auto size = static_cast<std::size_t>(m);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const float low = j[a * size + b];
      const float high = j[b * size + a];
      if (std::bit_cast<std::uint32_t>(low) != std::bit_cast<std::uint32_t>(high)) {
        throw InputError(frame.where + ": J is not symmetric: J" +
                         cell(static_cast<std::ptrdiff_t>(a * size + b), m) + " is " +
                         format(low) + " but J" +
                         cell(static_cast<std::ptrdiff_t>(b * size + a), m) + " is " +
                         format(high));
      }
    }
  }
}

std::vector<TensorView> problem_tensors(const qubo::ImageProblem& p) {
  const std::int64_t m = p.m;
  std::vector<TensorView> tensors{
      TensorView::of<float>("J", {m, m}, p.j),
      TensorView::of<float>("h", {p.n, m}, p.h),
      TensorView::of<float>("V", {m, p.d}, p.v),
      TensorView::of<std::int64_t>("index", {1}, std::span(&p.index, 1))};
  if (p.label) {
    tensors.push_back(
        TensorView::of<std::int64_t>("label", {1}, std::span(&*p.label, 1)));
  }
  return tensors;
}

/// How far an energy may lie from the recomputed one: 1e-9 of it, or of a thousandth of
/// its linear terms where these cancel.
double tolerance(double energy, std::span<const float> h) {
  double scale = 0.0;
  for (const float v : h) {
    scale += std::abs(double{v});
  }
  return 1e-9 * std::max(std::abs(energy), 1e-3 * scale);
}

double energy_of(const qubo::ImageProblem& p,
                 std::span<const float> h,
                 std::span<const std::uint8_t> x) {
  return qubo::energy(p.j, h, x);
}

double energy_of(const qubo::ImageProblem& p,
                 std::span<const float> h,
                 std::span<const float> x) {
  return qubo::energy(p.j, h, x, p.l1);
}

template <class Coefficient>
void check_energies(const Frame& frame,
                    const qubo::ImageSolution& s,
                    std::span<const Coefficient> x) {
  const auto m = static_cast<std::size_t>(s.problem.m);
  for (int i = 0; i < s.problem.n; ++i) {
    const auto q = static_cast<std::size_t>(i);
    const std::string where = frame.where + ": query " + format(i);
    const auto h = s.problem.query(i);
    const double energy = energy_of(s.problem, h, x.subspan(q * m, m));
    const double slack = tolerance(energy, h);
    if (!(std::abs(s.energy[q] - energy) <= slack)) {
      throw InputError(where + ": the energy of its x is " + format(energy) + ", not " +
                       format(s.energy[q]));
    }
    if (!(s.bound[q] <= s.energy[q] + slack)) {
      throw InputError(where + ": the bound " + format(s.bound[q]) +
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

/// Real coefficients of a head that says nothing of them are continuous.
void read_real(const Frame& frame, qubo::ImageSolution& s) {
  qubo::ImageProblem& p = s.problem;
  s.real_x = copy(frame.data.get<float>("x", {p.n, p.m}, frame.where));
  check_finite(frame, "x", s.real_x, p.m);
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

void read_bits(const Frame& frame, qubo::ImageSolution& s) {
  const qubo::ImageProblem& p = s.problem;
  if (p.coefficients != Coefficients::Binary) {
    throw InputError(frame.where +
                     ": x has whole numbers (expected F32: the head says " +
                     field_text(p.coefficients) + " coefficients)");
  }
  s.x = copy(frame.data.get<std::uint8_t>("x", {p.n, p.m}, frame.where));
  check_binary(frame, "x", s.x);
}

/// The weight of |x|_1 in a problem of the lasso.
float read_penalty(const Frame& frame, int m) {
  const auto l1 = static_cast<float>(frame.lambda / m);
  if (!std::isfinite(l1) || l1 < 0.0F) {
    throw InputError(frame.where + ": oa.lambda of its head is " +
                     format(frame.lambda) +
                     " (expected a finite number, at least 0, for lasso coefficients)");
  }
  return l1;
}

void check_seconds(const Frame& frame, std::span<const double> seconds) {
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (!std::isfinite(seconds[i]) || seconds[i] < 0.0) {
      throw InputError(frame.where + ": query " + std::to_string(i) + ": seconds is " +
                       format(seconds[i]) + " (expected a finite number, at least 0)");
    }
  }
}

void read_top(const Frame& frame, qubo::ImageSolution& s) {
  const TensorView* found = frame.data.find("top_x");
  if (found == nullptr) {
    return;
  }
  if (!s.real_x.empty()) {
    throw InputError(frame.where +
                     ": top_x beside real coefficients (expected binary)");
  }
  const std::int64_t n = s.problem.n;
  const std::int64_t m = s.problem.m;
  s.top_x = copy(frame.data.get<std::uint8_t>("top_x", {n, -1, m}, frame.where));
  const std::int64_t top = found->shape[1];
  s.top = static_cast<int>(top);
  s.top_energy = copy(frame.data.get<double>("top_energy", {n, top}, frame.where));
  s.top_count = copy(frame.data.get<std::int64_t>("top_count", {n}, frame.where));
  check_binary(frame, "top_x", s.top_x);
  for (int i = 0; i < s.problem.n; ++i) {
    const auto q = static_cast<std::size_t>(i);
    const std::int64_t count = s.top_count[q];
    if (count < 0 || count > top) {
      throw InputError(frame.where + ": query " + format(i) + ": top_count is " +
                       format(count) + " (expected 0 to " + format(top) + ")");
    }
    const auto h = s.problem.query(i);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      const std::size_t row = q * static_cast<std::size_t>(top) + k;
      const auto x = std::span<const std::uint8_t>(s.top_x).subspan(
          row * static_cast<std::size_t>(m), static_cast<std::size_t>(m));
      const double energy = qubo::energy(s.problem.j, h, x);
      if (!(std::abs(s.top_energy[row] - energy) <= tolerance(energy, h))) {
        throw InputError(frame.where + ": query " + format(i) +
                         ": the energy of top_x " +
                         format(static_cast<std::int64_t>(k)) + " is " +
                         format(energy) + ", not " + format(s.top_energy[row]));
      }
    }
  }
}

}  // namespace

qubo::ImageProblem read_problem(const Frame& frame) {
  qubo::ImageProblem p;
  p.m = extents(frame, "J", kMaxVariables, kMaxVariables).first;
  p.n = extents(frame, "h", kMaxQueries, kMaxVariables).first;
  p.d = extents(frame, "V", kMaxVariables, kMaxWidth).second;
  const std::int64_t m = p.m;
  p.j = copy(frame.data.get<float>("J", {m, m}, frame.where));
  p.h = copy(frame.data.get<float>("h", {p.n, m}, frame.where));
  p.v = copy(frame.data.get<float>("V", {m, p.d}, frame.where));
  p.index = frame.data.get<std::int64_t>("index", {1}, frame.where)[0];
  if (frame.data.find("label") != nullptr) {
    p.label = frame.data.get<std::int64_t>("label", {1}, frame.where)[0];
  }
  check_finite(frame, "J", p.j, p.m);
  check_finite(frame, "h", p.h, p.m);
  check_finite(frame, "V", p.v, p.d);
  check_symmetric(frame, p.j, p.m);
  p.coefficients = frame.coefficients;
  if (p.coefficients == Coefficients::Lasso) {
    p.l1 = read_penalty(frame, p.m);
  }
  return p;
}

qubo::ImageProblem read_binary_problem(const Frame& frame) {
  if (frame.coefficients != Coefficients::Binary) {
    throw InputError(frame.where + ": " + field_text(frame.coefficients) +
                     " coefficients (expected binary ones, which oa-qubo "
                     "--coefficients binary poses)");
  }
  return read_problem(frame);
}

qubo::ImageSolution read_solution(const Frame& frame) {
  if (frame.kind != FrameKind::Solution) {
    throw InputError(frame.where + ": a " + std::string(name_of(frame.kind)) +
                     " (expected a solution)");
  }
  qubo::ImageSolution s;
  s.problem = read_problem(frame);
  const std::int64_t n = s.problem.n;
  s.energy = copy(frame.data.get<double>("energy", {n}, frame.where));
  s.bound = copy(frame.data.get<double>("bound", {n}, frame.where));
  s.seconds = copy(frame.data.get<double>("seconds", {n}, frame.where));
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
    check_energies<float>(frame, s, s.real_x);
  } else {
    read_bits(frame, s);
    check_energies<std::uint8_t>(frame, s, s.x);
  }
  read_top(frame, s);
  const auto solver = frame.data.metadata.find(kSolver);
  if (solver != frame.data.metadata.end()) {
    s.solver = solver->second;
  }
  return s;
}

void write_problem(StreamWriter& writer,
                   const qubo::ImageProblem& problem,
                   Metadata metadata,
                   std::vector<TensorView> more) {
  std::vector<TensorView> tensors = problem_tensors(problem);
  std::ranges::move(more, std::back_inserter(tensors));
  writer.image(FrameKind::Problem, std::move(metadata), std::move(tensors));
}

void write_solution(StreamWriter& writer,
                    const qubo::ImageSolution& s,
                    Metadata metadata,
                    std::vector<TensorView> more) {
  static_assert(sizeof(qubo::Status) == 1);
  const std::int64_t n = s.problem.n;
  const std::int64_t m = s.problem.m;
  std::vector<TensorView> tensors = problem_tensors(s.problem);
  if (s.real_x.empty()) {
    tensors.push_back(TensorView::of<std::uint8_t>("x", {n, m}, s.x));
  } else {
    tensors.push_back(TensorView::of<float>("x", {n, m}, s.real_x));
  }
  tensors.push_back(TensorView::of<double>("energy", {n}, s.energy));
  tensors.push_back(TensorView::of<double>("bound", {n}, s.bound));
  tensors.push_back({"status", Dtype::U8, {n}, std::as_bytes(std::span(s.status))});
  tensors.push_back(TensorView::of<double>("seconds", {n}, s.seconds));
  if (s.top > 0) {
    tensors.push_back(TensorView::of<std::uint8_t>("top_x", {n, s.top, m}, s.top_x));
    tensors.push_back(TensorView::of<double>("top_energy", {n, s.top}, s.top_energy));
    tensors.push_back(TensorView::of<std::int64_t>("top_count", {n}, s.top_count));
  }
  std::ranges::move(more, std::back_inserter(tensors));
  if (!s.solver.empty()) {
    metadata[kSolver] = s.solver;
  }
  writer.image(FrameKind::Solution, std::move(metadata), std::move(tensors));
}

}  // namespace oa::io
