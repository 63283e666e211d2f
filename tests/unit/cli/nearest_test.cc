#include "cli/nearest.h"

#include <doctest/doctest.h>

using namespace oa;

TEST_SUITE_BEGIN("cli");

TEST_CASE("an option is suggested for one that was nearly typed") {
  const std::vector<std::string> names{"--epochs",
                                       "--seed",
                                       "--head",
                                       "--time-limit",
                                       "--threads",
                                       "--target",
                                       "--trace"};
  CHECK(cli::nearest("--epoch", names) == "--epochs");
  CHECK(cli::nearest("--sede", names) == "--seed");
  CHECK(cli::nearest("--timelimit", names) == "--time-limit");
  CHECK(cli::nearest("--time", names) == "--time-limit");
  CHECK(cli::nearest("--tagret", names) == "--target");
  CHECK(cli::nearest("--steed", names) == "--seed");
  CHECK(cli::nearest("--t", names).empty());
  CHECK(cli::nearest("--bogus", names).empty());
  CHECK(cli::nearest(std::string(1000, 'x'), names).empty());
}

TEST_SUITE_END();
