#include "app/solve/sampling.h"

#include "app/solve/reading.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/stopwatch.h"
#include "oa/io/quadratic/samples.h"
#include "oa/io/quadratic/vectors.h"
#include "oa/io/tensor/npy.h"
#include "oa/qubo/fixed.h"
#include "oa/qubo/levels.h"
#include "oa/solve/polynomial/whole_polynomial.h"
#include "oa/solve/single/posed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::app {
namespace {

/// The default number of states from which marginals are estimated.
constexpr int kDefaultSamples = 1000;

/// The problem to sample: only free variables, no constraints.
class Posing {
 public:
  Posing(const qubo::Model& model, const std::vector<std::uint8_t>& fixed)
      : fixed_(model,
               fixed.empty() ? std::vector<std::uint8_t>(at(model.size()), qubo::kFree)
                             : fixed),
        values_(fixed) {}

  /// Calls `work` with the function or the polynomial, and its settings.
  template <class Work>
  [[nodiscard]] auto run(solve::SampleSettings settings, const Work& work) const {
    const qubo::Model& rest = fixed_.rest();
    if (!rest.higher.empty()) {
      return work(
          solve::in_shorter_form(solve::in_whole_numbers(qubo::polynomial_of(rest))),
          settings);
    }
    const solve::Posed posed = solve::pose(rest.f);
    settings.temperature = std::ldexp(settings.temperature, -posed.scale);
    return work(posed.g, settings);
  }

  [[nodiscard]] std::vector<std::uint8_t> whole(
      const std::vector<std::uint8_t>& x) const {
    return fixed_.whole(x);
  }

  /// Extends marginals from free variables to all variables.
  [[nodiscard]] solve::Marginals whole(solve::Marginals marginals) const {
    if (values_.empty()) {
      return marginals;
    }
    std::vector<double> all;
    std::vector<int> places;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const bool free = values_[i] == qubo::kFree;
      all.push_back(free ? marginals.ones[places.size()]
                         : static_cast<double>(values_[i]));
      if (free) {
        places.push_back(static_cast<int>(i));
      }
    }
    marginals.ones = std::move(all);
    for (solve::NumberShares& number : marginals.numbers) {
      for (int& variable : number.variables) {
        variable = places[at(variable)];
      }
    }
    return marginals;
  }

 private:
  qubo::Fixed fixed_;
  const std::vector<std::uint8_t>& values_;
};

/// Returns query i as a function of 0/1 variables.
qubo::Quadratic function_of(const qubo::Problem& p, int i) {
  std::vector<qubo::Term> terms;
  const auto add = [&](const auto& j, std::span<const double> h, double units) {
    qubo::Quadratic f(static_cast<int>(h.size()));
    for (int a = 0; a < f.size(); ++a) {
      f.linear[at(a)] = (h[at(a)] + 0.5 * j(a, a)) / units;
      for (int b = a + 1; b < f.size(); ++b) {
        if (j(a, b) != 0.0) {
          terms.push_back({a, b, j(a, b) / units});
        }
      }
    }
    f.add(terms);
    return f;
  };
  if (p.coefficients == Coefficients::Levels) {
    const qubo::SpinProblem spins = qubo::spin_problem(p, i);
    return add(spins.j, spins.h, spins.units);
  }
  const auto h = p.query(i);
  return add([&](int a, int b) { return double{p.j[at(a) * at(p.m) + at(b)]}; },
             std::vector<double>(h.begin(), h.end()),
             1.0);
}

/// Adds each level's share of the states to the shares of a query's coefficients.
void add_shares(const qubo::Problem& p,
                const std::vector<std::vector<std::uint8_t>>& states,
                int size,
                std::vector<float>& shares) {
  const int levels = p.coefficients == Coefficients::Levels ? p.levels : 2;
  std::vector<int> counts(at(size) * at(levels));
  for (const std::vector<std::uint8_t>& x : states) {
    if (p.coefficients == Coefficients::Levels) {
      const std::vector<std::uint8_t> own = qubo::levels_of(qubo::code_of(p), x);
      for (std::size_t k = 0; k < own.size(); ++k) {
        ++counts[k * at(levels) + own[k]];
      }
    } else {
      for (std::size_t k = 0; k < x.size(); ++k) {
        ++counts[k * 2 + x[k]];
      }
    }
  }
  for (const int count : counts) {
    shares.push_back(static_cast<float>(count) /
                     static_cast<float>(std::max<std::size_t>(1, states.size())));
  }
}

solve::SampleSettings settings_of(const SolveOptions& o, int threads) {
  return {.samples = o.samples,
          .temperature = o.temperature,
          .sweeps = o.settings.sweeps,
          .threads = threads};
}

