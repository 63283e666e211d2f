#include "oa/io/stream/problem_io.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/stream/problem_tensors.h"
#include "oa/qubo/checks.h"
#include "oa/qubo/levels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace oa::io {
namespace {

constexpr std::size_t kMaxTensors = 20;  // more than a solution has

/// Returns the extents of a matrix.
std::pair<int, int> extents(const Frame& frame,
                            std::string_view name,
                            int max_rows,
                            int max_cols) {
  const TensorView* found = frame.data.find(name);
  const auto what = [&] {
    return frame.where + ": tensor '" + std::string(name) + "'";
  };
  if (found == nullptr) {
    throw InputError(what() + " is missing");
  }
  const Shape& s = found->shape;
  if (s.size() != 2 || s[0] < 1 || s[0] > max_rows || s[1] < 1 || s[1] > max_cols) {
    throw InputError(what() + " has shape " + to_string(s) + " (expected 1 to " +
                     format(max_rows) + " rows and 1 to " + format(max_cols) +
                     " columns)");
  }
  return {static_cast<int>(s[0]), static_cast<int>(s[1])};
}

/// Reads the tensor `sizes`: the number of variables of each query of a task.
void read_sizes(const Frame& frame, qubo::Problem& p) {
  const auto sizes = frame.data.get<std::int64_t>("sizes", {-1}, frame.where);
  if (sizes.empty() || sizes.size() > kMaxQueries) {
    throw InputError(frame.where + ": sizes of " +
                     format(static_cast<std::int64_t>(sizes.size())) +
                     " queries (expected 1 to " + format(kMaxQueries) + ")");
  }
  p.n = static_cast<int>(sizes.size());
  const auto bad =
      std::ranges::find_if(sizes, [&](std::int64_t s) { return s < 1 || s > p.m; });
  if (bad != sizes.end()) {
    throw InputError(frame.where + ": query " +
                     format(static_cast<std::int64_t>(bad - sizes.begin())) + " has " +
                     format(*bad) + " variables (expected 1 to " + format(p.m) + ")");
  }
  if (std::ranges::any_of(sizes, [&](std::int64_t s) { return s != p.m; })) {
    p.sizes.assign(sizes.begin(), sizes.end());
  }
}

/// Reads the members of a task's problem that other problems lack.
void read_task(const Frame& frame, qubo::Problem& p) {
  p.place = frame.place;
  if (frame.data.find("residual") != nullptr) {
    p.residual = copied(frame.data.get<float>("residual", {p.n, p.d}, frame.where));
    qubo::check_finite(frame.where, "residual", p.residual, p.d);
  }
  if (const TensorView* found = frame.data.find("targets")) {
    p.targets.numbers =
        copied(frame.data.get<std::int32_t>("targets", {p.n, -1}, frame.where));
    const std::int64_t per_row = found->shape[1];
    if (per_row < 1 || per_row > kMaxWidth) {
      throw InputError(frame.where + ": " + format(per_row) +
                       " targets of a query (expected 1 to " + format(kMaxWidth) + ")");
    }
    p.targets.per_row = static_cast<int>(per_row);
    const auto bad =
        std::ranges::find_if(p.targets.numbers, [](std::int32_t t) { return t < -1; });
    if (bad != p.targets.numbers.end()) {
      throw InputError(frame.where + ": a target is " + format(int{*bad}) +
                       " (expected -1 or more)");
    }
  }
}

/// Reads the weight of |x|_1 in a lasso problem.
float read_penalty(const Frame& frame, int m) {
  const auto l1 = static_cast<float>(frame.lambda / m);
  if (!std::isfinite(l1) || l1 < 0.0F) {
    throw InputError(frame.where + ": oa.lambda of its head is " +
                     format(frame.lambda) +
                     " (expected a finite number, at least 0, for lasso coefficients)");
  }
  return l1;
}

/// Reads the members of a problem with levels, except J and h.
void read_levels(const Frame& frame, qubo::Problem& p) {
  p.levels = frame.levels;
  p.encoding = frame.encoding;
  if (std::int64_t{p.m} * p.spins() > kMaxVariables) {
    throw InputError(frame.where + ": " + format(p.m) + " coefficients of " +
                     format(p.spins()) + " spins (expected at most " +
                     format(kMaxVariables) + " spins)");
  }
  p.steps = copied(frame.data.get<float>("steps", {p.n}, frame.where));
  if (const auto bad = std::ranges::find_if(
          p.steps, [](float s) { return !std::isfinite(s) || s <= 0.0F; });
      bad != p.steps.end()) {
    throw InputError(frame.where + ": query " +
                     format(static_cast<std::int64_t>(bad - p.steps.begin())) +
                     " has " + format(*bad) +
                     " steps (expected a finite number above 0)");
  }
  if (qubo::code_of(p).has_penalty()) {
    p.penalty = copied(frame.data.get<float>("penalty", row_shape(p), frame.where));
    qubo::check_finite(frame.where, "penalty", p.penalty, p);
    if (const auto bad =
            std::ranges::find_if(p.penalty, [](float v) { return v < 0.0F; });
        bad != p.penalty.end()) {
      throw InputError(frame.where + ": a penalty is " + format(*bad) +
                       " (expected at least 0)");
    }
  }
}

}  // namespace

