#include "app/solve/single.h"

#include "app/solve/decode.h"
#include "app/solve/one.h"
#include "app/solve/single_problems.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/stopwatch.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/io/quadratic/samples.h"
#include "oa/io/quadratic/vectors.h"
#include "oa/qubo/fingerprint.h"
#include "oa/qubo/fixed.h"
#include "oa/solve/single/general.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace oa::app {
namespace {

class Singles {
 public:
  Singles(const SolveTask& task, const SingleOptions& single, Context& context)
      : task_(task),
        o_(single),
        context_(context),
        output_(task.common.output) {
    claims_ = claims(o_.verify);
    starts_ = vectors(o_.initial);
    if (!o_.trace.empty()) {
      trace_.emplace(o_.trace, false);
    }
    if (!o_.samples.empty()) {
      samples_.emplace(o_.samples);
    }
  }

  void solve_all(SingleProblems problems) {
    const bool one =
        !o_.convert.empty() ||
        (samples_ && io::sample_format(o_.samples) != io::SampleFormat::Lines);
    while (auto p = problems.next()) {
      if (samples_ && p->polynomial) {
        throw UsageError("--samples needs a quadratic problem without constraints (" +
                         p->name + " is not one)");
      }
      if (const auto following = one ? problems.next() : std::nullopt) {
        throw InputError(following->name + ": " +
                         (o_.convert.empty() ? o_.samples + " holds"
                                             : std::string("--convert writes")) +
                         " one problem, and there are more");
      }
      polynomial_ = p->polynomial ? &*p->polynomial : nullptr;
      done_ += problem(std::move(p->f), p->name, p->format) ? 1 : 0;
      ++problems_;
    }
  }

  Exit finish() {
    const bool missed = problems_ < std::max(claims_.size(), starts_.size());
    if (missed && !context_.interrupted() && context_.left_out() == 0) {
      throw InputError((claims_.size() > problems_ ? o_.verify : o_.initial) +
                       ": more results than problems");
    }
    if (done_ == 0 && context_.left_out() > 0) {
      return context_.status(false);  // there is nothing to write
    }
    output_.commit();
    if (samples_) {
      samples_->commit();
    }
    if (o_.convert.empty() && o_.verify.empty()) {
      context_.summarise(task_.common, summary());
    }
    return context_.status(right_ && missed_ == 0);
  }

 private:
  std::vector<io::Claim> claims(const std::string& path) const {
    if (path.empty()) {
      return {};
    }
    io::Input input = io::Input::open(path, context_.token());
    return io::read_claims(input);
  }

  std::vector<io::Claim> vectors(const std::string& path) const {
    if (path.empty()) {
      return {};
    }
    io::Input input = io::Input::open(path, context_.token());
    return io::read_vectors(input);
  }

  const io::Claim& claim(const std::vector<io::Claim>& all,
                         const qubo::Quadratic& f,
                         const std::string& path) const {
    if (problems_ >= all.size()) {
      throw InputError(path + ": fewer results than problems");
    }
    const io::Claim& one = all[problems_];
    const int n = polynomial_ != nullptr ? polynomial_->n : f.size();
    if (std::ssize(one.x) != n) {
      throw InputError(one.where + ": x has " + format(std::ssize(one.x)) +
                       " elements (expected " + format(n) + ")");
    }
    return one;
  }

  /// False if it is left out.
  bool problem(qubo::Quadratic f, const std::string& name, io::ProblemFormat format) {
    if (!o_.verify.empty()) {
      verify(f, name);
    } else if (!o_.convert.empty()) {
      convert(std::move(f), name);
    } else {
      return solve(f, name, format);
    }
    return true;
  }

  void verify(const qubo::Quadratic& f, const std::string& name) {
    const io::Claim& claimed = claim(claims_, f, o_.verify);
    const double energy = polynomial_ != nullptr
                              ? qubo::exact_value(*polynomial_, claimed.x).value()
                              : qubo::energy(f, claimed.x);
    const bool right = energy == claimed.energy;
    JsonObject line{{"file", name},
                    {"claimed", JsonValue::shortest(claimed.energy)},
                    {"energy", JsonValue::shortest(energy)},
                    {"correct", right}};
    right_ = right_ && right;
    if (polynomial_ != nullptr && !polynomial_->constraints.empty()) {
      const bool feasible = qubo::violated(*polynomial_, claimed.x) < 0;
      line.member("feasible", feasible);
      right_ = right_ && feasible;
    }
    output_.write(line.text() + "\n");
  }

