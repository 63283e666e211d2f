// oa-stops: sends problems of all shapes to every solver and every phase, stops them by
// a request at a random operation and by time limits, and counts operations from there
// to the end.  Counts do not depend on the machine.  Status 1 if one is too many: a
// processor does 10^8 operations a second or more, and a run ends within a second after
// a signal, and within 1.1 times its limit and a second.
#include "oa/base/number.h"
#include "oa/base/rng.h"
#include "oa/qubo/model.h"
#include "oa/qubo/program.h"
#include "oa/solve/exact/tree/tree.h"
#include "oa/solve/methods.h"
#include "oa/solve/polynomial/penalty_search.h"
#include "oa/solve/polynomial/solve.h"
#include "oa/solve/portfolio/squares.h"
#include "oa/solve/program/branch.h"
#include "oa/solve/program/chains.h"
#include "oa/solve/recover/squares.h"
#include "oa/solve/sample/sample.h"
#include "oa/solve/single/constrained.h"
#include "oa/solve/single/solve_model.h"
#include "stops/count.h"
#include "stops/shapes.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <execinfo.h>

namespace oa::stops {
namespace {

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
constexpr double kASecond = 1.5e8;           // basic blocks: 0.2 to 0.8 s
constexpr std::int64_t kLast = 300'000'000;  // the latest request

/// A solver or a part of one; stopped by `token` or after `limit_s`.
struct Phase {
  std::string name;
  std::function<void(const Shape&, std::stop_token token, double limit_s)> run;
  bool proves = false;
};

void solve_by(const solve::Method& method,
              bool presolve,
              const Shape& shape,
              const std::stop_token& token,
              double limit_s) {
  solve::ModelSettings settings{.method = &method, .presolve = presolve};
  settings.solver.time_limit_s = limit_s;
  if (shape.f.size() <= method.most_variables) {
    (void)solve::solve_model(shape.f, settings, Rng(1), token);
  }
}

void solve_crowded(const qubo::Model& model,
                   const std::stop_token& token,
                   double limit_s) {
  solve::ModelSettings settings{.method = &solve::default_method()};
  settings.solver.time_limit_s = limit_s;
  (void)solve::solve_constrained(model, settings, Rng(1), token);
}

/// Branch and bound by linear programs.
void branch(const Shape& shape, const solve::Stop& stop) {
  const auto p = solve::in_whole_numbers(qubo::program_of(shape.linear, shape.name));
  if (p && solve::BranchAndBound::suits(*p)) {
    solve::BranchAndBound search(
        *p, {[](auto /*x*/) { return false; }, [](auto /*bound*/) {}});
    (void)search.run(kEndless, kEndless, stop);
  }
}

/// Ejection chains from 0.
void chain(const Shape& shape, const solve::Stop& stop) {
  const qubo::Program p = qubo::program_of(shape.crowded, shape.name);
  const std::vector<std::uint8_t> none(shape.f.linear.size());
  (void)solve::Chains(shape.f, p.rows, stop).run(none, {.sweeps = 1000}, Rng(1), stop);
}

/// Recovers squares of constraints, and searches under them.
void search_squares(const Shape& shape, const solve::Stop& stop) {
  const solve::Squares squares = solve::find_squares(shape.reduced, stop);
  const solve::Solution none({},
                             std::vector<std::uint8_t>(shape.reduced.linear.size()));
  if (!squares.squares.empty()) {
    (void)solve::solve_squares(
        {.f = shape.reduced, .settings = {}, .known = none}, squares, Rng(1), stop);
  }
}

void search_penalties(const Shape& shape, const solve::Stop& stop) {
  const solve::Solution none({}, std::vector<std::uint8_t>(shape.f.linear.size()));
  if (solve::may_branch(shape.cubic)) {
    (void)solve::search_penalties({.p = shape.cubic}, {none}, kEndless, stop);
  }
}

/// The solvers, each with and without presolving.
void add_methods(std::vector<Phase>& all) {
  for (const solve::Method& method : solve::methods()) {
    for (const bool presolve : {true, false}) {
      all.push_back({std::string(method.name) + (presolve ? "" : " --no-presolve"),
                     std::bind_front(solve_by, std::cref(method), presolve),
                     method.proves});
    }
  }
}

/// Adds a phase that is left out where a shape has no `part`.
template <class Part>
void add(std::vector<Phase>& all,
         std::string name,
         Part Shape::*part,
         std::function<void(const Shape&, const solve::Stop&)> run) {
  const auto size = [](const auto& p) {
    if constexpr (requires { p.n; }) {
      return p.n;
    } else {
      return p.size();
    }
  };
  all.push_back({std::move(name),
                 [=](const Shape& shape, const auto& token, double limit_s) {
                   if (size(shape.*part) > 0) {
                     run(shape, solve::Stop(token, limit_s));
                   }
                 },
                 true});
}

std::vector<Phase> phases() {
  static const solve::SampleSettings samples{.samples = 1000, .temperature = 5.0};
  std::vector<Phase> all;
  add_methods(all);
  add(all, "samples", &Shape::f, [](const Shape& shape, const solve::Stop& stop) {
    (void)solve::draw_samples(shape.f, samples, Rng(1), stop);
  });
  add(all, "marginals", &Shape::f, [](const Shape& shape, const solve::Stop& stop) {
    (void)solve::marginals_of(shape.f, samples, Rng(1), stop);
  });
  add(all, "count", &Shape::f, [](const Shape& shape, const solve::Stop& stop) {
    (void)solve::count_minima(shape.f, 1, stop);
  });
  add(all,
      "polynomial",
      &Shape::cubic,
      [](const Shape& shape, const solve::Stop& stop) {
        (void)solve::solve_polynomial({.p = shape.cubic}, Rng(1), stop);
      });
  add(all,
      "polynomial exact",
      &Shape::cubic,
      [](const Shape& shape, const solve::Stop& stop) {
        (void)solve::prove_polynomial({.p = shape.cubic}, Rng(1), stop);
      });
  add(all,
      "polynomial samples",
      &Shape::cubic,
      [](const Shape& shape, const solve::Stop& stop) {
        (void)solve::draw_samples(shape.cubic, samples, Rng(1), stop);
      });
  add(all, "penalty search", &Shape::cubic, search_penalties);
  add(all, "branching", &Shape::linear, branch);
  add(all, "chains", &Shape::crowded, chain);
  add(all, "squares", &Shape::reduced, search_squares);
  for (const auto part : {&Shape::crowded_model, &Shape::linear_model}) {
    all.push_back({part == &Shape::linear_model ? "linear program" : "constraints",
                   [=](const Shape& shape, const auto& token, double limit_s) {
                     if (shape.*part) {
                       solve_crowded(*(shape.*part), token, limit_s);
                     }
                   },
                   true});
  }
  return all;
}

/// Counts from here, and prints where the run is when its second is over.
void begin_count(std::optional<std::int64_t>& stopped) {
  stopped = operations();
  after(static_cast<std::int64_t>(kASecond), [] {
    std::array<void*, 24> frames{};
    std::fprintf(stderr, "late at\n");
    backtrace_symbols_fd(
        frames.data(), backtrace(frames.data(), std::ssize(frames)), 2);
  });
}

/// The operations of a run after a request at this operation; none if it ended before.
std::optional<std::int64_t> after_request(const Phase& phase,
                                          const Shape& shape,
                                          std::int64_t at) {
  std::stop_source source;
  std::optional<std::int64_t> stopped;
  after(at, [&] {
    source.request_stop();
    begin_count(stopped);
  });
  phase.run(shape, source.get_token(), 1e6);
  forget();
  return stopped ? std::optional(operations() - *stopped) : std::nullopt;
}

/// Counts operations after a time limit.
std::optional<std::int64_t> after_limit(const Phase& phase,
                                        const Shape& shape,
                                        double limit_s) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(limit_s);
  std::optional<std::int64_t> stopped;
  std::function<void()> look = [&] {
    if (Clock::now() >= end) {
      begin_count(stopped);
    } else {
      after(10'000, look);
    }
  };
  after(10'000, look);
  phase.run(shape, {}, limit_s);
  forget();
  return stopped ? std::optional(operations() - *stopped) : std::nullopt;
}

/// What a phase does after a stop.
struct Late {
  std::int64_t operations = 0;
  double allowed_s = 1.0;
  std::string when;

  /// The share of the allowed operations that were used.
  [[nodiscard]] double share() const {
    return static_cast<double>(operations) / (kASecond * allowed_s);
  }
};

/// The worst of some requests and limits.
Late worst_of(const Phase& phase, const Shape& shape, Rng& rng) {
  Late worst;
  const auto take =
      [&](std::optional<std::int64_t> found, double allowed_s, auto when) {
        const Late late{found.value_or(0), allowed_s, when};
        if (late.share() > worst.share()) {
          worst = late;
        }
      };
  for (std::int64_t at = 1000 + rng.below(1000); at < kLast; at *= 8) {
    take(after_request(phase, shape, at), 1.0, "request at " + format(at));
  }
  for (const double limit_s : {0.1, 2.0}) {
    if (limit_s > 1.0 && !phase.proves) {
      continue;  // nothing new begins so late
    }
    take(after_limit(phase, shape, limit_s),
         1.0 + 0.1 * limit_s,
         "limit " + format(limit_s));
  }
  return worst;
}

int run(const std::string& some_shape, const std::string& some_phase) {
  Rng rng(1);
  int bad = 0;
  std::printf("operations after a stop, in millions\n");
  for (const Shape& shape : shapes(rng)) {
    for (const Phase& phase : phases()) {
      if (shape.name.find(some_shape) == std::string::npos ||
          phase.name.find(some_phase) == std::string::npos) {
        continue;
      }
      const Late late = worst_of(phase, shape, rng);
      const bool too_late = late.share() > 1.0;
      bad += too_late ? 1 : 0;
      std::printf("%-22s %-26s %8.1f of %5.0f  %s%s\n",
                  shape.name.c_str(),
                  phase.name.c_str(),
                  1e-6 * static_cast<double>(late.operations),
                  1e-6 * kASecond * late.allowed_s,
                  late.when.c_str(),
                  too_late ? "  LATE" : "");
      std::fflush(stdout);
    }
  }
  return bad;
}

}  // namespace
}  // namespace oa::stops

int main(int argc, char** argv) {
  return oa::stops::run(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "") == 0 ? 0 : 1;
}
