#include "oa/base/field_table.h"

#include "oa_test.h"

#include <doctest/doctest.h>

#include <array>

using namespace oa;

namespace {

enum class Heat { Top, Bottom };

struct Fan {
  double speed = 0.5;
};

struct Oven {
  int degrees = 180;
  std::int64_t serial = 1;
  bool light = false;
  Heat heat = Heat::Bottom;
  std::string dish = "pie";
  Fan fan{};
};

}  // namespace

template <>
struct oa::EnumNames<Heat> {
  static constexpr std::array kAll{"top", "bottom"};
};

namespace {

constexpr std::array kFields{
    field<&Oven::degrees>("degrees", "How hot", {.range = {.low = 1, .high = 300}}),
    field<&Oven::serial>(
        "serial", "Number", {.range = {.low = 0}, .no_option = "it is engraved"}),
    field<&Oven::light>("inner_light", "Whether one sees the dish"),
    field<&Oven::heat>(
        "heat", "From where", {.option = "--from", .value_name = "WHERE"}),
    field<&Oven::dish>("dish",
                       "What is baked",
                       {.choices =
                            [] {
                              return std::vector<std::string>{"pie", "bread"};
                            }}),
    field<&Oven::fan, &Fan::speed>("speed", "Of the fan"),
};
constexpr FieldTable<Oven> kTable{"oven.", kFields};

std::string why(const std::map<std::string, std::string>& metadata) {
  return test::message_of<InputError>([&] {
    Oven oven;
    kTable.parse(metadata, "f", oven);
    kTable.check(oven, "f");
  });
}

}  // namespace

TEST_SUITE_BEGIN("base");

TEST_CASE("a table writes and reads every field, also one of a struct in the struct") {
  const Oven oven{.degrees = 220,
                  .serial = 7,
                  .light = true,
                  .heat = Heat::Top,
                  .dish = "bread",
                  .fan = {.speed = 0.25}};
  const auto metadata = kTable.describe(oven);
  CHECK(metadata == std::map<std::string, std::string>{{"oven.degrees", "220"},
                                                       {"oven.serial", "7"},
                                                       {"oven.inner_light", "true"},
                                                       {"oven.heat", "top"},
                                                       {"oven.dish", "bread"},
                                                       {"oven.speed", "0.25"}});
  Oven read;
  kTable.parse(metadata, "f", read);
  CHECK(kTable.describe(read) == metadata);
}

TEST_CASE(
    "fields that are missing stay as they are, and other keys are not looked at") {
  Oven oven;
  oven.degrees = 220;
  kTable.parse({{"degrees", "9"}, {"other.degrees", "9"}}, "f", oven);
  CHECK(oven.degrees == 220);
}

TEST_CASE("an invalid value is refused by its key, a number out of range by its name") {
  CHECK(why({{"oven.degrees", "hot"}}) == "f: metadata oven.degrees is 'hot'");
  CHECK(why({{"oven.inner_light", "1"}}) == "f: metadata oven.inner_light is '1'");
  CHECK(why({{"oven.heat", "side"}}) == "f: metadata oven.heat is 'side'");
  CHECK(why({{"oven.degrees", "301"}}) == "f: degrees is 301 (expected 1 to 300)");
  CHECK(why({{"oven.serial", "-1"}}) == "f: serial is -1 (expected at least 0)");
}

TEST_CASE("a value of an option is refused with what is expected") {
  CHECK(kFields[0].refusal("300").empty());
  CHECK(kFields[0].refusal("0") == "'0' (expected a whole number from 1 to 300)");
  CHECK(kFields[0].refusal("1.5") == "'1.5' (expected a whole number from 1 to 300)");
  CHECK(kFields[2].refusal("yes") == "'yes' (expected true|false)");
  CHECK(kFields[3].refusal("side") == "'side' (expected top|bottom)");
  CHECK(kFields[4].refusal("soup") == "'soup' (expected pie|bread)");
  CHECK(kFields[4].refusal("bread").empty());
  CHECK(kFields[5].refusal("-1e9").empty());
  CHECK(kFields[5].refusal("fast") == "'fast' (expected a number)");
}

TEST_CASE("names of an option and of its value follow from the field, unless set") {
  CHECK(kFields[0].option_name() == "--degrees");
  CHECK(kFields[0].value_name == "N");
  CHECK(kFields[1].option_name().empty());
  CHECK(kFields[2].option_name() == "--inner-light");
  CHECK(kFields[2].value_name == "BOOL");
  CHECK(kFields[3].option_name() == "--from");
  CHECK(kFields[3].value_name == "WHERE");
  CHECK(kFields[4].value_name == "KIND");
  CHECK(kFields[5].value_name == "X");
}

TEST_SUITE_END();
