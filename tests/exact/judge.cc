#include "exact/judge.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa_test.h"

#include <algorithm>
#include <cmath>

namespace oa::exact {
namespace {

std::string bits(Mask x, int n) {
  std::string text;
  for (const std::uint8_t one : vector_of(x, n)) {
    text += one != 0 ? '1' : '0';
  }
  return text;
}

/// True for equal numbers, including 0 and -0.
bool same(double a, double b) {
  return a == b;
}

class Judge {
 public:
  Judge(const Truth& truth, const Asked& asked, const Answer& answer)
      : truth_(truth),
        stated_(truth.stated),
        asked_(asked),
        answer_(answer) {}

  std::vector<std::string> judge() {
    if (answer_.best.empty()) {
      return {"energy: none"};
    }
    energies();
    order();
    bound();
    status();
    trace();
    return std::move(wrong_);
  }

 private:
  [[nodiscard]] bool better(double a, double b) const {
    return stated_.maximise ? a > b : a < b;
  }
  [[nodiscard]] bool proved() const {
    return answer_.status == qubo::Status::ProvedOptimal;
  }
  [[nodiscard]] double optimum() const {
    return nearest(value(stated_, truth_.best.front()));
  }

  /// "kind: what".
  void say(const std::string& what) { wrong_.push_back(what); }

  void energies() {
    for (const Answer::One& one : answer_.best) {
      const double right = nearest(value(stated_, one.x));
      if (!same(one.energy, right)) {
        say("energy: " + format(one.energy) + " of " + bits(one.x, stated_.n) +
            ", which is " + format(right));
      }
    }
  }

  /// Distinct, best first, no more than asked for.
  void order() {
    if (std::ssize(answer_.best) > asked_.settings.solver.top) {
      say("order: more solutions than asked for");
    }
    for (std::size_t k = 1; k < answer_.best.size(); ++k) {
      const Mask a = answer_.best[k - 1].x;
      const Mask b = answer_.best[k].x;
      const auto compared = value(stated_, a) <=> value(stated_, b);
      const bool right = compared == 0      ? a < b
                         : stated_.maximise ? compared > 0
                                            : compared < 0;
      if (!right) {
        say("order: solution " + std::to_string(k + 1) + " does not come behind " +
            std::to_string(k));
      }
    }
  }

  void bound() {
    const double bound = answer_.bound;
    const double energy = answer_.best.front().energy;
    if (std::isnan(bound) || (std::isinf(bound) && (bound > 0.0) != stated_.maximise)) {
      say("bound: " + format(bound));
      return;
    }
    if (better(energy, bound)) {
      say("bound: " + format(bound) + " is worse than the energy " + format(energy));
    }
    if (proved()) {
      if (!same(bound, energy)) {
        say("bound: " + format(bound) + " is not the proved energy " + format(energy));
      }
    } else if (!std::isinf(bound)) {
      const auto compared = exactly(bound) <=> value(stated_, truth_.best.front());
      if (stated_.maximise ? compared < 0 : compared > 0) {
        say("bound: " + format(bound) + " but the optimum is " + format(optimum()));
      }
    }
  }

  void status() {
    if (proved()) {
      std::vector<Mask> got;
      for (const Answer::One& one : answer_.best) {
        got.push_back(one.x);
      }
      if (answer_.any_optimum && got.size() == 1 &&
          value(stated_, got.front()) == value(stated_, truth_.best.front())) {
        return;
      }
      const auto differs = std::ranges::mismatch(got, truth_.best);
      if (differs.in1 != got.end() || differs.in2 != truth_.best.end()) {
        say("proof: wrong, " + difference(got));
      }
      return;
    }
    const std::string_view method = asked_.settings.method->name;
    if ((method != "exact" && method != "auto") || !asked_.unlimited()) {
      return;
    }
    const auto& target = asked_.settings.target;
    if (!target) {
      say("no proof: without a limit");
    } else if (better(*target, answer_.best.front().energy)) {
      say("no proof: and the target not reached");
    }
  }

  [[nodiscard]] std::string difference(const std::vector<Mask>& got) const {
    for (std::size_t k = 0; k < got.size() && k < truth_.best.size(); ++k) {
      if (got[k] != truth_.best[k]) {
        const Exact a = value(stated_, got[k]);
        const Exact b = value(stated_, truth_.best[k]);
        return "number " + std::to_string(k + 1) + " is " + bits(got[k], stated_.n) +
               (a == b ? ", which ties with the smaller " : ", worse than ") +
               bits(truth_.best[k], stated_.n) + " (" + format(nearest(a)) + ", " +
               format(nearest(b)) + ")";
      }
    }
    return std::to_string(got.size()) + " solutions of " +
           std::to_string(truth_.best.size());
  }

