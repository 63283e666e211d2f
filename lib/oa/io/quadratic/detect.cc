#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/recognise.h"
#include "oa/io/bytes/unpack.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/polynomial_formats.h"
#include "oa/io/tensor/npy.h"

#include <array>
#include <iterator>

// Detects a file's format by its name and its first bytes.

namespace oa::io {
namespace {

using enum ProblemFormat;

constexpr std::size_t kPeek = 65536;
constexpr std::size_t kLongestLine = std::size_t{1} << 24;  // limit of JSON lines
constexpr std::string_view kBlank = " \t\r\n";

/// True for names as in Gset, such as "G22.txt".
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
  for (const ProblemFormatInfo& f : problem_formats()) {
    for (const std::string_view suffix : words_in(f.suffixes)) {
      if (file.ends_with(suffix)) {
        return f.format;
      }
    }
  }
  return std::nullopt;
}

/// Returns the format of a file whose first line after comments is "p ...";
/// nothing without such a line.
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
      return Cnf;  // a hard clause, as in WCNF
    }
    if (!word.empty() && !word.starts_with('c')) {
      break;
    }
  }
  return std::nullopt;
}

/// True if the lines are (unless `whole`: begin) a square matrix of numbers.
bool looks_like_matrix(std::string_view text, bool whole) {
  std::size_t columns = 0;
  std::size_t rows = 0;
  while (!text.empty()) {
    const auto words = words_in(take_line(text));
    if (text.empty() && !whole) {
      return rows <= columns;  // the last line may be truncated
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

/// True if two indices come first, as in a list of terms.
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

/// Returns the formats for lines of three numbers with commas:
/// a list of terms, or a matrix with or without names.
std::vector<ProblemFormat> triple_formats(std::string_view text, bool whole) {
  constexpr int kMaxRows = 4;  // a matrix of three columns, with a row of names
  int rows = 0;
  bool terms = false;
  for (std::string_view left = text; !left.empty() && rows <= kMaxRows;) {
    std::string line(take_line(left));
    std::ranges::replace(line, ',', ' ');
    const auto words = words_in(line);
    rows += words.empty() ? 0 : 1;
    terms = terms || begins_with_indices(words);
  }
  if (!whole || rows > kMaxRows) {
    return {terms ? Coo : Csv};
  }
  std::vector<ProblemFormat> all;
  std::ranges::copy_if(std::array{Coo, Csv}, std::back_inserter(all), [&](auto format) {
    return reads(text, format);
  });
  return all.empty() ? std::vector{Csv} : all;
}

/// True if each line of `text` begins with two indices.
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

/// Returns the formats for a line "n m" followed by terms.
std::vector<ProblemFormat> graph_formats(std::string_view text, bool whole) {
  bool diagonal = false;
  for (bool first = true; !text.empty();) {
    Words words(take_line(text));
    const auto i = words.next();
    const auto k = words.next();
    if (i.starts_with('#') || k.empty() || (text.empty() && !whole)) {
      continue;  // a comment, or a truncated line
    }
    if (first && words.next().empty()) {
      return {Gset};  // matrices always have weights
    }
    first = false;
    diagonal = diagonal || i == k;
  }
  return diagonal ? std::vector{Biqmac, Bq}  // graphs have no loops
                  : std::vector{Gset, Biqmac, Bq};
}

/// Returns the formats for lines of numbers with spaces.
std::vector<ProblemFormat> numbers_formats(
    std::span<const std::string_view, 2> lines,  // the first two lines
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
  std::array<std::string_view, 2> lines;  // the first two lines with content
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

/// True if the first line is complete JSON and more JSON follows.
/// Peeks at no more bytes than a line may have.
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
  if (named == Kaiwu) {  // kaiwu has the content of csv or npy
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
  // A .qs file may lack the offset, and a .cnf file the line "p".
  if ((named == Qs && std::ranges::find(result.formats, Bq) != result.formats.end()) ||
      named == Cnf) {
    result.formats = {*named};
    return result;
  }
  // The suffixes .txt and .csv are no evidence.
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

}  // namespace oa::io
