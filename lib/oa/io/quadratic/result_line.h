#pragma once

#include "oa/io/bytes/input.h"
#include "oa/qubo/problem.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::io {

/// The result for a single problem as it is written: one line of JSON, oa-anneal(1),
/// RESULTS.
struct ResultLine {
  std::string file;
  std::string format;
  double energy = 0.0;
  double bound = 0.0;  ///< infinite: none
  qubo::Status status = qubo::Status::BestFound;
  double seconds = 0.0;
  std::string solver;
  std::string method;                  ///< which solver found it
  std::string found_by;                ///< what first found an energy as good
  std::string proved_by;               ///< empty: nothing is proved
  std::string problem;                 ///< its fingerprint, qubo::fingerprint()
  std::optional<std::uint64_t> seed;   ///< none where nothing was drawn
  std::vector<std::uint8_t> x;         ///< 0s and 1s; a 1 is the spin +1
  std::optional<int> fixed;            ///< variables whose values were given
  std::optional<bool> target_reached;  ///< where there was one
  std::optional<bool> feasible;  ///< x satisfies all constraints; where there are some
  std::string violated;          ///< the first constraint that x violates
  bool infeasible = false;       ///< it is proved that no x satisfies all
  std::optional<std::int64_t> task;  ///< of the machine that solved it
  /// All that were asked for, where more than one was: energy and x.
  std::vector<std::pair<double, std::vector<std::uint8_t>>> top;
  /// All optima that were found, if they were asked for, and whether these are all.
  std::vector<std::vector<std::uint8_t>> optima;
  std::optional<bool> optima_complete;
  std::optional<std::uint64_t> optima_count;  ///< 2^64 - 1 stands for more, too
};

/// "proved optimal", as the line says it.
[[nodiscard]] std::string_view status_of(const ResultLine& result);

/// `f` is the problem: what its variables are is taken from there.
[[nodiscard]] std::string to_json(const ResultLine& result, const qubo::Quadratic& f);

/// What is read back of a line: the x and the energy that it claims.
struct Claim {
  std::string where;  ///< "file:1", for messages
  double energy = 0.0;
  std::vector<std::uint8_t> x;
};

/// The lines of a file of results.  Throws InputError unless each is a JSON object with
/// "x", of 0s and 1s or of -1s and 1s, and with "energy".
[[nodiscard]] std::vector<Claim> read_claims(Input& input);

/// What is read back of a line: how good a run was, and how long it took.
struct TimedResult {
  std::string where;  ///< "file:1", for messages
  std::string file;   ///< the problem's path
  qubo::Sense sense = qubo::Sense::Min;
  double energy = 0.0;  ///< infinitely bad where x violates a constraint
  double seconds = 0.0;
  bool proved = false;  ///< of the rest what the line says, if it does
  double bound = 0.0;   ///< no x is better; infinite where nothing is known
  std::string problem;  ///< its fingerprint; empty in lines of earlier versions
  std::string solver;
  std::optional<std::int64_t> seed;
  std::string text;  ///< the line itself
};

/// The lines of a file of results.  Throws InputError unless each is a JSON object with
/// "file", "sense", "energy" and "seconds".
[[nodiscard]] std::vector<TimedResult> read_timed_results(Input& input);

}  // namespace oa::io
