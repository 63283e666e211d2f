#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace oa::io {

/// Files of single problems; oa-formats(5), PROBLEMS.
enum class ProblemFormat : std::uint8_t {
  Qubo,    ///< qbsolv
  Gset,    ///< Max-Cut as rudy writes it
  Orlib,   ///< Beasley's, several problems a file
  Biqmac,  ///< one problem, the grammar of Gset
  Bq,      ///< of the library in Bonn, the same grammar
  Csv,     ///< a matrix
  Txt,     ///< a matrix, separated by spaces
  Npy,     ///< a matrix
  Npz,     ///< a sparse matrix of scipy
  Mtx,     ///< MatrixMarket
  Coo,     ///< D-Wave's text
  Bqm,     ///< D-Wave's JSON or binary file, or a dictionary of biases
  Jsonl,   ///< a problem as JSON in each line
  Hubo,    ///< a polynomial of any degree
  Lp,      ///< a program of binary variables
};

struct ProblemFormatInfo {
  ProblemFormat format;
  std::string_view name;
  std::string_view suffix;
  qubo::Sense sense;    ///< what its files ask for unless told otherwise
  bool written = true;  ///< write_quadratic() knows it
};

/// All of them, in the order of the enumeration.
[[nodiscard]] std::span<const ProblemFormatInfo> problem_formats();
[[nodiscard]] const ProblemFormatInfo& info(ProblemFormat format);

// Limits; oa-formats(5), LIMITS.
inline constexpr int kMaxSparseVariables = 10'000'000;
inline constexpr int kMaxMatrixVariables = 32'768;
inline constexpr double kMaxTotal = 1e300;  ///< of the magnitudes of all weights

/// What an input that has not been read from holds.
struct Detected {
  bool stream = false;  ///< frames, oa-stream(5)
  /// The formats that its beginning fits, its name considered: one if all is clear.
  std::vector<ProblemFormat> formats;
};
[[nodiscard]] Detected detect_problem(Input& input);

/// What files do not say.
struct ProblemSettings {
  std::optional<qubo::Sense> sense;      ///< else the format's
  std::optional<qubo::Vartype> vartype;  ///< else binary, where a file leaves it open
};

struct ProblemFile {
  std::vector<qubo::Quadratic> problems;  ///< several in the formats orlib and jsonl
  /// What the only problem stands for, if the file has a polynomial or constraints.
  std::optional<qubo::Polynomial> polynomial;
  bool vartype_open = false;  ///< the file does not say what its variables are
};

/// Reads the problems of a file to its end.  Throws InputError.
[[nodiscard]] ProblemFile read_problems(Input& input,
                                        ProblemFormat format,
                                        const ProblemSettings& settings);

/// Writes one problem.  A format that has no place for what it holds (an offset, names,
/// spins, linear terms) refuses with InputError, in which `name` is what the problem is
/// called; one that asks for the other sense gets the negated function.  The problem
/// written is the same number by number.
void write_quadratic(Output& output,
                     qubo::Quadratic problem,
                     ProblemFormat format,
                     std::string_view name);

}  // namespace oa::io
