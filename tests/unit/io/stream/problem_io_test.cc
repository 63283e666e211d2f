#include "oa/io/stream/problem_io.h"

#include "oa/base/error.h"
#include "oa_test.h"
#include "unit/io/stream/frame_of.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace oa;
using qubo::Problem;
using qubo::SolvedProblem;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// m = 2, n = 2, d = 1; the first query has its optimum (1,0), the second (0,0).
SolvedProblem small() {
  SolvedProblem s;
  s.problem.index = 22;
  s.problem.label = 6;
  s.problem.m = s.problem.n = 2;
  s.problem.d = 1;
  s.problem.j = {2, 1, 1, 2};
  s.problem.h = {-4, 1, 0.5, 3};
  s.problem.v = {1, 0.5};
  s.x = {1, 0, 0, 0};
  s.energy = {-3, 0};
  s.bound = {-3, -kInf};
  s.status = {qubo::Status::ProvedOptimal, qubo::Status::BestFound};
  s.seconds = {0.25, 0};
  return s;
}

SolvedProblem small_with_top() {
  SolvedProblem s = small();
  s.top = 2;
  s.top_count = {2, 1};
  s.top_x = {1, 0, 0, 0, 0, 0, 0, 0};
  s.top_energy = {-3, 0, 0, 0};
  return s;
}

/// The message about the small problem after `spoil`.
std::string problem_with(const std::function<void(Problem&)>& spoil) {
  Problem p = small().problem;
  spoil(p);
  const io::Frame frame = test::frame_of(p);
  return test::message_of<InputError>([&] { (void)io::read_problem(frame); });
}

std::string solution_with(const std::function<void(SolvedProblem&)>& spoil) {
  SolvedProblem s = small_with_top();
  spoil(s);
  const io::Frame frame = test::frame_of(s);
  return test::message_of<InputError>([&] { (void)io::read_solution(frame); });
}

/// The message about the small solution if its tensor `name` differs or is missing.
std::string solution_with_tensor(const std::string& name, const io::TensorView* other) {
  const io::Frame whole = test::frame_of(small());
  std::vector<io::TensorView> tensors;
  for (const io::TensorView& t : whole.data.tensors()) {
    if (t.name != name) {
      tensors.push_back(t);
    }
  }
  if (other != nullptr) {
    tensors.push_back(*other);
  }
  const io::Frame frame = test::frame_of([&](io::StreamWriter& writer) {
    writer.image(io::FrameKind::Solution, {}, tensors);
  });
  return test::message_of<InputError>([&] { (void)io::read_solution(frame); });
}

const std::string kFine = "(nothing was thrown)";

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a problem written reads back, with or without a label") {
  for (const bool labelled : {true, false}) {
    Problem p = small().problem;
    if (!labelled) {
      p.label.reset();
    }
    p.index = std::numeric_limits<std::int64_t>::max();
    const io::Frame frame = test::frame_of([&](io::StreamWriter& writer) {
      io::write_problem(writer, p, {{"note", "x"}});
    });
    CHECK(frame.data.metadata.at("note") == "x");
    const Problem got = io::read_problem(frame);
    CHECK(got.index == p.index);
    CHECK(got.label == p.label);
    CHECK(got.m == 2);
    CHECK(got.n == 2);
    CHECK(got.d == 1);
    CHECK(got.j == p.j);
    CHECK(got.h == p.h);
    CHECK(got.v == p.v);
  }
}

TEST_CASE("a solution written reads back, with the best few or real coefficients") {
  const SolvedProblem s = small_with_top();
  const SolvedProblem got = io::read_solution(test::frame_of(s));
  CHECK(got.x == s.x);
  CHECK(got.energy == s.energy);
  CHECK(got.bound == s.bound);
  CHECK(got.status == s.status);
  CHECK(got.seconds == s.seconds);
  CHECK(got.top == 2);
  CHECK(got.top_count == s.top_count);
  CHECK(got.top_x == s.top_x);
  CHECK(got.top_energy == s.top_energy);

  SolvedProblem real = small();
  real.x.clear();
  real.real_x = {1, 0.5F, 0, 0.25F};
  for (std::size_t q = 0; q < 2; ++q) {
    real.energy[q] =
        qubo::energy(real.problem.j,
                     real.problem.query(static_cast<int>(q)),
                     std::span<const float>(real.real_x).subspan(2 * q, 2));
  }
  real.bound = {-kInf, -kInf};
  const SolvedProblem read = io::read_solution(test::frame_of(real));
  CHECK(read.x.empty());
  CHECK(read.real_x == real.real_x);
}