  void convert(qubo::Quadratic f, const std::string& name) {
    const io::ProblemFormat to = format_called(o_.convert);
    if (polynomial_ != nullptr) {
      say_penalties(*polynomial_, f, name, context_);
    }
    if (f.sense != io::info(to).sense) {
      const bool max = f.sense == qubo::Sense::Max;
      context_.warn(name + ": " + o_.convert + " is " +
                    (max ? "minimised, this file is maximised"
                         : "maximised, this file is minimised") +
                    ": written negated");
    }
    if (o_.drop_names) {
      f.names.clear();
    }
    io::write_quadratic(output_, std::move(f), to, name);
  }

  bool solve(const qubo::Quadratic& f,
             const std::string& name,
             io::ProblemFormat format) {
    OneSettings settings = settings_for(f);
    const std::string fingerprint = qubo::fingerprint(f, polynomial_, settings.fixed);
    const Stopwatch since_begin;
    const auto seconds = [&] { return task_.no_times ? 0.0 : since_begin.seconds(); };
    if (trace_) {
      const auto trace = [&](const char* what, double value) {
        const JsonObject line{{"file", name},
                              {"seconds", JsonValue::shortest(seconds())},
                              {what, JsonValue::shortest(value)}};
        trace_->line(line.text());
      };
      settings.general.improved = [trace](double energy) { trace("energy", energy); };
      settings.general.bounded = [trace](double bound) { trace("bound", bound); };
    }
    io::Samples samples;
    if (samples_) {
      settings.general.sampled = [&](std::span<const std::uint8_t> x) {
        samples.add(x);
      };
    }
    OneResult result;
    try {
      const Rng rng = Rng(task_.common.seed).fork(problems_);
      result = solve_one(f, settings, rng, context_.token());
    } catch (const InputError& error) {
      context_.leave_out(Exit::Input, name + ": " + error.what());
      return false;
    }
    const solve::GeneralResult& found = result.found;
    io::ResultLine line;
    line.file = name;
    line.format = io::info(format).name;
    line.problem = fingerprint;
    line.energy = found.best.front().energy;
    line.bound = found.bound;
    line.status = found.status;
    line.seconds = seconds();
    line.solver = task_.solving.solver;
    line.method = found.method;
    line.found_by = found.found_by.empty() ? found.method : found.found_by;
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    if (proved) {
      line.proved_by = found.proved_by.empty() ? found.method : found.proved_by;
    }
    line.seed = task_.common.seed;
    line.x = found.best.front().x;
    if (!settings.fixed.empty()) {
      line.fixed = static_cast<int>(std::ssize(settings.fixed) -
                                    std::ranges::count(settings.fixed, qubo::kFree));
    }
    if (o_.all_optima) {
      list_optima(result, name, line);
    } else if (settings.general.solver.top > 1) {
      for (const solve::Solution& s : found.best) {
        line.top.emplace_back(s.energy, s.x);
      }
    }
    if (polynomial_ != nullptr) {
      decode(*polynomial_, line);
      say_feasible(name, line);
      const std::int64_t constraints = std::ssize(polynomial_->constraints);
      constraints_ += constraints;
      penalties_ += result.penalised ? constraints : 0;
    }
    if (o_.target) {
      line.target_reached = line.feasible.value_or(true) &&
                            !qubo::better(f.sense, *o_.target, line.energy);
      missed_ += *line.target_reached ? 0 : 1;
    }
    if (samples_) {
      io::write_samples(
          *samples_, io::sample_format(o_.samples), name, samples.ranked(f), f);
    }
    if (o_.count_optima) {
      count_optima(found, name, line);
    }
    const bool decoded = polynomial_ != nullptr;
    output_.write(io::to_json(line, decoded ? face_of(*polynomial_) : f) + "\n");
    output_.flush();  // a reader may begin
    proved_ += line.status == qubo::Status::ProvedOptimal ? 1 : 0;
    seconds_ += line.seconds;
    return true;
  }

