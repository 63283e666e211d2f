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
  int colours = 0;  ///< of a colouring
};

/// "independent-set", "clique", "cut" or "colouring=K", or nothing.
[[nodiscard]] std::optional<GraphGoal> graph_goal(std::string_view text);

/// For messages.
inline constexpr std::string_view kGraphGoals =
    "independent-set, clique, cut or colouring=K";

/// A graph without loops.
struct Graph {
  int n = 0;
  std::vector<double> weights;  ///< of vertices
  qubo::Terms edges;            ///< each once, first < second, in order
};

/// The largest independent set, or clique, by weight: edges, or pairs that are not
/// edges, get a penalty of 1 more than the smaller weight of their ends.  Without one
/// end, such a pair costs less, so every optimum is a set as asked, and its value is
/// the weight of the set.  For a cut, the total weight of edges between vertices with 0
/// and with 1.
[[nodiscard]] qubo::Quadratic problem_of_graph(const Graph& graph,
                                               GraphProblem problem,
                                               const std::string& where);

/// Variable v K + c is vertex v in the colour c.  Each vertex has one colour, and the
/// weight of edges within a colour is minimised: 0 is a colouring.
[[nodiscard]] qubo::Polynomial colouring_of_graph(const Graph& graph, int colours);

}  // namespace oa::io
