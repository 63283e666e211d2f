#include "oa/base/nearest.h"

#include <doctest/doctest.h>

using namespace oa;

TEST_SUITE_BEGIN("base");

TEST_CASE("an option is suggested for one that was nearly typed") {
  const std::vector<std::string> names{"--epochs",
                                       "--seed",
                                       "--head",
                                       "--time-limit",
                                       "--threads",
                                       "--target",
                                       "--trace"};
  CHECK(nearest("--epoch", names) == "--epochs");
  CHECK(nearest("--sede", names) == "--seed");
  CHECK(nearest("--timelimit", names) == "--time-limit");
  CHECK(nearest("--time", names) == "--time-limit");
  CHECK(nearest("--tagret", names) == "--target");
  CHECK(nearest("--steed", names) == "--seed");
  CHECK(nearest("--t", names).empty());
  CHECK(nearest("--bogus", names).empty());
  CHECK(nearest(std::string(1000, 'x'), names).empty());
}

TEST_CASE("an option is suggested for its name in other programs") {
  const std::vector<std::string> names{"--lr", "--batch", "--schedule", "--threads"};
  const std::vector<std::string> descriptions{"Learning rate",
                                              "Images per step",
                                              "How the learning rate falls",
                                              "Threads to use"};
  const auto meant = [&](const char* word) {
    return nearest_option(word, names, descriptions);
  };
  CHECK(meant("--learning-rate") == "--lr");
  CHECK(meant("--batch-size") == "--batch");
  CHECK(meant("--num-threads") == "--threads");
  CHECK(meant("--batsh") == "--batch");
  CHECK(meant("--rate-of-learning").empty());
  CHECK(meant("--").empty());
}

TEST_SUITE_END();
