#include "oa/solve/cut/search.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/solve/cut/bound.h"
#include "oa/solve/cut/graph.h"
#include "oa/solve/cut/odd_cycle.h"
#include "oa/solve/linear/linear_program.h"
#include "oa/solve/method/open_nodes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr int kMinNodes = 100;  // semidefinite bounds solve smaller problems as fast
constexpr double kMaxDegree = 7.0;  // average degree of nodes
constexpr double kSlack = 0.05;     // rows with more slack are dropped
constexpr int kEnough = 5;          // nodes per cycle from the fast method that suffice
constexpr double kLittle = 0.01;    // gain of a slow round / gap
constexpr int kPatience = 4;        // slow rounds before branching
constexpr double kDoubt =
    0.2;  // branching edges are at least this far from 0 and 1, if possible
constexpr int kPathRate = 6;    // edges visited by paths per unit of work
constexpr double kTrial = 0.1;  // share of the time before giving up

/// Extrapolates the bound.
/// Gains decrease, so a bound needs at least the time that its mean pace predicts.
class Race {
 public:
  explicit Race(const Stop& stop) : stop_(stop), time_s_(stop.left_s()) {}

  /// True if the bound would reach the best value too late.
  [[nodiscard]] bool lost(double bound, double best) {
    begin_ = std::isfinite(begin_) ? begin_ : bound;
    const double used = 1.0 - stop_.left_s() / time_s_;
    return used > kTrial && (bound - begin_) < used * (best - begin_);
  }

 private:
  const Stop& stop_;
  double time_s_;
  double begin_ = -kEndless;
};

class CutSearch {
 public:
  CutSearch(const PartTask& task,
            double step,
            const CutEffort& effort,
            const Stop& stop)
      : task_(task),
        effort_(effort),
        stop_(stop),
        race_(stop),
        graph_(task.f),
        cycles_(graph_),
        program_(costs()),
        nodes_(task, step) {}

  Result solve() {
    look({.bound = -kEndless, .fixed = std::vector<Fixed>(graph_.edges.size())});
    nodes_.report_bound();
    while (!nodes_.empty() && !stop_() && !lost_ && work() < effort_.work &&
           made_ < task_.settings.max_nodes) {
      branch();
      nodes_.report_bound();
    }
    return nodes_.result(made_);
  }

 private:
  struct SearchNode {
    double bound = 0.0;
    std::int64_t number = 0;
    std::vector<Fixed> fixed;
    std::int32_t edge = 0;  // branching edge
  };

  /// The work of linear programs and paths, in a common unit.
  [[nodiscard]] std::int64_t work() const {
    return program_.work() + cycles_.work() / kPathRate;
  }

  /// The next step at a node.
  enum class Next : std::uint8_t { Nothing, Cut, Branch };

  [[nodiscard]] std::vector<double> costs() const {
    std::vector<double> all;
    for (const CutGraph::Edge& e : graph_.edges) {
      all.push_back(e.weight);
    }
    return all;
  }

  /// Prefers nodes close to the last node, for which the program needs few iterations.
  void branch() {
    const SearchNode node = nodes_.take_recent();
    if (node.bound >= nodes_.cutoff()) {
      return;
    }
    for (const Fixed value : {Fixed::Cut, Fixed::Uncut}) {
      SearchNode part = node;
      part.fixed[at(node.edge)] = value;
      look(std::move(part));
    }
  }

  void look(SearchNode node) {
    if (stop_() || lost_) {
      nodes_.lose(node.bound);
      return;
    }
    node.number = made_++;
    if (!complete(graph_, node.fixed)) {
      return;
    }
    int slow = 0;
    Next next = Next::Cut;
    while (next == Next::Cut) {
      const double before = node.bound;
      next = improve(node);
      slow = node.bound - before < kLittle * (nodes_.cutoff() - before) ? slow + 1 : 0;
      lost_ = effort_.gives_up && stop_.limited() &&
              race_.lost(node.bound, nodes_.cutoff());
      if (next == Next::Cut && (slow == kPatience || lost_ || !add_cycles())) {
        next = Next::Branch;
      }
    }
    if (next == Next::Branch) {
      keep_open(std::move(node));
    }
  }

  /// Solves the program and fixes edges by their reduced costs.
  Next improve(SearchNode& node) {
    set_bounds(node.fixed);
    solved_ = program_.solve(stop_) == LinearProgram::Outcome::Solved;
    const CutBound found = cut_bound(graph_, rows_, program_.prices(), node.fixed);
    node.bound = std::max(node.bound, found.bound);
    const double most = nodes_.cutoff();
    if (node.bound >= most) {
      return Next::Nothing;
    }
    for (std::size_t e = 0; e < node.fixed.size(); ++e) {
      if (node.fixed[e] == Fixed::Free &&
          found.if_expensive(static_cast<std::int32_t>(e)) >= most) {
        node.fixed[e] = found.price[e] > 0.0 ? Fixed::Uncut : Fixed::Cut;
      }
    }
    if (!complete(graph_, node.fixed)) {
      return Next::Nothing;
    }
    if (!solved_) {
      return Next::Branch;
    }
    offer(cycles_.round(program_.x()));
    return Next::Cut;
  }