solve::Stop stop_of(const SolveOptions& o, const std::stop_token& token) {
  return {
      token,
      o.time_limit_s > 0.0 ? o.time_limit_s : std::numeric_limits<double>::infinity()};
}

JsonObject facts_of(const solve::Samples& samples) {
  JsonObject json{{"samples", std::ssize(samples.states)},
                  {"exact", samples.exact},
                  {"effective", samples.effective}};
  if (!samples.exact) {
    json.members({{"acceptance", samples.acceptance},
                  {"exchanges", samples.exchanges},
                  {"sweeps", samples.sweeps}});
  }
  return json;
}

std::string text_of(const solve::Samples& s) {
  std::string text = counted(std::ssize(s.states), "sample");
  if (s.exact) {
    return text + ", independent";
  }
  return text + ", as good as " + format_fixed(s.effective, 0) +
         " independent ones; accepted " + format_fixed(100.0 * s.acceptance, 1) +
         " % of changes, at least " + format_fixed(100.0 * s.exchanges, 1) +
         " % of exchanges; " + counted(s.sweeps, "sweep") + " between samples";
}

std::string text_of(const solve::Marginals& m) {
  return m.exact ? "marginals, exact"
                 : "marginals of states as good as " + format_fixed(m.effective, 0) +
                       " independent ones (exact ones need tables of more than 128 "
                       "MiB)" +
                       (m.stopped ? ", stopped" : "");
}

/// Writes the marginals of one problem as an array or a table, and the marginals of
/// several problems as JSON lines.
class MarginalsWriter {
 public:
  explicit MarginalsWriter(const std::string& path)
      : output_(path),
        format_(io::sample_format(path)) {}

  [[nodiscard]] bool only_one() const { return format_ != io::SampleFormat::Lines; }

  void write(const SingleProblem& p, const solve::Marginals& marginals) {
    std::vector<double> means = marginals.ones;
    if (p.model.f.vartype == qubo::Vartype::Spin) {
      std::ranges::transform(
          means, means.begin(), [](double one) { return 2.0 * one - 1.0; });
    }
    if (format_ == io::SampleFormat::Npy) {
      io::write_npy(output_,
                    io::Dtype::F64,
                    {std::ssize(means)},
                    std::as_bytes(std::span<const double>(means)));
    } else if (format_ == io::SampleFormat::Csv) {
      output_.write("variable,mean\n");
      for (std::size_t i = 0; i < means.size(); ++i) {
        output_.write(format(static_cast<std::int64_t>(i)) + "," + format(means[i]) +
                      "\n");
      }
    } else {
      JsonObject line{{"file", JsonValue::of_path(p.name)}, {"exact", marginals.exact}};
      if (!marginals.exact) {
        line.member("effective", marginals.effective);
      }
      line.member("means", means);
      if (!marginals.numbers.empty()) {
        JsonArray numbers;
        for (const solve::NumberShares& number : marginals.numbers) {
          numbers.element(
              JsonObject{{"variables", number.variables}, {"shares", number.shares}});
        }
        line.member("numbers", numbers);
      }
      output_.write(line.text() + "\n");
    }
  }
  void commit() { output_.commit(); }

 private:
  io::Output output_;
  io::SampleFormat format_;
};

}  // namespace

solve::Samples sample_problem(const qubo::Model& model,
                              const std::vector<std::uint8_t>& fixed,
                              const solve::SampleSettings& settings,
                              const Rng& rng,
                              const solve::Stop& stop) {
  const Posing posing(model, fixed);
  solve::Samples samples =
      posing.run(settings, [&](const auto& f, const solve::SampleSettings& scaled) {
        return solve::draw_samples(f, scaled, rng, stop);
      });
  for (std::vector<std::uint8_t>& x : samples.states) {
    x = posing.whole(x);
  }
  samples.marginals = posing.whole(std::move(samples.marginals));
  return samples;
}

solve::Marginals marginals_of_problem(const qubo::Model& model,
                                      const std::vector<std::uint8_t>& fixed,
                                      const solve::SampleSettings& settings,
                                      const Rng& rng,
                                      const solve::Stop& stop) {
  const Posing posing(model, fixed);
  return posing.whole(
      posing.run(settings, [&](const auto& f, const solve::SampleSettings& scaled) {
        return solve::marginals_of(f, scaled, rng, stop);
      }));
}

