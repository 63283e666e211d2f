#include "oa/cim/match.h"

#include "oa/cim/assemble.h"
#include "oa_test.h"

#include <doctest/doctest.h>

using namespace oa;
using cim::Match;

namespace {

/// Tasks of two variables each with these cells; equal cells, equal tasks.
cim::Submission tasks(const std::vector<std::vector<float>>& cells,
                      bool ising = false) {
  cim::Submission submission;
  submission.name = "mat";
  for (std::size_t t = 0; t < cells.size(); ++t) {
    cim::SubmittedImage& image = submission.images.emplace_back();
    image.problem.m = 2;
    image.problem.n = 1;
    image.problem.d = 1;
    image.problem.j = {0, cells[t][1], cells[t][1], 0};
    image.problem.h = {cells[t][0], cells[t][2]};
    image.problem.v = {1, 1};
    cim::SubmittedQuery& query = image.queries.emplace_back();
    query.task = static_cast<std::int64_t>(t);
    query.fixed = {cim::Bits(2, 2)};
    query.q = {2, cells[t]};
  }
  submission.index_tasks(ising);
  return submission;
}

cim::Returned log(const std::string& name, std::vector<cim::Shot> shots) {
  return {name, std::move(shots), {}};
}

cim::Returned report(const std::string& file, std::vector<cim::Shot> shots) {
  cim::Returned returned{"x.pdf", std::move(shots), cim::Report{}};
  returned.report->status = "成功";
  returned.report->file = file;
  returned.report->run_ms = 5.0;
  return returned;
}

// Of the matrix [-8 4; 0 -12]: x = 01, 10, 11.
const std::vector<cim::Shot> kFirst{{-16, {1, 1}}, {-12, {0, 1}}, {-8, {1, 0}}};
const std::vector<cim::Shot> kSecond{{-4, {1, 0}}, {0, {1, 1}}};
const std::vector<std::vector<float>> kTwo{{-8, 4, -12}, {-4, 4, 0}};

}  // namespace

TEST_SUITE_BEGIN("cim");

TEST_CASE("a result goes to the task that its energies prove") {
  const cim::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  const Match one = matcher.add(log("whatever.log", kSecond));
  CHECK(one.kind == Match::Kind::New);
  CHECK(one.task == 1);
  CHECK(one.remark.empty());
  const Match zero = matcher.add(log("mat1.log", kFirst));
  CHECK(zero.task == 0);
  CHECK(zero.remark == "its name says task 1, its energies prove task 0");
  CHECK(matcher.energies_verified() == 5);
}

TEST_CASE("one wrong energy refutes all of a result") {
  const cim::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  auto shots = kFirst;
  shots.back().energy += 4;
  CHECK(matcher.add(log("mat0.log", shots)).kind == Match::Kind::Refuted);
  CHECK(matcher.add(log("mat0.log", {{-16, {1, 1, 0}}})).kind == Match::Kind::Refuted);
  CHECK(matcher.energies_verified() == 0);
  CHECK(matcher.results(0).empty());
}

TEST_CASE("a log and its report are one result, another run is a duplicate") {
  const cim::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  CHECK(matcher.add(log("a.log", kFirst)).kind == Match::Kind::New);
  CHECK(matcher.add(report("0.csv", kFirst)).kind == Match::Kind::Same);
  CHECK(matcher.results(0).size() == 1);
  CHECK(matcher.results(0)[0].report->run_ms == 5.0);
  CHECK(matcher.energies_verified() == 3);
  CHECK(matcher.add(log("a.log", {kFirst[0]})).kind == Match::Kind::Duplicate);
  CHECK(matcher.results(0).size() == 2);
  CHECK(matcher.add(report("0.csv", kFirst)).kind == Match::Kind::Duplicate);
  CHECK(matcher.results(0).size() == 2);  // the same file again
}

