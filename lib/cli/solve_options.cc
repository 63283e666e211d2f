#include "cli/solve_options.h"

#include "cli/cli.h"
#include "cli/reading_options.h"
#include "oa/base/field.h"
#include "oa/base/number.h"

#include <vector>

namespace oa::cli {
namespace {

using solve::Setting;

constexpr int kMax = 1'000'000'000;

}  // namespace

void add_solver(App& app, app::SolveOptions& o) {
  app.add_option("--solver NAME", o.solver, "Solver")
      ->check(one_of(names_in(solve::methods())));
  app.add_option("--top K", o.settings.top, "Keep the K best distinct solutions")
      ->check(between(1, 10000));
  const auto add =
      [&](Setting setting, auto& value, const std::string& type, const char* text) {
        return app.add_option("--" + field_text(setting) + " " + type, value, text)
            ->default_str("the solver's");
      };
  add(Setting::Reads, o.settings.reads, "N", "Number of independent attempts")
      ->check(between(1, kMax));
  add(Setting::Sweeps, o.settings.sweeps, "N", "Number of sweeps of an attempt")
      ->check(between(1, kMax));
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
  app.add_option(
         "--sample N", o.samples, "Draw N states from the Boltzmann distribution")
      ->default_str("")
      ->check(between(1, kMax));
  auto* temperature =
      app.add_option("--temperature T", o.temperature, "Temperature of these states")
          ->default_str("")
          ->check(positive());
  auto* beta = app.add_text(
      "--beta B",
      [&o](const std::string& text) { o.temperature = 1.0 / *parse_double(text); },
      "Inverse temperature of these states");
  beta->check(positive())->excludes(temperature);
  app.add_option(
         "--coefficients KIND", o.coefficients, "Values that coefficients may take")
      ->default_str("the stream's")
      ->check(one_of({"binary", "continuous"}));
  app.add_option(
         "--time-limit S", o.time_limit_s, "Largest number of seconds for each problem")
      ->default_str("none")
      ->check(positive());
}

void add_single(App& app, app::SingleOptions& o) {
  add_reading(app, o.reading);
  const auto add = [&](const char* words, auto& value, const char* text) {
    return app.add_option(words, value, text)->default_str("none");
  };
  auto* convert =
      add("--convert NAME", o.convert, "Convert to this format instead of solving")
          ->check(one_of(written_format_names()));
  app.add_flag("--drop-names", o.drop_names, "With --convert: omit names")
      ->needs(convert);
  add("--target E", o.target, "Stop when this energy is reached")->check(number());
  add("--initial FILE", o.initial, "Start from these results or vectors");
  add("--fix FILE", o.fix, "Fix variables to the values in this file");
  add("--samples FILE",
      o.samples,
      "Write the states of --sample, or the final ones of the reads of sa");
  add("--solution FILE", o.solution, "Write the best solution as its format has it");
  add("--marginals FILE",
      o.marginals,
      "Write the mean of each variable at --temperature");
  app.add_flag("--all-optima", o.all_optima, "List every optimum, with proof");
  app.add_flag(
      "--count-optima", o.count_optima, "Count the optima of a sparse problem");
  add("--trace FILE", o.trace, "Write each improved energy or bound, with its time");
  add("--verify FILE",
      o.verify,
      "Recompute the energies of these results instead of solving")
      ->excludes(convert);
  app.add_flag(
      "--no-presolve", o.no_presolve, "Do not simplify the problem before the search");
  app.add_flag(
      "--no-recover", o.no_recover, "Do not look for what the problem was made from");
  app.add_flag(
      "-v,--verbose", o.verbose, "Print what each pass and method did, and its time");
}

}  // namespace oa::cli
