#include "oa/io/quadratic/result_line.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/qubo/program.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace oa::io {
namespace {

using Json = nlohmann::json;

JsonArray values(std::span<const std::uint8_t> x, qubo::Vartype vartype) {
  const int zero = vartype == qubo::Vartype::Spin ? -1 : 0;
  JsonArray list;
  for (const std::uint8_t value : x) {
    list.element(value != 0 ? 1 : zero);
  }
  return list;
}

std::vector<std::uint8_t> read_x(const Json& x, const std::string& where) {
  std::vector<std::uint8_t> values;
  bool zero = false;
  bool minus = false;
  for (const Json& value : x) {
    const bool known = value.is_number() && (value == 0 || value == 1 || value == -1);
    zero = zero || value == 0;
    minus = minus || value == -1;
    if (!known || (zero && minus)) {
      throw InputError(where + ": x[" + std::to_string(values.size()) + "] is " +
                       value.dump().substr(0, 20) + " (expected 0 and 1, or -1 and 1)");
    }
    values.push_back(value == 1 ? 1 : 0);
  }
  return values;
}

/// Calls `take(object, lines, line)` for each line that is not blank.
template <class Take>
void each_result(Input& input, const Take& take) {
  LineReader lines(input);
  bool any = false;
  for (std::string_view line; lines.next(line);) {
    if (Words(line).next().empty()) {
      continue;
    }
    const Json json = Json::parse(without_surrogates(line), nullptr, false);
    if (!json.is_object()) {
      lines.fail("no result (expected a JSON object)");
    }
    take(json, lines, line);
    any = true;
  }
  if (!any) {
    throw InputError(input.name() + ": empty (expected lines of results)");
  }
}

double number_in(const Json& json, const char* key, const LineReader& lines) {
  const Json value = json.value(key, Json());
  if (!value.is_number()) {
    lines.fail("\"" + std::string(key) + "\" is not a number");
  }
  return value.get<double>();
}

JsonObject numbers_of(std::span<const std::pair<std::string, double>> all) {
  JsonObject json;
  for (const auto& [name, value] : all) {
    json.member(name, JsonValue::shortest(value));
  }
  return json;
}

}  // namespace

std::string_view status_of(const ResultLine& r) {
  if (!r.feasible.value_or(true)) {
    return r.infeasible ? "infeasible" : "no feasible solution found";
  }
  switch (r.status) {
    case qubo::Status::ProvedOptimal: return "proved optimal";
    case qubo::Status::BestFound: return "best found";
    case qubo::Status::Stopped: return "stopped";
  }
  return "";
}

