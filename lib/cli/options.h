#pragma once

#include "app/context.h"
#include "cli/parser.h"
#include "oa/base/field_table.h"
#include "oa/base/index_set.h"
#include "oa/io/bytes/output.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::cli {

/// Adds the input operand FILE.  The default is "-", standard input.
void add_input(App& app, std::string& path, const std::string& description);

/// Adds an operand for several input files.
void add_inputs(App& app,
                std::vector<std::string>& paths,
                const std::string& description);

Option* add_output(App& app, app::Common& common, const std::string& description);
void add_threads(App& app, app::Common& common);
Option* add_seed(App& app, app::Common& common);
void add_json(App& app, app::Common& common, const std::string& description);
/// Adds --json for tools that print data: the summary may go to a file.
void add_json_summary(App& app, app::Common& common);
void add_verbose(App& app, app::Common& common, const std::string& description);
void add_color(App& app, app::Common& common);
/// Adds --force: replace files of other commands.
void add_force(App& app, bool& force, const std::string& description);

/// Adds an option for a list of indices, such as "3,7,20-29".
Option* add_indices(App& app,
                    const std::string& name,
                    std::optional<IndexSet>& indices,
                    const std::string& description);

/// Adds the option of a table's field.
/// `take` receives valid values; `field` must outlive the App.
template <class S>
Option* add_field(App& app,
                  const Field<S>& field,
                  std::function<void(const std::string&)> take) {
  return app.add_text(field.option_name(), std::move(take), std::string(field.summary))
      ->type_name(std::string(field.value_name))
      ->check(
          {[&field](const std::string& text) { return field.refusal(text); },
           field.choices != nullptr ? field.choices() : std::vector<std::string>{},
           field.examples != nullptr ? field.examples() : std::vector<std::string>{}});
}

/// Returns the names of a table's entries.
[[nodiscard]] std::vector<std::string> names_in(const auto& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) {
    names.emplace_back(entry.name);
  }
  return names;
}

// Checks of values, with readable messages.
[[nodiscard]] Check at_least(std::int64_t low);
[[nodiscard]] Check between(std::int64_t low, std::int64_t high);
[[nodiscard]] Check number();                         ///< a finite real number
[[nodiscard]] Check not_negative();                   ///< a real number >= 0
[[nodiscard]] Check positive();                       ///< a real number > 0
[[nodiscard]] Check within(double low, double high);  ///< a real number in a range
[[nodiscard]] Check one_of(const std::vector<std::string>& names);

}  // namespace oa::cli
