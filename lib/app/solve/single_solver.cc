#include "app/solve/single_solver.h"

#include "app/solve/decode.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/stopwatch.h"
#include "oa/io/quadratic/samples.h"
#include "oa/io/quadratic/vectors.h"
#include "oa/qubo/fingerprint.h"
#include "oa/qubo/fixed.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace oa::app {
namespace {

const qubo::Polynomial* polynomial_of(const SingleProblem& p) {
  return p.polynomial ? &*p.polynomial : nullptr;
}

/// Whether the search can keep the constraints of `p`.  Long lists of solutions and
/// fixed auxiliary variables need penalties.
bool keeps_constraints(const SingleProblem& p, const OneSettings& settings) {
  if (!p.polynomial || p.polynomial->constraints.empty() ||
      settings.general.solver.top > kMostKept) {
    return false;
  }
  const auto own = static_cast<std::size_t>(p.polynomial->n);
  const auto added =
      std::span(settings.fixed).subspan(std::min(own, settings.fixed.size()));
  return std::ranges::all_of(added,
                             [](std::uint8_t value) { return value == qubo::kFree; });
}

}  // namespace

SingleSolver::SingleSolver(const SolveTask& task,
                           const SingleOptions& options,
                           io::Output& output,
                           Context& context)
    : task_(task),
      o_(options),
      output_(output),
      context_(context),
      starts_(options.initial, io::read_vectors, context) {
  if (!o_.trace.empty()) {
    trace_.emplace(o_.trace, false);
  }
  if (!o_.samples.empty()) {
    samples_.emplace(o_.samples);
  }
}

void SingleSolver::solve(const SingleProblem& p, std::size_t k) {
  OneSettings settings = settings_for(p, k);
  const Stopwatch since_begin;
  const auto seconds = [&] { return task_.no_times ? 0.0 : since_begin.seconds(); };
  if (trace_) {
    const auto trace = [&](const char* what, double value) {
      const JsonObject line{{"file", p.name},
                            {"seconds", JsonValue::shortest(seconds())},
                            {what, JsonValue::shortest(value)}};
      trace_->line(line.text());
    };
    settings.general.improved = [trace](double energy) { trace("energy", energy); };
    settings.general.bounded = [trace](double bound) { trace("bound", bound); };
  }
  io::Samples samples;
  if (samples_) {
    settings.general.sampled = [&](std::span<const std::uint8_t> x) { samples.add(x); };
  }
  OneResult result;
  try {
    const Rng rng = Rng(task_.common.seed).fork(k);
    result = solve_one(p.f, settings, rng, context_.token());
  } catch (const InputError& error) {
    context_.leave_out(Exit::Input, p.name + ": " + error.what());
    return;
  }
  const io::ResultLine line = line_of(p, settings, result, seconds());
  if (samples_) {
    io::write_samples(
        *samples_, io::sample_format(o_.samples), p.name, samples.ranked(p.f), p.f);
  }
  output_.write(io::to_json(line, p.polynomial ? face_of(*p.polynomial) : p.f) + "\n");
  output_.flush();  // for a reader that waits
  ++solved_;
  proved_ += line.status == qubo::Status::ProvedOptimal ? 1 : 0;
  seconds_ += line.seconds;
}

void SingleSolver::finish() {
  if (samples_) {
    samples_->commit();
  }
  context_.summarise(task_.common, summary());
}

OneSettings SingleSolver::settings_for(const SingleProblem& p, std::size_t k) const {
  const Chosen chosen = choose_solver(task_.solving);
  OneSettings settings;
  settings.general = {.solver = chosen.settings,
                      .method = &chosen.method,
                      .threads = task_.common.threads,
                      .presolve = !o_.no_presolve,
                      .count_optima = o_.count_optima && !p.polynomial,
                      .target = o_.target};
  if (!o_.initial.empty()) {
    settings.general.initial = starts_.of(p, k).x;
    settings.general.initial.resize(p.f.linear.size());  // added variables begin at 0
  }
  if (o_.all_optima) {
    settings.all_optima = true;
    settings.general.method = &solve::exact_method();
  }
  if (!o_.fix.empty()) {
    io::Input input = io::Input::open(o_.fix, context_.token());
    settings.fixed = io::read_fixed(input, p.f);
  }
  if (keeps_constraints(p, settings)) {
    settings.constrained = polynomial_of(p);
  }
  return settings;
}

