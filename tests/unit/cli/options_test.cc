#include "cli/options.h"

#include "cli/cli.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

using namespace oa;

namespace {

/// The parser's message for these arguments; empty if it accepts them.
std::string parse(cli::App& app, const std::vector<std::string>& arguments) {
  try {
    app.parse(arguments);
  } catch (const app::UsageError& error) {
    return error.what();
  }
  return {};
}

struct Everything {
  app::Common common;
  std::string file = "-";
  cli::App app{"tool"};

  Everything() {
    cli::add_input(app, file, "what is read");
    cli::add_output(app, common, "where it goes");
    cli::add_threads(app, common);
    cli::add_seed(app, common);
    cli::add_json(app, common, "one object");
    cli::add_verbose(app, common, "more");
    cli::add_color(app, common);
  }
};

std::string why_not(const std::vector<std::string>& arguments) {
  Everything all;
  return parse(all.app, arguments);
}

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("options and operands come in any order and in every spelling") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"-o", "out", "-j", "3", "--seed", "9", "--json", "-v", "in"},
           {"in", "--output=out", "--threads=3", "--seed=9", "--json", "--verbose"},
           {"-vj3", "-oout", "--json", "--seed", "9", "--", "in"}}) {
    Everything all;
    REQUIRE(parse(all.app, arguments).empty());
    CHECK(all.common.output == "out");
    CHECK(all.common.threads == 3);
    CHECK(all.common.seed == 9);
    CHECK(all.common.json);
    CHECK(all.common.verbose);
    CHECK(all.file == "in");
    CHECK(all.app.input_operand->count() == 1);
  }
}

TEST_CASE("a dash is an operand, and after two dashes everything is") {
  Everything dash;
  REQUIRE(parse(dash.app, {"-"}).empty());
  CHECK(dash.file == "-");
  CHECK(dash.app.input_operand->count() == 1);
  Everything odd;
  REQUIRE(parse(odd.app, {"--", "--json"}).empty());
  CHECK(odd.file == "--json");
  CHECK_FALSE(odd.common.json);
}

TEST_CASE("an option given twice takes its last value") {
  // So a user can extend the command line of a script or an alias.
  Everything all;
  REQUIRE(
      parse(all.app,
            {"-o", "a", "--seed", "1", "--output", "b", "--seed=2", "--json", "--json"})
          .empty());
  CHECK(all.common.output == "b");
  CHECK(all.common.seed == 2);
  CHECK(all.common.json);
}

TEST_CASE("numbers out of range are refused by name, value and range") {
  const std::string threads = "--threads: '";
  for (const std::string bad :
       {"0", "4097", "-1", "two", "1.5", "", "0x4", "99999999999999999999"}) {
    CAPTURE(bad);
    CHECK(why_not({"--threads", bad}) ==
          threads + bad + "' (expected a whole number from 1 to 4096)");
  }
  for (const std::string bad :
       {"-1", "x", "1.5", "18446744073709551616", "9223372036854775808", " 1", ""}) {
    CAPTURE(bad);
    CHECK_FALSE(why_not({"--seed", bad}).empty());
  }
  Everything all;
  CHECK(parse(all.app, {"--seed", "9223372036854775807"}).empty());
  CHECK(all.common.seed == 9223372036854775807U);
}

TEST_CASE("a wrong choice is refused with the list of choices") {
  CHECK(why_not({"--color", "pink"}) == "--color: 'pink' (expected auto|always|never)");
  CHECK(why_not({"--color"}).find("--color") != std::string::npos);
}

TEST_CASE("an undeclared option is refused") {
  CHECK(why_not({"--bogus"}).find("--bogus") != std::string::npos);
  CHECK(why_not({"a", "b"}).find("b") != std::string::npos);
  CHECK(why_not({"--jso"}).find("--jso") != std::string::npos);  // no abbreviations
}

TEST_CASE("at_least and between say what they expect") {
  const auto says = [](const cli::Check& check, const std::string& text) {
    return check.refusal(text);
  };
  CHECK(says(cli::at_least(0), "0").empty());
  CHECK(says(cli::at_least(0), "+7").empty());
  CHECK(says(cli::at_least(0), "9223372036854775807").empty());
  CHECK(says(cli::at_least(2), "1") == "'1' (expected a whole number of at least 2)");
  CHECK(says(cli::between(-3, 4), "-3").empty());
  CHECK(says(cli::between(-3, 4), "4").empty());
  CHECK(says(cli::between(-3, 4), "5") == "'5' (expected a whole number from -3 to 4)");
}

TEST_CASE("colour follows the option, then NO_COLOR, then the terminal") {
  const io::Output file("/dev/null");
  app::Common common;
  ::unsetenv("NO_COLOR");
  CHECK_FALSE(app::use_color(common, file));
  common.color = "always";
  CHECK(app::use_color(common, file));
  ::setenv("NO_COLOR", "1", 1);
  CHECK(app::use_color(common, file));
  common.color = "never";
  CHECK_FALSE(app::use_color(common, file));
  ::unsetenv("NO_COLOR");
}

TEST_SUITE_END();
