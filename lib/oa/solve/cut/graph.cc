#include "oa/solve/cut/graph.h"

#include "oa/base/index.h"
#include "oa/qubo/components.h"

#include <algorithm>
#include <cmath>

namespace oa::solve {
namespace {

/// Collects the terms of f, rewritten for spins s: x = (1 + s) / 2.
class Builder {
 public:
  explicit Builder(CutGraph& graph) : graph_(graph) {}

  /// Adds weight * s_i * s_k: the constant `weight`, and -2 weight for a cut edge.
  void add(int i, int k, double weight) {
    if (weight != 0.0) {
      graph_.rest.add(weight);
      graph_.edges.push_back({i, k, -2.0 * weight});
    }
  }

  /// Adds a linear term as an edge to the last node.
  /// The part of the term that exceeds a double is bounded for both signs.
  void add_linear(int i, ExactSum linear) {
    add(i, graph_.nodes - 1, linear.take_value());
    graph_.rest.add(-2.0 * std::abs(linear.value()));
  }

 private:
  CutGraph& graph_;
};

void link(CutGraph& graph) {
  graph.begins.assign(at(graph.nodes) + 1, 0);
  for (const CutGraph::Edge& e : graph.edges) {
    ++graph.begins[at(e.first) + 1];
    ++graph.begins[at(e.second) + 1];
  }
  for (std::size_t i = 1; i < graph.begins.size(); ++i) {
    graph.begins[i] += graph.begins[i - 1];
  }
  graph.arcs.resize(2 * graph.edges.size());
  std::vector<std::int32_t> next(graph.begins);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto& [a, b, weight] = graph.edges[e];
    graph.arcs[at(next[at(a)]++)] = {b, static_cast<std::int32_t>(e)};
    graph.arcs[at(next[at(b)]++)] = {a, static_cast<std::int32_t>(e)};
  }
}

/// Joins components by edges of weight 0.
void connect(CutGraph& graph) {
  const auto parts = qubo::components(
      std::vector<bool>(at(graph.nodes)), [&](int node, const auto& visit) {
        for (const CutGraph::Arc& arc : graph.arcs_of(node)) {
          visit(arc.to);
        }
        return true;
      });
  for (std::size_t k = 1; k < parts.size(); ++k) {
    graph.edges.push_back({0, parts[k].front(), 0.0});
  }
}

}  // namespace

CutGraph::CutGraph(const qubo::Quadratic& f) : nodes(f.size() + 1) {
  Builder builder(*this);
  rest.add(f.offset);
  for (int i = 0; i < f.size(); ++i) {
    ExactSum linear;
    linear.add(0.5 * f.linear[at(i)]);
    rest.add(0.5 * f.linear[at(i)]);
    for (const qubo::Coupling& c : f.row(i)) {
      linear.add(0.25 * c.weight);
      if (c.other > i) {
        rest.add(0.25 * c.weight);
        builder.add(i, c.other, 0.25 * c.weight);
      }
    }
    builder.add_linear(i, linear);
  }
  for (const qubo::Term& t : f.rests()) {
    rest.add(t.first == qubo::kConstant ? t.weight : std::min(0.0, t.weight));
  }
  link(*this);
  connect(*this);
  link(*this);
}

void CutGraph::descend(std::span<std::uint8_t> side) const {
  bool moved = true;
  for (int round = 0; round < nodes && moved; ++round) {
    moved = false;
    for (int i = 0; i < nodes; ++i) {
      double gain = 0.0;
      for (const Arc& arc : arcs_of(i)) {
        const double weight = edges[at(arc.edge)].weight;
        gain += side[at(i)] == side[at(arc.to)] ? -weight : weight;
      }
      if (gain > 0.0) {
        side[at(i)] ^= 1U;
        moved = true;
      }
    }
  }
}

std::vector<std::uint8_t> CutGraph::x_of(std::span<const std::uint8_t> side) const {
  std::vector<std::uint8_t> x(side.begin(), side.end() - 1);
  for (std::uint8_t& value : x) {
    value = value == side.back() ? 1 : 0;
  }
  return x;
}

}  // namespace oa::solve