std::string to_json(const ResultLine& r, const qubo::Quadratic& f) {
  JsonObject json{{"file", JsonValue::of_path(r.file)},
                  {"format", r.format},
                  {"problem", r.problem},
                  {"variables", f.size()},
                  {"sense", f.sense == qubo::Sense::Max ? "max" : "min"},
                  {"vartype", f.vartype == qubo::Vartype::Spin ? "SPIN" : "BINARY"},
                  {"energy", JsonValue::shortest(r.energy)},
                  {"bound", JsonValue::shortest(r.bound)},
                  {"gap", JsonValue::shortest(std::abs(r.energy - r.bound))},
                  {"proved_optimal", r.status == qubo::Status::ProvedOptimal},
                  {"status", status_of(r)},
                  {"seconds", JsonValue::shortest(r.seconds)},
                  {"solver", r.solver},
                  {"method", r.method},
                  {"found_by", r.found_by},
                  {"proved_by", r.proved_by.empty() ? JsonValue() : r.proved_by}};
  if (r.seed) {
    json.member("seed", *r.seed);
  }
  if (r.fixed) {
    json.member("fixed", *r.fixed);
  }
  if (r.target_reached) {
    json.member("target_reached", *r.target_reached);
  }
  if (r.feasible) {
    json.member("feasible", *r.feasible);
    if (!*r.feasible) {
      json.member("violated", r.violated).member("infeasible", r.infeasible);
    }
  }
  if (r.paid) {
    json.member("objective", JsonValue::shortest(r.objective))
        .member("penalty", JsonValue::shortest(r.penalty))
        .member("soft", numbers_of(*r.paid));
  }
  if (r.tolerant) {
    json.member("tolerance", JsonValue::shortest(qubo::kTolerance));
  }
  if (const qubo::Recovered& found = r.recovered; found.any()) {
    JsonObject forms{{"products", found.products},
                     {"constraints", found.constraints},
                     {"conflicts", found.conflicts},
                     {"numbers", found.numbers}};
    if (!found.penalties.empty()) {
      forms.member("penalties", found.penalties);
    }
    json.member("recovered", forms);
  }
  if (r.task) {
    json.member("task", *r.task);
  }
  if (!f.names.empty()) {
    JsonArray names;
    for (const std::string& name : f.names) {
      names.element(JsonValue::of_json(name));
    }
    json.member("names", names);
  }
  json.member("x", values(r.x, f.vartype));
  if (!r.values.empty()) {
    json.member("values", numbers_of(r.values));
  }
  if (!r.top.empty()) {
    JsonArray top;
    for (const auto& [energy, x] : r.top) {
      top.element(JsonObject{{"energy", JsonValue::shortest(energy)},
                             {"x", values(x, f.vartype)}});
    }
    json.member("top", top);
  }
  if (r.optima_complete) {
    JsonArray optima;
    for (const std::vector<std::uint8_t>& x : r.optima) {
      optima.element(values(x, f.vartype));
    }
    json.member("optima_complete", *r.optima_complete);
    json.member("optima", optima);
  }
  if (r.optima_count) {
    json.member("optima_count", *r.optima_count);
  }
  return json.text();
}

std::vector<Claim> read_claims(Input& input) {
  std::vector<Claim> all;
  each_result(input, [&](const Json& json, const LineReader& lines, std::string_view) {
    if (!json.contains("x") || !json["x"].is_array()) {
      lines.fail("no result (expected a JSON object with \"x\" and \"energy\")");
    }
    all.push_back({lines.where(),
                   number_in(json, "energy", lines),
                   read_x(json["x"], lines.where())});
  });
  return all;
}

namespace {

std::string text_in(const Json& json, const char* key) {
  const Json value = json.value(key, Json());
  return value.is_string() ? value.get<std::string>() : "";
}

bool is_true(const Json& json, const char* key) {
  return json.value(key, Json()) == true;
}

TimedResult timed_result(const Json& json,
                         const LineReader& lines,
                         std::string_view line) {
  const std::string sense = text_in(json, "sense");
  if (!json.value("file", Json()).is_string() || (sense != "min" && sense != "max")) {
    lines.fail("no result (expected a JSON object with \"file\" and \"sense\")");
  }
  TimedResult result;
  result.where = lines.where();
  result.file = path_of(text_in(json, "file"));
  result.sense = sense == "max" ? qubo::Sense::Max : qubo::Sense::Min;
  result.energy = number_in(json, "energy", lines);
  result.seconds = number_in(json, "seconds", lines);
  if (result.seconds < 0.0) {
    lines.fail("\"seconds\" is " + format(result.seconds) + " (expected 0 or more)");
  }
  const double worst = result.sense == qubo::Sense::Max
                           ? -std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::infinity();
  if (json.value("feasible", Json()) == false) {
    result.energy = worst;
  }
  const Json bound = json.value("bound", Json());
  result.proved = is_true(json, "proved_optimal");
  result.bound = result.proved                 ? result.energy
                 : is_true(json, "infeasible") ? worst
                 : bound.is_number()           ? bound.get<double>()
                                               : -worst;
  result.problem = text_in(json, "problem");
  result.solver = text_in(json, "solver");
  if (const Json seed = json.value("seed", Json()); seed.is_number_integer()) {
    result.seed = seed.get<std::int64_t>();
  }
  result.text = line;
  return result;
}

}  // namespace

std::vector<TimedResult> read_timed_results(Input& input) {
  std::vector<TimedResult> all;
  each_result(input,
              [&](const Json& json, const LineReader& lines, std::string_view line) {
                all.push_back(timed_result(json, lines, line));
              });
  return all;
}

}  // namespace oa::io
