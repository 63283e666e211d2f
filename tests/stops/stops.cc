// oa-stops: sends problems of all shapes to every solver and every phase, stops them by
// a request at a random operation and by time limits, and counts operations from there
// to the end.  Counts do not depend on the machine.  Status 1 if one is too many.
#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/qubo/polynomial.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/exact/tree/tree.h"
#include "oa/solve/methods.h"
#include "oa/solve/sample/sample.h"
#include "oa/solve/single/constrained.h"
#include "oa/solve/single/solve_model.h"
#include "stops/count.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace oa::stops {
namespace {

// Operations allowed after a stop: some 0.5 s, and some for each number of the problem.
constexpr std::int64_t kAllowed = 500'000'000;
constexpr std::int64_t kAllowedEach = 20;
constexpr std::int64_t kLast = 300'000'000;  // the latest request

struct Shape {
  std::string name;
  qubo::Quadratic f;
  qubo::Polynomial crowded = {};  // the same with constraints; empty if it is too large
  qubo::Quadratic reduced = {};
};

using Couples = std::function<double(int, int)>;  // the weight of i < k

qubo::Quadratic dense(int n, double linear, const Couples& weight) {
  qubo::Quadratic f(n);
  std::ranges::fill(f.linear, linear);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k) {
      terms.push_back({i, k, weight(i, k)});
    }
  }
  f.add(terms);
  return f;
}

/// Couples `hubs` variables with all others, and all others with `ring` later ones.
qubo::Quadratic sparse(int n, int hubs, int ring, Rng& rng) {
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  const auto weight = [&] { return 2.0 * rng.below(20) - 19.0; };
  for (int i = 0; i < n; ++i) {
    f.linear[at(i)] = weight();
    for (int h = 0; h < std::min(i, hubs); ++h) {
      terms.push_back({h, i, weight()});
    }
    for (int r = 0; r < ring && i >= hubs; ++r) {
      const int k = r == 0 ? i + 1 : static_cast<int>(rng.below(at(n)));
      if (k < n && k != i) {
        terms.push_back({std::min(i, k), std::max(i, k), weight()});
      }
    }
  }
  f.add(terms);
  return f;
}

/// A clique of one penalty beside a sparse rest.
qubo::Quadratic with_clique(int n, int clique) {
  qubo::Quadratic f(n);
  std::ranges::fill(f.linear, -1.0);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < (i < clique ? clique : std::min(n, i + 4)); ++k) {
      terms.push_back({i, k, 3.0});
    }
  }
  f.add(terms);
  return f;
}

/// The function with constraints: at most three of ten neighbours are 1.
qubo::Polynomial crowded(const qubo::Quadratic& f) {
  qubo::Polynomial p;
  p.n = f.size();
  for (std::int32_t i = 0; i < f.size(); ++i) {
    p.monomials.push_back({{i}, f.linear[at(i)]});
    if (i % 10 == 0) {
      p.constraints.push_back({"crowded", {}, qubo::Relation::AtMost, 3.0});
    }
    p.constraints.back().terms.push_back({i, i, 1.0});
  }
  for (const qubo::Term& t : f.terms()) {
    p.monomials.push_back({{t.first, t.second}, t.weight});
  }
  return p;
}

