#include "oa/base/error.h"
#include "oa/base/exact_sum.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/formats.h"

#include <algorithm>
#include <iterator>

// Reads lists of terms, one a line: qbsolv, Gset, OR-Library, BiqMac, Bonn, Zimpl, COO.

namespace oa::io {

bool names_offset(std::string_view comment) {
  Words words(comment);
  return words.next() == "#" && words.next() == "ObjectiveOffset";
}

namespace {

/// Reads the next line that is neither blank nor a comment.
bool next_line(LineReader& lines, std::string_view& line, char comment) {
  while (lines.next(line)) {
    const std::string_view word = Words(line).next();
    if (!word.empty() && word[0] != comment) {
      return true;
    }
    // Other formats count pairs once, or maximise.
    if (names_offset(line)) {
      lines.fail("an ObjectiveOffset (expected the format qs)");
    }
  }
  return false;
}

/// Reads a variable from `first` to `first` + n - 1; returns its index from 0.
std::int32_t variable(const LineReader& lines, Words& words, int first, int n) {
  const std::string_view word = words.next();
  const auto i = parse_index(word);
  if (!i || *i < first || *i - first >= n) {
    lines.fail("the variable " + unexpected(word,
                                            "a whole number from " + format(first) +
                                                " to " + format(n - 1 + first)));
  }
  return *i - first;
}

TwoDoubles weight(const LineReader& lines, std::string_view word) {
  const auto value = parse_exact_weight(word);
  if (!value) {
    lines.fail("the weight " + unexpected_weight(word));
  }
  return *value;
}

std::int64_t count(const LineReader& lines,
                   Words& words,
                   std::int64_t least,
                   std::int64_t most) {
  const std::string_view word = words.next();
  const auto value = parse_int(word);
  if (!value || *value < least || *value > most) {
    lines.fail(unexpected(
        word, "a whole number from " + format(least) + " to " + format(most)));
  }
  return *value;
}

constexpr std::int64_t kMaxTerms = std::int64_t{1} << 40;

/// A line "n m" and m lines "i j weight", as in Gset, BiqMac, OR-Library and Bonn.
struct Block {
  int n = 0;
  qubo::Terms terms;
  TwoDoubles offset;
};

enum class Entries : std::uint8_t {
  Edges,   ///< a graph: no loops; all edges have a weight or none has
  Upper,   ///< the upper triangle of a matrix, i <= j
  Matrix,  ///< any entry of a matrix
};

/// Returns the weight of an edge: 1 if the first edge has no weight.
/// If other edges have weights, a missing weight is an error (a truncated line).
TwoDoubles edge_weight(const LineReader& lines,
                       std::string_view word,
                       bool& bare,
                       bool first) {
  bare = first ? word.empty() : bare;
  if (bare && !word.empty()) {
    lines.fail("the weight '" + std::string(word.substr(0, 40)) +
               "' (expected none: the first edge has none)");
  }
  return bare ? TwoDoubles(1.0) : weight(lines, word);
}

Block read_block(LineReader& lines, std::string_view line, Entries entries) {
  Words header(line);
  Block block;
  block.n = static_cast<int>(count(lines, header, 1, kMaxSparseVariables));
  const std::int64_t m = count(lines, header, 0, kMaxTerms);
  expect_end(lines, header);
  reserve_terms(block.terms, m, lines);
  bool bare = false;
  for (std::int64_t seen = 0; seen < m; ++seen) {
    if (!next_line(lines, line, '#')) {
      throw InputError(lines.where() + ": truncated: " + format(seen) + " terms of " +
                       format(m));
    }
    Words words(line);
    const std::int32_t i = variable(lines, words, 1, block.n);
    const std::int32_t k = variable(lines, words, 1, block.n);
    const TwoDoubles w = entries == Entries::Edges
                             ? edge_weight(lines, words.next(), bare, seen == 0)
                             : weight(lines, words.next());
    expect_end(lines, words);
    if (entries == Entries::Edges && i == k) {
      lines.fail("an edge from a vertex to itself");
    }
    if (entries == Entries::Upper && i > k) {
      lines.fail("a term below the diagonal (expected i <= j: each pair counts twice)");
    }
    add_term(block.terms, i, k, w);
  }
  return block;
}

/// x'Qx of a symmetric Q whose file has one triangle: doubles off-diagonal entries.
qubo::Quadratic doubled(Block block, const LineReader& lines, const Input& input) {
  for (qubo::Term& t : block.terms) {
    t.weight *= t.first == t.second ? 1.0 : 2.0;
  }
  qubo::Quadratic f(block.n);
  f.add_constant(block.offset.value);
  f.add_constant(block.offset.rest);
  assemble(f, block.terms, lines.where(), input.token());
  return f;
}

std::string_view first_line(LineReader& lines, const Input& input) {
  std::string_view line;
  if (!next_line(lines, line, '#')) {
    throw InputError(input.name() + ": empty (expected a problem)");
  }
  return line;
}

void expect_no_more(LineReader& lines, std::string_view announced) {
  std::string_view line;
  if (next_line(lines, line, '#')) {
    lines.fail("more " + std::string(announced) + " than announced");
  }
}

}  // namespace

void read_qbsolv(Input& input,
                 std::optional<qubo::Vartype> /*vartype*/,
                 ProblemFile& file) {
  LineReader lines(input);
  std::string_view line;
  // Comments begin with the letter c.
  if (!next_line(lines, line, 'c')) {
    throw InputError(input.name() + ": no line 'p qubo 0 n nodes couplers'");
  }
  Words header(line);
  const std::string_view p = header.next();
  const std::string_view kind = header.next();
  const std::string_view topology = header.next();
  if (p != "p" || kind != "qubo") {
    lines.fail("no line 'p qubo 0 n nodes couplers' before the first term");
  }
  if (topology != "0" && topology != "unconstrained") {
    lines.fail("the topology " + unexpected(topology, "0 or unconstrained"));
  }
  const auto n = static_cast<int>(count(lines, header, 1, kMaxSparseVariables));
  const std::int64_t nodes = count(lines, header, 0, kMaxTerms);
  const std::int64_t couplers = count(lines, header, 0, kMaxTerms);
  expect_end(lines, header);
  std::int64_t nodes_seen = 0;
  std::int64_t couplers_seen = 0;
  qubo::Terms terms;
  reserve_terms(terms, nodes + couplers, lines);
  while (next_line(lines, line, 'c')) {
    Words words(line);
    const std::int32_t i = variable(lines, words, 0, n);
    const std::int32_t k = variable(lines, words, 0, n);
    if (i > k) {
      lines.fail("a coupler below the diagonal (expected i < j)");
    }
    std::int64_t& seen = i == k ? nodes_seen : couplers_seen;
    if (++seen > (i == k ? nodes : couplers)) {
      lines.fail("more than the " +
                 (i == k ? format(nodes) + " nodes" : format(couplers) + " couplers") +
                 " announced");
    }
    add_term(terms, i, k, weight(lines, words.next()));
    expect_end(lines, words);
  }
  if (nodes_seen < nodes || couplers_seen < couplers) {
    throw InputError(lines.where() + ": truncated: " + format(nodes_seen) +
                     " nodes of " + format(nodes) + " and " + format(couplers_seen) +
                     " couplers of " + format(couplers));
  }
  Variables used(n);
  for (const qubo::Term& t : terms) {
    used.add(t.first);
    used.add(t.second);
  }
  file.first_unused = used.only_first_missing();
  qubo::Quadratic f(n);
  assemble(f, terms, input.name(), input.token());
  file.problems.emplace_back(std::move(f));
}

// Reads Max-Cut: an edge ij of weight w adds w/2 (1 - s_i s_j).
qubo::Quadratic read_gset(Input& input) {
  LineReader lines(input);
  Block block = read_block(lines, first_line(lines, input), Entries::Edges);
  expect_no_more(lines, "edges");
  qubo::Quadratic f(block.n);
  f.vartype = qubo::Vartype::Spin;
  ExactSum constant;
  for (qubo::Term& t : block.terms) {
    const double half = 0.5 * t.weight;
    if (2.0 * half != t.weight) {
      throw InputError(input.name() + ": the weight " + format(t.weight) +
                       " is too small (a double cannot hold half of it)");
    }
    constant.add(half);
    t.weight = -t.weight;
  }
  f.add_constant(constant);
  assemble(f, block.terms, input.name(), input.token());
  f.halve_pairs();
  return f;
}

qubo::Quadratic read_biqmac(Input& input) {
  LineReader lines(input);
  Block block = read_block(lines, first_line(lines, input), Entries::Upper);
  expect_no_more(lines, "terms");
  return doubled(std::move(block), lines, input);
}

qubo::Quadratic read_bonn(Input& input) {
  LineReader lines(input);
  const Block block = read_block(lines, first_line(lines, input), Entries::Matrix);
  expect_no_more(lines, "entries");
  qubo::Quadratic f(block.n);
  assemble(f, block.terms, input.name(), input.token());
  return f;
}

qubo::Quadratic read_qs(Input& input) {
  LineReader lines(input);
  std::string_view line;
  std::optional<TwoDoubles> offset;
  for (bool comment = true; comment;) {
    if (!lines.next(line)) {
      throw InputError(input.name() + ": no line 'n entries'");
    }
    const std::string_view word = Words(line).next();
    comment = word.empty() || word.starts_with('#');
    if (names_offset(line)) {
      if (offset) {
        lines.fail("a second ObjectiveOffset");
      }
      Words words(line.substr(line.find("ObjectiveOffset")));
      (void)words.next();
      offset = weight(lines, words.next());
      expect_end(lines, words);
    }
  }
  Block block = read_block(lines, line, Entries::Upper);
  expect_no_more(lines, "entries");
  block.offset = offset.value_or(TwoDoubles());
  return doubled(std::move(block), lines, input);
}

void read_orlib(Input& input,
                std::optional<qubo::Vartype> /*vartype*/,
                ProblemFile& file) {
  LineReader lines(input);
  Words first(first_line(lines, input));
  const std::int64_t problems = count(lines, first, 1, 1'000'000);
  expect_end(lines, first);
  for (std::int64_t p = 0; p < problems; ++p) {
    std::string_view line;
    if (!next_line(lines, line, '#')) {
      throw InputError(lines.where() + ": truncated: " + format(p) + " problems of " +
                       format(problems));
    }
    file.problems.emplace_back(
        doubled(read_block(lines, line, Entries::Upper), lines, input));
  }
  expect_no_more(lines, "problems");
}

namespace {

/// Reads the vartype from a comment, if it has one.
std::optional<qubo::Vartype> named_vartype(const LineReader& lines,
                                           std::string_view comment) {
  constexpr std::string_view kKey = "vartype=";
  const auto found = comment.find(kKey);
  if (found == comment.npos) {
    return std::nullopt;
  }
  const std::string_view value = Words(comment.substr(found + kKey.size())).next();
  if (value != "BINARY" && value != "SPIN") {
    lines.fail("vartype=" + unexpected(value, "BINARY or SPIN"));
  }
  return value == "SPIN" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
}

/// True if the line has three names, as a header of a table.
bool names_columns(std::string_view line) {
  Words words(line);
  int names = 0;
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    if (parse_weight(word)) {
      return false;
    }
    ++names;
  }
  return names == 3;
}

}  // namespace

