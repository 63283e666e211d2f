#pragma once

#include "oa/io/bytes/input.h"
#include "oa/qubo/problem.h"
#include "oa/qubo/quadratic.h"
#include "oa/qubo/recovered.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oa::io {

/// The result of a single problem, written as one line of JSON; oa-anneal(1), RESULTS.
struct ResultLine {
  std::string file;
  std::string format;
  double energy = 0.0;
  double bound = 0.0;  ///< bound on the energy; infinite: none
  qubo::Status status = qubo::Status::BestFound;
  double seconds = 0.0;
  std::string solver;
  std::string method;                  ///< the solver that was used
  std::string found_by;                ///< the first solver step with this energy
  std::string proved_by;               ///< the step that proved it; empty: no proof
  std::string problem;                 ///< qubo::fingerprint() of the problem
  std::optional<std::uint64_t> seed;   ///< nothing if no random number was drawn
  std::vector<std::uint8_t> x;         ///< 0s and 1s; 1 is the spin +1
  std::optional<int> fixed;            ///< number of variables fixed by the user
  std::optional<bool> target_reached;  ///< nothing without a target
  std::optional<bool> feasible;        ///< x satisfies all constraints
  std::string violated;                ///< the first constraint that x violates
  bool infeasible = false;             ///< proved: no x satisfies all constraints
  /// Violated soft constraints, each with its price; empty if there are none.
  std::optional<std::vector<std::pair<std::string, double>>> paid;
  double objective = 0.0;  ///< the energy without prices of soft constraints
  double penalty = 0.0;    ///< sum of the prices
  std::vector<std::pair<std::string, double>> values;  ///< names and values of integers
  bool tolerant = false;             ///< constraints hold within qubo::kTolerance
  qubo::Recovered recovered;         ///< structure found in the problem
  std::optional<std::int64_t> task;  ///< number of the machine's task
  /// Energy and x of each of the best solutions, if the user wants several.
  std::vector<std::pair<double, std::vector<std::uint8_t>>> top;
  /// The optima found, if wanted, and whether these are all optima.
  std::vector<std::vector<std::uint8_t>> optima;
  std::optional<bool> optima_complete;
  std::optional<std::uint64_t> optima_count;  ///< 2^64 - 1: this number or more
};

/// The status as in the line: "proved optimal".
[[nodiscard]] std::string_view status_of(const ResultLine& result);

/// Writes the line; `f` is the problem that was solved.
[[nodiscard]] std::string to_json(const ResultLine& result, const qubo::Quadratic& f);

/// The x and the energy in a result line.
struct Claim {
  std::string where;  ///< "file:1", for messages
  double energy = 0.0;
  std::vector<std::uint8_t> x;
  std::vector<std::pair<std::string, double>> values = {};  ///< by name, instead of x
};

/// Reads claims from a file of result lines.  Throws InputError unless each line is a
/// JSON object with "energy" and with "x", a list of 0s and 1s or of -1s and 1s.
[[nodiscard]] std::vector<Claim> read_claims(Input& input);

/// Quality and time of a run, from its result line.
struct TimedResult {
  std::string where;  ///< "file:1", for messages
  std::string file;   ///< the problem's path
  qubo::Sense sense = qubo::Sense::Min;
  double energy = 0.0;  ///< infinitely bad if x violates a constraint
  double seconds = 0.0;
  bool proved = false;  ///< this and the next members are optional in the line
  double bound = 0.0;   ///< infinite if unknown
  std::string problem;  ///< fingerprint; empty in lines of earlier versions
  std::string solver;
  std::optional<std::int64_t> seed;
  std::string text;  ///< the line
};

/// Reads runs from a file of result lines.  Throws InputError unless each line is a
/// JSON object with "file", "sense", "energy" and "seconds".
[[nodiscard]] std::vector<TimedResult> read_timed_results(Input& input);

}  // namespace oa::io
