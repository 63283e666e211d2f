#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace oa::solve {

/// The open nodes of a branch and bound search, and the best solution so far.  A `Node`
/// has a `bound` and a unique `number`.
template <class Node>
class OpenNodes {
 public:
  /// Keeps a reference to `task` and begins at task.known.  Different energies differ
  /// by at least `step`.
  OpenNodes(const PartTask& task, double step)
      : task_(task),
        step_(step),
        best_(task.known) {}
  OpenNodes(const OpenNodes&) = delete;
  OpenNodes& operator=(const OpenNodes&) = delete;

  [[nodiscard]] const Solution& best() const { return best_; }

  /// A node with a bound above this holds nothing better than the best.
  [[nodiscard]] double cutoff() const {
    ExactSum sum;
    sum.add(best_.energy);
    sum.add(best_.rest);
    sum.add(-step_);
    return std::nextafter(sum.value(), kEndless);
  }

  /// Takes a solution and reports it if it is better than the best.
  void offer(Solution solution) {
    if (solution.value() < best_.value()) {
      best_ = std::move(solution);
      if (task_.improved) {
        task_.improved(best_.x);
      }
    }
  }

  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  void insert(Node node) { recent_ = nodes_.insert(std::move(node)).first; }

  /// The node of the lowest bound.
  [[nodiscard]] Node take_first() { return take(nodes_.begin()); }
  /// The node of the highest bound.
  [[nodiscard]] Node take_last() { return take(std::prev(nodes_.end())); }

  /// The node inserted last since a node was taken, else the one of the lowest bound.
  [[nodiscard]] Node take_recent() {
    return recent_ == nodes_.end() ? take_first() : take(recent_);
  }

  /// Records that a node of this bound was dropped without a search.
  void lose(double bound) { lost_ = std::min(lost_, bound); }

  /// Reports the bound to task.bounded if it rose.
  void report_bound() {
    const double bound = std::min(this->bound(), best_.energy);
    if (task_.bounded && bound > reported_) {
      reported_ = bound;
      task_.bounded(bound);
    }
  }

  /// The best solution, proved optimal if no open node can be better.
  [[nodiscard]] Result result(std::int64_t nodes) const {
    const double bound = this->bound();
    const double best = exact_energy(task_.f, best_.x).rounded_down();
    const bool proved = bound >= cutoff();
    Result result;
    result.nodes = nodes;
    result.status = proved ? qubo::Status::ProvedOptimal : qubo::Status::Stopped;
    result.bound = proved ? best : std::min(bound, best);
    result.best.push_back(best_);
    return result;
  }

 private:
  static constexpr double kEndless = std::numeric_limits<double>::infinity();

  struct Before {
    bool operator()(const Node& a, const Node& b) const {
      return std::pair(a.bound, a.number) < std::pair(b.bound, b.number);
    }
  };
  using Nodes = std::set<Node, Before>;

  [[nodiscard]] Node take(typename Nodes::iterator place) {
    recent_ = nodes_.end();
    return std::move(nodes_.extract(place).value());
  }

  /// The lowest bound of nodes that may be better than the best.
  [[nodiscard]] double bound() const {
    return nodes_.empty() ? lost_ : std::min(lost_, nodes_.begin()->bound);
  }

  const PartTask& task_;
  double step_;
  Solution best_;
  Nodes nodes_;
  typename Nodes::iterator recent_ = nodes_.end();
  double lost_ = kEndless;  // the lowest bound of dropped nodes
  double reported_ = -kEndless;
};

}  // namespace oa::solve
