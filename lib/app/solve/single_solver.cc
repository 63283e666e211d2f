#include "app/solve/single_solver.h"

#include "app/solve/decode.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/stopwatch.h"
#include "oa/io/quadratic/samples.h"
#include "oa/io/quadratic/solution_file.h"
#include "oa/io/quadratic/vectors.h"
#include "oa/qubo/fingerprint.h"

#include <iterator>
#include <span>
#include <utility>

namespace oa::app {
namespace {

std::string size_text(const solve::ProblemSize& size) {
  std::string text = format_grouped(size.variables) + " variables, " +
                     format_grouped(size.terms) + " terms";
  if (size.constraints > 0) {
    text += ", " + format_grouped(size.constraints) + " constraints";
  }
  return text;
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
  if (!o_.solution.empty()) {
    solution_.emplace(o_.solution);
  }
}

void SingleSolver::solve(const SingleProblem& p, std::size_t k, bool only) {
  SingleTask one{.model = p.model, .number = k};
  if (!o_.initial.empty()) {
    one.initial = starts_.starts_of(p, k, only);
  }
  if (!o_.fix.empty()) {
    io::Input input = io::Input::open(o_.fix, context_.token());
    one.fixed = io::read_fixed(input, p.model.f, p.model.integers);
  }
  const std::string fingerprint = qubo::fingerprint(p.model, one.fixed);
  const Stopwatch since_begin;
  const auto seconds = [&] { return task_.no_times ? 0.0 : since_begin.seconds(); };
  if (trace_) {
    const auto trace = [&](const char* what, double value) {
      const JsonObject line{{"file", JsonValue::of_path(p.name)},
                            {"seconds", JsonValue::shortest(seconds())},
                            {what, JsonValue::shortest(value)}};
      trace_->line(line.text());
    };
    one.improved = [trace](double energy) { trace("energy", energy); };
    one.bounded = [trace](double bound) { trace("bound", bound); };
  }
  if (o_.verbose) {
    one.staged = [&](const solve::Stage& stage) { say(p, stage); };
  }
  io::Samples samples;
  if (samples_) {
    one.sampled = [&](std::span<const std::uint8_t> x) { samples.add(x); };
  }
  SingleResult result;
  try {
    result = solve_single(task_, o_, std::move(one), context_.token());
  } catch (const InputError& error) {
    context_.leave_out(Exit::Input, p.name + ": " + error.what());
    return;
  }
  io::ResultLine& line = result.line;
  line.file = p.name;
  line.format = io::info(p.format).name;
  line.problem = fingerprint;
  line.seconds = seconds();
  for (const std::string& warning : result.warnings) {
    context_.warn(p.name + ": " + warning);
  }
  if (samples_) {
    io::write_samples(*samples_,
                      io::sample_format(o_.samples),
                      p.name,
                      samples.ranked(p.model),
                      p.model.f);
  }
  if (solution_) {
    io::write_solution_file(
        *solution_,
        o_.solution,
        {line, p.model, p.format, io::graph_goal(o_.reading.graph)});
  }
  output_.write(io::to_json(line, p.model.f) + "\n");
  output_.flush();  // for a reader that waits
  count(p, result);
}

/// Methods that take less than this are not worth a line.
constexpr double kLeastSeconds = 0.5e-3;

void SingleSolver::say(const SingleProblem& p, const solve::Stage& stage) {
  std::string text = p.name + ": " + std::string(stage.name) + ": ";
  if (stage.after != stage.before) {
    text += size_text(stage.before) + " -> " + size_text(stage.after) + ", ";
  } else if (stage.seconds < kLeastSeconds) {
    return;
  }
  const double ms = task_.no_times ? 0.0 : 1e3 * stage.seconds;
  context_.say(text + format_fixed(ms, 1) + " ms\n");
}

void SingleSolver::count(const SingleProblem& p, const SingleResult& result) {
  const io::ResultLine& line = result.line;
  ++solved_;
  proved_ += line.status == qubo::Status::ProvedOptimal ? 1 : 0;
  seconds_ += line.seconds;
  feasible_ = feasible_ && line.feasible.value_or(true);
  missed_ += line.target_reached.value_or(true) ? 0 : 1;
  const std::int64_t constraints = std::ssize(p.model.constraints);
  constraints_ += constraints;
  penalties_ += result.penalised ? constraints : 0;
}

void SingleSolver::finish() {
  if (samples_) {
    samples_->commit();
  }
  if (solution_) {
    solution_->commit();
  }
  context_.summarise(task_.common, summary());
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
         format_fixed(task_.no_times ? 0.0 : since_begin_.seconds(), 3) + " s" +
         constraints_text() + "\n";
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