TEST_CASE("the coefficients of the head apply to every problem") {
  const auto read = [](const io::Metadata& head) {
    return io::read_problem(test::frame_of(small().problem, head));
  };
  CHECK(read({}).coefficients == Coefficients::Binary);
  CHECK(read({{"oa.coefficients", "continuous"}, {"oa.lambda", "3"}}).l1 == 0.0F);
  const Problem lasso = read({{"oa.coefficients", "lasso"}, {"oa.lambda", "3"}});
  CHECK(lasso.coefficients == Coefficients::Lasso);
  CHECK(lasso.l1 == 1.5F);  // 3 / m
  CHECK(read({{"oa.coefficients", "lasso"}}).l1 == 0.5F);
  const auto refusal = [&](const io::Metadata& head) {
    return test::message_of<InputError>([&] { (void)read(head); });
  };
  CHECK(refusal({{"oa.coefficients", "lasso"}, {"oa.lambda", "-1"}}) ==
        "s:frame 1: oa.lambda of its head is -1 (expected a finite number, at least 0, "
        "for lasso coefficients)");
  CHECK(refusal({{"oa.coefficients", "whole"}}) ==
        "s:frame 0: oa.coefficients is 'whole' (expected binary, levels, continuous or "
        "lasso)");
  CHECK(refusal({{"oa.lambda", "much"}}) ==
        "s:frame 0: oa.lambda is 'much' (expected a number)");
}

TEST_CASE("solutions are of the kind that the head says") {
  SolvedProblem real = small();
  real.x.clear();
  real.bound = {-kInf, -kInf};
  const auto said = [&](const char* kind, std::vector<float> x, float l1) {
    real.real_x = std::move(x);
    for (std::size_t q = 0; q < 2; ++q) {
      real.energy[q] =
          qubo::energy(real.problem.j,
                       real.problem.query(static_cast<int>(q)),
                       std::span<const float>(real.real_x).subspan(2 * q, 2),
                       l1);
    }
    const io::Frame frame = test::frame_of(real, {{"oa.coefficients", kind}});
    return test::message_of<InputError>([&] { (void)io::read_solution(frame); });
  };
  CHECK(said("continuous", {1, 0.5F, 0, 0.25F}, 0.0F) == kFine);
  CHECK(said("continuous", {1, 1.5F, 0, 0.25F}, 0.0F) ==
        "s:frame 1: x holds 1.5 (expected 0 to 1)");
  CHECK(said("lasso", {-2, 1.5F, 0, 0.25F}, 0.5F) == kFine);
  CHECK(said("lasso", {1, 0, 0, 0}, 0.0F) ==
        "s:frame 1: query 0: the energy of its x is -2.5, not -3");
  const io::Frame bits = test::frame_of(small(), {{"oa.coefficients", "continuous"}});
  CHECK(test::message_of<InputError>([&] { (void)io::read_solution(bits); }) ==
        "s:frame 1: x has whole numbers (expected F32: the head says continuous "
        "coefficients)");
  CHECK(test::message_of<InputError>([&] { (void)io::read_qubo_problem(bits); }) ==
        "s:frame 1: continuous coefficients (expected binary ones, which oa-qubo "
        "--coefficients binary poses, or levels)");
}

TEST_CASE("a problem is read from a solution, a solution from a problem is not") {
  const io::Frame solution = test::frame_of(small());
  CHECK(io::read_problem(solution).index == 22);
  const io::Frame problem = test::frame_of(small().problem);
  CHECK(test::message_of<InputError>([&] { (void)io::read_solution(problem); }) ==
        "s:frame 1: a problem (expected a solution)");
}

TEST_CASE("a number that is not finite in a problem is refused by its place") {
  constexpr auto kFloatInf = std::numeric_limits<float>::infinity();
  CHECK(problem_with([](Problem& p) { p.j[1] = p.j[2] = std::nanf(""); }) ==
        "s:frame 1: J[0,1] is nan (expected a finite number)");
  CHECK(problem_with([](Problem& p) { p.v[1] = -kFloatInf; }) ==
        "s:frame 1: V[1,0] is -inf (expected a finite number)");
}