qubo::Problem read_problem(const Frame& frame) {
  qubo::Problem p;
  p.m = extents(frame, "J", kMaxVariables, kMaxVariables).first;
  p.d = extents(frame, "V", kMaxVariables, kMaxWidth).second;
  if (frame.of_task) {
    read_sizes(frame, p);
  } else {
    p.n = extents(frame, "h", kMaxQueries, kMaxVariables).first;
  }
  const std::int64_t m = p.m;
  p.j = copied(frame.data.get<float>("J", {m, m}, frame.where));
  const Shape rows =
      frame.of_task ? Shape{static_cast<std::int64_t>(p.variables())} : Shape{p.n, m};
  p.h = copied(frame.data.get<float>("h", rows, frame.where));
  p.v = copied(frame.data.get<float>("V", {m, p.d}, frame.where));
  p.index = frame.data.get<std::int64_t>("index", {1}, frame.where)[0];
  if (frame.data.find("label") != nullptr) {
    p.label = frame.data.get<std::int64_t>("label", {1}, frame.where)[0];
  }
  qubo::check_finite(frame.where, "J", p.j, p.m);
  qubo::check_finite(frame.where, "h", p.h, p);
  qubo::check_finite(frame.where, "V", p.v, p.d);
  qubo::check_symmetric(frame.where, p.j, p.m);
  if (frame.of_task) {
    read_task(frame, p);
  }
  p.coefficients = frame.coefficients;
  if (p.coefficients == Coefficients::Lasso) {
    p.l1 = read_penalty(frame, p.m);
  } else if (p.coefficients == Coefficients::Levels) {
    read_levels(frame, p);
  }
  return p;
}

qubo::Problem read_qubo_problem(const Frame& frame) {
  if (frame.coefficients != Coefficients::Binary &&
      frame.coefficients != Coefficients::Levels) {
    throw InputError(frame.where + ": " + field_text(frame.coefficients) +
                     " coefficients (expected binary ones, which oa-qubo "
                     "--coefficients binary poses, or levels)");
  }
  return read_problem(frame);
}

Shape row_shape(const qubo::Problem& p) {
  return p.of_task() ? Shape{static_cast<std::int64_t>(p.variables())}
                     : Shape{p.n, p.m};
}

Shape x_shape(const qubo::Problem& p) {
  return p.of_task() ? Shape{static_cast<std::int64_t>(p.x_variables())}
                     : Shape{p.n, std::int64_t{p.m} * p.spins()};
}

std::vector<std::int64_t> sizes_of(const qubo::Problem& p) {
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < p.n; ++i) {
    sizes.push_back(p.size(i));
  }
  return sizes;
}

std::vector<TensorView> problem_tensors(const qubo::Problem& p,
                                        std::span<const std::int64_t> sizes) {
  const std::int64_t m = p.m;
  std::vector<TensorView> tensors;
  tensors.reserve(kMaxTensors);
  tensors.push_back(TensorView::of<float>("J", {m, m}, p.j));
  tensors.push_back(TensorView::of<float>("h", row_shape(p), p.h));
  tensors.push_back(TensorView::of<float>("V", {m, p.d}, p.v));
  tensors.push_back(TensorView::of<std::int64_t>("index", {1}, std::span(&p.index, 1)));
  if (p.label) {
    tensors.push_back(
        TensorView::of<std::int64_t>("label", {1}, std::span(&*p.label, 1)));
  }
  if (p.of_task()) {
    tensors.push_back(TensorView::of<std::int64_t>("sizes", {p.n}, sizes));
  }
  if (p.coefficients == Coefficients::Levels) {
    tensors.push_back(TensorView::of<float>("steps", {p.n}, p.steps));
    if (!p.penalty.empty()) {
      tensors.push_back(TensorView::of<float>("penalty", row_shape(p), p.penalty));
    }
  }
  if (!p.residual.empty()) {
    tensors.push_back(TensorView::of<float>("residual", {p.n, p.d}, p.residual));
  }
  if (p.targets.per_row > 0) {
    tensors.push_back(TensorView::of<std::int32_t>(
        "targets", {p.n, p.targets.per_row}, p.targets.numbers));
  }
  return tensors;
}

void put_frame(StreamWriter& writer,
               FrameKind kind,
               const qubo::Problem& p,
               Metadata metadata,
               std::vector<TensorView> tensors) {
  if (p.of_task()) {
    writer.task(kind, p.place, std::move(metadata), std::move(tensors));
  } else {
    writer.image(kind, std::move(metadata), std::move(tensors));
  }
}

void write_problem(StreamWriter& writer,
                   const qubo::Problem& problem,
                   Metadata metadata,
                   std::vector<TensorView> more) {
  const std::vector<std::int64_t> sizes = sizes_of(problem);
  std::vector<TensorView> tensors = problem_tensors(problem, sizes);
  std::ranges::move(more, std::back_inserter(tensors));
  put_frame(
      writer, FrameKind::Problem, problem, std::move(metadata), std::move(tensors));
}

}  // namespace oa::io
