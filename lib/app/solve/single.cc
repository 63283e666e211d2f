#include "app/solve/single.h"

#include "app/solve/decode.h"
#include "app/solve/sampling.h"
#include "app/solve/writing.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/io/quadratic/samples.h"
#include "oa/io/quadratic/vectors.h"
#include "oa/qubo/fingerprint.h"
#include "oa/qubo/lowered.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/recover/squares.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oa::app {
namespace {

/// Commits the output, unless all problems were skipped.  Returns the exit status.
Exit finish(int done, bool good, io::Output& output, const Context& context) {
  if (done == 0 && context.left_out() > 0) {
    return context.status(false);
  }
  output.commit();
  return context.status(good);
}

/// Results or vectors from a file, one for each problem.
class Claims {
 public:
  /// Reads a file by `read`; no claims if `path` is empty.
  Claims(const std::string& path,
         std::vector<io::Claim> (*read)(io::Input&),
         const Context& context)
      : path_(path) {
    if (!path.empty()) {
      io::Input input = io::Input::open(path, context.token());
      all_ = read(input);
    }
  }

  /// The claim of problem k.  Throws InputError if it is missing,
  /// or if its x has not one element for each variable.
  [[nodiscard]] const io::Claim& of(const SingleProblem& problem, std::size_t k) const {
    if (k >= all_.size()) {
      throw InputError(path_ + ": fewer results than problems");
    }
    const io::Claim& claim = all_[k];
    const int n = problem.model.size();
    if (std::ssize(claim.x) != n) {
      throw InputError(claim.where + ": x has " + format(std::ssize(claim.x)) +
                       " elements (expected " + format(n) + ")");
    }
    return claim;
  }

  /// The initial states of problem k, with 0 for open values: its claim,
  /// or all claims if there is only one problem.  Throws InputError as of() does.
  [[nodiscard]] solve::States starts_of(const SingleProblem& problem,
                                        std::size_t k,
                                        bool only) {
    solve::States states;
    used_ = only ? std::max(all_.size(), k + 1) : k + 1;
    for (std::size_t c = k; c < used_; ++c) {
      const bool named = c < all_.size() && !all_[c].values.empty();
      const qubo::Model& model = problem.model;
      std::vector<std::uint8_t>& x = states.emplace_back(
          named ? io::fixed_by(all_[c], model.f, model.integers) : of(problem, c).x);
      std::ranges::replace(x, qubo::kFree, std::uint8_t{0});
    }
    return states;
  }

  /// Throws InputError if the file has more claims than problems, except after an
  /// interruption or skipped inputs.
  void check_none_left(std::size_t problems, const Context& context) const {
    if (std::max(problems, used_) < all_.size() && !context.interrupted() &&
        context.left_out() == 0) {
      throw InputError(path_ + ": more results than problems");
    }
  }