TEST_CASE("J is bitwise symmetric") {
  CHECK(problem_with([](Problem& p) {
          p.j[1] = 0.0F;
          p.j[2] = -0.0F;
        }) == "s:frame 1: J is not symmetric: J[1,0] is -0 but J[0,1] is 0");
}

TEST_CASE("tensors of a problem that disagree are refused") {
  CHECK(problem_with([](Problem& p) {
          p.n = 1;
          p.d = 2;
          p.h.resize(2);
          p.v.resize(4);
        }) == kFine);
  const float zero = 0;
  const auto with = [&](const char* name, const io::Shape& shape) {
    std::vector<float> zeros(16, zero);
    std::int64_t count = 1;
    for (const auto extent : shape) {
      count *= extent;
    }
    const auto t = io::TensorView::of<float>(
        name,
        shape,
        std::span<const float>(zeros).first(static_cast<std::size_t>(count)));
    return solution_with_tensor(name, &t);
  };
  CHECK(with("h", {2, 3}) == "s:frame 1: tensor 'h' has shape (2,3) (expected (2,2))");
  CHECK(with("V", {3, 1}) == "s:frame 1: tensor 'V' has shape (3,1) (expected (2,1))");
  CHECK(with("J", {2, 3}) == "s:frame 1: tensor 'J' has shape (2,3) (expected (2,2))");
  CHECK(with("J", {3, 3}) == "s:frame 1: tensor 'h' has shape (2,2) (expected (2,3))");
  for (const io::Shape& shape : {io::Shape{4}, {0, 2}, {2, 0}, {1, 2, 2}}) {
    CHECK(with("h", shape) == "s:frame 1: tensor 'h' has shape " +
                                  io::to_string(shape) +
                                  " (expected 1 to 65536 rows and 1 to 65536 columns)");
  }
  CHECK(with("J", {0, 0}).starts_with("s:frame 1: tensor 'J' has shape (0,0)"));
  CHECK(with("index", {1}) == "s:frame 1: tensor 'index' is F32 (expected I64)");
  CHECK(with("label", {1}) == "s:frame 1: tensor 'label' is F32 (expected I64)");
  for (const char* name :
       {"J", "h", "V", "index", "x", "energy", "bound", "status", "seconds"}) {
    CHECK(solution_with_tensor(name, nullptr) ==
          "s:frame 1: tensor '" + std::string(name) + "' is missing");
  }
  CHECK(solution_with_tensor("label", nullptr) == kFine);
}

TEST_CASE("rows and columns have their limits") {
  const std::vector<float> zeros(65537, 0.0F);
  const auto wide = io::TensorView::of<float>("V", {1, 65537}, zeros);
  CHECK(solution_with_tensor("V", &wide) ==
        "s:frame 1: tensor 'V' has shape (1,65537) (expected 1 to 65536 rows and 1 to "
        "65536 columns)");
  const auto many = io::TensorView::of<float>("h", {65537, 1}, zeros);
  CHECK(solution_with_tensor("h", &many) ==
        "s:frame 1: tensor 'h' has shape (65537,1) (expected 1 to 65536 rows and 1 to "
        "65536 columns)");
  // J of 65537 rows without data is refused for its shape, never for its size.
  const auto none = io::TensorView::of<float>("J", {65537, 0}, {});
  CHECK(solution_with_tensor("J", &none)
            .starts_with("s:frame 1: tensor 'J' has shape (65537,0)"));
}

TEST_CASE("an energy that is not that of its x is refused") {
  CHECK(solution_with([](SolvedProblem&) {}) == kFine);
  CHECK(solution_with([](SolvedProblem& s) { s.x[2] = 1; }) ==
        "s:frame 1: query 1: the energy of its x is 1.5, not 0");
  CHECK(solution_with([](SolvedProblem& s) { s.energy[1] = kNan; }) ==
        "s:frame 1: query 1: the energy of its x is 0, not nan");
}

TEST_CASE("energies agree to 1e-9 of themselves or 1e-12 of the sum of h") {
  const auto off_by = [](double delta) {
    return solution_with([&](SolvedProblem& s) {
      s.energy[0] += delta;
      s.bound[0] = -kInf;
    });
  };
  CHECK(off_by(2.9e-9) == kFine);
  CHECK(off_by(-2.9e-9) == kFine);
  CHECK(off_by(3.1e-9) != kFine);
  const auto near_zero = [](double delta) {  // E = 0, sum |h| = 3.5
    return solution_with([&](SolvedProblem& s) { s.energy[1] += delta; });
  };
  CHECK(near_zero(3.4e-12) == kFine);
  CHECK(near_zero(3.6e-12) != kFine);
}

