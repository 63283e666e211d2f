#include "app/solve/best_of.h"

#include "app/solve/problem_results.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/stream/stream.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace oa::app {
namespace {

Exit best_lines(io::Input first,
                const std::vector<std::string>& paths,
                Context& context) {
  ResultsByProblem results;
  results.read(first);
  for (std::size_t k = 1; k < paths.size(); ++k) {
    io::Input input = io::Input::open(paths[k], context.token());
    results.read(input);
  }
  const std::vector<ProblemResults> problems = results.take();
  io::Output output(context.common().output);
  for (const ProblemResults& problem : problems) {
    output.write(problem.best().text + "\n");
  }
  output.commit();
  return context.status(!context.interrupted());
}

/// Names the problem of a frame in messages.
std::string name_of(const qubo::Problem& p) {
  return "index " + format(p.index) + ", layer " + format(p.place.layer) + ", head " +
         format(p.place.head);
}

qubo::SolvedProblem solution_of(const io::Frame& frame) {
  if (frame.kind != io::FrameKind::Solution) {
    throw InputError(frame.where + ": a problem (expected solutions)");
  }
  return io::read_solution(frame);
}

/// Replaces solutions in `best` by better solutions of `other`, which is at `where`.
void improve(qubo::SolvedProblem& best,
             const qubo::SolvedProblem& other,
             const std::string& where) {
  const qubo::Problem& p = best.problem;
  bool any = false;
  for (int i = 0; i < p.n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool proved = other.status[k] == qubo::Status::ProvedOptimal;
    const bool better = other.energy[k] < best.energy[k] ||
                        (other.energy[k] == best.energy[k] && proved &&
                         best.status[k] != qubo::Status::ProvedOptimal);
    best.bound[k] = std::max(best.bound[k], other.bound[k]);
    const double least = std::min(best.energy[k], other.energy[k]);
    if (best.bound[k] - least > kSameEnergy * std::abs(least)) {
      throw InputError(where + ": query " + format(i) + ": the energy " +
                       format(least) + " of one file contradicts the bound " +
                       format(best.bound[k]) + " of another");
    }
    if (!better) {
      continue;
    }
    any = true;
    if (best.x.empty()) {
      std::ranges::copy(p.row(other.real_x, i), p.row(best.real_x, i).begin());
    } else {
      std::ranges::copy(p.x_row(other.x, i), p.x_row(best.x, i).begin());
    }
    best.energy[k] = other.energy[k];
    best.status[k] = other.status[k];
    best.seconds[k] = other.seconds[k];
  }
  if (any && best.solver != other.solver) {
    best.solver += (best.solver.empty() ? "" : ", ") + other.solver;
  }
}

/// Reads several streams of solutions together, frame by frame.
class Streams {
 public:
  Streams(io::Input first, const std::vector<std::string>& paths, Context& context) {
    readers_.push_back(std::make_unique<io::StreamReader>(std::move(first)));
    for (std::size_t k = 1; k < paths.size(); ++k) {
      readers_.push_back(std::make_unique<io::StreamReader>(
          io::Input::open(paths[k], context.token())));
    }
    frames_.resize(readers_.size());
  }

  /// Reads the next frame of each stream; false at the end.
  bool next() {
    const bool more = readers_[0]->next(frames_[0]);
    for (std::size_t k = 1; k < readers_.size(); ++k) {
      const bool its = readers_[k]->next(frames_[k]);
      if (its != more || (more && frames_[k].kind != frames_[0].kind)) {
        throw InputError(readers_[k]->name() + ": its frames are not those of " +
                         readers_[0]->name() +
                         " (expected solutions of the same problems)");
      }
    }
    return more;
  }
  [[nodiscard]] const io::Frame& head() const { return frames_[0]; }
  [[nodiscard]] bool at_head() const { return frames_[0].kind == io::FrameKind::Head; }
  [[nodiscard]] qubo::SolvedProblem best() const {
    qubo::SolvedProblem best = solution_of(frames_[0]);
    best.top = 0;  // lists of the best solutions are not merged
    for (std::size_t k = 1; k < frames_.size(); ++k) {
      const qubo::SolvedProblem other = solution_of(frames_[k]);
      const bool same =
          name_of(other.problem) == name_of(best.problem) &&
          qubo::fingerprint(other.problem) == qubo::fingerprint(best.problem) &&
          other.x.size() == best.x.size() && other.real_x.size() == best.real_x.size();
      if (!same) {
        throw InputError(frames_[k].where + ": another problem than in " +
                         frames_[0].where + " (" + name_of(best.problem) + ")");
      }
      improve(best, other, frames_[k].where);
    }
    return best;
  }
  [[nodiscard]] bool complete() const {
    return std::ranges::all_of(readers_, [](const auto& r) { return r->complete(); });
  }

 private:
  std::vector<std::unique_ptr<io::StreamReader>> readers_;
  std::vector<io::Frame> frames_;
};

Exit best_streams(io::Input first,
                  const std::vector<std::string>& paths,
                  Context& context) {
  Streams streams(std::move(first), paths, context);
  io::Output output = binary_output(context.common());
  io::StreamWriter writer(output);
  bool begun = false;
  while (streams.next()) {
    if (!streams.at_head()) {
      io::write_solution(writer, streams.best());
      continue;
    }
    if (begun) {
      writer.finish(streams.head().complete_before);
    }
    begun = true;
    writer.copy_head(streams.head(), context.history());
  }
  const bool complete = streams.complete();
  writer.finish(complete);
  output.commit();
  if (!complete && !context.interrupted()) {
    context.warn("a stream is marked incomplete");
  }
  return context.status(complete);
}

}  // namespace

Exit best_of(const std::vector<std::string>& paths, Context& context) {
  io::Input first = io::Input::open(paths.front(), context.token());
  const auto start = first.peek(1);
  const bool lines = !start.empty() && start.front() == std::byte{'{'};
  return lines ? best_lines(std::move(first), paths, context)
               : best_streams(std::move(first), paths, context);
}

}  // namespace oa::app
