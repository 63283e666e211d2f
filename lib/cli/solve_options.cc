#include "cli/solve_options.h"

#include "cli/cli.h"
#include "oa/base/field.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::cli {
namespace {

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

void add_solver(App& app, SolveOptions& o) {
  app.add_option("--solver", o.solver, "How to solve")
      ->type_name("NAME")
      ->check(one_of(solver_names()));
  app.add_option("--top", o.settings.top, "Keep the K lowest distinct solutions")
      ->type_name("K")
      ->check(between(1, 10000));
  const auto add =
      [&](const char* name, auto& value, const char* type, const char* text) {
        return app.add_option(name, value, text)
            ->type_name(type)
            ->default_str("the solver's");
      };
  add("--reads", o.settings.reads, "N", "Independent attempts")
      ->check(between(1, kMost));
  add("--sweeps", o.settings.sweeps, "N", "Length of an attempt")
      ->check(between(1, kMost));
  add("--schedule", o.schedule, "HOW", "How sa cools")
      ->check(one_of(names_of<solve::Schedule>()));
  add("--hot", o.settings.hot, "T", "First temperature of sa, pt")->check(positive());
  add("--cold", o.settings.cold, "T", "Last temperature of sa, pt")->check(positive());
  add("--max-nodes", o.settings.max_nodes, "N", "Most nodes of the search tree")
      ->check(at_least(1));
  app.add_option("--coefficients", o.coefficients, "What coefficients may be")
      ->type_name("KIND")
      ->default_str("the stream's")
      ->check(one_of({"binary", "continuous"}));
  app.add_option("--time-limit", o.time_limit_s, "Seconds for each problem, at most")
      ->type_name("S")
      ->default_str("none")
      ->check(positive());
}

Chosen choose_solver(const SolveOptions& o) {
  Chosen chosen{*solve::find_method(o.solver), o.settings, {}};
  solve::Settings& s = chosen.settings;
  if (o.time_limit_s > 0.0) {
    s.time_limit_s = o.time_limit_s;
  }
  if (!o.schedule.empty() && !parse_field(o.schedule, s.schedule)) {
    throw UsageError("--schedule '" + o.schedule + "'");
  }
  const solve::Settings none;
  const std::array given{
      std::pair{"reads", s.reads != none.reads},
      std::pair{"sweeps", s.sweeps != none.sweeps},
      std::pair{"schedule", !o.schedule.empty()},
      std::pair{"hot", s.hot != none.hot},
      std::pair{"cold", s.cold != none.cold},
      std::pair{"max-nodes", s.max_nodes != none.max_nodes},
  };
  for (const auto& [name, is_given] : given) {
    if (!is_given) {
      continue;
    }
    if (!chosen.method.looks_at(name)) {
      throw UsageError(std::string("--") + name + " means nothing to --solver " +
                       o.solver);
    }
    chosen.given = std::string("--") + name;
  }
  if (s.top > 1) {
    chosen.given = "--top";
  }
  if (s.schedule == solve::Schedule::Vendor &&
      (s.sweeps != none.sweeps || s.hot != none.hot || s.cold != none.cold)) {
    throw UsageError("--schedule vendor has temperatures and sweeps of its own");
  }
  return chosen;
}

Coefficients choose_coefficients(const SolveOptions& o,
                                 const Chosen& chosen,
                                 Coefficients said,
                                 const std::string& where) {
  Coefficients kind = said;
  if (!o.coefficients.empty()) {
    (void)parse_field(o.coefficients, kind);
    if (said == Coefficients::Lasso) {
      throw UsageError(where + ": --coefficients " + o.coefficients +
                       " does not fit problems of the lasso, which have their penalty "
                       "apart (pose others with oa-qubo --coefficients)");
    }
  }
  if (kind == Coefficients::Binary) {
    return kind;
  }
  if (o.solver != "auto" && o.solver != "admm") {
    throw UsageError(where + ": --solver " + o.solver +
                     " does not solve problems with " + field_text(kind) +
                     " coefficients (auto and admm do)");
  }
  if (!chosen.given.empty()) {
    throw UsageError(where + ": " + chosen.given + " means nothing to " +
                     field_text(kind) + " coefficients");
  }
  return kind;
}

}  // namespace oa::cli
