#include "oa/io/quadratic/problem_file.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/recognise.h"
#include "oa/io/bytes/unpack.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/polynomial_formats.h"
#include "oa/io/quadratic/problem_lines.h"
#include "oa/io/tensor/npy.h"
#include "oa/qubo/program.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace oa::io {
namespace {

using enum ProblemFormat;
using qubo::Sense;

constexpr std::array kFormats{
    ProblemFormatInfo{Qubo, "qubo", ".qubo", Sense::Min},
    ProblemFormatInfo{Gset, "gset", ".rud", Sense::Max, true, 1},
    ProblemFormatInfo{Orlib, "orlib", ".orlib", Sense::Max, true, 1},
    ProblemFormatInfo{Biqmac, "biqmac", ".sparse", Sense::Min, true, 1},
    ProblemFormatInfo{Bq, "bq", ".bq", Sense::Min, true, 1},
    ProblemFormatInfo{Qs, "qs", ".qs", Sense::Min, true, 1},
    ProblemFormatInfo{Csv, "csv", ".csv", Sense::Min},
    ProblemFormatInfo{Txt, "txt", ".txt", Sense::Min},
    ProblemFormatInfo{Npy, "npy", ".npy", Sense::Min},
    ProblemFormatInfo{Npz, "npz", ".npz", Sense::Min, false},
    ProblemFormatInfo{Mtx, "mtx", ".mtx", Sense::Min, true, 1},
    ProblemFormatInfo{Coo, "coo", ".coo", Sense::Min},
    ProblemFormatInfo{Bqm, "bqm", ".json", Sense::Min},
    ProblemFormatInfo{Kaiwu, "kaiwu", ".kaiwu", Sense::Min},
    ProblemFormatInfo{Jsonl, "jsonl", ".jsonl", Sense::Min, false},
    ProblemFormatInfo{Hubo, "hubo", ".hubo", Sense::Min, false},
    ProblemFormatInfo{Lp, "lp", ".lp", Sense::Min, false},
    ProblemFormatInfo{Mps, "mps", ".mps", Sense::Min, false},
    ProblemFormatInfo{Dimacs, "dimacs", ".gph", Sense::Max, false, 1},
    ProblemFormatInfo{Cnf, "cnf", ".cnf", Sense::Min, false, 1},
    ProblemFormatInfo{Opb, "opb", ".opb", Sense::Min, false, 1},
};

constexpr std::size_t kPeek = 65536;
constexpr std::size_t kLongestLine = std::size_t{1} << 24;  // limit of JSON lines
constexpr std::string_view kBlank = " \t\r\n";

/// True if the name looks like Gset's, such as "G22.txt".
bool is_gset_name(std::string_view file) {
  file = file.substr(file.rfind('/') + 1);
  if (file.ends_with(".txt")) {
    file.remove_suffix(4);
  }
  return file.starts_with('G') && parse_index(file.substr(1)).has_value();
}

std::optional<ProblemFormat> by_name(std::string_view file) {
  file = without_packing(file);
  if (is_gset_name(file)) {
    return Gset;
  }
  for (const ProblemFormatInfo& f : kFormats) {
    if (file.ends_with(f.suffix)) {
      return f.format;
    }
  }
  constexpr std::array<std::pair<std::string_view, ProblemFormat>, 8> kOthers{
      {{".gset", Gset},
       {".rudy", Gset},
       {".mc", Gset},
       {".ndjson", Jsonl},
       {".clq", Dimacs},
       {".col", Dimacs},
       {".wcnf", Cnf},
       {".wbo", Opb}}};
  for (const auto& [suffix, format] : kOthers) {
    if (file.ends_with(suffix)) {
      return format;
    }
  }
  return std::nullopt;
}

/// The format of a file with a line "p ..." below comments; nothing if it has no such
/// line.
std::optional<ProblemFormat> by_problem_line(std::string_view start) {
  while (!start.empty()) {
    Words words(take_line(start));
    const std::string_view word = words.next();
    if (word == "p") {
      const std::string_view kind = words.next();
      return kind == "edge" || kind == "edges" || kind == "col" ? Dimacs
             : kind == "cnf" || kind == "wcnf"                  ? Cnf
                                                                : Qubo;
    }
    if (word == "h") {
      return Cnf;  // a hard clause
    }
    if (!word.empty() && !word.starts_with('c')) {
      break;
    }
  }
  return std::nullopt;
}

/// True if the lines of `text` are a square matrix of numbers, as far as they are
/// known.
bool looks_like_matrix(std::string_view text, bool whole) {
  std::size_t columns = 0;
  std::size_t rows = 0;
  while (!text.empty()) {
    const auto words = words_in(take_line(text));
    if (text.empty() && !whole) {
      return rows <= columns;  // the last line may be cut
    }
    if (words.empty() || words[0].starts_with('#')) {
      continue;
    }
    columns = rows++ == 0 ? words.size() : columns;
    const bool numbers = std::ranges::all_of(
        words, [](std::string_view word) { return parse_weight(word).has_value(); });
    if (!numbers || words.size() != columns || rows > columns) {
      return false;
    }
  }
  return !whole || rows == columns;
}

/// True if the numbers of two variables come first, as in lists of terms.
bool begins_with_indices(std::span<const std::string_view> words) {
  return words.size() > 1 && parse_index(words[0]) && parse_index(words[1]);
}

/// True if the reader of a format accepts all of `text`.
bool reads(std::string_view text, ProblemFormat format) {
  try {
    Input input = Input::memory(std::as_bytes(std::span(text)), "text");
    (void)read_problems(input, format, {});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Candidates for lines of three numbers with commas: terms, or a matrix with or
/// without names.
std::vector<ProblemFormat> triple_formats(std::string_view text, bool whole) {
  constexpr int kMostRows = 4;  // a matrix of three columns, one with names
  int rows = 0;
  bool terms = false;
  for (std::string_view left = text; !left.empty() && rows <= kMostRows;) {
    std::string line(take_line(left));
    std::ranges::replace(line, ',', ' ');
    const auto words = words_in(line);
    rows += words.empty() ? 0 : 1;
    terms = terms || begins_with_indices(words);
  }
  if (!whole || rows > kMostRows) {
    return {terms ? Coo : Csv};
  }
  std::vector<ProblemFormat> all;
  std::ranges::copy_if(std::array{Coo, Csv}, std::back_inserter(all), [&](auto format) {
    return reads(text, format);
  });
  return all.empty() ? std::vector{Csv} : all;
}

/// True if all lines of `text` begin with two variables.
bool looks_like_terms(std::string_view text, bool whole) {
  while (!text.empty()) {
    const auto words = words_in(take_line(text));
    const bool cut = text.empty() && !whole;
    if (!words.empty() && !words[0].starts_with('#') && !cut &&
        !begins_with_indices(words)) {
      return false;
    }
  }
  return true;
}

/// Candidates for lists of terms after a line "n m".
std::vector<ProblemFormat> graph_formats(std::string_view text, bool whole) {
  bool diagonal = false;
  for (bool first = true; !text.empty();) {
    Words words(take_line(text));
    const auto i = words.next();
    const auto k = words.next();
    if (i.starts_with('#') || k.empty() || (text.empty() && !whole)) {
      continue;  // or the line is cut
    }
    if (first && words.next().empty()) {
      return {Gset};  // only matrices have weights here
    }
    first = false;
    diagonal = diagonal || i == k;
  }
  return diagonal ? std::vector{Biqmac, Bq}  // graphs have no loops
                  : std::vector{Gset, Biqmac, Bq};
}

/// Candidates for lines of numbers with spaces.
std::vector<ProblemFormat> numbers_formats(
    std::span<const std::string_view, 2> lines,  // the first two
    std::string_view start,
    std::string_view rest,
    bool whole) {
  const auto words = words_in(lines[0]);
  if (words.size() == 1) {
    return {lines[1].empty() ? Csv : Orlib};
  }
  const bool matrix = looks_like_matrix(start, whole);
  if (words.size() > 3 || !begins_with_indices(words)) {
    return matrix ? std::vector{Txt} : std::vector<ProblemFormat>{};
  }
  if (words.size() == 3) {
    return !matrix                          ? std::vector{Coo}
           : looks_like_terms(start, whole) ? std::vector{Coo, Txt}
                                            : std::vector{Txt};
  }
  std::vector<ProblemFormat> all = graph_formats(rest, whole);
  if (matrix && words_in(lines[1]).size() == 2) {
    all.push_back(Txt);
    std::erase_if(all, [&](ProblemFormat format) { return !reads(start, format); });
  }
  return all;
}

std::vector<ProblemFormat> by_content(std::string_view start, bool whole) {
  if (looks_like_npy(std::as_bytes(std::span(start)))) {
    return {Npy};
  }
  if (start.starts_with("PK\x03\x04") && start.find(".npy") != start.npos) {
    return {Npz};
  }
  if (looks_like_bqm_file(start)) {
    return {Bqm};
  }
  if (start.find('\0') != start.npos) {
    return {};  // all other formats are text
  }
  if (looks_like_hubo(start)) {
    return {Hubo};
  }
  if (looks_like_opb(start)) {
    return {Opb};
  }
  if (looks_like_lp(start)) {
    return {Lp};
  }
  if (looks_like_mps(start)) {
    return {Mps};
  }
  std::array<std::string_view, 2> lines;  // the first two with content
  std::size_t found = 0;
  std::string_view rest;
  for (std::string_view left = start; !left.empty() && found < lines.size();) {
    const std::string_view line = take_line(left);
    const bool cut = left.empty() && !whole;
    const std::string_view word = Words(line).next();
    if (word.starts_with('#')) {
      if (line.find("vartype=") != line.npos) {
        return {Coo};
      }
      if (names_offset(line)) {
        return {Qs};
      }
      continue;
    }
    if (word.empty()) {
      continue;
    }
    if (cut && found > 0) {
      break;
    }
    lines[found++] = line;
    rest = found == 1 ? left : rest;
  }
  const std::string_view word = Words(lines[0]).next();
  if (word.starts_with('{') || word.starts_with('[')) {
    return {Bqm};
  }
  if (word.starts_with("%%MatrixMarket") || word.starts_with("%%matrixmarket")) {
    return {Mtx};
  }
  if (const auto format = by_problem_line(start)) {
    return {*format};
  }
  const bool commas = lines[0].find(',') != std::string_view::npos;
  if (word.starts_with('c') && !commas) {
    return {Qubo};
  }
  if (commas) {
    return std::ranges::count(lines[0], ',') == 2 ? triple_formats(start, whole)
                                                  : std::vector{Csv};
  }
  if (!parse_double(word)) {
    return {};
  }
  return numbers_formats(lines, start, rest, whole);
}

bool begins_json(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(kBlank), text.size());
  return text.substr(begin).starts_with('{') || text.substr(begin).starts_with('[');
}

/// True if the first line is complete JSON and more JSON follows.  Looks ahead as far
/// as the longest line.
bool looks_like_json_lines(Input& input) {
  for (std::size_t wanted = kPeek;; wanted *= 2) {
    const std::string_view text = without_mark(as_text(input.peek(wanted)));
    const auto begin = std::min(text.find_first_not_of(kBlank), text.size());
    std::string_view rest = text.substr(begin);
    const std::string_view line = take_line(rest);
    if (rest.find_first_not_of(kBlank) != rest.npos) {
      const char last = line[line.find_last_not_of(" \t")];
      return (last == '}' || last == ']') && begins_json(rest);
    }
    if (text.size() < wanted || wanted >= kLongestLine) {
      return false;
    }
  }
}

}  // namespace

std::span<const ProblemFormatInfo> problem_formats() {
  return kFormats;
}

const ProblemFormatInfo& info(ProblemFormat format) {
  return kFormats[static_cast<std::size_t>(format)];
}

Detected detect_problem(Input& input) {
  Detected result;
  const std::string_view start = as_text(input.peek(kPeek));
  if (start.empty() && !input.stopped()) {
    throw InputError(input.name() + ": empty file (expected a problem or a stream)");
  }
  result.stream = start.empty() || looks_like_safetensors(start);
  if (result.stream) {
    return result;
  }
  const auto named = by_name(input.name());
  if (named == Kaiwu) {  // its content is that of csv or npy
    result.formats = {Kaiwu};
    return result;
  }
  if (begins_json(without_mark(start))) {
    refuse_result(start, input.name());
    if (named == Jsonl || looks_like_json_lines(input)) {
      result.formats = {Jsonl};
      return result;
    }
  }
  const auto bytes = input.peek(kPeek);
  result.formats = by_content(without_mark(as_text(bytes)), bytes.size() < kPeek);
  // A .qs file may have no offset, and one of clauses no line "p".
  if ((named == Qs && std::ranges::find(result.formats, Bq) != result.formats.end()) ||
      named == Cnf) {
    result.formats = {*named};
    return result;
  }
  // Any text may be called .txt or .csv.
  const bool decides = named && *named != Txt && *named != Csv;
  if (named && (result.formats.empty() ||
                (decides && result.formats.size() > 1 &&
                 std::ranges::find(result.formats, *named) != result.formats.end()))) {
    result.formats = {*named};
  }
  if (result.formats.empty()) {
    const std::string what = recognised(bytes);
    throw InputError(input.name() + ":1: " +
                     (what.empty() || what == "text"
                          ? "neither a stream nor a problem in a known format"
                          : what + ", neither a problem nor a stream") +
                     " (expected one of those in oa-formats(5))");
  }
  return result;
}

namespace {

/// The problem of a file that states what is not `open`.
ProblemFile stated(qubo::Polynomial p,
                   const ProblemSettings& settings,
                   const Open& open,
                   const std::string& name) {
  if (open.sense && settings.sense) {
    p.sense = *settings.sense;
  }
  if (settings.sense && *settings.sense != p.sense) {
    throw InputError(name + (p.sense == Sense::Max
                                 ? ": the file says max, --sense says min"
                                 : ": the file says min, --sense says max"));
  }
  if (settings.vartype && *settings.vartype != p.vartype) {
    refuse_vartype(name, p.vartype);
  }
  Variables used(p.n);
  for (const qubo::Monomial& m : p.monomials) {
    std::ranges::for_each(m.variables, [&](std::int32_t i) { used.add(i); });
  }
  const bool first_unused = p.names.empty() && used.only_first_missing();
  return {.problems = {checked_model(std::move(p), name)},
          .first_unused = first_unused,
          .warning = open.sense && !settings.sense ? open.warning : ""};
}

}  // namespace

qubo::Model checked_model(qubo::Polynomial p, const std::string& where) {
  qubo::make_whole(p, where);
  double total = 0.0;
  for (const qubo::Monomial& m : p.monomials) {
    total += std::abs(m.weight);
  }
  check_total(total, where);
  return qubo::model_of(std::move(p));
}

namespace {

ProblemFile read_json_lines(Input& input, const ProblemSettings& settings) {
  ProblemFile all;
  ProblemLines lines(input, settings);
  while (lines.next()) {
    ProblemFile one = lines.read();
    if (!one.problems.front().quadratic()) {
      throw InputError(lines.name() +
                       ": a polynomial or constraints (expected a quadratic function)");
    }
    all.problems.push_back(std::move(one.problems.front()));
    all.vartype_open = all.vartype_open || one.vartype_open;
  }
  if (all.problems.empty()) {
    throw InputError(input.name() + ": no line with a problem");
  }
  return all;
}

qubo::Model read_graph_problem(Input& input, const ProblemSettings& settings) {
  const std::optional<GraphGoal>& goal = settings.graph;
  if (settings.sense) {
    throw InputError(input.name() +
                     ": a graph (expected no sense: its problem has one)");
  }
  if (!goal) {
    throw InputError(input.name() + ": a graph, and no problem is given (expected " +
                     std::string(kGraphGoals) + ")");
  }
  const Graph graph = read_graph(input);
  if (goal->problem != GraphProblem::Colouring) {
    return problem_of_graph(graph, goal->problem, input.name());
  }
  if (std::int64_t{graph.n} * goal->colours > kMaxSparseVariables) {
    throw InputError(input.name() + ": over 10,000,000 variables");
  }
  return qubo::model_of(colouring_of_graph(graph, goal->colours));
}

}  // namespace

ProblemFile read_problems(Input& input,
                          ProblemFormat format,
                          const ProblemSettings& settings) {
  ProblemFile file;
  if (settings.graph && format != Dimacs) {
    throw InputError(input.name() + ": no graph of DIMACS (expected one for " +
                     std::string(kGraphGoals) + ")");
  }
  Open open;
  const auto own = [&](qubo::Polynomial p) {
    return stated(std::move(p), settings, open, input.name());
  };
  const auto vartype = settings.vartype.value_or(qubo::Vartype::Binary);
  switch (format) {
    case Qubo: file.problems.push_back(read_qbsolv(input, file.first_unused)); break;
    case Gset: file.problems.push_back(read_gset(input)); break;
    case Orlib:
      std::ranges::move(read_orlib(input), std::back_inserter(file.problems));
      break;
    case Biqmac: file.problems.push_back(read_biqmac(input)); break;
    case Bq: file.problems.push_back(read_bonn(input)); break;
    case Qs: file.problems.push_back(read_qs(input)); break;
    case Csv: file.problems.push_back(read_csv_matrix(input, vartype)); break;
    case Txt: file.problems.push_back(read_text_matrix(input, vartype)); break;
    case Npz: file.problems.push_back(read_npz(input, vartype)); break;
    case Npy: file.problems.push_back(read_npy_matrix(input, vartype)); break;
    case Mtx: file.problems.push_back(read_mtx(input, vartype)); break;
    case Coo:
      file.problems.push_back(
          read_coo(input, settings.vartype, file.vartype_open, file.first_unused));
      break;
    case Bqm:
      file.problems.push_back(read_bqm(input, settings.vartype, file.vartype_open));
      break;
    case Kaiwu: file.problems.push_back(read_kaiwu(input)); break;
    case Jsonl: return read_json_lines(input, settings);
    case Hubo: return own(read_hubo(input, open));
    case Lp: return own(read_lp(input));
    case Mps: return own(read_mps(input, open));
    case Dimacs: return {.problems = {read_graph_problem(input, settings)}};
    case Cnf: return own(read_cnf(input));
    case Opb: return own(read_opb(input));
  }
  refuse_stopped(input);
  for (qubo::Model& model : file.problems) {
    qubo::Quadratic& f = model.f;
    f.sense = settings.sense.value_or(info(format).sense);
    if (settings.vartype && f.vartype != *settings.vartype) {
      refuse_vartype(input.name(), f.vartype);
    }
  }
  return file;
}

void reserve_terms(qubo::Terms& terms,
                   std::int64_t announced,
                   const LineReader& lines) {
  constexpr std::uint64_t kShortest = 4;  // "1 1\n", an entry of a MatrixMarket pattern
  if (const auto left = lines.remaining()) {
    terms.reserve(
        std::min(static_cast<std::uint64_t>(announced), *left / kShortest + 1));
  }
}

void refuse_vartype(const std::string& name, qubo::Vartype stated) {
  throw InputError(name + (stated == qubo::Vartype::Spin
                               ? ": the file says SPIN, --vartype says binary"
                               : ": the file says BINARY, --vartype says spin"));
}

void check_total(double total, const std::string& where) {
  if (!(total < kMaxTotal)) {
    throw InputError(where + ": weights add up to " + format(total) +
                     " (expected less than 1e300)");
  }
}

void assemble(qubo::Quadratic& f,
              std::span<const qubo::Term> terms,
              const std::string& where,
              const std::stop_token& stop) {
  double total = std::abs(f.offset);
  for (const double h : f.linear) {
    total += std::abs(h);
  }
  for (const qubo::Term& t : terms) {
    total += std::abs(t.weight);
  }
  check_total(total, where);
  f.add(terms, stop);
}

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> all;
  Words words(line);
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    all.push_back(word);
  }
  return all;
}

void refuse_stopped(const Input& input) {
  if (input.stopped()) {
    throw InputError(input.name() + ": reading was stopped");
  }
}

std::string unexpected(std::string_view word, std::string_view what) {
  return "'" + std::string(word.substr(0, 40)) + "' (expected " + std::string(what) +
         ")";
}

void expect_end(const LineReader& lines, Words& words) {
  if (const auto word = words.next(); !word.empty()) {
    lines.fail(unexpected(word, "the end of the line"));
  }
}

}  // namespace oa::io
