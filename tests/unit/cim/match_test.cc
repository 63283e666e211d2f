#include "oa/cim/match.h"

#include "oa/cim/assemble.h"
#include "oa/cim/ingest_totals.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <utility>

using namespace oa;
using cim::Match;

namespace {

/// Tasks of two variables each with these cells; equal cells, equal tasks.  They are
/// numbered from 0 unless they have numbers.
machine::Submission tasks(const std::vector<std::vector<float>>& cells,
                          bool ising = false,
                          const std::vector<std::int64_t>& numbers = {}) {
  std::vector<machine::SubmittedImage> images;
  for (std::size_t t = 0; t < cells.size(); ++t) {
    machine::SubmittedImage& image = images.emplace_back();
    image.problem.m = 2;
    image.problem.n = 1;
    image.problem.d = 1;
    image.problem.j = {0, cells[t][1], cells[t][1], 0};
    image.problem.h = {cells[t][0], cells[t][2]};
    image.problem.v = {1, 1};
    machine::SubmittedQuery& query = image.queries.emplace_back();
    query.task = numbers.empty() ? static_cast<std::int64_t>(t) : numbers[t];
    query.fixed = {machine::Bits(2, 2)};
    query.q = {2, cells[t]};
  }
  machine::Submission submission = machine::submission_of(std::move(images), ising);
  submission.name = "mat";
  return submission;
}

machine::Returned log(const std::string& name, std::vector<machine::Shot> shots) {
  return {name, std::move(shots), {}};
}

machine::Returned report(const std::string& file, std::vector<machine::Shot> shots) {
  machine::Returned returned{"x.pdf", std::move(shots), machine::Report{}};
  returned.report->status = "成功";
  returned.report->file = file;
  returned.report->run_ms = 5.0;
  return returned;
}

// Energies of the matrix [-8 4; 0 -12] for x = 01, 10, 11.
const std::vector<machine::Shot> kFirst{{-16, {1, 1}}, {-12, {0, 1}}, {-8, {1, 0}}};
const std::vector<machine::Shot> kSecond{{-4, {1, 0}}, {0, {1, 1}}};
const std::vector<std::vector<float>> kTwo{{-8, 4, -12}, {-4, 4, 0}};

}  // namespace

TEST_SUITE_BEGIN("cim");

TEST_CASE("a result goes to the task that its energies prove") {
  const machine::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  const Match one = matcher.add_result(log("whatever.log", kSecond));
  CHECK(one.kind == Match::Kind::New);
  CHECK(one.task == 1);
  CHECK(one.remark.empty());
  const Match zero = matcher.add_result(log("mat1.log", kFirst));
  CHECK(zero.task == 0);
  CHECK(zero.remark.empty());
  const auto wrong = matcher.wrong_names();
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].path == "mat1.log");
  CHECK(wrong[0].named == 1);
  CHECK(wrong[0].proved == 0);
  CHECK(matcher.energies_verified() == 5);
}

TEST_CASE("one wrong energy refutes all of a result") {
  const machine::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  auto shots = kFirst;
  shots.back().energy += 4;
  CHECK(matcher.add_result(log("mat0.log", shots)).kind == Match::Kind::Refuted);
  CHECK(matcher.add_result(log("mat0.log", {{-16, {1, 1, 0}}})).kind ==
        Match::Kind::Refuted);
  CHECK(matcher.energies_verified() == 0);
  CHECK(matcher.results(0).empty());
}

TEST_CASE("energies of whole numbers are exact, others may be printed rounded") {
  const machine::Submission whole = tasks({{-8, 4, -12}});
  const machine::Submission other = tasks({{-8, 4.5, -12}});
  for (const double error : {1e-6, -1e-9, 1.5e-14}) {
    CHECK(
        cim::Matcher(whole).add_result(log("mat0.log", {{-12 + error, {0, 1}}})).kind ==
        Match::Kind::Refuted);
  }
  CHECK(cim::Matcher(other).add_result(log("mat0.log", {{-12 + 1e-9, {0, 1}}})).kind ==
        Match::Kind::New);
  CHECK(cim::Matcher(other).add_result(log("mat0.log", {{-12 + 1e-6, {0, 1}}})).kind ==
        Match::Kind::Refuted);
}

