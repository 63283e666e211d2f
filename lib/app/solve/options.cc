#include "app/solve/options.h"

#include "app/context.h"
#include "oa/base/field.h"

#include <array>
#include <utility>

namespace oa::app {

namespace {

using solve::Setting;

/// Names the solvers of continuous problems: "auto and admm".
std::string solvers_of_continuous() {
  std::string names;
  for (const solve::Method& method : solve::methods()) {
    if (method.takes_continuous) {
      names += (names.empty() ? "" : " and ") + std::string(method.name);
    }
  }
  return names;
}

/// Lists settings that only some methods use, and whether they were given.
auto settings_given(const SolveOptions& o) {
  const solve::Settings& s = o.settings;
  const solve::Settings none;
  return std::array{
      std::pair{Setting::Reads, s.reads != none.reads},
      std::pair{Setting::Sweeps, s.sweeps != none.sweeps},
      std::pair{Setting::Schedule, !o.schedule.empty()},
      std::pair{Setting::Hot, s.hot != none.hot},
      std::pair{Setting::Cold, s.cold != none.cold},
      std::pair{Setting::MaxNodes, s.max_nodes != none.max_nodes},
  };
}

}  // namespace

std::vector<std::string> given_settings(const SolveOptions& o) {
  std::vector<std::string> all;
  const auto add = [&](bool is_given, std::string name) {
    if (is_given) {
      all.push_back(std::move(name));
    }
  };
  add(o.solver != solve::default_method().name, "solver");
  for (const auto& [setting, is_given] : settings_given(o)) {
    add(is_given, field_text(setting));
  }
  add(o.settings.top > 1, "top");
  add(!o.coefficients.empty(), "coefficients");
  add(o.time_limit_s > 0.0, "time-limit");
  add(o.samples > 0, "sample");
  add(o.temperature > 0.0, "temperature");
  return all;
}

void check_sampling(const SolveOptions& o, bool marginals) {
  const char* asked = o.samples > 0 ? "sample" : marginals ? "marginals" : nullptr;
  if (asked == nullptr) {
    if (o.temperature > 0.0) {
      throw UsageError("temperature", " needs sample or marginals");
    }
    return;
  }
  if (o.temperature == 0.0) {
    throw UsageError(asked, " needs temperature or beta");
  }
  for (const std::string& name : given_settings(o)) {
    if (name != "sample" && name != "temperature" && name != "sweeps" &&
        name != "time-limit") {
      throw UsageError(name, std::string(" has no effect with ") + asked);
    }
  }
}

Chosen choose_solver(const SolveOptions& o) {
  Chosen chosen{*solve::find_method(o.solver), o.settings, {}};
  solve::Settings& s = chosen.settings;
  if (o.time_limit_s > 0.0) {
    s.time_limit_s = o.time_limit_s;
  }
  if (!o.schedule.empty()) {
    (void)parse_field(o.schedule, s.schedule);
  }
  const solve::Settings none;
  for (const auto& [setting, is_given] : settings_given(o)) {
    if (!is_given) {
      continue;
    }
    if (!chosen.method.settings.contains(setting)) {
      throw UsageError(field_text(setting),
                       " has no effect with the solver " + o.solver);
    }
    chosen.setting = field_text(setting);
  }
  if (s.top > 1) {
    chosen.setting = "top";
  }
  if (s.schedule == solve::Schedule::Vendor &&
      (s.sweeps != none.sweeps || s.hot != none.hot || s.cold != none.cold)) {
    throw UsageError(
        "schedule",
        " vendor fixes temperatures and sweeps (leave out hot, cold and sweeps)");
  }
  return chosen;
}

Coefficients choose_coefficients(const SolveOptions& o,
                                 const Chosen& chosen,
                                 Coefficients of_stream,
                                 const std::string& where) {
  Coefficients kind = of_stream;
  if (!o.coefficients.empty()) {
    (void)parse_field(o.coefficients, kind);
    if (of_stream == Coefficients::Lasso) {
      throw UsageError("coefficients",
                       " " + o.coefficients + " does not fit problems of the lasso (" +
                           where + "; oa-qubo poses others)");
    }
  }
  if (kind == Coefficients::Binary || kind == Coefficients::Levels) {
    return kind;
  }
  if (!chosen.method.takes_continuous) {
    throw UsageError("solver",
                     " " + o.solver + " does not solve problems with " +
                         field_text(kind) + " coefficients (" + where + "; " +
                         solvers_of_continuous() + " do)");
  }
  if (!chosen.setting.empty()) {
    throw UsageError(
        chosen.setting,
        " has no effect with " + field_text(kind) + " coefficients (" + where + ")");
  }
  return kind;
}

}  // namespace oa::app