TEST_CASE("a missing bound, or one above the energy, is refused") {
  CHECK(solution_with([](SolvedProblem& s) { s.bound[1] = kNan; }) ==
        "s:frame 1: query 1: the bound nan lies above the energy 0");
  CHECK(solution_with([](SolvedProblem& s) { s.bound[0] = kInf; }) ==
        "s:frame 1: query 0: the bound inf lies above the energy -3");
}

TEST_CASE("coefficients, states and times have their ranges") {
  for (const double bad : {kNan, kInf}) {
    CHECK(solution_with([&](SolvedProblem& s) {
            s.seconds[1] = bad;
          }).starts_with("s:frame 1: query 1: seconds is "));
  }
  CHECK(solution_with([](SolvedProblem& s) {
          s.real_x = {std::nanf(""), 0, 0, 0};
        }) == "s:frame 1: x[0,0] is nan (expected a finite number)");
}

TEST_CASE("the best solutions agree with their counts and energies") {
  CHECK(solution_with([](SolvedProblem& s) { s.top_count[0] = 3; }) ==
        "s:frame 1: query 0: top_count is 3 (expected 0 to 2)");
  CHECK(solution_with([](SolvedProblem& s) { s.top_count[1] = -1; }) ==
        "s:frame 1: query 1: top_count is -1 (expected 0 to 2)");
  CHECK(solution_with([](SolvedProblem& s) { s.top_energy[1] = 0.5; }) ==
        "s:frame 1: query 0: the energy of top_x 1 is 0, not 0.5");
  CHECK(solution_with([](SolvedProblem& s) { s.top_x[7] = 9; }) ==
        "s:frame 1: top_x holds 9 (expected 0 or 1)");
  // Rows beyond the count are not looked at.
  CHECK(solution_with([](SolvedProblem& s) { s.top_energy[3] = 77; }) == kFine);
}

namespace {

/// Three queries of unequal size in m = 3, of the second of two heads.
SolvedProblem ragged() {
  SolvedProblem s;
  Problem& p = s.problem;
  p.index = 5;
  p.m = p.n = 3;
  p.d = 1;
  p.j = {2, 1, 0, 1, 2, 0, 0, 0, 4};
  p.sizes = {2, 3, 1};
  p.h = {-4, 1, 0.5, 3, -3, -1};
  p.v = {1, 0.5, 2};
  p.place.layer = 1;
  p.residual = {0.25, -1, 2};
  p.targets.per_row = 2;
  p.targets.numbers = {-1, 0, 7, 8, -1, -1};
  s.x = {1, 0, 0, 0, 1, 1};
  s.energy = {-3, -1, 0};
  s.bound = {-kInf, -1, 0};
  s.status.assign(3, qubo::Status::BestFound);
  s.seconds.assign(3, 0.0);
  s.top = 2;
  s.top_count = {2, 1, 2};
  s.top_x = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  s.top_energy = {-3, 0, -1, 0, 0, 0};
  return s;
}

/// The first frame of a part of tasks.
template <class T>
io::Frame task_frame(const T& content) {
  return test::frame_of(content, {}, io::Series::Tasks);
}

std::string task_with(const std::function<void(SolvedProblem&)>& spoil) {
  SolvedProblem s = ragged();
  spoil(s);
  return test::message_of<InputError>([&] { (void)io::read_solution(task_frame(s)); });
}

/// The message if tensor `other` replaces the one of its name.
std::string task_with_tensor(const io::TensorView& other) {
  const io::Frame whole = task_frame(ragged());
  std::vector<io::TensorView> tensors;
  for (const io::TensorView& t : whole.data.tensors()) {
    tensors.push_back(t.name == other.name ? other : t);
  }
  return test::message_of<InputError>([&] {
    (void)io::read_solution(task_frame([&](io::StreamWriter& w) {
      w.task(io::FrameKind::Solution, {1, 0, 1}, {}, tensors);
    }));
  });
}

}  // namespace

