#include "cli/options.h"

#include "cli/cli.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cstdlib>

#include <unistd.h>

namespace oa::cli {
void add_input(App& app, std::string& path, const std::string& description) {
  app.input_operand = app.add_option("FILE", path, description);
}

void add_inputs(App& app,
                std::vector<std::string>& paths,
                const std::string& description) {
  app.input_operand = app.add_option("FILE", paths, description)->take_all();
}

Option* add_output(App& app, app::Common& common, const std::string& description) {
  return app.add_option("-o,--output", common.output, description)->type_name("FILE");
}

void add_threads(App& app, app::Common& common) {
  app.add_option("-j,--threads", common.threads, "Threads to use")
      ->type_name("N")
      ->default_str("all")
      ->check(between(1, 4096));
}

void add_seed(App& app, app::Common& common) {
  app.add_option("--seed", common.seed, "Seed of the random streams")
      ->type_name("N")
      ->check(at_least(0));
}

void add_json(App& app, app::Common& common, const std::string& description) {
  app.add_flag("--json", common.json, description);
}

void add_verbose(App& app, app::Common& common, const std::string& description) {
  app.add_flag("-v,--verbose", common.verbose, description);
}

void add_color(App& app, app::Common& common) {
  app.add_option("--color", common.color, "Colour the text")
      ->type_name("WHEN")
      ->check(one_of({"auto", "always", "never"}));
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
  return app.add_text(name, read, description)->type_name("LIST");
}

Check at_least(std::int64_t low) {
  return between(low, std::numeric_limits<std::int64_t>::max());
}

Check between(std::int64_t low, std::int64_t high) {
  return {[low, high](const std::string& text) -> std::string {
    const auto value = parse_int(text);
    if (value && low <= *value && *value <= high) {
      return {};
    }
    const bool open = high == std::numeric_limits<std::int64_t>::max();
    return "'" + text + "' (expected a whole number " +
           (open ? "of at least " + format(low)
                 : "from " + format(low) + " to " + format(high)) +
           ")";
  }};
}

Check positive() {
  return {[](const std::string& text) {
    const auto value = parse_double(text);
    return value && *value > 0.0 ? std::string{}
                                 : "'" + text + "' (expected a number above 0)";
  }};
}

Check one_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? "" : "|") + name;
  }
  return {[names, list](const std::string& text) -> std::string {
            return std::ranges::find(names, text) != names.end()
                       ? std::string{}
                       : "'" + text + "' (expected " + list + ")";
          },
          names};
}

}  // namespace oa::cli
