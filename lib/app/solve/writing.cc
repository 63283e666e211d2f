#include "app/solve/writing.h"

#include "oa/base/counted.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/solution_file.h"

#include <iterator>
#include <span>

namespace oa::app {
namespace {

/// Methods that take less than this are not worth a line.
constexpr double kMinSeconds = 0.5e-3;

std::string size_text(const solve::ProblemSize& size) {
  std::string text = format_grouped(size.variables) + " variables, " +
                     format_grouped(size.terms) + " terms";
  if (size.constraints > 0) {
    text += ", " + format_grouped(size.constraints) + " constraints";
  }
  return text;
}

}  // namespace

ResultWriter::ResultWriter(const SolveTask& task,
                           const SingleOptions& options,
                           io::Output& output,
                           Context& context)
    : task_(task),
      o_(options),
      output_(output),
      context_(context) {
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

double ResultWriter::seconds() const {
  return task_.no_times ? 0.0 : since_follow_.seconds();
}

void ResultWriter::follow(const SingleProblem& p, SingleTask& one) {
  since_follow_ = {};
  if (trace_) {
    const auto trace = [&](const char* what, double value) {
      const JsonObject line{{"file", JsonValue::of_path(p.name)},
                            {"seconds", JsonValue::shortest(seconds())},
                            {what, JsonValue::shortest(value)}};
      trace_->line(line.text());
    };
    one.settings.improved = [trace](double energy) { trace("energy", energy); };
    one.settings.bounded = [trace](double bound) { trace("bound", bound); };
  }
  if (o_.verbose) {
    one.settings.staged = [&](const solve::Stage& stage) { say(p, stage); };
  }
  states_ = {};
  if (samples_) {
    one.settings.sampled = [&](std::span<const std::uint8_t> x) { states_.add(x); };
  }
}

void ResultWriter::write(const SingleProblem& p,
                         const std::string& fingerprint,
                         SingleResult result) {
  io::ResultLine& line = result.line;
  line.file = p.name;
  line.format = io::info(p.format).name;
  line.problem = fingerprint;
  line.seconds = seconds();
  for (const std::string& warning : result.warnings) {
    context_.warn(p.name + ": " + warning);
  }
  write_files(p, line);
  output_.write(io::to_json(line, p.model.f) + "\n");
  output_.flush();  // for a reader that waits
  count(p, result);
}

void ResultWriter::write_files(const SingleProblem& p, const io::ResultLine& line) {
  if (samples_) {
    io::write_samples(*samples_,
                      io::sample_format(o_.samples),
                      p.name,
                      states_.ranked(p.model),
                      p.model.f);
  }
  if (solution_) {
    io::write_solution_file(
        *solution_,
        o_.solution,
        {line, p.model, p.format, io::graph_goal(o_.reading.graph)});
  }
}

void ResultWriter::say(const SingleProblem& p, const solve::Stage& stage) {
  std::string text = p.name + ": " + std::string(stage.name) + ": ";
  if (stage.after != stage.before) {
    text += size_text(stage.before) + " -> " + size_text(stage.after) + ", ";
  } else if (stage.seconds < kMinSeconds) {
    return;
  }
  const double ms = task_.no_times ? 0.0 : 1e3 * stage.seconds;
  context_.say(text + format_fixed(ms, 1) + " ms\n");
}

void ResultWriter::count(const SingleProblem& p, const SingleResult& result) {
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

void ResultWriter::finish() {
  if (samples_) {
    samples_->commit();
  }
  if (solution_) {
    solution_->commit();
  }
  context_.summarise(summary());
}

std::string ResultWriter::target_text() const {
  if (!o_.target) {
    return {};
  }
  return missed_ == 0 ? "target reached, " : format(missed_) + " without the target, ";
}

std::string ResultWriter::summary() const {
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

std::string ResultWriter::constraints_text() const {
  if (constraints_ == 0) {
    return {};
  }
  const bool one = constraints_ == 1;
  const std::string all = "; " + counted(constraints_, "constraint");
  if (penalties_ == 0) {
    return all + ", without penalties";
  }
  if (penalties_ == constraints_) {
    return all + (one ? " became a penalty" : " became penalties");
  }
  return all + ", " + format_grouped(penalties_) + " of them penalties";
}

}  // namespace oa::app