  void set_bounds(std::span<const Fixed> fixed) {
    std::vector<double> low;
    std::vector<double> high;
    for (const Fixed value : fixed) {
      low.push_back(value == Fixed::Cut ? 1.0 : 0.0);
      high.push_back(value == Fixed::Uncut ? 0.0 : 1.0);
    }
    program_.set_bounds(low, high);
  }

  void offer(std::vector<std::uint8_t> side) {
    graph_.descend(side);
    std::vector<std::uint8_t> x = graph_.x_of(side);
    const TwoDoubles energy = exact_energy(task_.f, x).two();
    nodes_.offer({energy, std::move(x)});
  }

  /// Adds violated cycles.  Returns false if there are none.
  bool add_cycles() {
    const std::vector<double> x(program_.x().begin(), program_.x().end());
    drop_slack(x);
    std::vector<OddCycle> found = cycles_.by_tree(x);
    if (std::ssize(found) < graph_.nodes / kEnough) {
      std::ranges::move(cycles_.by_paths(x, stop_), std::back_inserter(found));
      make_unique(found);
    }
    std::ranges::stable_sort(found, std::greater<>(), &OddCycle::violation);
    found.resize(std::min(found.size(), at(graph_.nodes)));
    LinearProgram::Rows rows;
    for (const OddCycle& cycle : found) {
      double limit = -1.0;
      for (const OddCycle::Edge& e : cycle.edges) {
        rows.columns.push_back(e.edge);
        rows.entries.push_back(e.odd ? 1.0 : -1.0);
        limit += e.odd ? 1.0 : 0.0;
      }
      rows.begins.push_back(static_cast<int>(rows.columns.size()));
      rows.low.push_back(-kEndless);
      rows.high.push_back(limit);
    }
    program_.add(rows);
    std::ranges::move(found, std::back_inserter(rows_));
    return !rows.high.empty();
  }

  void drop_slack(std::span<const double> x) {
    std::vector<int> dropped;
    std::vector<OddCycle> kept;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].left_side(x) > 1.0 + kSlack) {
        dropped.push_back(static_cast<int>(r));
      } else {
        kept.push_back(std::move(rows_[r]));
      }
    }
    rows_ = std::move(kept);
    program_.remove(dropped);
  }

  /// Keeps the node open, to branch on an edge of large weight far from 0 and 1.
  /// If all edges are fixed, improve() has already offered the only cut.
  void keep_open(SearchNode node) {
    const std::span<const double> x = program_.x();
    double best = -1.0;
    for (std::size_t e = 0; e < node.fixed.size(); ++e) {
      const double doubt = std::max(0.0, 0.5 - std::abs(x[e] - 0.5));
      const double score = std::min(doubt, kDoubt) * std::abs(graph_.edges[e].weight);
      if (node.fixed[e] == Fixed::Free && score > best) {
        best = score;
        node.edge = static_cast<std::int32_t>(e);
      }
    }
    if (best >= 0.0) {
      nodes_.insert(std::move(node));
    } else if (!solved_) {
      nodes_.lose(node.bound);
    }
  }

  const PartTask& task_;
  CutEffort effort_;
  const Stop& stop_;
  Race race_;
  CutGraph graph_;
  OddCycles cycles_;
  LinearProgram program_;
  std::vector<OddCycle> rows_;  // rows of the program
  OpenNodes<SearchNode> nodes_;
  bool solved_ = false;  // the last program was solved
  bool lost_ = false;    // the race was lost
  std::int64_t made_ = 0;
};

}  // namespace

bool suits_cuts(const qubo::Quadratic& f) {
  const int n = f.size();
  return n >= kMinNodes && 2.0 * static_cast<double>(f.pairs()) <= kMaxDegree * n &&
         LinearProgram::available();
}

double cut_seconds(const qubo::Quadratic& f) {
  // Measured: 6 to 10 for the 1536 edges of a three-dimensional torus.
  const auto edges = static_cast<double>(f.pairs());
  return 5e-6 * edges * edges;
}

Result search_cuts(const PartTask& task,
                   double step,
                   const CutEffort& effort,
                   const Stop& stop) {
  Result result = CutSearch(task, step, effort, stop).solve();
  result.proof = "cuts";
  return result;
}

}  // namespace oa::solve
