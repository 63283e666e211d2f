#include "cli/progress.h"

#include "oa_test.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace oa;
using cli::progress_line;

TEST_SUITE_BEGIN("cli");

TEST_CASE("a line shows the amount done, the rate and the time left") {
  CHECK(progress_line("oa-x: solving", 2500, 10000, 5.0, "") ==
        "oa-x: solving  2,500/10,000  25%  500/s  0:15 left");
  CHECK(progress_line("oa-x: solving", 1, 4, 2.0, "loss 0.5") ==
        "oa-x: solving  1/4  25%  0.50/s  0:06 left  loss 0.5");
  CHECK(progress_line("w", 1000000, 8201000, 1000.0, "") ==
        "w  1,000,000/8,201,000  12%  1,000/s  2:00:01 left");
  CHECK(progress_line("w", 60, 121, 60.0, "") == "w  60/121  49%  1.00/s  1:01 left");
}

TEST_CASE("a narrow terminal gets whole fields, not parts of numbers") {
  const std::string line = "oa-x: solving  2,500/10,000  25%  500/s  0:15 left";
  CHECK(cli::whole_fields(line, 80) == line);
  CHECK(cli::whole_fields(line, line.size()) == line);
  CHECK(cli::whole_fields(line, line.size() - 1) ==
        "oa-x: solving  2,500/10,000  25%  500/s");
  CHECK(cli::whole_fields(line, 38) == "oa-x: solving  2,500/10,000  25%");
  CHECK(cli::whole_fields(line, 39) == "oa-x: solving  2,500/10,000  25%  500/s");
  CHECK(cli::whole_fields(line, 5) == "oa-x:");
}

TEST_CASE("without a total there is neither share nor time left") {
  CHECK(progress_line("reading", 1234, 0, 2.0, "") == "reading  1,234  617/s");
}

TEST_CASE("at the beginning no time left is shown") {
  CHECK(progress_line("w", 0, 10, 0.0, "") == "w  0/10  0%  0.00/s");
  CHECK(progress_line("w", 0, 10, 3.0, "") == "w  0/10  0%  0.00/s");
}

TEST_CASE("absurd numbers still give a line") {
  // More done than announced: no time is left, and never a negative one.
  CHECK(progress_line("w", 12, 10, 1.0, "") == "w  12/10  100%  12/s  0:00 left");
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  CHECK(progress_line("w", 1, kMax, 1e6, "")
            .starts_with("w  1/9,223,372,036,854,775,807  0%  0.00/s"));
  CHECK(progress_line("w", kMax, kMax, 1.0, "").find("  100%  ") != std::string::npos);
  CHECK(progress_line("w", kMax, 0, 1e-9, "").starts_with("w  9,223,"));
}

TEST_SUITE_END();
