#include "cli/help.h"

#include "cli/help_pages.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace oa;

namespace {

struct Tool {
  app::Common common;
  std::string file = "-";
  double rate = 0.25;
  cli::App app{"oa-tool"};

  Tool() {
    cli::add_input(app, file, "What is read");
    app.add_option("--rate",
                   rate,
                   "Learning rate, with a description so long that it "
                   "cannot stand on one line of eighty characters")
        ->type_name("X");
    app.add_option("--a-name-that-is-very-long", rate, "Long")->type_name("VALUE");
    cli::add_output(app, common, "Where it goes");
    cli::add_threads(app, common);
    cli::add_color(app, common);
    cli::add_json(app, common, "One object");
    app.add_flag("--secret", common.quiet, "Not for people")->hide();
  }
  [[nodiscard]] std::string help() const {
    return cli::help({"oa-tool", "Does one thing well."}, app);
  }
};

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("the usage line shows required options and operands") {
  cli::App app("oa-tool");
  std::string model;
  app::Common common;
  app.add_option("MODEL", model)->required();
  cli::add_output(app, common, "Where it goes")->required();
  CHECK(cli::help({"oa-tool", "Does one thing well."}, app)
            .starts_with("Usage: oa-tool -o FILE [OPTION]... MODEL\n"));
}

TEST_CASE("help names every option with its default, and no hidden option") {
  CHECK(Tool().help() ==
        "Usage: oa-tool [OPTION]... [FILE]\n"
        "Does one thing well.\n"
        "\n"
        "  FILE                    What is read\n"
        "      --rate X            Learning rate, with a description so long that it\n"
        "                          cannot stand on one line of eighty characters\n"
        "                          (default: 0.25)\n"
        "      --a-name-that-is-very-long VALUE\n"
        "                          Long (default: 0.25)\n"
        "  -o, --output FILE       Where it goes (default: -)\n"
        "  -j, --threads N         Number of threads (default: all)\n"
        "      --color WHEN        Colour the text: auto, always or never (default: "
        "auto)\n"
        "      --json              One object\n"
        "\n"
        "Manual: man oa-tool; overview: man oa\n");
}

TEST_CASE("without groups short help has no options; both helps have examples") {
  const Tool tool;
  CHECK(cli::short_help({"oa-tool", "Does one thing well."}, tool.app) ==
        "Usage: oa-tool [OPTION]... [FILE]\n"
        "Does one thing well.\n"
        "\n"
        "All options: oa-tool --help.  Manual: man oa-tool; overview: man oa\n");
  for (auto* text : {&cli::short_help, &cli::help}) {
    CHECK(text({"oa-digits", "s"}, tool.app)
              .find("\nExamples:\n  oa-digits -o digits\n\n") != std::string::npos);
  }
}

TEST_CASE("help shows groups in their order, and short help the first group") {
  cli::App app("oa-qubo");
  std::string text;
  const cli::HelpPage& page = cli::help_page("oa-qubo");
  for (const cli::OptionGroup& group : page.groups) {
    std::istringstream names{std::string(group.names)};
    for (std::string name; names >> name;) {
      app.add_option(name, text, "About " + name);
    }
  }
  const std::string whole = cli::help({"oa-qubo", "s"}, app);
  CHECK(whole.find("\nMain options:\n  MODEL ") < whole.find("\n\nImages:\n"));
  CHECK(whole.find("About --labels\n") > whole.find("\n\nImages:\n"));
  const std::string brief = cli::short_help({"oa-qubo", "s"}, app);
  CHECK(brief.find("About --first\n") != std::string::npos);
  CHECK(brief.find("About --labels\n") == std::string::npos);
}

TEST_SUITE_END();
