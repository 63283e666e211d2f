#include "exact/asked.h"

#include "oa/base/number.h"
#include "oa_test.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string_view>

#include <sys/wait.h>

namespace oa::exact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool one_in(Rng& rng, std::uint32_t n) {
  return rng.below(n) == 0;
}

int some(Rng& rng, std::uint32_t most) {
  return 1 + static_cast<int>(rng.below(most));
}

/// True if proofs by this method may choose any of several optima: see oa-anneal(1).
bool may_be_any(std::string_view proved_by) {
  constexpr std::array<std::string_view, 6> kMethods{
      "cuts", "semidefinite", "conflicts", "squares", "lattice", "branching"};
  return std::ranges::find(kMethods, proved_by) != kMethods.end();
}

const solve::Method& random_method(Rng& rng) {
  const auto all = solve::methods();
  const std::uint32_t kind = rng.below(10);
  return kind < 4   ? *solve::find_method("auto")
         : kind < 7 ? *solve::find_method("exact")
                    : all[rng.below(static_cast<std::uint32_t>(all.size()))];
}

void choose_effort(Rng& rng, const solve::Method& method, solve::Settings& s) {
  if (method.settings.contains(solve::Setting::MaxNodes) && one_in(rng, 10)) {
    s.max_nodes = some(rng, 40);
  }
  // The heuristics' own lengths are for larger problems: rarely taken, for their time.
  const bool own = one_in(rng, 20);
  if (method.settings.contains(solve::Setting::Sweeps) && !own &&
      method.name != "auto") {
    s.sweeps = some(rng, 60);
  }
  if (method.settings.contains(solve::Setting::Reads) && one_in(rng, 2)) {
    s.reads = some(rng, 20);
  }
  if (method.settings.contains(solve::Setting::Schedule) && one_in(rng, 4)) {
    s.schedule = solve::Schedule::Linear;
  }
  if (method.settings.contains(solve::Setting::Hot) && one_in(rng, 6)) {
    s.hot = some(rng, 20);
    s.cold = 0.01 * some(rng, 20);
  }
}

double random_target(Rng& rng, const Stated& stated) {
  const Mask some_x = rng.below(std::uint32_t{1} << stated.n);
  const Mask x = one_in(rng, 2) ? best(stated, 1).front() : some_x;
  const double energy = nearest(value(stated, x));
  return one_in(rng, 4)
             ? std::nextafter(energy, stated.maximise ? kInfinity : -kInfinity)
             : energy;
}

std::string results_line(const Stated& stated, Mask x) {
  std::string text = "{\"energy\":0,\"x\":[";
  for (const std::uint8_t one : vector_of(x, stated.n)) {
    text += text.back() == '[' ? "" : ",";
    text += one != 0 ? "1" : stated.spins ? "-1" : "0";
  }
  return text + "]}\n";
}

Mask read_x(const nlohmann::json& x) {
  std::vector<std::uint8_t> values;
  for (const auto& one : x) {
    values.push_back(one.get<int>() == 1 ? 1 : 0);
  }
  return mask_of(values);
}

Answer read_answer(const std::string& line, const Stated& stated) {
  const nlohmann::json json = nlohmann::json::parse(line);
  Answer answer;
  answer.best.push_back({json.at("energy").get<double>(), read_x(json.at("x"))});
  if (json.contains("top")) {
    answer.best.clear();
    for (const auto& one : json["top"]) {
      answer.best.push_back({one.at("energy").get<double>(), read_x(one.at("x"))});
    }
  }
  const double nothing = stated.maximise ? kInfinity : -kInfinity;
  answer.bound = json.at("bound").is_null() ? nothing : json["bound"].get<double>();
  const auto status = json.at("status").get<std::string>();
  answer.status = status == "proved optimal" ? qubo::Status::ProvedOptimal
                  : status == "best found"   ? qubo::Status::BestFound
                                             : qubo::Status::Stopped;
  if (json.at("proved_optimal").get<bool>() != (status == "proved optimal")) {
    throw std::runtime_error("status is not what proved_optimal says");
  }
  const auto& proved_by = json.at("proved_by");
  answer.any_optimum =
      proved_by.is_string() && may_be_any(proved_by.get<std::string>());
  return answer;
}

