#include "oa/io/machine/cim_report.h"

#include "oa/base/error.h"
#include "oa/io/machine/report_pdf.h"
#include "oa_test.h"

#include <doctest/doctest.h>

using namespace oa;

namespace {

machine::Report sample() {
  machine::Report report;
  report.status = "成功";
  report.created = "2025-06-16 14:27:43";
  report.finished = "2025-06-16 14:35:58";
  report.name = "Name0-19_01";
  report.id = "abc2";
  report.machine = "CPQC-1";
  report.file = "0.csv";
  report.run_ms = 5.359;
  return report;
}

std::string text_of(const machine::Report& report,
                    const std::vector<machine::Shot>& shots) {
  std::string text;
  for (const std::string& line : io::report_lines(report, shots, false)) {
    text += line + "\n";
  }
  return text;
}

const std::vector<machine::Shot> kShots{{-8.0, {1, 0}}, {4.0, {1, 1}}};

std::string why_not(const std::string& text) {
  return test::message_of<InputError>(
      [&] { (void)io::read_cim_report(text, "a.pdf"); });
}

/// The text of the sample with `what` in place of `part`.
std::string with(const std::string& part, const std::string& what) {
  std::string text = text_of(sample(), kShots);
  text.replace(text.find(part), part.size(), what);
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("written values read back equal") {
  const machine::Returned read =
      io::read_cim_report(text_of(sample(), kShots), "a.pdf");
  REQUIRE(read.report);
  CHECK(read.report->succeeded());
  CHECK(machine::Run(*read.report).queue_s() == 495.0);
  CHECK(text_of(*read.report, read.shots) == text_of(sample(), kShots));
  CHECK(read.shots == kShots);
}

TEST_CASE("a table read across, spaces, narrow colons, and a page in between") {
  const machine::Returned read = io::read_cim_report(
      "  任务状态     创建时间     结束时间 \n\n   成功   2025-06-16 14:27:43   "
      "2025-06-16 14:35:58\n任务名称: n0-1_02\n运行时长: 0.2s\n"
      "结果1 : QUBO值 = -8.0\n[0, 1,\f 1,\n 0]\n",
      "a.pdf");
  CHECK(read.report->succeeded());
  CHECK(read.report->finished == "2025-06-16 14:35:58");
  CHECK(read.report->name == "n0-1_02");
  CHECK(read.report->run_ms == 200.0);
  CHECK(read.shots == std::vector<machine::Shot>{{-8.0, {0, 1, 1, 0}}});
}

TEST_CASE("a report of failure has no solutions") {
  machine::Report failed = sample();
  failed.status = "失败";
  failed.run_ms.reset();
  const machine::Returned read = io::read_cim_report(text_of(failed, {}), "a.pdf");
  CHECK_FALSE(read.report->succeeded());
  CHECK(read.report->file == "0.csv");
  CHECK(read.shots.empty());
}

TEST_CASE("each fault of a report has its own message") {
  CHECK(why_not("some text") ==
        "a.pdf: not a report of a task (expected the label 任务状态)");
  CHECK(why_not("任务状态\n创建时间") == "a.pdf: a report without a status");
  CHECK(why_not(text_of(sample(), {})) ==
        "a.pdf: a report of success without solutions");
  CHECK(why_not(with("5.3590ms", "soon")) ==
        "a.pdf: run time 'soon' (expected such as 5.3590ms)");
  CHECK(why_not(with("= -8.0", "= much")) == "a.pdf: an energy that is not a number");
  CHECK(why_not(with("= -8.0", " -8.0")) == "a.pdf: a solution without an energy");
  CHECK(why_not(with("[1, 0]", "[1, 2]")) ==
        "a.pdf: a solution with other values than 0, 1 and -1");
  CHECK(why_not(with("[1, 0]", "[]")) == "a.pdf: an empty solution");
  CHECK(why_not(with("[1, 0]", "[1]")) == "a.pdf: solutions of different length");
  const std::string whole = text_of(sample(), kShots);
  CHECK(why_not(whole.substr(0, whole.rfind(']'))) ==
        "a.pdf: a solution without an end");
  CHECK(why_not(whole.substr(0, whole.rfind('['))) ==
        "a.pdf: an energy without a solution");
}

TEST_CASE("the PDF has a page for every 52 lines, at the offsets that it says") {
  const std::vector<machine::Shot> many(40, kShots[0]);
  const std::string pdf = io::report_pdf(sample(), many, false);
  CHECK(pdf.starts_with("%PDF-1.4\n"));
  CHECK(pdf.find("/Count 2 ") != pdf.npos);
  const auto table = pdf.find("xref\n");
  REQUIRE(table != pdf.npos);
  CHECK(pdf.find("startxref\n" + std::to_string(table) + "\n") != pdf.npos);
  const auto first = pdf.substr(table + 5 + 6 + 20, 10);  // behind "0 10\n" and entry 0
  CHECK(pdf.substr(std::stoul(first), 7) == "1 0 obj");
}

TEST_SUITE_END();