 private:
  std::string path_;
  std::vector<io::Claim> all_;
  std::size_t used_ = 0;
};

struct Verified {
  bool right = false;
  std::string line;
};

Verified verify(const SingleProblem& p, const io::Claim& claim) {
  const double energy = qubo::exact_value(p.model, claim.x).value();
  bool right = energy == claim.energy;
  JsonObject line{{"file", JsonValue::of_path(p.name)},
                  {"claimed", JsonValue::shortest(claim.energy)},
                  {"energy", JsonValue::shortest(energy)},
                  {"correct", right}};
  if (!p.model.constraints.empty()) {
    const bool feasible = qubo::violated(p.model, claim.x) < 0;
    line.member("feasible", feasible);
    right = right && feasible;
  }
  return {right, line.text() + "\n"};
}

Exit verify_all(const std::string& path,
                ProblemReader problems,
                io::Output& output,
                Context& context) {
  const Claims claims(path, io::read_claims, context);
  bool right = true;
  int count = 0;
  for (; const auto p = problems.next(); ++count) {
    const Verified verified =
        verify(*p, claims.of(*p, static_cast<std::size_t>(count)));
    output.write(verified.line);
    right = right && verified.right;
  }
  claims.check_none_left(static_cast<std::size_t>(count), context);
  return finish(count, right, output, context);
}

/// Throws InputError if a second problem follows: `what` has room for one.
void check_only_one(ProblemReader& problems, const std::string& what) {
  if (const auto second = problems.next()) {
    throw InputError(second->name + ": " + what + " one problem, and there are more");
  }
}

/// Converts a function to the program that its couplings reveal, if they contain
/// squares of constraints.
qubo::Model recovered(qubo::Model model, const std::string& name, Context& context) {
  if (!model.quadratic()) {
    return model;
  }
  qubo::Converted c = qubo::converted(model.f, qubo::Vartype::Binary);
  const bool max = c.f.sense == qubo::Sense::Max;
  const solve::Squares squares =
      solve::find_squares(max ? qubo::negated(c.f) : c.f, solve::Stop());
  if (squares.squares.empty() || !c.exact) {
    return model;
  }
  context.warn(name + ": " +
               counted(std::ssize(squares.squares),
                       "square became a constraint",
                       "squares became constraints") +
               ", with the same optima if penalties suffice (the option no-recover "
               "keeps couplings)");
  qubo::Model program = solve::model_of(squares, model.f.names);
  if (max) {
    program.f = qubo::negated(std::move(program.f));
  }
  return program;
}

Exit convert_one(const SingleOptions& o,
                 ProblemReader problems,
                 io::Output& output,
                 Context& context) {
  auto p = problems.next();
  if (!p) {
    return finish(0, true, output, context);
  }
  check_only_one(problems, "a conversion writes");
  if (o.drop_names) {
    p->model.f.names.clear();
  }
  const io::ProblemFormat to = format_called(o.convert);
  if (p->model.size() == 0) {
    throw InputError(p->name + ": no variable for a file of " + o.convert);
  }
  if (o.no_recover && to != io::ProblemFormat::Lp) {
    throw UsageError("no-recover", " has no effect: only lp keeps constraints");
  }
  if (to == io::ProblemFormat::Lp) {
    const qubo::Model model = o.no_recover
                                  ? std::move(p->model)
                                  : recovered(std::move(p->model), p->name, context);
    const bool lowers = qubo::Lowered::needed(model);
    io::write_lp(output, lowers ? qubo::Lowered(model).model() : model, p->name);
    return finish(1, true, output, context);
  }
  qubo::Quadratic f = qubo::quadratic_of(p->model, p->name);
  for (const std::string& warning : conversion_warnings(p->model, f, to, p->name)) {
    context.warn(warning);
  }
  io::write_quadratic(output, std::move(f), to, p->name);
  return finish(1, true, output, context);
}

/// Throws for problems that the requested files cannot hold.
void check_written(const SingleOptions& o,
                   const SingleProblem& p,
                   ProblemReader& problems) {
  const bool samples = !o.samples.empty();
  if (samples && !p.model.constraints.empty()) {
    throw UsageError("samples need a problem without constraints (" + p.name +
                     " has some)");
  }
  if (samples && io::sample_format(o.samples) != io::SampleFormat::Lines) {
    check_only_one(problems, o.samples + " holds");
  }
  if (!o.solution.empty()) {
    check_only_one(problems, o.solution + " holds");
  }
}

Exit solve_all(const SolveTask& task,
               const SingleOptions& o,
               ProblemReader problems,
               io::Output& output,
               Context& context) {
  Claims starts(o.initial, io::read_vectors, context);
  ResultWriter writer(task, o, output, context);  // the output may replace an input
  std::size_t count = 0;
  for (; const auto p = problems.next(); ++count) {
    check_written(o, *p, problems);
    SingleTask one{.model = p->model, .number = count};
    if (!o.initial.empty()) {
      one.settings.initial =
          starts.starts_of(*p, count, count == 0 && problems.at_end());
    }
    if (!o.fix.empty()) {
      io::Input input = io::Input::open(o.fix, context.token());
      one.settings.fixed = io::read_fixed(input, p->model.f, p->model.integers);
    }
    const std::string fingerprint = qubo::fingerprint(p->model, one.settings.fixed);
    writer.follow(*p, one);
    try {
      SingleResult result = solve_single(task, o, std::move(one), context.token());
      writer.write(*p, fingerprint, std::move(result));
    } catch (const InputError& error) {
      context.leave_out(Exit::Input, p->name + ": " + error.what());
    }
  }
  starts.check_none_left(count, context);
  const Exit status = finish(writer.solved(), writer.satisfied(), output, context);
  if (writer.solved() > 0 || context.left_out() == 0) {
    writer.finish();
  }
  return status;
}

}  // namespace

