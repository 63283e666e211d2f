#include "oa/io/quadratic/graph.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/polynomial_formats.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

// Reads graphs in the text format of DIMACS: .gph, .clq and .col.

namespace oa::io {
namespace {

constexpr std::int64_t kMaxPairs = 20'000'000;

/// Reads "p edge n m", "n v weight" and "e u v [weight]"; c begins a comment.
class GraphReader {
 public:
  explicit GraphReader(Input& input) : lines_(input), name_(input.name()) {}

  Graph read() {
    std::string_view line;
    while (lines_.next(line)) {
      Words words(line);
      const std::string_view kind = words.next();
      if (kind.empty() || kind == "c") {
        continue;
      }
      if (graph_.n == 0) {
        header(kind, words);
      } else if (kind == "e" || kind == "a") {
        edge(words);
      } else if (kind == "n" || kind == "v") {
        vertex(words);
      } else {
        lines_.fail(unexpected(kind, "c, n or e"));
      }
      expect_end(lines_, words);
    }
    if (graph_.n == 0) {
      throw InputError(name_ + ": no line 'p edge n m'");
    }
    if (std::ssize(graph_.edges) < announced_) {
      throw InputError(name_ + ": truncated: " + format(std::ssize(graph_.edges)) +
                       " edges of " + format(announced_));
    }
    sort_edges();
    return std::move(graph_);
  }

 private:
  void header(std::string_view kind, Words& words) {
    const std::string_view what = words.next();
    const auto n = parse_index(words.next());
    const auto m = parse_index(words.next());
    if (kind != "p" || (what != "edge" && what != "edges" && what != "col") || !n ||
        *n < 1 || *n > kMaxSparseVariables || !m) {
      lines_.fail("no line 'p edge n m' before the first edge");
    }
    graph_.n = *n;
    graph_.weights.assign(at(*n), 1.0);
    announced_ = *m;
    reserve_terms(graph_.edges, announced_, lines_);
  }

  std::int32_t vertex_in(Words& words) {
    const std::string_view word = words.next();
    const auto v = parse_index(word);
    if (!v || *v < 1 || *v > graph_.n) {
      lines_.fail("the vertex " +
                  unexpected(word, "a whole number from 1 to " + format(graph_.n)));
    }
    return *v - 1;
  }

  double weight(std::string_view word) {
    const auto value = parse_weight(word);
    if (!value) {
      lines_.fail("the weight " + unexpected(word, "a finite number"));
    }
    return *value;
  }

  void vertex(Words& words) {
    const std::int32_t v = vertex_in(words);
    graph_.weights[at(v)] = weight(words.next());
  }

  void edge(Words& words) {
    const std::int32_t u = vertex_in(words);
    const std::int32_t v = vertex_in(words);
    if (u == v) {
      lines_.fail("an edge from a vertex to itself");
    }
    const std::string_view word = words.next();
    graph_.edges.push_back(
        {std::min(u, v), std::max(u, v), word.empty() ? 1.0 : weight(word)});
  }

  /// Removes copies: some files have each edge in both directions.
  void sort_edges() {
    const auto ends = [](const qubo::Term& t) { return std::pair(t.first, t.second); };
    std::ranges::stable_sort(graph_.edges, {}, ends);
    for (std::size_t k = 1; k < graph_.edges.size(); ++k) {
      const qubo::Term& a = graph_.edges[k - 1];
      const qubo::Term& b = graph_.edges[k];
      if (ends(a) == ends(b) && a.weight != b.weight) {
        throw InputError(name_ + ": two weights of the edge " + format(a.first + 1) +
                         " " + format(a.second + 1));
      }
    }
    const auto again = std::ranges::unique(graph_.edges, {}, ends);
    graph_.edges.erase(again.begin(), again.end());
  }

  LineReader lines_;
  std::string name_;
  Graph graph_;
  std::int64_t announced_ = 0;
};

/// The pairs of vertices that are not edges.
qubo::Terms other_pairs(const Graph& graph, const std::string& where) {
  const std::int64_t n = graph.n;
  const std::int64_t pairs = n * (n - 1) / 2 - std::ssize(graph.edges);
  if (pairs > kMaxPairs) {
    throw InputError(where + ": " + format_grouped(pairs) +
                     " pairs are not edges (expected at most " +
                     format_grouped(kMaxPairs) + ")");
  }
  qubo::Terms all;
  all.reserve(static_cast<std::size_t>(pairs));
  auto edge = graph.edges.begin();
  for (std::int32_t u = 0; u < graph.n; ++u) {
    for (std::int32_t v = u + 1; v < graph.n; ++v) {
      if (edge != graph.edges.end() && edge->first == u && edge->second == v) {
        ++edge;
      } else {
        all.push_back({u, v, 0.0});
      }
    }
  }
  return all;
}

}  // namespace

std::optional<GraphGoal> graph_goal(std::string_view text) {
  using enum GraphProblem;
  constexpr std::array<std::pair<std::string_view, GraphProblem>, 3> kPlain{
      {{"independent-set", IndependentSet}, {"clique", Clique}, {"cut", Cut}}};
  for (const auto& [name, problem] : kPlain) {
    if (text == name) {
      return GraphGoal{problem};
    }
  }
  constexpr std::string_view kColouring = "colouring=";
  const auto colours = text.starts_with(kColouring)
                           ? parse_index(text.substr(kColouring.size()))
                           : std::nullopt;
  return colours && *colours >= 1 ? std::optional(GraphGoal{Colouring, *colours})
                                  : std::nullopt;
}

Graph read_graph(Input& input) {
  return GraphReader(input).read();
}

qubo::Quadratic problem_of_graph(const Graph& graph,
                                 GraphProblem problem,
                                 const std::string& where) {
  qubo::Terms terms =
      problem == GraphProblem::Clique ? other_pairs(graph, where) : graph.edges;
  const auto edges = static_cast<std::ptrdiff_t>(terms.size());
  qubo::Quadratic f(graph.n);
  f.sense = qubo::Sense::Max;
  for (std::ptrdiff_t k = 0; k < edges; ++k) {
    qubo::Term& t = terms[static_cast<std::size_t>(k)];
    if (problem != GraphProblem::Cut) {
      const double smaller =
          std::min(graph.weights[at(t.first)], graph.weights[at(t.second)]);
      t.weight = -std::max(smaller + 1.0, 1.0);
      continue;
    }
    const double weight = t.weight;  // term w (x + y - 2 x y)
    t.weight *= -2.0;
    const auto [first, second, unused] = t;
    terms.push_back({first, first, weight});
    terms.push_back({second, second, weight});
  }
  if (problem != GraphProblem::Cut) {
    for (std::int32_t v = 0; v < graph.n; ++v) {
      terms.push_back({v, v, graph.weights[at(v)]});
    }
  }
  assemble(f, terms, where);
  return f;
}

qubo::Polynomial colouring_of_graph(const Graph& graph, int colours) {
  qubo::Polynomial p;
  p.n = graph.n * colours;
  for (const qubo::Term& t : graph.edges) {
    for (int c = 0; c < colours; ++c) {
      p.monomials.push_back(
          {{t.first * colours + c, t.second * colours + c}, t.weight});
    }
  }
  for (std::int32_t v = 0; v < graph.n; ++v) {
    qubo::Constraint one{
        "colours of vertex " + format(v + 1), {}, qubo::Relation::Equal, 1.0};
    for (int c = 0; c < colours; ++c) {
      const std::int32_t i = v * colours + c;
      one.terms.push_back({i, i, 1.0});
    }
    p.constraints.push_back(std::move(one));
  }
  return p;
}

}  // namespace oa::io
