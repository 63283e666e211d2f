#include "oa/io/quadratic/result_line.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace oa::io {
namespace {

using Json = nlohmann::json;

std::string finite(double value) {
  return std::isfinite(value) ? format(value) : "null";
}

std::string values(std::span<const std::uint8_t> x, qubo::Vartype vartype) {
  const std::string_view zero = vartype == qubo::Vartype::Spin ? "-1" : "0";
  std::string text = "[";
  for (std::size_t i = 0; i < x.size(); ++i) {
    text += i > 0 ? "," : "";
    text += x[i] != 0 ? "1" : zero;
  }
  return text + "]";
}

std::string_view status_name(qubo::Status status) {
  switch (status) {
    case qubo::Status::ProvedOptimal: return "proved optimal";
    case qubo::Status::BestFound: return "best found";
    case qubo::Status::Stopped: return "stopped";
  }
  return "";
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

/// Calls `take(object, lines)` for every line that is not blank.
template <class Take>
void each_result(Input& input, const Take& take) {
  LineReader lines(input);
  bool any = false;
  for (std::string_view line; lines.next(line);) {
    if (Words(line).next().empty()) {
      continue;
    }
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) {
      lines.fail("no result (expected a JSON object)");
    }
    take(json, lines);
    any = true;
  }
  if (!any) {
    throw InputError(input.name() + ": empty (expected lines of results)");
  }
}

double number_in(const Json& json, const char* key, const LineReader& lines) {
  const Json value = json.value(key, Json());
  if (!value.is_number()) {
    lines.fail("\"" + std::string(key) + "\" is no number");
  }
  return value.get<double>();
}

}  // namespace

std::string json_string(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_json(const ResultLine& r, const qubo::Quadratic& f) {
  std::string text = "{\"file\":" + json_string(r.file);
  const auto add = [&](std::string_view key, const std::string& value) {
    text += ",\"" + std::string(key) + "\":" + value;
  };
  add("format", "\"" + r.format + "\"");
  add("variables", format(f.size()));
  add("sense", f.sense == qubo::Sense::Max ? "\"max\"" : "\"min\"");
  add("vartype", f.vartype == qubo::Vartype::Spin ? "\"SPIN\"" : "\"BINARY\"");
  add("energy", finite(r.energy));
  add("bound", finite(r.bound));
  add("gap", finite(std::abs(r.energy - r.bound)));
  add("proved_optimal", r.status == qubo::Status::ProvedOptimal ? "true" : "false");
  add("status", "\"" + std::string(status_name(r.status)) + "\"");
  add("seconds", format(r.seconds));
  add("solver", "\"" + r.solver + "\"");
  add("method", "\"" + r.method + "\"");
  add("seed", std::to_string(r.seed));
  if (!f.names.empty()) {
    std::string names;
    for (const std::string& name : f.names) {
      names += (names.empty() ? "" : ",") + name;
    }
    add("names", "[" + names + "]");
  }
  add("x", values(r.x, f.vartype));
  if (!r.top.empty()) {
    std::string top;
    for (const auto& [energy, x] : r.top) {
      top += std::string(top.empty() ? "" : ",") + "{\"energy\":" + finite(energy) +
             ",\"x\":" + values(x, f.vartype) + "}";
    }
    add("top", "[" + top + "]");
  }
  return text + "}";
}

std::vector<Claim> read_claims(Input& input) {
  std::vector<Claim> all;
  each_result(input, [&](const Json& json, const LineReader& lines) {
    if (!json.contains("x") || !json["x"].is_array()) {
      lines.fail("no result (expected a JSON object with \"x\" and \"energy\")");
    }
    all.push_back({lines.where(),
                   number_in(json, "energy", lines),
                   read_x(json["x"], lines.where())});
  });
  return all;
}

std::vector<TimedResult> read_timed_results(Input& input) {
  std::vector<TimedResult> all;
  each_result(input, [&](const Json& json, const LineReader& lines) {
    const Json file = json.value("file", Json());
    const Json sense = json.value("sense", Json());
    if (!file.is_string() || (sense != "min" && sense != "max")) {
      lines.fail("no result (expected a JSON object with \"file\" and \"sense\")");
    }
    const auto path = file.get<std::string>();
    TimedResult result{lines.where(),
                       path.substr(path.rfind('/') + 1),
                       sense == "max" ? qubo::Sense::Max : qubo::Sense::Min,
                       number_in(json, "energy", lines),
                       number_in(json, "seconds", lines)};
    if (result.seconds < 0.0) {
      lines.fail("\"seconds\" is " + format(result.seconds) + " (expected 0 or more)");
    }
    all.push_back(std::move(result));
  });
  return all;
}

}  // namespace oa::io
