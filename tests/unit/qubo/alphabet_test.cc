#include "oa/qubo/alphabet.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

using namespace oa;

TEST_SUITE("qubo") {
  TEST_CASE("levels of an alphabet and their values") {
    const qubo::Alphabet spins{-3.0, 3.0, 4};
    CHECK(spins.text() == "-3, -1, 1, 3");
    for (int level = 0; level < 4; ++level) {
      CHECK(spins.level_of(spins.value(level)) == level);
    }
    CHECK_FALSE(spins.level_of(0.0));
    CHECK_FALSE(spins.level_of(5.0));
    CHECK_FALSE(spins.level_of(-5.0));
    const qubo::Alphabet thirds{0.0, 1.0, 4};
    CHECK(thirds.level_of(static_cast<double>(1.0F / 3.0F)) == 1);
    CHECK_FALSE(thirds.level_of(0.34));
  }
  TEST_CASE("neighbours differ in one bit of their Gray codes") {
    for (int level = 1; level < 16; ++level) {
      CHECK(qubo::gray_distance(level - 1, level) == 1);
    }
    CHECK(qubo::gray_distance(0, 2) == 2);
    CHECK(qubo::gray_distance(0, 3) == 1);
    CHECK(qubo::gray_distance(5, 5) == 0);
    CHECK(qubo::bits_of({0.0, 1.0, 2}) == 1);
    CHECK(qubo::bits_of({0.0, 1.0, 5}) == 3);
    CHECK(qubo::bits_of({-15.0, 15.0, 16}) == 4);
  }
  TEST_CASE("an alphabet is read from the metadata it wrote") {
    const qubo::Alphabet symbols{-3.0, 3.0, 4, true};
    const auto read = qubo::parse_alphabet(qubo::describe(symbols), 4, "file");
    REQUIRE(read);
    CHECK(read->text() == symbols.text());
    CHECK(read->complex);
    CHECK_FALSE(qubo::parse_alphabet({{"oa.attention", "softmax"}}, 2, "file"));
    auto metadata = qubo::describe(symbols);
    metadata["oa.highest"] = "-4";
    CHECK(test::message_of<InputError>([&] {
            (void)qubo::parse_alphabet(metadata, 4, "file");
          }) == "file: oa.lowest is -3 (expected less than oa.highest, -4)");
    metadata.erase("oa.highest");
    CHECK(test::message_of<InputError>([&] {
            (void)qubo::parse_alphabet(metadata, 4, "file");
          }) == "file: its metadata have no valid oa.highest");
  }
}