void read_coo(Input& input, std::optional<qubo::Vartype> vartype, ProblemFile& file) {
  LineReader lines(input);
  std::string_view line;
  std::optional<qubo::Vartype> stated;
  qubo::Terms terms;
  reserve_terms(terms, kMaxTerms, lines);  // also limited by the length of the text
  std::int32_t n = 0;
  std::string spaced;
  while (lines.next(line)) {
    const bool commas = line.find(',') != line.npos;
    if (commas) {
      spaced = line;
      std::ranges::replace(spaced, ',', ' ');
      line = spaced;
    }
    Words words(line);
    const std::string_view first = words.next();
    if (first.empty()) {
      continue;
    }
    if (first[0] == '#') {
      const auto named = named_vartype(lines, line);
      if (named && stated && *named != *stated) {
        lines.fail("a second vartype that differs from the first");
      }
      stated = named ? named : stated;
      continue;
    }
    if (commas && terms.empty() && names_columns(line)) {
      continue;
    }
    words = Words(line);
    const std::int32_t i = variable(lines, words, 0, kMaxSparseVariables);
    const std::int32_t k = variable(lines, words, 0, kMaxSparseVariables);
    add_term(terms, i, k, weight(lines, words.next()));
    expect_end(lines, words);
    n = std::max({n, i + 1, k + 1});
  }
  if (n == 0) {
    throw InputError(input.name() + ": no term (expected lines i j weight)");
  }
  if (stated && vartype && *stated != *vartype) {
    refuse_vartype(input.name(), *stated);
  }
  file.vartype_open = !stated && !vartype;
  file.first_unused = n > 1 && std::ranges::none_of(terms, [](const qubo::Term& t) {
                        return t.first == 0 || t.second == 0;
                      });
  const qubo::Vartype kind = stated.value_or(vartype.value_or(qubo::Vartype::Binary));
  qubo::Quadratic f(n);
  f.vartype = kind;
  if (kind == qubo::Vartype::Spin) {  // for spins the diagonal holds linear terms
    qubo::Terms fields;
    std::ranges::copy_if(terms, std::back_inserter(fields), [](const qubo::Term& t) {
      return t.first == t.second;
    });
    f.add_linear(fields);
    std::erase_if(terms, [](const qubo::Term& t) { return t.first == t.second; });
  }
  assemble(f, terms, input.name(), input.token());
  file.problems.emplace_back(std::move(f));
}

std::string unexpected_weight(std::string_view word) {
  return unexpected(word,
                    parse_double(word) ? "a whole number below 2^53, or up to 2^106 in "
                                         "lists of terms, or one with an exponent"
                                       : "a finite number");
}

void add_term(qubo::Terms& terms,
              std::int32_t i,
              std::int32_t k,
              const TwoDoubles& weight) {
  terms.push_back({i, k, weight.value});
  if (weight.rest != 0.0) {
    terms.push_back({i, k, weight.rest});
  }
}

}  // namespace oa::io