TEST_CASE("energies of several tasks prove nothing: only the name matches them") {
  const machine::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  const std::vector<machine::Shot> zero{{0, {0, 0}}};
  const Match nobody = matcher.add_result(log("whatever.log", zero));
  CHECK(nobody.kind == Match::Kind::Ambiguous);
  CHECK(nobody.remark ==
        "its energies fit several tasks, and its name does not tell which");
  CHECK(matcher.results(0).empty());
  const Match named = matcher.add_result(log("mat1.log", zero));
  CHECK(named.kind == Match::Kind::New);
  CHECK(named.task == 1);
  CHECK(named.remark == "its energies fit several tasks, its name is of task 1");
  CHECK(matcher.wrong_names().empty());
  CHECK_FALSE(matcher.results(1)[0].proved);
  // One solution with a telling energy is enough.
  auto more = zero;
  more.push_back(kFirst[1]);
  const Match proved = matcher.add_result(log("whatever.log", more));
  CHECK(proved.task == 0);
  CHECK(matcher.results(0)[0].proved);
  cim::IngestTotals account;
  account.count_tasks(submission, matcher);
  CHECK(account.by_name == 1);
  CHECK(account.received == 2);
}

TEST_CASE("zeros prove nothing even where their length fits one task only") {
  const machine::Submission submission = tasks({{-8, 4, -12}, {-8, 4, -12}});
  cim::Matcher matcher(submission);
  const std::vector<machine::Shot> zero{{0, {0, 0}}};
  CHECK(matcher.add_result(log("whatever.log", zero)).kind == Match::Kind::Ambiguous);
  CHECK(matcher.add_result(log("mat0.log", zero)).kind == Match::Kind::New);
  CHECK_FALSE(matcher.results(0)[0].proved);
  // Only equal tasks fit this solution, so it proves its task.
  CHECK(matcher.add_result(log("whatever.log", {kFirst[2]})).task == 1);
  CHECK(matcher.results(1)[0].proved);
  // For spins, this energy is that of the matrix.
  const machine::Submission spins = tasks({{-8, 4, -12}}, true);
  cim::Matcher of_spins(spins);
  const double worst = -(-0.5 * 2 - 2 * (1.5 + 2.5));
  CHECK(of_spins.add_result(log("whatever.log", {{worst, {0, 0, 1}}})).kind ==
        Match::Kind::New);
}

TEST_CASE("a log and its report are one run") {
  const machine::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  CHECK(matcher.add_result(log("a.log", kFirst)).kind == Match::Kind::New);
  CHECK(matcher.add_result(report("0.csv", kFirst)).kind == Match::Kind::More);
  REQUIRE(matcher.results(0).size() == 1);
  CHECK(matcher.results(0)[0].runs() == 1);
  CHECK(matcher.results(0)[0].copies() == 0);
  CHECK(matcher.results(0)[0].reports[0].run_ms() == 5.0);
  CHECK(matcher.energies_verified() == 3);
  // Other solutions are another run.
  CHECK(matcher.add_result(log("a.log", {kFirst[0]})).kind == Match::Kind::More);
  CHECK(matcher.results(0).size() == 2);
  CHECK(matcher.energies_verified() == 4);
}

TEST_CASE("reports tell runs with the same solutions from copies, in any order") {
  // Files: a log, or the report with that id, created at that time.
  struct File {
    std::string id;
    std::string created;
  };
  const File kLog;
  const auto counted = [&](std::vector<File> files) {
    const machine::Submission submission = tasks(kTwo);
    std::vector<std::array<std::int64_t, 3>> counts;
    for (int turn = 0; turn < 2; ++turn) {
      cim::Matcher matcher(submission);
      for (const File& file : files) {
        if (file.id.empty() && file.created.empty()) {
          matcher.add_result(log("mat0.log", kFirst));
          continue;
        }
        machine::Returned returned = report("0.csv", kFirst);
        returned.report->id = file.id;
        returned.report->created = file.created;
        matcher.add_result(std::move(returned));
      }
      cim::IngestTotals totals;
      totals.count_tasks(submission, matcher);
      counts.push_back({totals.runs, totals.copies, totals.duplicate});
      CHECK(totals.energies_verified == 3 * totals.runs);
      std::ranges::reverse(files);
    }
    CHECK(counts[0] == counts[1]);
    return counts[0];
  };
  using Counts = std::array<std::int64_t, 3>;
  CHECK(counted({kLog}) == Counts{1, 0, 0});
  CHECK(counted({kLog, kLog}) == Counts{1, 1, 1});
  CHECK(counted({kLog, {"a", "9"}, kLog, {"b", "9"}}) == Counts{2, 0, 1});
  CHECK(counted({kLog, kLog, {"a", "9"}, {"b", "9"}}) == Counts{2, 0, 1});
  CHECK(counted({{"a", "9"}, {"b", "9"}}) == Counts{2, 0, 1});
  CHECK(counted({kLog, {"a", "9"}, kLog, {"a", "9"}}) == Counts{1, 2, 2});
  CHECK(counted({{"", "9"}, {"", "10"}, {"", "9"}}) == Counts{2, 1, 2});
  CHECK(counted({kLog, kLog, kLog, {"a", "9"}, {"b", "9"}}) == Counts{2, 1, 2});
}