TEST_CASE("problems of unequal size read back, with all that tasks have") {
  const SolvedProblem s = ragged();
  const io::Frame frame = task_frame(s);
  CHECK(name_of(frame) == "task-solution");
  const SolvedProblem got = io::read_solution(frame);
  CHECK(got.problem.sizes == s.problem.sizes);
  CHECK(got.problem.h == s.problem.h);
  CHECK(got.problem.place.layer == 1);
  CHECK(got.problem.residual == s.problem.residual);
  CHECK(got.problem.targets.per_row == 2);
  CHECK(got.problem.targets.numbers == s.problem.targets.numbers);
  CHECK(got.x == s.x);
  CHECK(got.top_x == s.top_x);
  CHECK(got.energy == s.energy);
  CHECK(qubo::fingerprint(got.problem) == qubo::fingerprint(s.problem));
  // Equal sizes are no error.
  Problem equal = small().problem;
  equal.targets.per_row = 1;
  equal.targets.numbers = {3, -1};
  const Problem read = io::read_problem(task_frame(equal));
  CHECK(read.sizes.empty());
  CHECK(read.h == equal.h);
}

TEST_CASE("real coefficients of unequal rows read back") {
  SolvedProblem s = ragged();
  s.real_x = {1, 0.5F, 0, 0, 0.75F, 0.5F};
  s.x.clear();
  s.top = 0;
  s.bound.assign(3, -kInf);
  for (int i = 0; i < 3; ++i) {
    s.energy[static_cast<std::size_t>(i)] =
        qubo::energy(s.problem, i, std::as_const(s).problem.row(s.real_x, i));
  }
  const SolvedProblem got = io::read_solution(task_frame(s));
  CHECK(got.real_x == s.real_x);
}

TEST_CASE("frames of tasks that contradict themselves are refused") {
  CHECK(task_with([](SolvedProblem&) {}) == kFine);
  CHECK(task_with([](SolvedProblem& s) { s.problem.targets.numbers[1] = -2; }) ==
        "s:frame 1: a target is -2 (expected -1 or more)");
  CHECK(task_with([](SolvedProblem& s) { s.problem.residual[2] = std::nanf(""); }) ==
        "s:frame 1: residual[2,0] is nan (expected a finite number)");
  CHECK(task_with([](SolvedProblem& s) { s.problem.h[4] = std::nanf(""); }) ==
        "s:frame 1: h of query 1, variable 2, is nan (expected a finite number)");
  CHECK(task_with([](SolvedProblem& s) { s.x[3] = 1; }) ==
        "s:frame 1: query 1: the energy of its x is 3, not -1");
  CHECK(task_with([](SolvedProblem& s) { s.top_x[6] = 0; }) ==
        "s:frame 1: query 1: the energy of top_x 0 is 0, not -1");
}

TEST_CASE("tensors of tasks have the extents that sizes say") {
  const std::vector<std::int64_t> sizes{2, 3, 2};
  CHECK(task_with_tensor(io::TensorView::of<std::int64_t>("sizes", {3}, sizes)) ==
        "s:frame 1: tensor 'h' has shape (6) (expected (7))");
  const std::vector<std::int64_t> none{2, 0, 3};
  CHECK(task_with_tensor(io::TensorView::of<std::int64_t>("sizes", {3}, none)) ==
        "s:frame 1: query 1 has 0 variables (expected 1 to 3)");
  const std::vector<std::int64_t> many{1, 1, 4};
  CHECK(task_with_tensor(io::TensorView::of<std::int64_t>("sizes", {3}, many)) ==
        "s:frame 1: query 2 has 4 variables (expected 1 to 3)");
  CHECK(task_with_tensor(io::TensorView::of<std::int64_t>("sizes", {0}, {})) ==
        "s:frame 1: sizes of 0 queries (expected 1 to 65536)");
  const std::vector<std::int32_t> targets(6);
  CHECK(
      task_with_tensor(io::TensorView::of<std::int32_t>("targets", {2, 3}, targets)) ==
      "s:frame 1: tensor 'targets' has shape (2,3) (expected (3,any))");
  CHECK(task_with_tensor(io::TensorView::of<std::int32_t>("targets", {3, 0}, {})) ==
        "s:frame 1: 0 targets of a query (expected 1 to 65536)");
  const std::vector<std::uint8_t> x(5);
  CHECK(task_with_tensor(io::TensorView::of<std::uint8_t>("x", {5}, x)) ==
        "s:frame 1: tensor 'x' has shape (5) (expected (6))");
  CHECK(task_with_tensor(io::TensorView::of<std::uint8_t>("top_x", {5}, x)) ==
        "s:frame 1: tensor 'top_x' has shape (5) (expected (12))");
}

TEST_SUITE_END();
