#include "oa/solve/exact/assignments.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/solve/conflict/cover.h"
#include "oa/solve/program/product_search.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

/// Cliques of vertices with all conflicts; empty if there are more than vertices.
std::vector<std::vector<int>> cliques_of(const Conflicts& conflicts) {
  const int n = conflicts.size();
  std::vector<int> order(at(n));
  std::iota(order.begin(), order.end(), 0);
  const ConflictRows rows(conflicts, order);
  std::vector<std::vector<bool>> covered(at(n), std::vector<bool>(at(n)));
  std::vector<std::vector<int>> cliques;
  for (int u = 0; u < n; ++u) {
    for (const std::int32_t v : conflicts.row(u)) {
      if (v < u || covered[at(u)][at(v)]) {
        continue;
      }
      std::vector<int> clique{u, v};
      for (int w = 0; w < n; ++w) {
        if (std::ranges::all_of(clique, [&](int member) {
              return (rows[w][at(member / kWordBits)] >> (member % kWordBits) & 1) != 0;
            })) {
          clique.push_back(w);
        }
      }
      for (const int a : clique) {
        for (const int b : clique) {
          covered[at(a)][at(b)] = true;
        }
      }
      std::ranges::sort(clique);
      cliques.push_back(std::move(clique));
      if (std::ssize(cliques) > n) {
        return {};
      }
    }
  }
  return cliques;
}

/// Conflicts as a program.  A clique becomes an equation: exactly one is 1 of its
/// vertices and its slack variable.  The weights of the vertices pay the slack's cost.
struct ConflictProgram {
  WholeProgram program;
  Whole constant = 0;  ///< the part of the objective that no variable changes
  int vertices = 0;

  ConflictProgram(const Conflicts& conflicts,
                  const std::vector<std::vector<int>>& cliques)
      : vertices(conflicts.size()) {
    std::vector<int> memberships(at(vertices), 1);
    for (const std::vector<int>& clique : cliques) {
      for (const int v : clique) {
        ++memberships[at(v)];
      }
    }
    for (int v = 0; v < vertices; ++v) {
      program.linear.push_back(-conflicts.weights[at(v)]);
      for (const auto& [other, cost] : conflicts.further_row(v)) {
        if (other > v) {
          program.products.push_back({{v, other}, cost});
        }
      }
    }
    for (const std::vector<int>& clique : cliques) {
      const auto slack = static_cast<std::int32_t>(program.size());
      qubo::ProgramRow row{
          .least = 0, .most = std::ssize(clique) + 1, .low = 1, .high = 1};
      Whole price = conflicts.weights[at(clique.front())];
      for (const int v : clique) {
        row.entries.push_back({v, 1});
        price = std::min<Whole>(price, conflicts.weights[at(v)] / memberships[at(v)]);
      }
      price = std::max<Whole>(price, 0);
      row.entries.push_back({slack, 1});
      for (const int v : clique) {
        program.linear[at(v)] += price;
      }
      program.linear.push_back(price);
      constant -= price;
      program.rows.push_back(std::move(row));
    }
  }

  [[nodiscard]] std::vector<std::uint8_t> x_of(const std::vector<int>& chosen) const {
    std::vector<std::uint8_t> x(at(program.size()));
    for (const int v : chosen) {
      x[at(v)] = 1;
    }
    for (std::size_t k = 0; k < program.rows.size(); ++k) {
      const auto& entries = program.rows[k].entries;
      x[at(vertices) + k] =
          std::ranges::any_of(entries, [&](const auto& e) { return x[at(e.variable)]; })
              ? 0
              : 1;
    }
    return x;
  }

  [[nodiscard]] std::vector<int> chosen(std::span<const std::uint8_t> x) const {
    std::vector<int> chosen;
    for (int v = 0; v < vertices; ++v) {
      if (x[at(v)] != 0) {
        chosen.push_back(v);
      }
    }
    return chosen;
  }
};

}  // namespace

std::optional<Result> prove_assignments(const PartTask& task,
                                        const Conflicts& conflicts,
                                        const Stop& stop) {
  if (task.settings.top > 1 || conflicts.further.empty() ||
      conflicts.size() > ProductBound::kMaxVariables) {
    return std::nullopt;
  }
  const auto cliques = cliques_of(conflicts);
  if (cliques.empty()) {
    return std::nullopt;
  }
  const ConflictProgram whole(conflicts, cliques);
  if (!ProductBound::suits(whole.program)) {
    return std::nullopt;
  }
  Result result;
  result.best = {task.known};
  const auto offer = [&](const std::vector<int>& vertices) {
    std::vector<std::uint8_t> x = conflicts.x_of(vertices, task.f.size());
    const TwoDoubles value = exact_energy(task.f, x).two();
    if (value < result.best.front().value()) {
      result.best = {Solution(value, std::move(x))};
    }
    return !(task.target < result.best.front().value());
  };
  const std::vector<int> known = conflicts.independent(task.known.x);
  offer(known);
  ProductSearch products(
      whole.program,
      value_of(whole.program, whole.x_of(known)),
      [&](std::span<const std::uint8_t> x) { return offer(whole.chosen(x)); });
  if (products.run(
          stop.limited() ? std::numeric_limits<std::int64_t>::max() : kSomeProductWork,
          stop)) {
    result.bound = result.best.front().energy;
    result.status = qubo::Status::ProvedOptimal;
    result.proof = "products";
  } else if (const std::optional<Whole> bound = products.first_bound()) {
    const TwoDoubles value =
        in_doubles(*bound + whole.constant + conflicts.constant, conflicts.unit);
    ExactSum sum;
    sum.add(task.f.offset);
    sum.add(value.value);
    sum.add(value.rest);
    result.bound = std::min(sum.rounded_down(), result.best.front().energy);
  }
  return result;
}

}  // namespace oa::solve