  [[nodiscard]] OneSettings settings_for(const qubo::Quadratic& f) const {
    const Chosen chosen = choose_solver(task_.solving);
    OneSettings settings;
    settings.general = {.solver = chosen.settings,
                        .method = &chosen.method,
                        .threads = task_.common.threads,
                        .presolve = !o_.no_presolve,
                        .count_optima = o_.count_optima && polynomial_ == nullptr,
                        .target = o_.target};
    if (!o_.initial.empty()) {
      settings.general.initial = claim(starts_, f, o_.initial).x;
      settings.general.initial.resize(f.linear.size());  // and 0 for variables added
    }
    if (o_.all_optima) {
      settings.all_optima = true;
      settings.general.method = &solve::exact_method();
    }
    if (!o_.fix.empty()) {
      io::Input input = io::Input::open(o_.fix, context_.token());
      settings.fixed = io::read_fixed(input, f);
    }
    if (keeps_constraints(settings)) {
      settings.constrained = polynomial_;
    }
    return settings;
  }

  /// Long lists of solutions and values of variables that were added are about
  /// penalties.
  [[nodiscard]] bool keeps_constraints(const OneSettings& settings) const {
    if (polynomial_ == nullptr || polynomial_->constraints.empty() ||
        settings.general.solver.top > kMostKept) {
      return false;
    }
    const auto added =
        std::span(settings.fixed)
            .subspan(std::min<std::size_t>(static_cast<std::size_t>(polynomial_->n),
                                           settings.fixed.size()));
    return std::ranges::all_of(added,
                               [](std::uint8_t value) { return value == qubo::kFree; });
  }

  /// Warns of constraints that do not hold.
  void say_feasible(const std::string& name, const io::ResultLine& line) {
    if (line.feasible.value_or(true)) {
      return;
    }
    right_ = false;
    context_.warn(
        name + (line.infeasible
                    ? ": no solution satisfies all constraints (proved)"
                    : ": the best solution violates the constraint " + line.violated));
  }

  void list_optima(const OneResult& result,
                   const std::string& name,
                   io::ResultLine& line) {
    for (const solve::Solution& s : result.found.best) {
      line.optima.push_back(s.x);
    }
    line.optima_complete = result.complete;
    if (!result.complete) {
      const std::string count = format_grouped(std::ssize(line.optima));
      context_.warn(name + ": there may be more optima than the " + count +
                    " listed (" +
                    (line.status == qubo::Status::ProvedOptimal
                         ? "at most " + count + " are listed"
                         : "the search was cut short") +
                    ")");
    }
  }

  void count_optima(const solve::GeneralResult& found,
                    const std::string& name,
                    io::ResultLine& line) {
    line.optima_count = found.optima;
    if (!line.optima_count) {
      context_.warn(name + ": optima not counted: " +
                    (polynomial_ != nullptr
                         ? "this is possible for quadratic problems only"
                         : found.uncounted));
    }
  }

  [[nodiscard]] std::string target_text() const {
    if (!o_.target) {
      return {};
    }
    return missed_ == 0 ? "target reached, "
                        : format(missed_) + " without the target, ";
  }

  [[nodiscard]] std::string left_out_text() const {
    const int count = context_.left_out();
    return count == 0 ? "" : format(count) + " left out, ";
  }

  [[nodiscard]] std::string summary() const {
    if (task_.common.json) {
      const JsonObject json{{"problems", done_},
                            {"proved_optimal", proved_},
                            {"targets_missed", missed_},
                            {"left_out", context_.left_out()},
                            {"seconds_solving", JsonValue::shortest(seconds_)}};
      return json.text() + "\n";
    }
    return format(done_) + " solved, " + format(proved_) + " proved optimal, " +
           target_text() + left_out_text() + format_fixed(seconds_, 3) + " s" +
           constraints_text() + "\n";
  }

