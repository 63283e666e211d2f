#include "cli/completion.h"

#include "oa_test.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

using namespace oa;

namespace {

/// A tool with every kind of option.
std::string completion_for(const std::string& shell) {
  app::Common common;
  std::string file = "-";
  std::string folder;
  cli::App app("oa-tool");
  cli::add_input(app, file, "What is read");
  cli::add_output(app, common, "Where it's [to] go: there");
  app.add_option("--into", folder, "Folder")->type_name("DIR");
  cli::add_threads(app, common);
  cli::add_color(app, common);
  cli::add_json(app, common, "One object");
  app.add_flag("--secret", common.quiet, "Not for people")->hide();
  return cli::completion("oa-tool", shell, app);
}

/// A tool whose first operand is one of a few words.
std::string words_completion(const std::string& shell) {
  std::string kind;
  std::vector<std::string> files;
  std::string model;
  cli::App app("oa-tool");
  app.add_option("KIND", kind)->check(cli::one_of({"curves", "gaps"}))->required();
  cli::add_inputs(app, files, "What is read");
  app.add_option("--model", model, "A model")->type_name("MODEL");
  return cli::completion("oa-tool", shell, app);
}

bool has(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// The output of a shell command.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 256> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) {
    text += part.data();
  }
  CHECK(::pclose(pipe) == 0);
  return text;
}

/// The completions of bash for `words`, of which the last is being typed.
std::string bash_offers_of(const std::string& completion,
                           const std::string& words,
                           const test::Folder& folder) {
  test::spill(folder.path("completion"), completion);
  const std::string script =
      "cd '" + folder.path() + "/here' && . ../completion && COMP_WORDS=(" + words +
      ") && COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _oa_tool && "
      "printf '%s\\n' \"${COMPREPLY[@]}\"\n";
  test::spill(folder.path("script"), script);
  return output_of("bash '" + folder.path("script") + "'");
}

std::string bash_offers(const std::string& words, const test::Folder& folder) {
  return bash_offers_of(completion_for("bash"), words, folder);
}

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("bash offers options, choices, files and folders") {
  if (!has("bash")) {
    return;
  }
  const test::Folder folder;
  std::filesystem::create_directories(folder.path("here/sub"));
  test::spill(folder.path("here/two words"), "");
  CHECK(bash_offers("oa-tool --", folder) ==
        "--output\n--into\n--threads\n--color\n--json\n");
  CHECK(bash_offers("oa-tool --c", folder) == "--color\n");
  CHECK(bash_offers("oa-tool --color a", folder) == "auto\nalways\n");
  CHECK(bash_offers("oa-tool --into ''", folder) == "sub\n");
  CHECK(bash_offers("oa-tool --json tw", folder) == "two words\n");
  CHECK(bash_offers("oa-tool -o tw", folder) == "two words\n");
  CHECK(bash_offers("oa-tool --threads ''", folder) == "\n");
}

TEST_CASE("the first operand is completed where it is one of a few words") {
  CHECK(words_completion("zsh").find(
            "'1:KIND:(curves gaps)' \\\n  '*:FILE:_files'\n") != std::string::npos);
  CHECK(words_completion("zsh").find("'--model[A model]:MODEL:_files'") !=
        std::string::npos);
  CHECK(words_completion("fish").find(
            "complete -c oa-tool -n __fish_use_subcommand -f -a 'curves gaps'\n") !=
        std::string::npos);
  if (!has("bash")) {
    return;
  }
  const test::Folder folder;
  std::filesystem::create_directories(folder.path("here"));
  test::spill(folder.path("here/curious"), "");
  const std::string text = words_completion("bash");
  CHECK(bash_offers_of(text, "oa-tool cu", folder) == "curves\n");
  CHECK(bash_offers_of(text, "oa-tool --model m cu", folder) == "curves\n");
  CHECK(bash_offers_of(text, "oa-tool gaps cu", folder) == "curious\n");
  CHECK(bash_offers_of(text, "oa-tool --model cu", folder) == "curious\n");
}

TEST_CASE("zsh gets one specification for each option") {
  const std::string text = completion_for("zsh");
  CHECK(text ==
        "#compdef oa-tool\n"
        "_arguments -s -S \\\n"
        "  '(-o --output)'{-o,--output}'[Where it'\\''s \\[to\\] go\\: "
        "there]:FILE:_files' \\\n"
        "  '--into[Folder]:DIR:_files -/' \\\n"
        "  '(-j --threads)'{-j,--threads}'[Number of threads]:N:' \\\n"
        "  '--color[Colour the text]:WHEN:(auto always never)' \\\n"
        "  '--json[One object]' \\\n"
        "  '*:FILE:_files'\n");
}

TEST_CASE("fish gets one line for each option") {
  CHECK(completion_for("fish") ==
        "# fish completion for oa-tool\n"
        "complete -c oa-tool -s o -l output -r -F -d 'Where it'\\''s [to] go: there'\n"
        "complete -c oa-tool -l into -r -F -d 'Folder'\n"
        "complete -c oa-tool -s j -l threads -x -d 'Number of threads'\n"
        "complete -c oa-tool -l color -x -a 'auto always never' -d 'Colour the text'\n"
        "complete -c oa-tool -l json -d 'One object'\n");
}

TEST_SUITE_END();
