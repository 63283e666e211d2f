#include "app/solve_single.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/quadratic/quadratic_io.h"
#include "oa/io/quadratic/result_line.h"
#include "oa/solve/general.h"

#include <algorithm>
#include <array>
#include <chrono>
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
    starts_ = claims(o_.initial);
    if (!o_.trace.empty()) {
      trace_.emplace(o_.trace, false);
    }
  }

  void file(io::Input input) {
    SingleFile file = read_single_file(o_.reading, input, "--format", context_);
    if (!o_.convert.empty() && problems_ + file.problems.size() > 1) {
      throw InputError(input.name() +
                       ": --convert writes one problem (there are more)");
    }
    for (qubo::Quadratic& f : file.problems) {
      if (context_.interrupted()) {
        return;
      }
      problem(std::move(f), input.name(), file.format);
      ++problems_;
    }
  }

  Exit finish() {
    const bool missed = problems_ < std::max(claims_.size(), starts_.size());
    if (missed && !context_.interrupted()) {
      throw InputError((claims_.size() > problems_ ? o_.verify : o_.initial) +
                       ": more results than problems");
    }
    output_.commit();
    if (o_.convert.empty() && o_.verify.empty()) {
      context_.say(summary());
    }
    return context_.status(right_);
  }

 private:
  std::vector<io::Claim> claims(const std::string& path) const {
    if (path.empty()) {
      return {};
    }
    io::Input input = io::Input::open(path, context_.token());
    return io::read_claims(input);
  }

  const io::Claim& claim(const std::vector<io::Claim>& all,
                         const qubo::Quadratic& f,
                         const std::string& path) const {
    if (problems_ >= all.size()) {
      throw InputError(path + ": fewer results than problems");
    }
    const io::Claim& one = all[problems_];
    if (std::ssize(one.x) != f.size()) {
      throw InputError(one.where + ": x has " + format(std::ssize(one.x)) +
                       " elements (expected " + format(f.size()) + ")");
    }
    return one;
  }

  void problem(qubo::Quadratic f, const std::string& name, io::ProblemFormat format) {
    if (!o_.verify.empty()) {
      verify(f, name);
    } else if (!o_.convert.empty()) {
      convert(std::move(f), name);
    } else {
      solve(f, name, format);
    }
  }

  void verify(const qubo::Quadratic& f, const std::string& name) {
    const io::Claim& claimed = claim(claims_, f, o_.verify);
    const double energy = qubo::energy(f, claimed.x);
    const bool right = energy == claimed.energy;
    right_ = right_ && right;
    const JsonObject line{{"file", name},
                          {"claimed", JsonValue::shortest(claimed.energy)},
                          {"energy", JsonValue::shortest(energy)},
                          {"correct", right}};
    output_.write(line.text() + "\n");
  }

  void convert(qubo::Quadratic f, const std::string& name) {
    const io::ProblemFormat to = format_called(o_.convert);
    if (f.sense != io::info(to).sense) {
      context_.warn(name + ": " + o_.convert +
                    " asks for the other sense: all signs "
                    "change, and so do energies");
    }
    io::write_quadratic(output_, std::move(f), to, name);
  }

  void solve(const qubo::Quadratic& f,
             const std::string& name,
             io::ProblemFormat format) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto seconds = [&] {
      const std::chrono::duration<double> taken = Clock::now() - begin;
      return task_.no_times ? 0.0 : taken.count();
    };
    const Chosen chosen = choose_solver(task_.solving);
    solve::GeneralSettings general{.solver = chosen.settings,
                                   .method = &chosen.method,
                                   .threads = task_.common.threads,
                                   .presolve = !o_.no_presolve,
                                   .target = o_.target};
    if (!o_.initial.empty()) {
      general.initial = claim(starts_, f, o_.initial).x;
    }
    if (trace_) {
      const auto trace = [&](const char* what, double value) {
        const JsonObject line{{"file", name},
                              {"seconds", JsonValue::shortest(seconds())},
                              {what, JsonValue::shortest(value)}};
        trace_->line(line.text());
      };
      general.improved = [trace](double energy) { trace("energy", energy); };
      general.bounded = [trace](double bound) { trace("bound", bound); };
    }
    const solve::GeneralResult found = solve::solve_general(
        f, general, Rng(task_.common.seed).fork(problems_), context_.token());
    io::ResultLine line{name,
                        std::string(io::info(format).name),
                        found.best.front().energy,
                        found.bound,
                        found.status,
                        seconds(),
                        task_.solving.solver,
                        std::string(found.method),
                        task_.common.seed,
                        found.best.front().x,
                        {},
                        {}};
    if (chosen.settings.top > 1) {
      for (const solve::Solution& s : found.best) {
        line.top.emplace_back(s.energy, s.x);
      }
    }
    output_.write(io::to_json(line, f) + "\n");
    output_.flush();  // whoever reads may begin
    proved_ += found.status == qubo::Status::ProvedOptimal ? 1 : 0;
    seconds_ += line.seconds;
  }

  [[nodiscard]] std::string summary() const {
    if (task_.common.json) {
      const JsonObject json{{"problems", problems_},
                            {"proved_optimal", proved_},
                            {"seconds_solving", JsonValue::shortest(seconds_)}};
      return json.text() + "\n";
    }
    return format(static_cast<std::int64_t>(problems_)) + " solved, " +
           format(proved_) + " proved optimal, " + format_fixed(seconds_, 3) + " s\n";
  }

  const SolveTask& task_;
  const SingleOptions& o_;
  Context& context_;
  io::Output output_;
  std::vector<io::Claim> claims_;
  std::vector<io::Claim> starts_;
  std::optional<io::LogFile> trace_;
  std::size_t problems_ = 0;
  int proved_ = 0;
  double seconds_ = 0.0;
  bool right_ = true;
};

}  // namespace

std::string SingleOptions::given() const {
  const std::array all{
      std::pair{"--format", !reading.format.empty()},
      std::pair{"--sense", !reading.sense.empty()},
      std::pair{"--vartype", !reading.vartype.empty()},
      std::pair{"--convert", !convert.empty()},
      std::pair{"--target", target.has_value()},
      std::pair{"--initial", !initial.empty()},
      std::pair{"--trace", !trace.empty()},
      std::pair{"--verify", !verify.empty()},
      std::pair{"--no-presolve", no_presolve},
  };
  const auto* found = std::ranges::find_if(all, [](const auto& a) { return a.second; });
  return found == all.end() ? "" : found->first;
}

bool is_stream(const SingleOptions& o, io::Input& input) {
  if (!o.reading.format.empty()) {
    return false;
  }
  const bool stream = io::detect_problem(input).stream;
  if (const std::string option = o.given(); stream && !option.empty()) {
    throw UsageError(option + " is for single problems, and " + input.name() +
                     " is a stream or empty");
  }
  return stream;
}

Exit solve_singles(const SolveTask& task,
                   const SingleOptions& single,
                   io::Input first,
                   const std::vector<std::string>& others,
                   Context& context) {
  if (!task.solving.coefficients.empty()) {
    throw UsageError("--coefficients is for streams");
  }
  Singles singles(task, single, context);
  singles.file(std::move(first));
  for (const std::string& path : others) {
    if (!context.interrupted()) {
      singles.file(io::Input::open(path, context.token()));
    }
  }
  return singles.finish();
}

}  // namespace oa::app