TEST_CASE("equal tasks get results in turn") {
  const machine::Submission submission = tasks({{-8, 4, -12}, {-8, 4, -12}});
  cim::Matcher matcher(submission);
  CHECK(matcher.add_result(log("mat1.log", kFirst)).task == 1);
  const Match other = matcher.add_result(log("mat1.log", kFirst));
  CHECK(other.task == 0);
  CHECK(other.kind == Match::Kind::New);
  CHECK(other.remark.empty());
  CHECK(matcher.add_result(log("mat1.log", kFirst)).kind == Match::Kind::More);
  // A copy of the report of one task is not a report of the other.
  machine::Returned one = report("", kFirst);
  one.report->id = "a";
  CHECK(matcher.add_result(one).task == 0);
  CHECK(matcher.add_result(one).task == 0);
  one.report->id = "b";
  CHECK(matcher.add_result(one).task == 1);
}

TEST_CASE("a report of a failure is matched by its name only") {
  const machine::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  machine::Returned failed = report("1.csv", {});
  failed.report->status = "失败";
  const Match match = matcher.add_result(failed);
  CHECK(match.kind == Match::Kind::Failed);
  CHECK(match.task == 1);
  CHECK(matcher.failed(1));
  failed.report->file = "77.csv";
  CHECK(matcher.add_result(failed).kind == Match::Kind::Refuted);
}