io::ResultLine SingleSolver::line_of(const SingleProblem& p,
                                     const OneSettings& settings,
                                     const OneResult& result,
                                     double seconds) {
  const solve::GeneralResult& found = result.found;
  io::ResultLine line;
  line.file = p.name;
  line.format = io::info(p.format).name;
  line.problem = qubo::fingerprint(p.f, polynomial_of(p), settings.fixed);
  line.energy = found.best.front().energy;
  line.bound = found.bound;
  line.status = found.status;
  line.seconds = seconds;
  line.solver = task_.solving.solver;
  line.method = found.method;
  line.found_by = found.found_by.empty() ? found.method : found.found_by;
  if (found.status == qubo::Status::ProvedOptimal) {
    line.proved_by = found.proved_by.empty() ? found.method : found.proved_by;
  }
  line.seed = task_.common.seed;
  line.x = found.best.front().x;
  if (!settings.fixed.empty()) {
    line.fixed = static_cast<int>(std::ssize(settings.fixed) -
                                  std::ranges::count(settings.fixed, qubo::kFree));
  }
  if (o_.all_optima) {
    list_optima(result, p.name, line);
  } else if (settings.general.solver.top > 1) {
    for (const solve::Solution& s : found.best) {
      line.top.emplace_back(s.energy, s.x);
    }
  }
  check_constraints(p, result.penalised, line);
  check_target(p.f.sense, line);
  count_optima(p, result, line);
  return line;
}

void SingleSolver::list_optima(const OneResult& result,
                               const std::string& name,
                               io::ResultLine& line) {
  for (const solve::Solution& s : result.found.best) {
    line.optima.push_back(s.x);
  }
  line.optima_complete = result.complete;
  if (!result.complete) {
    const std::string count = format_grouped(std::ssize(line.optima));
    context_.warn(name + ": there may be more optima than the " + count + " listed (" +
                  (line.status == qubo::Status::ProvedOptimal
                       ? "at most " + count + " are listed"
                       : "the search was cut short") +
                  ")");
  }
}

void SingleSolver::count_optima(const SingleProblem& p,
                                const OneResult& result,
                                io::ResultLine& line) {
  if (!o_.count_optima) {
    return;
  }
  line.optima_count = result.found.optima;
  if (!line.optima_count) {
    context_.warn(p.name + ": optima not counted: " +
                  (p.polynomial ? "this is possible for quadratic problems only"
                                : result.found.uncounted));
  }
}

/// Decodes the result of a polynomial, and warns of violated constraints.
void SingleSolver::check_constraints(const SingleProblem& p,
                                     bool penalised,
                                     io::ResultLine& line) {
  if (!p.polynomial) {
    return;
  }
  decode(*p.polynomial, line);
  const std::int64_t constraints = std::ssize(p.polynomial->constraints);
  constraints_ += constraints;
  penalties_ += penalised ? constraints : 0;
  if (!line.feasible.value_or(true)) {
    feasible_ = false;
    context_.warn(p.name + (line.infeasible
                                ? ": no solution satisfies all constraints (proved)"
                                : ": the best solution violates the constraint " +
                                      line.violated));
  }
}

void SingleSolver::check_target(qubo::Sense sense, io::ResultLine& line) {
  if (o_.target) {
    line.target_reached =
        line.feasible.value_or(true) && !qubo::better(sense, *o_.target, line.energy);
    missed_ += *line.target_reached ? 0 : 1;
  }
}

std::string SingleSolver::target_text() const {
  if (!o_.target) {
    return {};
  }
  return missed_ == 0 ? "target reached, " : format(missed_) + " without the target, ";
}

std::string SingleSolver::summary() const {
  const int left_out = context_.left_out();
  if (task_.common.json) {
    const JsonObject json{{"problems", solved_},
                          {"proved_optimal", proved_},
                          {"targets_missed", missed_},
                          {"left_out", left_out},
                          {"seconds_solving", JsonValue::shortest(seconds_)}};
    return json.text() + "\n";
  }
  return format(solved_) + " solved, " + format(proved_) + " proved optimal, " +
         target_text() + (left_out == 0 ? "" : format(left_out) + " left out, ") +
         format_fixed(seconds_, 3) + " s" + constraints_text() + "\n";
}

std::string SingleSolver::constraints_text() const {
  if (constraints_ == 0) {
    return {};
  }
  const bool one = constraints_ == 1;
  const std::string all =
      "; " + format_grouped(constraints_) + (one ? " constraint" : " constraints");
  if (penalties_ == 0) {
    return all + ", without penalties";
  }
  if (penalties_ == constraints_) {
    return all + (one ? " became a penalty" : " became penalties");
  }
  return all + ", " + format_grouped(penalties_) + " of them penalties";
}

}  // namespace oa::app