TEST_CASE("equal tasks get results in turn") {
  const cim::Submission submission = tasks({{-8, 4, -12}, {-8, 4, -12}});
  cim::Matcher matcher(submission);
  CHECK(matcher.add(log("mat1.log", kFirst)).task == 1);
  const Match other = matcher.add(log("mat1.log", kFirst));
  CHECK(other.task == 0);
  CHECK(other.kind == Match::Kind::New);
  CHECK(other.remark.empty());
  CHECK(matcher.add(log("mat1.log", kFirst)).kind == Match::Kind::Duplicate);
}

TEST_CASE("a report of failure is mapped by its name alone") {
  const cim::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  cim::Returned failed = report("1.csv", {});
  failed.report->status = "失败";
  const Match match = matcher.add(failed);
  CHECK(match.kind == Match::Kind::Failed);
  CHECK(match.task == 1);
  CHECK(matcher.failed(1));
  failed.report->file = "77.csv";
  CHECK(matcher.add(failed).kind == Match::Kind::Refuted);
}

TEST_CASE("places in an upload count the tasks that were submitted") {
  cim::Submission submission = tasks({{-8, 4, -12}, {-8, 4, -12}, {-8, 4, -12}});
  submission.images[1].queries[0].task = 5;
  submission.images[2].queries[0].task = 9;
  submission.index_tasks(false);
  cim::Matcher matcher(submission);
  CHECK(matcher.add(log("x0-19_03.log", kFirst)).task == 9);
  CHECK(matcher.add(log("x5-19_01.log", kFirst)).task == 5);
}

TEST_CASE("Ising results count relative to the shared spin") {
  // Q = [-8 4; 0 -12] is M_01 = -1/2, field_0 = 3/2, field_1 = 5/2; -s'Ms.
  const cim::Submission submission = tasks({{-8, 4, -12}}, true);
  cim::Matcher matcher(submission);
  const double best = -2.0 * (-0.5 + 1.5 + 2.5);
  CHECK(matcher.add(log("a", {{best, {1, 1, 1}}})).kind == Match::Kind::New);
  CHECK(matcher.results(0)[0].shots[0].x == cim::Bits{1, 1});
  CHECK(matcher.add(log("b", {{best, {0, 0, 0}}})).kind == Match::Kind::Duplicate);
}

TEST_CASE("solutions are put together, by either energy") {
  cim::Submission submission = tasks(kTwo);
  submission.images[0].problem.h = {-9, -1};  // the original prefers 10
  cim::Matcher matcher(submission);
  matcher.add(log("a", kFirst));
  const auto solution = [&](std::size_t image, cim::AssembleSettings settings) {
    return cim::assemble(submission.images[image], submission, matcher, settings);
  };
  cim::Assembled best = solution(0, {});
  CHECK(best.solution.x == cim::Bits{1, 1});
  CHECK(best.solution.energy == std::vector<double>{-6});
  CHECK(best.submitted == std::vector<double>{-16});
  CHECK(best.best_is_optimal == 1);
  CHECK(best.gap == 0.0);
  best = solution(0, {.choose = cim::Choose::Original, .top = 2});
  CHECK(best.solution.x == cim::Bits{1, 0});
  CHECK(best.solution.top_count == std::vector<std::int64_t>{2});
  CHECK(best.solution.top_energy == std::vector<double>{-9, -6});
  CHECK(solution(1, {}).missing);
  const cim::Assembled exact = solution(1, {.missing = cim::Missing::Exact});
  CHECK_FALSE(exact.missing);
  CHECK(exact.solution.x == cim::Bits{1, 0});
  CHECK(exact.from == std::vector<std::int64_t>{-1});
  CHECK(exact.checked == 0);
  const cim::Assembled original = solution(1, {.missing = cim::Missing::Original});
  CHECK(original.solution.status[0] == qubo::Status::ProvedOptimal);
  CHECK(original.solution.bound[0] == original.solution.energy[0]);
}

TEST_CASE("a best solution that is not the optimum leaves a gap") {
  const cim::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  matcher.add(log("a", {kFirst[1]}));
  const cim::Assembled best =
      cim::assemble(submission.images[0], submission, matcher, {});
  CHECK(best.checked == 1);
  CHECK(best.best_is_optimal == 0);
  CHECK(best.gap == 4.0);
}

TEST_SUITE_END();
