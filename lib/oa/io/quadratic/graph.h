#pragma once

#include "oa/qubo/polynomial.h"
#include "oa/qubo/quadratic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// The problem to solve on a graph.
enum class GraphProblem : std::uint8_t { IndependentSet, Clique, Cut, Colouring };

struct GraphGoal {
  GraphProblem problem = GraphProblem::IndependentSet;
  int colours = 0;  ///< number of colours, for a colouring
};

/// Parses "independent-set", "clique", "cut" or "colouring=K"; nothing for other texts.
[[nodiscard]] std::optional<GraphGoal> graph_goal(std::string_view text);

/// The goals, for messages.
inline constexpr std::string_view kGraphGoals =
    "independent-set, clique, cut or colouring=K";

/// A graph without loops.
struct Graph {
  int n = 0;
  std::vector<double> weights;  ///< of vertices
  qubo::Terms edges;            ///< each once, first < second, in order
};

/// Finds the largest independent set or clique, by weight.
/// Each pair of vertices that the set must not contain has a penalty:
/// 1 plus the smaller of the two weights.  Dropping one vertex of such a pair lowers
/// the energy, so every optimum is a valid set, and its value is its weight.
/// For a cut: finds the largest total weight of edges between 0s and 1s.
[[nodiscard]] qubo::Quadratic problem_of_graph(const Graph& graph,
                                               GraphProblem problem,
                                               const std::string& where);

/// Makes vertex v of colour c the variable v K + c.  Each vertex has one of K colours.
/// The objective is the weight of edges within a colour, so 0 is a colouring.
[[nodiscard]] qubo::Polynomial colouring_of_graph(const Graph& graph, int colours);

}  // namespace oa::io
