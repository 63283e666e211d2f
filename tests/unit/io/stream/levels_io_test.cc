#include "oa/base/error.h"
#include "oa/io/stream/problem_io.h"
#include "oa/qubo/levels.h"
#include "oa/solve/stream/levels.h"
#include "oa_test.h"
#include "ref/levels.h"
#include "unit/io/stream/frame_of.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;

namespace {

constexpr const char* kAccepted = "(nothing was thrown)";

io::Metadata head_of(const qubo::Problem& p) {
  return {{"oa.coefficients", "levels"},
          {"oa.levels", std::to_string(p.levels)},
          {"oa.encoding", field_text(p.encoding)}};
}

qubo::SolvedProblem solved(std::uint64_t seed) {
  qubo::Problem p = ref::random_levels(Rng(seed), 3);
  p.d = 1;
  p.v = {1, 2, 3};
  return solve::solve_image(
      std::move(p), {.method = solve::default_method(), .solver = {.top = 3}}, Rng(1));
}

std::string said(const qubo::SolvedProblem& s, const io::Metadata& head) {
  return test::message_of<InputError>(
      [&] { (void)io::read_solution(test::frame_of(s, head)); });
}

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("solutions of levels read back as spins, with steps and penalties") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      const qubo::SolvedProblem s = solved(seed);
      const qubo::SolvedProblem back =
          io::read_solution(test::frame_of(s, head_of(s.problem)));
      CHECK(back.problem.coefficients == Coefficients::Levels);
      CHECK(back.problem.levels == s.problem.levels);
      CHECK(back.problem.encoding == s.problem.encoding);
      CHECK(back.problem.steps == s.problem.steps);
      CHECK(back.problem.penalty == s.problem.penalty);
      CHECK(back.x == s.x);
      CHECK(back.top_x == s.top_x);
      CHECK(back.energy == s.energy);
      CHECK(back.status == s.status);
    }
  }
  TEST_CASE("a head with levels names how many, and their encoding") {
    const qubo::SolvedProblem s = solved(1);
    const io::Metadata good = head_of(s.problem);
    CHECK(said(s, good) == kAccepted);
    io::Metadata head = good;
    head.erase("oa.encoding");
    CHECK(said(s, head) ==
          "s:frame 0: no 'oa.encoding' in its metadata (expected beside levels)");
    head = good;
    head.erase("oa.levels");
    CHECK(said(s, head) ==
          "s:frame 0: no 'oa.levels' in its metadata (expected beside levels)");
    for (const char* bad : {"1", "17", "0", "-3"}) {
      head = good;
      head["oa.levels"] = bad;
      CHECK(said(s, head) ==
            std::string("s:frame 0: oa.levels is ") + bad + " (expected 2 to 16)");
    }
    head = good;
    head["oa.levels"] = "many";
    CHECK(said(s, head) == "s:frame 0: oa.levels is 'many' (expected 2 to 16)");
    head = good;
    head["oa.encoding"] = "gray";
    CHECK(said(s, head) ==
          "s:frame 0: oa.encoding is 'gray' (expected binary, unary, one-hot or "
          "domain-wall)");
  }
  TEST_CASE("steps, penalties and spins have their ranges") {
    qubo::SolvedProblem s = solved(1);
    while (!qubo::code_of(s.problem).has_penalty()) {
      s = solved(static_cast<std::uint64_t>(s.problem.levels) * 31 +
                 static_cast<std::uint64_t>(s.problem.steps[0]) + 2);
    }
    const io::Metadata head = head_of(s.problem);
    qubo::SolvedProblem bad = s;
    bad.problem.steps[0] = 0.0F;
    CHECK(said(bad, head) ==
          "s:frame 1: query 0 has 0 steps (expected a finite number above 0)");
    bad = s;
    bad.problem.penalty[1] = -1.0F;
    CHECK(said(bad, head) == "s:frame 1: a penalty is -1 (expected at least 0)");
    bad = s;
    bad.x[0] = 2;
    CHECK(said(bad, head) == "s:frame 1: x holds 2 (expected 0 or 1)");
    bad = s;
    bad.energy[0] += 1.0;
    CHECK(said(bad, head).starts_with("s:frame 1: query 0: the energy of its x is "));
  }
}
