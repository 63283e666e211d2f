#include "cli/solve_options.h"

#include "cli/cli.h"
#include "cli/reading_options.h"
#include "oa/base/field.h"
#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::cli {
namespace {

using solve::Setting;

constexpr int kMost = 1'000'000'000;

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const solve::Method& method : solve::methods()) {
    names.emplace_back(method.name);
  }
  return names;
}

template <class T>
std::vector<std::string> names_of() {
  return {EnumNames<T>::kAll.begin(), EnumNames<T>::kAll.end()};
}

}  // namespace

void add_solver(App& app, app::SolveOptions& o) {
  app.add_option("--solver", o.solver, "Solver")
      ->type_name("NAME")
      ->check(one_of(solver_names()));
  app.add_option("--top", o.settings.top, "Keep the K best distinct solutions")
      ->type_name("K")
      ->check(between(1, 10000));
  const auto add =
      [&](Setting setting, auto& value, const char* type, const char* text) {
        return app.add_option("--" + field_text(setting), value, text)
            ->type_name(type)
            ->default_str("the solver's");
      };
  add(Setting::Reads, o.settings.reads, "N", "Number of independent attempts")
      ->check(between(1, kMost));
  add(Setting::Sweeps, o.settings.sweeps, "N", "Number of sweeps of an attempt")
      ->check(between(1, kMost));
  add(Setting::Schedule, o.schedule, "HOW", "Cooling schedule of sa")
      ->check(one_of(names_of<solve::Schedule>()));
  add(Setting::Hot, o.settings.hot, "T", "First temperature of sa, pt")
      ->check(positive());
  add(Setting::Cold, o.settings.cold, "T", "Last temperature of sa, pt")
      ->check(positive());
  add(Setting::MaxNodes,
      o.settings.max_nodes,
      "N",
      "Largest number of nodes of the search tree")
      ->check(at_least(1));
  app.add_option("--sample", o.samples, "Draw N states from the Boltzmann distribution")
      ->type_name("N")
      ->default_str("")
      ->check(between(1, kMost));
  auto* temperature =
      app.add_option("--temperature", o.temperature, "Temperature of these states")
          ->type_name("T")
          ->default_str("")
          ->check(positive());
  auto* beta = app.add_text(
      "--beta",
      [&o](const std::string& text) { o.temperature = 1.0 / *parse_double(text); },
      "Inverse temperature of these states");
  beta->type_name("B")->check(positive())->excludes(temperature);
  app.add_option("--coefficients", o.coefficients, "Values that coefficients may take")
      ->type_name("KIND")
      ->default_str("the stream's")
      ->check(one_of({"binary", "continuous"}));
  app.add_option(
         "--time-limit", o.time_limit_s, "Largest number of seconds for each problem")
      ->type_name("S")
      ->default_str("none")
      ->check(positive());
}

void add_single(App& app, app::SingleOptions& o) {
  add_reading(app, o.reading);
  const auto add =
      [&](const char* name, auto& value, const char* type, const char* text) {
        return app.add_option(name, value, text)->type_name(type);
      };
  auto* convert =
      add("--convert", o.convert, "NAME", "Convert to this format instead of solving")
          ->default_str("none")
          ->check(one_of(written_format_names()));
  app.add_flag("--drop-names", o.drop_names, "With --convert: omit names")
      ->needs(convert);
  add("--target", o.target, "E", "Stop when this energy is reached")
      ->default_str("none")
      ->check(number());
  add("--initial", o.initial, "FILE", "Start from these results or vectors")
      ->default_str("none");
  add("--fix", o.fix, "FILE", "Fix variables to the values in this file")
      ->default_str("none");
  add("--samples",
      o.samples,
      "FILE",
      "Write the states of --sample, or the final ones of the reads of sa")
      ->default_str("none");
  add("--solution", o.solution, "FILE", "Write the best solution as its format has it")
      ->default_str("none");
  add("--marginals",
      o.marginals,
      "FILE",
      "Write the mean of each variable at --temperature")
      ->default_str("none");
  app.add_flag("--all-optima", o.all_optima, "List every optimum, with proof");
  app.add_flag(
      "--count-optima", o.count_optima, "Count the optima of a sparse problem");
  add("--trace", o.trace, "FILE", "Write each improved energy or bound, with its time")
      ->default_str("none");
  add("--verify",
      o.verify,
      "FILE",
      "Recompute the energies of these results instead of solving")
      ->default_str("none")
      ->excludes(convert);
  app.add_flag(
      "--no-presolve", o.no_presolve, "Do not simplify the problem before the search");
  app.add_flag(
      "--no-recover", o.no_recover, "Do not look for what the problem was made from");
  app.add_flag(
      "-v,--verbose", o.verbose, "Print what each pass and method did, and its time");
}

}  // namespace oa::cli
