#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/io/quadratic/graph.h"
#include "oa/qubo/model.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// Formats of single problems; oa-formats(5), PROBLEMS.
enum class ProblemFormat : std::uint8_t {
  Qubo,    ///< qbsolv
  Gset,    ///< Max-Cut as rudy writes it
  Orlib,   ///< OR-Library, several problems in a file
  Biqmac,  ///< one problem in the grammar of Gset
  Bq,      ///< Bonn's library, in the grammar of Gset
  Qs,      ///< QOBLIB, as Zimpl writes it, with an offset
  Csv,     ///< a matrix
  Txt,     ///< a matrix, separated by spaces
  Npy,     ///< a matrix
  Npz,     ///< a sparse matrix of scipy
  Mtx,     ///< MatrixMarket
  Coo,     ///< D-Wave's text format
  Bqm,     ///< D-Wave's JSON or binary file, or a dictionary of biases
  Kaiwu,   ///< an Ising matrix of the Kaiwu SDK, as text or numpy array
  Jsonl,   ///< one JSON problem per line
  Hubo,    ///< a polynomial of any degree
  Lp,      ///< a program of binary variables
  Mps,     ///< a program of binary variables, in columns
  Dimacs,  ///< a graph
  Cnf,     ///< clauses, CNF or WCNF, as MAX-SAT
  Opb,     ///< pseudo-Boolean, OPB or WBO
};

// Limits; oa-formats(5), LIMITS.
inline constexpr int kMaxSparseVariables = 10'000'000;
inline constexpr int kMaxMatrixVariables = 32'768;
inline constexpr double kMaxTotal = 1e300;  ///< limit of the sum of |weights|

/// The possible contents of an input that is not read yet.
struct Detected {
  bool stream = false;  ///< a stream of frames, oa-stream(5)
  /// The formats that match start and name; one format if there is no doubt.
  std::vector<ProblemFormat> formats;
};
[[nodiscard]] Detected detect_problem(Input& input);

/// Facts that files may leave open.
struct ProblemSettings {
  std::optional<qubo::Sense> sense;      ///< default: the format's
  std::optional<qubo::Vartype> vartype;  ///< default: the file's, else binary
  std::optional<GraphGoal> graph = {};   ///< needed for a graph
};

struct ProblemFile {
  std::vector<qubo::Model> problems;  ///< several in the formats orlib and jsonl
  bool vartype_open = false;          ///< the file does not name its vartype
  /// True if variables count from 0 in this format, and only variable 0 does not occur.
  bool first_unused = false;
  std::string warning = {};  ///< another possible meaning of the file; empty: none
};

/// A row of the table of formats.
struct ProblemFormatInfo {
  ProblemFormat format;
  std::string_view name;
  std::string_view suffixes;  ///< separated by spaces
  qubo::Sense sense;          ///< default sense of its files
  ProblemFile (*read)(Input& input, const ProblemSettings& settings, qubo::Sense usual);
  bool written = true;  ///< whether write_quadratic() supports it
  int first = 0;        ///< the index of its first variable

  /// The most usual suffix.
  [[nodiscard]] std::string_view suffix() const {
    return suffixes.substr(0, suffixes.find(' '));
  }
};

/// All formats in the order of the enumeration.
[[nodiscard]] std::span<const ProblemFormatInfo> problem_formats();
[[nodiscard]] const ProblemFormatInfo& info(ProblemFormat format);

/// Reads the problems of a file to its end.  Throws InputError.
[[nodiscard]] ProblemFile read_problems(Input& input,
                                        ProblemFormat format,
                                        const ProblemSettings& settings);

/// Writes one problem without rounding.  Throws InputError,
/// with `name` for the problem, if the format cannot hold its offset, names,
/// spins or linear terms, or if only some variables have names.
/// Negates the function if the format has the other sense.
void write_quadratic(Output& output,
                     qubo::Quadratic problem,
                     ProblemFormat format,
                     std::string_view name);

/// Writes a model of degree 2 with its constraints in the format lp.
/// Throws InputError, with `name` for the problem, if the format cannot hold the model.
void write_lp(Output& output, qubo::Model model, std::string_view name);

}  // namespace oa::io
