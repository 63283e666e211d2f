#include "oa/attention/kind.h"
#include "oa/plot/look.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;

TEST_SUITE_BEGIN("attention");

TEST_CASE("every kind has a family, which figures can name in Chinese") {
  for (const attention::Kind* kind : attention::all_kinds()) {
    const std::string name(kind->name);
    CAPTURE(name);
    CHECK(attention::family_of(name) != "other");
    CHECK_FALSE(plot::chinese(attention::family_of(name)).empty());
  }
  CHECK(attention::family_of("nothing") == "other");
  CHECK_FALSE(plot::chinese("other").empty());
}

TEST_SUITE_END();
