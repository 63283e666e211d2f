#include "oa/io/quadratic/problem_file.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/polynomial_formats.h"
#include "oa/io/quadratic/problem_lines.h"
#include "oa/qubo/program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <iterator>
#include <utility>

namespace oa::io {

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

using qubo::Sense;

/// Reads a problem; `open` lists the facts that the file does not state.
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

/// Reads a polynomial or a program, whose file states the sense.
template <auto read>
ProblemFile program(Input& input, const ProblemSettings& settings, Sense /*usual*/) {
  Open open;
  qubo::Polynomial p = [&] {
    if constexpr (std::invocable<decltype(read), Input&>) {
      return read(input);
    } else {
      return read(input, open);
    }
  }();
  return stated(std::move(p), settings, open, input.name());
}

/// Reads quadratic functions, whose sense is the format's default.
template <auto read>
ProblemFile function(Input& input, const ProblemSettings& settings, Sense usual) {
  ProblemFile file;
  if constexpr (std::invocable<decltype(read), Input&>) {
    file.problems.emplace_back(read(input));
  } else if constexpr (std::invocable<decltype(read), Input&, qubo::Vartype>) {
    file.problems.emplace_back(
        read(input, settings.vartype.value_or(qubo::Vartype::Binary)));
  } else {
    read(input, settings.vartype, file);
  }
  refuse_stopped(input);
  for (qubo::Model& model : file.problems) {
    qubo::Quadratic& f = model.f;
    f.sense = settings.sense.value_or(usual);
    if (settings.vartype && f.vartype != *settings.vartype) {
      refuse_vartype(input.name(), f.vartype);
    }
  }
  return file;
}

ProblemFile read_json_lines(Input& input,
                            const ProblemSettings& settings,
                            Sense /*usual*/) {
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

ProblemFile read_graph_problem(Input& input,
                               const ProblemSettings& settings,
                               Sense /*usual*/) {
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
    return {.problems = {problem_of_graph(graph, goal->problem, input.name())}};
  }
  if (std::int64_t{graph.n} * goal->colours > kMaxSparseVariables) {
    throw InputError(input.name() + ": over 10,000,000 variables");
  }
  return {.problems = {qubo::model_of(colouring_of_graph(graph, goal->colours))}};
}

using enum ProblemFormat;
using Info = ProblemFormatInfo;

constexpr std::array kFormats{
    Info{Qubo, "qubo", ".qubo", Sense::Min, function<read_qbsolv>},
    Info{
        Gset, "gset", ".rud .gset .rudy .mc", Sense::Max, function<read_gset>, true, 1},
    Info{Orlib, "orlib", ".orlib", Sense::Max, function<read_orlib>, true, 1},
    Info{Biqmac, "biqmac", ".sparse", Sense::Min, function<read_biqmac>, true, 1},
    Info{Bq, "bq", ".bq", Sense::Min, function<read_bonn>, true, 1},
    Info{Qs, "qs", ".qs", Sense::Min, function<read_qs>, true, 1},
    Info{Csv, "csv", ".csv", Sense::Min, function<read_csv_matrix>},
    Info{Txt, "txt", ".txt", Sense::Min, function<read_text_matrix>},
    Info{Npy, "npy", ".npy", Sense::Min, function<read_npy_matrix>},
    Info{Npz, "npz", ".npz", Sense::Min, function<read_npz>, false},
    Info{Mtx, "mtx", ".mtx", Sense::Min, function<read_mtx>, true, 1},
    Info{Coo, "coo", ".coo", Sense::Min, function<read_coo>},
    Info{Bqm, "bqm", ".json", Sense::Min, function<read_bqm>},
    Info{Kaiwu, "kaiwu", ".kaiwu", Sense::Min, function<read_kaiwu>},
    Info{Jsonl, "jsonl", ".jsonl .ndjson", Sense::Min, read_json_lines, false},
    Info{Hubo, "hubo", ".hubo", Sense::Min, program<read_hubo>, false},
    Info{Lp, "lp", ".lp", Sense::Min, program<read_lp>, false},
    Info{Mps, "mps", ".mps", Sense::Min, program<read_mps>, false},
    Info{Dimacs, "dimacs", ".gph .clq .col", Sense::Max, read_graph_problem, false, 1},
    Info{Cnf, "cnf", ".cnf .wcnf", Sense::Min, program<read_cnf>, false, 1},
    Info{Opb, "opb", ".opb .wbo", Sense::Min, program<read_opb>, false, 1},
};

}  // namespace

std::span<const ProblemFormatInfo> problem_formats() {
  return kFormats;
}

const ProblemFormatInfo& info(ProblemFormat format) {
  return kFormats[static_cast<std::size_t>(format)];
}

ProblemFile read_problems(Input& input,
                          ProblemFormat format,
                          const ProblemSettings& settings) {
  if (settings.graph && format != Dimacs) {
    throw InputError(input.name() + ": no graph of DIMACS (expected one for " +
                     std::string(kGraphGoals) + ")");
  }
  return info(format).read(input, settings, info(format).sense);
}

bool ProblemLines::next() {
  if (std::exchange(ended_, true)) {
    return false;
  }
  while (lines_.next(line_)) {
    if (!Words(line_).next().empty()) {
      ended_ = false;
      return true;
    }
  }
  return false;
}

ProblemFile ProblemLines::read() const {
  const std::string_view json = line_.substr(line_.find_first_not_of(" \t"));
  if (!json.starts_with('{') && !json.starts_with('[')) {
    lines_.fail("not JSON (expected a problem as JSON in each line)");
  }
  Input input = Input::memory(std::as_bytes(std::span(json)), name());
  return read_problems(input, detect_problem(input).formats.front(), settings_);
}

void reserve_terms(qubo::Terms& terms,
                   std::int64_t announced,
                   const LineReader& lines) {
  constexpr std::uint64_t kShortest = 4;  // "1 1\n", the shortest entry
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