int status_of(const std::string& command) {
  const int status = std::system(command.c_str());  // NOLINT: the fuzzer's own words
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

bool Asked::unlimited() const {
  return std::isinf(settings.solver.time_limit_s) &&
         settings.solver.max_nodes == solve::Settings().max_nodes;
}

bool Asked::repeatable() const {
  return std::isinf(settings.solver.time_limit_s) && !settings.target;
}

Asked random_options(Rng& rng, const Stated& stated) {
  Asked asked;
  solve::ModelSettings& g = asked.settings;
  g.method = &random_method(rng);
  g.threads = some(rng, 2);
  g.presolve = !one_in(rng, 3);
  asked.seed = rng.below(1000);
  asked.trace = one_in(rng, 10);
  choose_effort(rng, *g.method, g.solver);
  if (one_in(rng, 4)) {
    g.solver.top = one_in(rng, 4) ? some(rng, 60) : 1 + some(rng, 4);
  }
  if (one_in(rng, 25)) {
    g.solver.time_limit_s = 0.001 * some(rng, 5);
  }
  if (one_in(rng, 12)) {
    g.target = random_target(rng, stated);
  }
  if (one_in(rng, 10)) {
    for (int k = 1 + some(rng, 3); k > 0; --k) {
      g.initial.push_back(vector_of(rng.below(std::uint32_t{1} << stated.n), stated.n));
    }
  }
  return asked;
}

Answer solve(const qubo::Quadratic& f, Asked asked) {
  Answer answer;
  if (asked.trace) {
    asked.settings.improved = [&](double energy) { answer.trace.push_back(energy); };
    asked.settings.bounded = [&](double bound) { answer.bounds.push_back(bound); };
  }
  const solve::ModelResult found =
      solve::solve_model(f, asked.settings, Rng(asked.seed).fork(0), {});
  for (const solve::Solution& s : found.best) {
    answer.best.push_back({s.energy, mask_of(s.x)});
  }
  answer.bound = found.bound;
  answer.status = found.status;
  answer.any_optimum = may_be_any(found.proved_by);
  return answer;
}

std::optional<Answer> run_tool(const std::string& tool,
                               const ProblemText& text,
                               const Asked& asked) {
  const test::Folder folder;
  test::spill(folder.path("problem"), text.bytes);
  std::string command =
      "'" + tool + "' -q --no-times " + command_line(text, asked) + " -o result";
  if (!asked.settings.initial.empty()) {
    std::string lines;
    for (const std::vector<std::uint8_t>& x : asked.settings.initial) {
      lines += results_line(text.stated, mask_of(x));
    }
    test::spill(folder.path("initial"), lines);
  }
  const std::string there = "cd '" + folder.path() + "' && ";
  const int status = status_of(there + command + " problem 2> errors");
  if (status == 3) {
    return std::nullopt;
  }
  const std::optional<double> target = asked.settings.target;
  const bool missed = status == 1 && target;
  if (status != 0 && !missed) {
    throw std::runtime_error("status " + std::to_string(status) + ": " +
                             test::slurp(folder.path("errors")));
  }
  const std::string line = test::slurp(folder.path("result"));
  if (status_of(there + "'" + tool + "' -q " + command_line(text, {}) +
                " --verify result problem > verified") != 0) {
    throw std::runtime_error("--verify says " + test::slurp(folder.path("verified")));
  }
  Answer answer = read_answer(line, text.stated);
  const double energy = answer.best.front().energy;
  if (missed && (text.stated.maximise ? energy >= *target : energy <= *target)) {
    throw std::runtime_error("status 1, but the target is reached");
  }
  return answer;
}

std::string command_line(const ProblemText& text, const Asked& asked) {
  std::string line = "--format " + std::string(io::info(text.format).name);
  const auto add = [&](bool given, const std::string& option) {
    line += given ? " " + option : "";
  };
  const auto& reading = text.reading;
  add(reading.sense.has_value(),
      reading.sense == qubo::Sense::Max ? "--sense max" : "--sense min");
  add(reading.vartype.has_value(),
      reading.vartype == qubo::Vartype::Spin ? "--vartype spin" : "--vartype binary");
  const solve::ModelSettings& g = asked.settings;
  if (g.method == nullptr) {
    return line;  // only to be read
  }
  const solve::Settings& s = g.solver;
  const solve::Settings none;
  add(true, "--solver " + std::string(g.method->name));
  add(true, "--seed " + std::to_string(asked.seed));
  add(true, "-j" + std::to_string(g.threads));
  add(s.top != 1, "--top " + std::to_string(s.top));
  add(!g.presolve, "--no-presolve");
  add(s.max_nodes != none.max_nodes, "--max-nodes " + std::to_string(s.max_nodes));
  add(s.sweeps != 0, "--sweeps " + std::to_string(s.sweeps));
  add(s.reads != 0, "--reads " + std::to_string(s.reads));
  add(s.schedule == solve::Schedule::Linear, "--schedule linear");
  add(s.hot != 0.0, "--hot " + format(s.hot) + " --cold " + format(s.cold));
  add(!std::isinf(s.time_limit_s), "--time-limit " + format(s.time_limit_s));
  add(g.target.has_value(), "--target " + format(g.target.value_or(0.0)));
  add(!g.initial.empty(), "--initial initial");
  add(asked.trace, "--trace trace");
  return line;
}

}  // namespace oa::exact