TEST_CASE("a glance refutes no solution of its task") {
  // Some energies of these are odd multiples of 4, and some are not.
  for (const bool ising : {false, true}) {
    const machine::Submission submission = tasks(
        {{-8, 8, -12}, {-4, -16, 4}, {12, 0, -20}, {-8, 4, -12}, {0.5, 8, 4}}, ising);
    std::vector<int> ones;
    int refuted = 0;
    for (const machine::Task& task : submission.tasks) {
      CHECK(task.even == (task.number < 3));
      for (const machine::Bits& x : {machine::Bits{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
        const double energy = machine::task_energy(submission, task, x, ones);
        CHECK(machine::may_have(task, energy, x));
        refuted += machine::may_have(task, energy + 4.0, x) ? 0 : 1;
      }
    }
    CHECK(refuted == 12);
  }
}

TEST_CASE("places in an upload count the tasks that were submitted") {
  const machine::Submission submission =
      tasks({{-8, 4, -12}, {-8, 4, -12}, {-8, 4, -12}}, false, {0, 5, 9});
  cim::Matcher matcher(submission);
  CHECK(matcher.add_result(log("x0-19_03.log", kFirst)).task == 9);
  CHECK(matcher.add_result(log("x5-19_01.log", kFirst)).task == 5);
}

TEST_CASE("names of an upload that fills gaps are right if tasks rise with places") {
  const std::vector<std::vector<float>> cells{
      {-8, 4, -12}, {-4, 4, 0}, {-16, 4, -12}, {-20, 4, -12}, {-24, 4, -12}};
  const machine::Submission submission = tasks(cells);
  // How many names are wrong if x0-3_<place>.log proves to be the result of a task.
  const auto wrong = [&](const std::vector<std::pair<int, std::size_t>>& results) {
    cim::Matcher matcher(submission);
    for (const auto& [place, t] : results) {
      const double energy{cells[t][0]};
      const Match match = matcher.add_result(
          log("r/x0-3_0" + std::to_string(place) + ".log", {{energy, {1, 0}}}));
      CHECK(match.task == static_cast<std::int64_t>(t));
    }
    return matcher.wrong_names().size();
  };
  CHECK(wrong({{1, 0}, {2, 1}, {3, 2}, {4, 3}}) == 0);  // the whole upload
  CHECK(wrong({{1, 0}, {4, 3}}) == 0);
  CHECK(wrong({{3, 3}, {1, 0}, {2, 2}}) == 0);  // of 0, 2 and 3
  CHECK(wrong({{2, 2}}) == 0);
  CHECK(wrong({{1, 2}}) == 1);                          // the first is 0
  CHECK(wrong({{3, 1}}) == 1);                          // two tasks come before
  CHECK(wrong({{2, 4}}) == 1);                          // beyond the last
  CHECK(wrong({{1, 0}, {2, 2}, {3, 1}, {4, 3}}) == 2);  // in another order
  CHECK(wrong({{1, 0}, {2, 3}, {3, 2}, {4, 1}}) == 2);
}

TEST_CASE("among equal tasks the one that the name may mean gets the result") {
  const machine::Submission submission =
      tasks({{-8, 4, -12}, {-4, 4, 0}, {-8, 4, -12}});
  cim::Matcher matcher(submission);
  CHECK(matcher.add_result(log("x1-2_02.log", kFirst)).task == 2);
  CHECK(matcher.wrong_names().empty());
}

TEST_CASE("Ising results count relative to the shared spin") {
  // Q = [-8 4; 0 -12] is M_01 = -1/2, field_0 = 3/2, field_1 = 5/2; -s'Ms.
  const machine::Submission submission = tasks({{-8, 4, -12}}, true);
  cim::Matcher matcher(submission);
  const double best = -2.0 * (-0.5 + 1.5 + 2.5);
  CHECK(matcher.add_result(log("a", {{best, {1, 1, 1}}})).kind == Match::Kind::New);
  CHECK(matcher.results(0)[0].shots.x(0) == machine::Bits{1, 1});
  CHECK(matcher.add_result(log("b", {{best, {0, 0, 0}}})).kind == Match::Kind::More);
}

TEST_CASE("solutions are put together, by either energy") {
  const machine::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  matcher.add_result(log("a", kFirst));
  const auto solution = [&](std::size_t image, cim::AssembleSettings settings) {
    machine::SubmittedImage submitted = submission.store->image(image);
    if (image == 0) {
      submitted.problem.h = {-9, -1};  // the original prefers 10
    }
    return cim::assemble(submitted, submission, matcher, settings);
  };
  cim::Assembled best = solution(0, {});
  CHECK(best.solution.x == machine::Bits{1, 1});
  CHECK(best.solution.energy == std::vector<double>{-6});
  CHECK(best.submitted == std::vector<double>{-16});
  REQUIRE(best.tasks.size() == 1);
  CHECK(best.tasks[0].checked());
  CHECK(best.tasks[0].submitted_gap == 0.0);
  CHECK(best.tasks[0].energy == -6.0);
  CHECK(best.tasks[0].bound == -9.0);
  CHECK(best.tasks[0].gap == 3.0);
  best = solution(0, {.choose = cim::Choose::Original, .top = 2});
  CHECK(best.solution.x == machine::Bits{1, 0});
  CHECK(best.solution.top_count == std::vector<std::int64_t>{2});
  CHECK(best.solution.top_energy == std::vector<double>{-9, -6});
  CHECK(solution(1, {}).missing);
  const cim::Assembled exact = solution(1, {.missing = cim::Missing::Exact});
  CHECK_FALSE(exact.missing);
  CHECK(exact.solution.x == machine::Bits{1, 0});
  CHECK(exact.from == std::vector<std::int64_t>{-1});
  CHECK(exact.tasks[0].runs == 0);
  const cim::Assembled original = solution(1, {.missing = cim::Missing::Original});
  CHECK(original.solution.status[0] == qubo::Status::ProvedOptimal);
  CHECK(original.solution.bound[0] == original.solution.energy[0]);
}

TEST_CASE("a best solution that is not the optimum leaves a gap") {
  const machine::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  matcher.add_result(log("a", {kFirst[1]}));
  const cim::Assembled best =
      cim::assemble(submission.store->image(0), submission, matcher, {});
  REQUIRE(best.tasks.size() == 1);
  CHECK(best.tasks[0].checked());
  CHECK(best.tasks[0].submitted_gap == 4.0);
  CHECK(best.tasks[0].runs == 1);
  CHECK(best.tasks[0].hits == 0);
}

TEST_CASE("hits are the runs that returned an optimum") {
  const machine::Submission submission = tasks(kTwo);
  cim::Matcher matcher(submission);
  for (const char* id : {"a", "b", "a"}) {
    machine::Returned hit = report("0.csv", kFirst);
    hit.report->id = id;
    matcher.add_result(std::move(hit));
  }
  matcher.add_result(log("a", {kFirst[1]}));
  const cim::Assembled all =
      cim::assemble(submission.store->image(0), submission, matcher, {});
  REQUIRE(all.tasks.size() == 1);
  CHECK(all.tasks[0].runs == 3);
  CHECK(all.tasks[0].hits == 2);
  CHECK(all.tasks[0].submitted_gap == 0.0);
}

TEST_CASE("a refusal names the wrong energy") {
  const auto remark = [](const std::vector<std::vector<float>>& cells,
                         const std::string& name,
                         std::vector<machine::Shot> shots) {
    const machine::Submission submission = tasks(cells);
    return cim::Matcher(submission).add_result(log(name, std::move(shots))).remark;
  };
  auto shots = kFirst;
  shots[1].energy = -999999;
  CHECK(remark(kTwo, "mat0.log", shots) ==
        "result 1 states -999999, but its solution has -12 in task 0");
  CHECK(remark(kTwo, "x.log", shots) ==
        "its energies fit no task of 2 variables (packed with other options?)");
  CHECK(remark({kTwo[0]}, "x.log", {shots[1]}) ==
        "result 0 states -999999, but its solution has -12 in task 0 (packed with "
        "other options?)");
  CHECK(remark(kTwo, "mat0.log", {{0, {1, 0, 1}}}) ==
        "its solutions have 3 variables, and no task has as many (packed with other "
        "options?)");
}

TEST_SUITE_END();
