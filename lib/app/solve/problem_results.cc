#include "app/solve/problem_results.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace oa::app {
namespace {

bool is_better(const io::TimedResult& a, const io::TimedResult& b) {
  if (a.energy != b.energy) {
    return qubo::better(a.sense, a.energy, b.energy);
  }
  if (a.proved != b.proved) {
    return a.proved;
  }
  return qubo::better(a.sense, b.bound, a.bound);
}

void check_sense(const ProblemResults& problem) {
  const FileResult& first = problem.results.front();
  for (const FileResult& r : problem.results) {
    if (r.sense != first.sense) {
      throw InputError(r.where + ": has another sense than " + first.where + " (of " +
                       r.file + ")");
    }
  }
}

/// Throws InputError if an energy is better than a bound.
/// An infeasible problem has an infinite bound.
void check_bounds(const ProblemResults& problem) {
  const bool maximised = problem.sense() == qubo::Sense::Max;
  const auto& tightest =
      *std::ranges::min_element(problem.results, {}, [&](const FileResult& r) {
        return maximised ? r.bound : -r.bound;
      });
  const FileResult& best = problem.best();
  const double beyond =
      maximised ? best.energy - tightest.bound : tightest.bound - best.energy;
  const double scale = std::max(std::abs(tightest.bound), std::abs(best.energy));
  if (beyond > 0.0 && (std::isinf(beyond) || beyond > kSameEnergy * scale)) {
    throw InputError(
        best.where + ": the energy " + format(best.energy) + " of " + best.file +
        " contradicts " + tightest.where + ", which proves that " +
        (std::isinf(tightest.bound)
             ? "no solution satisfies all constraints"
             : (maximised ? "no energy is above " : "no energy is below ") +
                   format(tightest.bound)));
  }
}

}  // namespace

bool FileResult::reaches(double target) const {
  return std::isfinite(energy) && !qubo::better(sense, target, energy);
}

std::string ProblemResults::fingerprint() const {
  for (const FileResult& r : results) {
    if (!r.problem.empty()) {
      return r.problem;
    }
  }
  return "";
}

const FileResult& ProblemResults::best() const {
  return *std::ranges::min_element(results, is_better);
}

void ResultsByProblem::read(io::Input& input) {
  for (io::TimedResult& r : io::read_timed_results(input)) {
    all_.push_back({std::move(r), files_});
  }
  ++files_;
}

std::vector<ProblemResults> ResultsByProblem::take() {
  std::unordered_map<std::string, std::set<std::string>> fingerprints;  // of each path
  for (const FileResult& r : all_) {
    if (!r.problem.empty()) {
      fingerprints[r.file].insert(r.problem);
    }
  }
  const auto key_of = [&](const FileResult& r) -> std::pair<std::string, std::string> {
    const auto known = fingerprints.find(r.file);
    if (!r.problem.empty() || known == fingerprints.end()) {
      return {r.problem, r.problem.empty() ? r.file : ""};
    }
    if (known->second.size() > 1) {
      throw InputError(r.where + ": no \"problem\", and " + r.file +
                       " is the path of " + format(std::ssize(known->second)) +
                       " problems");
    }
    return {*known->second.begin(), ""};
  };
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  std::vector<ProblemResults> problems;
  for (FileResult& r : all_) {
    const auto [place, is_new] = places.emplace(key_of(r), problems.size());
    if (is_new) {
      problems.emplace_back();
    }
    problems[place->second].results.push_back(std::move(r));
  }
  all_.clear();
  for (const ProblemResults& problem : problems) {
    check_sense(problem);
    check_bounds(problem);
  }
  return problems;
}

}  // namespace oa::app