std::vector<Shape> shapes(Rng& rng) {
  const auto any = [&](int, int) { return 2.0 * rng.below(100) - 99.0; };
  std::vector<Shape> all;
  all.push_back({"dense 250", dense(250, 10.0, any)});
  all.push_back({"dense 5000", dense(5000, 10.0, any)});
  all.push_back({"one value 2000", dense(2000, -999.0, [](int, int) { return 2.0; })});
  all.push_back({"one value, some 2000", dense(2000, -1.0, [&](int, int) {
                   return rng.below(4) != 0 ? 2.0 : 0.0;
                 })});
  all.push_back({"sparse 100000", sparse(100'000, 0, 3, rng)});
  all.push_back({"sparse 1000", sparse(1000, 0, 3, rng)});
  all.push_back({"star 100000", sparse(100'000, 1, 0, rng)});
  all.push_back({"wheel 100000", sparse(100'000, 1, 1, rng)});
  all.push_back({"hubs 30000", sparse(30'000, 20, 2, rng)});
  all.push_back({"clique 1500 of 20000", with_clique(20'000, 1500)});
  for (Shape& shape : all) {
    if (shape.f.pairs() < 1'000'000) {
      shape.crowded = crowded(shape.f);
      shape.reduced = qubo::reduced(shape.crowded, shape.name).f;
    }
  }
  return all;
}

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

void solve_crowded(const Shape& shape, const std::stop_token& token, double limit_s) {
  solve::ModelSettings settings{.method = &solve::default_method()};
  settings.solver.time_limit_s = limit_s;
  if (shape.crowded.n > 0) {
    (void)solve::solve_constrained(
        shape.crowded, shape.reduced, settings, Rng(1), token);
  }
}

std::vector<Phase> phases() {
  const solve::SampleSettings samples{.samples = 1000, .temperature = 5.0};
  std::vector<Phase> all;
  for (const solve::Method& method : solve::methods()) {
    for (const bool presolve : {true, false}) {
      all.push_back({std::string(method.name) + (presolve ? "" : " --no-presolve"),
                     std::bind_front(solve_by, std::cref(method), presolve),
                     method.proves});
    }
  }
  all.push_back({"samples", [=](const Shape& shape, auto token, double limit_s) {
                   (void)solve::draw_samples(
                       shape.f, samples, Rng(1), solve::Stop(token, limit_s));
                 }});
  all.push_back({"marginals", [=](const Shape& shape, auto token, double limit_s) {
                   (void)solve::marginals_of(
                       shape.f, samples, Rng(1), solve::Stop(token, limit_s));
                 }});
  all.push_back({"count", [](const Shape& shape, auto token, double limit_s) {
                   (void)solve::count_minima(shape.f, 1, solve::Stop(token, limit_s));
                 }});
  all.push_back({"constraints", solve_crowded});
  return all;
}

/// The operations of a run after a request at this operation; none if it ended before.
std::optional<std::int64_t> after_request(const Phase& phase,
                                          const Shape& shape,
                                          std::int64_t at) {
  std::stop_source source;
  std::optional<std::int64_t> stopped;
  after(at, [&] {
    source.request_stop();
    stopped = operations();
  });
  phase.run(shape, source.get_token(), 1e6);
  forget();
  return stopped ? std::optional(operations() - *stopped) : std::nullopt;
}

/// The same after a time limit.
std::optional<std::int64_t> after_limit(const Phase& phase,
                                        const Shape& shape,
                                        double limit_s) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(limit_s);
  std::optional<std::int64_t> stopped;
  std::function<void()> look = [&] {
    if (Clock::now() >= end) {
      stopped = operations();
    } else {
      after(10'000, look);
    }
  };
  after(10'000, look);
  phase.run(shape, {}, limit_s);
  forget();
  return stopped ? std::optional(operations() - *stopped) : std::nullopt;
}

int run(const std::string& some_shape, const std::string& some_phase) {
  Rng rng(1);
  int bad = 0;
  std::printf("operations after a stop, in millions\n");
  for (const Shape& shape : shapes(rng)) {
    const std::int64_t allowed =
        kAllowed + kAllowedEach * (shape.f.size() + 2 * shape.f.pairs());
    for (const Phase& phase : phases()) {
      if (shape.name.find(some_shape) == std::string::npos ||
          phase.name.find(some_phase) == std::string::npos) {
        continue;
      }
      std::int64_t most = 0;
      std::string when;
      const auto take = [&](std::optional<std::int64_t> found, std::string way) {
        if (found && *found > most) {
          most = *found;
          when = std::move(way);
        }
      };
      std::int64_t at = 1000 + rng.below(1000);
      for (; at < kLast; at *= 8) {
        take(after_request(phase, shape, at), "request at " + std::to_string(at));
      }
      for (const double limit_s : {0.1, 2.0}) {
        if (limit_s > 1.0 && !phase.proves) {
          continue;  // nothing new begins so late
        }
        take(after_limit(phase, shape, limit_s), "limit " + std::to_string(limit_s));
      }
      const bool late = most > allowed;
      bad += late ? 1 : 0;
      std::printf("%-22s %-26s %8.1f of %5.0f  %s%s\n",
                  shape.name.c_str(),
                  phase.name.c_str(),
                  1e-6 * static_cast<double>(most),
                  1e-6 * static_cast<double>(allowed),
                  when.c_str(),
                  late ? "  LATE" : "");
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
