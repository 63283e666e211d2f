#include "oa/io/machine/cim_log.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

using namespace oa;

namespace {

std::string why_not(const std::string& text) {
  return test::message_of<InputError>([&] { (void)io::read_cim_log(text, "a.log"); });
}

std::string shot(const std::string& energy, const std::string& vector) {
  return R"([{"quboValue": )" + energy + R"(, "solutionVector": )" + vector + "}]";
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a log is read despite unknown lines") {
  const auto shots = io::read_cim_log(
      R"([{"result": 1, "maxcutValue": 3.5, "quboValue": -8, "solutionVector": [0, 1.0]},
          {"more": {"deep": [1, {"quboValue": 7}]}, "solutionVector": [1,1], "quboValue": 4e1}])",
      "a.log");
  REQUIRE(shots.size() == 2);
  CHECK(shots[0] == machine::Shot{-8.0, {0, 1}});
  CHECK(shots[1] == machine::Shot{40.0, {1, 1}});
}

TEST_CASE("a log with other line ends and a byte order mark") {
  CHECK(io::read_cim_log("\xef\xbb\xbf" + shot("\r1", "[1,\r0]\r"), "a")[0].x ==
        machine::Bits{1, 0});
}

TEST_CASE("written values read back equal") {
  const std::vector<machine::Shot> shots{{-1176.0, {0, 1, 1}}, {0.5, {1, 1, 0}}};
  CHECK(io::read_cim_log(io::cim_log_text(shots, false), "a") == shots);
  CHECK(io::read_cim_log(io::cim_log_text(shots, true), "a") == shots);
  CHECK(io::cim_log_text({{-12, {0, 1}}}, false) ==
        R"([{"result": 0, "quboValue": -12.0, "solutionVector": [0, 1]}])");
}

TEST_CASE("each fault of a log has its own message") {
  CHECK(why_not("") == "a.log: not JSON at byte 1");
  CHECK(why_not("[{") == "a.log: not JSON at byte 3");
  CHECK(why_not(shot("1", "[1]") + '\0' + "?") ==
        "a.log: not text (it holds a NUL byte)");
  CHECK(why_not("{}") == "a.log: a JSON object (expected an array of solutions)");
  CHECK(why_not("[]") == "a.log: no solutions");
  CHECK(why_not("7") == "a.log: no array of solutions (expected objects)");
  CHECK(why_not("[[1]]") ==
        "a.log: an array in the array (expected solutions, which are objects)");
  CHECK(why_not(shot("1e999", "[1]")) == "a.log: a number too large");
  CHECK(why_not(shot("\"1\"", "[1]")) ==
        "a.log: solution 0: quboValue is not a number");
  CHECK(why_not(shot("1", "[2]")) ==
        "a.log: solution 0: solutionVector holds 2 (expected 0, 1 or -1)");
  CHECK(
      why_not(shot("1", "[null]")) ==
      "a.log: solution 0: solutionVector holds a value that is not a number (expected "
      "0, 1 or -1)");
  CHECK(why_not(shot("1", "[]")) == "a.log: solution 0: no solutionVector");
  CHECK(why_not("[{\"solutionVector\": [1]}]") == "a.log: solution 0: no quboValue");
  CHECK(why_not(shot("1", "[0,-1]")) ==
        "a.log: solution 0: solutionVector mixes 0 and -1");
  CHECK(why_not(shot("1", "[[1]]")) ==
        "a.log: an array in solutionVector (expected numbers)");
  CHECK(
      why_not(
          R"([{"quboValue":1,"solutionVector":[1]},{"quboValue":1,"solutionVector":[1,0]}])") ==
      "a.log: solution 1: 2 variables, but solution 0 has 1");
}

TEST_CASE("a repeated key in an object is refused at any depth") {
  const std::string twice = "a.log: solution 0: '";
  CHECK(why_not(R"([{"quboValue": -8, "quboValue": 0, "solutionVector": [0]}])") ==
        twice + "quboValue' twice in an object");
  CHECK(
      why_not(R"([{"quboValue": 0, "solutionVector": [1], "solutionVector": [0]}])") ==
      twice + "solutionVector' twice in an object");
  CHECK(why_not(
            R"([{"result": 0, "quboValue": 0, "solutionVector": [0], "result": 1}])") ==
        twice + "result' twice in an object");
  CHECK(
      why_not(R"([{"a": {"b": 1, "b": 2}, "quboValue": 0, "solutionVector": [0]}])") ==
      twice + "b' twice in an object");
  CHECK(
      io::read_cim_log(
          R"([{"a": {"quboValue": 1}, "b": {"quboValue": 1}, "quboValue": 0, "solutionVector": [0]}])",
          "a")
          .size() == 1);
}

TEST_CASE("depth and length are bounded") {
  CHECK(why_not("[" + test::repeated("{\"a\":", 1'000'000)) ==
        "a.log: JSON of over 8 levels");
  CHECK(why_not(shot("1", "[" + test::repeated("1,", 70'000) + "1]")) ==
        "a.log: solution 0: over 65536 variables");
  CHECK(why_not("[" +
                test::repeated(R"({"quboValue":1,"solutionVector":[1]},)", 10'001) +
                "1]") == "a.log: over 10000 solutions");
}

TEST_SUITE_END();