  void trace() {
    const std::vector<double>& energies = answer_.trace;
    for (std::size_t k = 0; k < energies.size(); ++k) {
      if (k > 0 && !better(energies[k], energies[k - 1])) {
        say("trace: " + format(energies[k]) + " after " + format(energies[k - 1]));
      }
      if (better(energies[k], optimum())) {
        say("trace: " + format(energies[k]) + " is better than the optimum");
      }
    }
    if (asked_.trace && !energies.empty() &&
        !same(energies.back(), answer_.best.front().energy)) {
      say("trace: ends with " + format(energies.back()) + ", not with " +
          format(answer_.best.front().energy));
    }
    for (std::size_t k = 0; k < answer_.bounds.size(); ++k) {
      if (k > 0 && !better(answer_.bounds[k - 1], answer_.bounds[k])) {
        say("trace: bound " + format(answer_.bounds[k]) + " after " +
            format(answer_.bounds[k - 1]));
      }
      if (better(optimum(), answer_.bounds[k])) {
        say("trace: bound " + format(answer_.bounds[k]) + " excludes the optimum");
      }
    }
    if (asked_.trace && energies.empty()) {
      say("trace: empty");
    }
  }

  const Truth& truth_;
  const Stated& stated_;
  const Asked& asked_;
  const Answer& answer_;
  std::vector<std::string> wrong_;
};

/// Vectors that determine a quadratic function, those with at most two ones, and some.
std::vector<Mask> probes(const Stated& stated, Rng& rng) {
  std::vector<Mask> all{0};
  for (int i = 0; i < stated.n; ++i) {
    for (int k = i; k < stated.n; ++k) {
      all.push_back(Mask{1} << i | Mask{1} << k);
    }
  }
  for (int k = 0; k < 8; ++k) {
    all.push_back(rng.below(std::uint32_t{1} << stated.n));
  }
  return all;
}

std::vector<std::string> compared(const Stated& stated,
                                  const qubo::Quadratic& f,
                                  Rng& rng,
                                  const std::string& what) {
  if (f.size() != stated.n) {
    return {what + format(f.size()) + " variables"};
  }
  // A conversion may have reversed all signs.
  const bool maximise = f.sense == qubo::Sense::Max;
  const double sign = maximise == stated.maximise ? 1.0 : -1.0;
  for (const Mask x : probes(stated, rng)) {
    const double right = sign * nearest(value(stated, x));
    const double got = qubo::energy(f, vector_of(x, stated.n));
    if (!same(got, right)) {
      return {what + "energy " + format(got) + " of " + bits(x, stated.n) +
              ", which is " + format(right)};
    }
  }
  return {};
}

}  // namespace

Truth truth_of(const Stated& stated, int top) {
  return {stated, best(stated, top)};
}

std::vector<std::string> wrong_in(const Truth& truth,
                                  const Asked& asked,
                                  const Answer& answer) {
  return Judge(truth, asked, answer).judge();
}

std::vector<std::string> wrong_in_reading(const Stated& stated,
                                          const qubo::Quadratic& f,
                                          Rng& rng) {
  if ((f.sense == qubo::Sense::Max) != stated.maximise ||
      (f.vartype == qubo::Vartype::Spin) != stated.spins) {
    return {"reading: another sense or vartype"};
  }
  return compared(stated, f, rng, "reading: ");
}

std::vector<std::string> wrong_in_conversions(const Stated& stated,
                                              const qubo::Quadratic& f,
                                              Rng& rng,
                                              int& written) {
  std::vector<std::string> wrong;
  for (const io::ProblemFormatInfo& to : io::problem_formats()) {
    if (to.format == io::ProblemFormat::Kaiwu) {
      continue;  // it has no constant
    }
    const std::string what = "--convert " + std::string(to.name) + ": ";
    std::string text;
    try {
      text = test::written_small([&](io::Output& output) {
        io::write_quadratic(output, f, to.format, "problem");
      });
    } catch (const InputError&) {
      continue;  // it has no place for this problem, and says so
    }
    ++written;
    try {
      io::Input input = io::Input::memory(test::bytes_of(text), "converted");
      const io::ProblemFile again = io::read_problems(input, to.format, {});
      const auto more = compared(stated, again.problems.at(0).f, rng, what);
      wrong.insert(wrong.end(), more.begin(), more.end());
    } catch (const InputError& error) {
      wrong.push_back(what + "cannot be read again: " + error.what());
    }
  }
  return wrong;
}

}  // namespace oa::exact