void check_effects(const SolveTask& task, const SingleOptions& o) {
  const SolveOptions& solving = task.solving;
  if (!o.convert.empty() || !o.verify.empty()) {
    auto given = o.given_settings();
    std::ranges::copy(given_settings(solving), std::back_inserter(given));
    if (task.common.json) {
      given.emplace_back("json");
    }
    const auto verb =
        std::ranges::find(given, o.convert.empty() ? "verify" : "convert");
    if (verb + 1 != given.end()) {
      throw UsageError(*(verb + 1), " has no effect: nothing is solved");
    }
  }
  check_sampling(solving, false);
  const solve::Method& method = *solve::find_method(solving.solver);
  if (!o.samples.empty() && !method.samples) {
    throw UsageError("samples",
                     " has no effect with the solver " + solving.solver +
                         " (expected sa, whose reads are independent)");
  }
  for (const auto& [name, is_given] : {std::pair{"all-optima", o.all_optima},
                                       std::pair{"count-optima", o.count_optima}}) {
    if (is_given && !method.proves) {
      throw UsageError(
          name,
          " has no effect with the solver " + solving.solver + " (expected exact)");
    }
  }
  if (o.all_optima && solving.settings.top > 1) {
    throw UsageError("top", " has no effect: all optima are listed");
  }
}

/// Throws UsageError for solver settings together with samples or marginals.
void check_sampled_effects(const SolveTask& task, const SingleOptions& o) {
  check_sampling(task.solving, !o.marginals.empty());
  for (const std::string& name : o.given_settings()) {
    if (name != "format" && name != "sense" && name != "vartype" && name != "graph" &&
        name != "fix" && name != "samples" && name != "marginals") {
      throw UsageError(name, " has no effect with samples at a temperature");
    }
  }
  if (!o.samples.empty() && task.solving.samples == 0) {
    throw UsageError("samples", " needs sample N");
  }
  if (o.marginals == "-" && task.solving.samples > 0 && o.samples.empty() &&
      task.common.output == "-") {
    throw UsageError("marginals",
                     " and the states go to standard output (name a file for one)");
  }
}

/// In order: for reading, then "convert" and "verify", then for solving.
std::vector<std::string> SingleOptions::given_settings() const {
  std::vector<std::string> names;
  for (const auto& [name, is_given] : {
           std::pair{"format", !reading.format.empty()},
           std::pair{"sense", !reading.sense.empty()},
           std::pair{"vartype", !reading.vartype.empty()},
           std::pair{"graph", !reading.graph.empty()},
           std::pair{"drop-names", drop_names},
           std::pair{"no-recover", no_recover},
           std::pair{"convert", !convert.empty()},
           std::pair{"verify", !verify.empty()},
           std::pair{"target", target.has_value()},
           std::pair{"initial", !initial.empty()},
           std::pair{"fix", !fix.empty()},
           std::pair{"samples", !samples.empty()},
           std::pair{"solution", !solution.empty()},
           std::pair{"marginals", !marginals.empty()},
           std::pair{"all-optima", all_optima},
           std::pair{"count-optima", count_optima},
           std::pair{"trace", !trace.empty()},
           std::pair{"no-presolve", no_presolve},
           std::pair{"verbose", verbose},
       }) {
    if (is_given) {
      names.emplace_back(name);
    }
  }
  return names;
}

bool is_stream(const SingleOptions& o, io::Input& input) {
  if (!o.reading.format.empty() || !io::detect_problem(input).stream) {
    return false;
  }
  if (const auto given = o.given_settings(); !given.empty()) {
    throw UsageError(given.front(),
                     " is for single problems, and " + input.name() + " is a stream");
  }
  return true;
}

Exit solve_singles(const SolveTask& task,
                   const SingleOptions& single,
                   std::optional<io::Input> first,
                   const std::vector<std::string>& paths,
                   Context& context) {
  if (!task.solving.coefficients.empty()) {
    throw UsageError("coefficients", " is for streams");
  }
  if (task.solving.samples > 0 || !single.marginals.empty()) {
    check_sampled_effects(task, single);
    return sample_singles(task, single, std::move(first), paths, context);
  }
  check_effects(task, single);
  io::Output output(task.common.output);
  ProblemReader problems(std::move(first), paths, single.reading, context);
  if (!single.verify.empty()) {
    return verify_all(single.verify, std::move(problems), output, context);
  }
  if (!single.convert.empty()) {
    return convert_one(single, std::move(problems), output, context);
  }
  return solve_all(task, single, std::move(problems), output, context);
}

}  // namespace oa::app