SampledProblem sample_frame(qubo::Problem problem,
                            const SolveTask& task,
                            const std::stop_token& stop) {
  SampledProblem all;
  qubo::SolvedProblem& s = all.solution;
  s.problem = std::move(problem);
  s.solver = "sample";
  const qubo::Problem& p = s.problem;
  Rng rng = Rng(task.common.seed).fork(static_cast<std::uint64_t>(p.index));
  if (p.place.heads > 1) {
    rng = rng.fork(static_cast<std::uint64_t>(p.place.head));
  }
  for (int i = 0; i < p.n; ++i) {
    const Stopwatch since_begin;
    const solve::Samples samples =
        sample_problem(function_of(p, i),
                       {},
                       settings_of(task.solving, 1),
                       rng.fork(static_cast<std::uint64_t>(i)),
                       stop_of(task.solving, stop));
    std::vector<std::uint8_t> best(at(p.size(i)) * at(p.spins()));
    double lowest = samples.states.empty() ? qubo::energy(p, i, best)
                                           : std::numeric_limits<double>::infinity();
    for (const std::vector<std::uint8_t>& x : samples.states) {
      all.states.insert(all.states.end(), x.begin(), x.end());
      if (const double energy = qubo::energy(p, i, x); energy < lowest) {
        lowest = energy;
        best = x;
      }
    }
    // Adds copies of the best: a frame has as many samples per query as requested.
    const std::size_t missing = at(task.solving.samples) - samples.states.size();
    for (std::size_t k = 0; k < missing; ++k) {
      all.states.insert(all.states.end(), best.begin(), best.end());
    }
    add_shares(p, samples.states, p.size(i), all.shares);
    s.x.insert(s.x.end(), best.begin(), best.end());
    s.energy.push_back(lowest);
    s.bound.push_back(-std::numeric_limits<double>::infinity());
    s.status.push_back(samples.stopped ? qubo::Status::Stopped
                                       : qubo::Status::BestFound);
    s.seconds.push_back(task.no_times ? 0.0 : since_begin.seconds());
    s.nodes.push_back(0);
    all.effective.push_back(samples.effective);
  }
  return all;
}

Exit sample_singles(const SolveTask& task,
                    const SingleOptions& o,
                    std::optional<io::Input> first,
                    const std::vector<std::string>& paths,
                    Context& context) {
  const bool wants_states = task.solving.samples > 0;
  const std::string states_path = o.samples.empty() ? task.common.output : o.samples;
  std::optional<io::Output> states;
  if (wants_states) {
    states.emplace(states_path);
  }
  std::optional<MarginalsWriter> marginals;
  if (!o.marginals.empty()) {
    marginals.emplace(o.marginals);
  }
  const io::SampleFormat format = io::sample_format(states_path);
  ProblemReader problems(std::move(first), paths, o.reading, context);
  std::size_t count = 0;
  std::string text;
  for (; const auto p = problems.next(); ++count) {
    if (!p->model.constraints.empty()) {
      throw InputError(p->name + ": constraints (samples need a problem without)");
    }
    const bool single = (wants_states && format != io::SampleFormat::Lines) ||
                        (marginals && marginals->only_one());
    if (single && count > 0) {
      throw InputError(p->name +
                       ": a second problem (an array or a table is for one; JSON "
                       "lines hold several)");
    }
    std::vector<std::uint8_t> fixed;
    if (!o.fix.empty()) {
      io::Input input = io::Input::open(o.fix, context.token());
      fixed = io::read_fixed(input, p->model.f, p->model.integers);
    }
    solve::SampleSettings settings = settings_of(task.solving, task.common.threads);
    const Rng rng = Rng(task.common.seed).fork(count);
    const solve::Stop stop = stop_of(task.solving, context.token());
    solve::Samples samples;
    if (wants_states) {
      samples = sample_problem(p->model, fixed, settings, rng, stop);
      io::Samples all;
      for (const std::vector<std::uint8_t>& x : samples.states) {
        all.add(x);
      }
      io::write_samples(*states, format, p->name, all.ranked(p->model), p->model.f);
      text += task.common.json ? JsonObject{{"file", JsonValue::of_path(p->name)}}
                                         .members(facts_of(samples))
                                         .text() +
                                     "\n"
                               : p->name + ": " + text_of(samples) + "\n";
    }
    if (marginals) {
      if (!wants_states) {
        settings.samples = kDefaultSamples;
        samples.marginals = marginals_of_problem(p->model, fixed, settings, rng, stop);
        text +=
            task.common.json ? "" : p->name + ": " + text_of(samples.marginals) + "\n";
      }
      marginals->write(*p, samples.marginals);
    }
  }
  if (states) {
    states->commit();
  }
  if (marginals) {
    marginals->commit();
  }
  context.summarise(text);
  return context.status(true);
}

}  // namespace oa::app
