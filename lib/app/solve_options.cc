#include "app/solve_options.h"

#include "app/context.h"
#include "oa/base/field.h"

#include <array>
#include <utility>

namespace oa::app {

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

}  // namespace oa::app
