#include "oa/machine/result.h"

#include <doctest/doctest.h>

using namespace oa;
using machine::NamedTask;
using machine::task_named;

TEST_SUITE_BEGIN("machine");

TEST_CASE("packed solutions unpack to the same values") {
  std::vector<machine::Shot> shots;
  for (int k = 0; k < 3; ++k) {
    machine::Shot& shot = shots.emplace_back();
    shot.energy = k == 0 ? -0.0 : 0.1 * k;
    for (int i = 0; i < 17; ++i) {
      shot.x.push_back(i % (k + 2) == 0 ? 1 : 0);
    }
  }
  const machine::PackedShots packed(shots);
  REQUIRE(packed.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(packed.x(static_cast<std::int64_t>(k)) == shots[k].x);
  }
  CHECK(packed == machine::PackedShots(shots));
  shots[0].energy = 0.0;  // the same energy
  CHECK(packed == machine::PackedShots(shots));
  shots[2].x[16] ^= 1U;
  CHECK_FALSE(packed == machine::PackedShots(shots));
  shots[2].x[16] ^= 1U;
  shots[1].energy += 1e-12;
  CHECK_FALSE(packed == machine::PackedShots(shots));
  CHECK_FALSE(packed == machine::PackedShots());
  CHECK(machine::PackedShots() == machine::PackedShots(std::vector<machine::Shot>{}));
}

TEST_CASE("names of files give tasks") {
  CHECK(task_named("12.csv", "mat") == NamedTask{12, 0});
  CHECK(task_named("mat/12.csv", "") == NamedTask{12, 0});
  CHECK(task_named("r/mat7.log", "mat") == NamedTask{7, 0});
  CHECK(task_named("a.zip:r\\Some_Name20-39_05.pdf", "mat") == NamedTask{20, 5, 39});
  CHECK(task_named("OptimizingAttention0-19_20.log", "x") == NamedTask{0, 20, 19});
}

TEST_CASE("names that give no task") {
  for (const char* name : {"file12.log",
                           "mat.log",
                           "12a.csv",
                           "x0-19_21.log",
                           "x0-19_00.log",
                           "x19-0_01.log",
                           "0-19.log",
                           "_01.log",
                           "",
                           "99999999999999999999.csv",
                           "x0-_1.log"}) {
    CAPTURE(name);
    CHECK_FALSE(task_named(name, "mat"));
  }
}

TEST_CASE("times are read, and their distance is that of the clock") {
  CHECK(machine::parse_time("1970-01-02 00:00:01") == 86401);
  CHECK_FALSE(machine::parse_time("2025-02-30 00:00:00"));
  CHECK_FALSE(machine::parse_time("2025-02-03"));
  CHECK_FALSE(machine::parse_time("2025-02-03T00:00:00"));
  machine::Report report;
  CHECK_FALSE(machine::Run(report).queue_s());
  report.created = "2025-06-16 23:59:43";
  report.finished = "2025-06-17 00:10:03";
  CHECK(machine::Run(report).queue_s() == 620.0);
}

TEST_SUITE_END();
