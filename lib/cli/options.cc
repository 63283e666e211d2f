#include "cli/options.h"

#include "cli/cli.h"
#include "oa/base/number.h"

#include <unistd.h>

namespace oa::cli {
namespace {

Check in_range(const Range& range, const char* noun, auto parse) {
  return {[=](const std::string& text) {
    const auto value = parse(text);
    return value && range.contains(static_cast<double>(*value))
               ? std::string{}
               : "'" + text + "' (expected " + range.text_of(noun) + ")";
  }};
}

}  // namespace

void add_input(App& app, std::string& path, const std::string& description) {
  app.input_operand = app.add_option("FILE", path, description);
}

void add_inputs(App& app,
                std::vector<std::string>& paths,
                const std::string& description) {
  app.input_operand = app.add_option("FILE", paths, description)->take_all();
}

Option* add_output(App& app, app::Common& common, const std::string& description) {
  return app.add_option("-o,--output FILE", common.output, description);
}

void add_threads(App& app, app::Common& common) {
  app.add_option("-j,--threads N", common.threads, "Number of threads")
      ->default_str("all")
      ->check(between(1, 4096));
}

Option* add_seed(App& app, app::Common& common) {
  return app.add_option("--seed N", common.seed, "Seed of all random choices")
      ->check(at_least(0));
}

void add_json(App& app, app::Common& common, const std::string& description) {
  app.add_flag("--json", common.json, description);
}

void add_json_summary(App& app, app::Common& common) {
  app.add_flag("--json",
               common.json,
               common.json_file,
               "Write the summary as a JSON object to standard error (--json=FILE: to "
               "this file)");
}

void add_verbose(App& app, app::Common& common, const std::string& description) {
  app.add_flag("-v,--verbose", common.verbose, description);
}

void add_color(App& app, app::Common& common) {
  app.add_option("--color WHEN", common.color, "Colour the text")
      ->check(one_of({"auto", "always", "never"}));
}

void add_force(App& app, bool& force, const std::string& description) {
  app.add_flag("--force", force, description);
}

Option* add_indices(App& app,
                    const std::string& name,
                    std::optional<IndexSet>& indices,
                    const std::string& description) {
  const auto read = [&indices, name](const std::string& text) {
    const auto parsed = IndexSet::parse(text);
    if (!parsed) {
      throw app::UsageError(name + ": '" + text +
                            "' (expected a list of indices such as 3,7,20-29)");
    }
    indices = *parsed;
  };
  return app.add_text(name + " LIST", read, description);
}

Check at_least(std::int64_t low) {
  return in_range({.low = static_cast<double>(low)}, "a whole number", parse_int);
}

Check between(std::int64_t low, std::int64_t high) {
  return in_range({.low = static_cast<double>(low), .high = static_cast<double>(high)},
                  "a whole number",
                  parse_int);
}

Check number() {
  return in_range({}, "a number", parse_double);
}

Check not_negative() {
  return in_range({.low = 0}, "a number", parse_double);
}

Check positive() {
  return in_range({.low = 0, .above_low = true}, "a number", parse_double);
}

Check within(double low, double high) {
  return in_range({.low = low, .high = high}, "a number", parse_double);
}

Check one_of(const std::vector<std::string>& names) {
  return {[names](const std::string& text) { return refusal_of_name(text, names); },
          names};
}

}  // namespace oa::cli