  [[nodiscard]] std::string constraints_text() const {
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

  const SolveTask& task_;
  const SingleOptions& o_;
  Context& context_;
  io::Output output_;
  std::vector<io::Claim> claims_;
  std::vector<io::Claim> starts_;
  std::optional<io::LogFile> trace_;
  std::optional<io::Output> samples_;
  const qubo::Polynomial* polynomial_ = nullptr;  // what the problem stands for, if any
  std::size_t problems_ = 0;                      // that could be read
  int done_ = 0;  // of these, solved, converted or verified
  int proved_ = 0;
  double seconds_ = 0.0;
  bool right_ = true;
  int missed_ = 0;  // problems whose target was not reached
  std::int64_t constraints_ = 0;
  std::int64_t penalties_ = 0;  // constraints that became penalties
};

}  // namespace

/// Options of single problems that were given: first those that say how files are read.
std::vector<std::string> SingleOptions::given() const {
  const std::array all{
      std::pair{"--format", !reading.format.empty()},
      std::pair{"--sense", !reading.sense.empty()},
      std::pair{"--vartype", !reading.vartype.empty()},
      std::pair{"--drop-names", drop_names},
      std::pair{"--convert", !convert.empty()},
      std::pair{"--verify", !verify.empty()},
      std::pair{"--target", target.has_value()},
      std::pair{"--initial", !initial.empty()},
      std::pair{"--fix", !fix.empty()},
      std::pair{"--samples", !samples.empty()},
      std::pair{"--all-optima", all_optima},
      std::pair{"--count-optima", count_optima},
      std::pair{"--trace", !trace.empty()},
      std::pair{"--no-presolve", no_presolve},
  };
  std::vector<std::string> given;
  for (const auto& [name, is_given] : all) {
    if (is_given) {
      given.emplace_back(name);
    }
  }
  return given;
}

bool is_stream(const SingleOptions& o, io::Input& input) {
  if (!o.reading.format.empty()) {
    return false;
  }
  const bool stream = io::detect_problem(input).stream;
  if (const auto given = o.given(); stream && !given.empty()) {
    throw UsageError(given.front() + " is for single problems, and " + input.name() +
                     " is a stream");
  }
  return stream;
}

namespace {

/// Refuses options that would change nothing.
void refuse_idle(const SolveTask& task, const SingleOptions& o) {
  const SolveOptions& solving = task.solving;
  for (const char* unsolved : {"--convert", "--verify"}) {
    auto given = o.given();
    std::ranges::copy(app::given(solving), std::back_inserter(given));
    if (task.common.json) {
      given.emplace_back("--json");
    }
    const auto found = std::ranges::find(given, unsolved);
    if (found != given.end() && found + 1 != given.end()) {
      throw UsageError(*(found + 1) + " has no effect with " + unsolved +
                       ", which solves nothing");
    }
  }
  const solve::Method& method = *solve::find_method(solving.solver);
  if (!o.samples.empty() && !method.samples) {
    throw UsageError("--samples has no effect with --solver " + solving.solver +
                     " (expected sa, whose reads are independent)");
  }
  for (const auto& [option, is_given] : {std::pair{"--all-optima", o.all_optima},
                                         std::pair{"--count-optima", o.count_optima}}) {
    if (is_given && !method.proves) {
      throw UsageError(std::string(option) + " has no effect with --solver " +
                       solving.solver + " (expected exact)");
    }
  }
  if (o.all_optima && solving.settings.top > 1) {
    throw UsageError("--all-optima lists what it finds (leave --top out)");
  }
}

}  // namespace

Exit solve_singles(const SolveTask& task,
                   const SingleOptions& single,
                   std::optional<io::Input> first,
                   const std::vector<std::string>& paths,
                   Context& context) {
  if (!task.solving.coefficients.empty()) {
    throw UsageError("--coefficients is for streams");
  }
  refuse_idle(task, single);
  Singles singles(task, single, context);
  singles.solve_all({std::move(first), paths, single.reading, context});
  return singles.finish();
}

}  // namespace oa::app
