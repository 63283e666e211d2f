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

/// The open nodes of a branch and bound search, and its best solution.  A `Node` has a
/// `bound` and a unique `number`.
template <class Node>
class OpenNodes {
 public:
  /// Borrows `task` and starts at task.known.
  /// Different energies differ by at least `step`.
  OpenNodes(const PartTask& task, double step)
      : task_(task),
        step_(step),
        best_(task.known) {}
  OpenNodes(const OpenNodes&) = delete;
  OpenNodes& operator=(const OpenNodes&) = delete;

  [[nodiscard]] const Solution& best() const { return best_; }

  /// A node whose bound exceeds the cutoff contains no better solution.
  [[nodiscard]] double cutoff() const {
    ExactSum sum;
    sum.add(best_.energy);
    sum.add(best_.rest);
    sum.add(-step_);
    return std::nextafter(sum.value(), kEndless);
  }

  /// Takes a solution, and reports it if it improves on the best.
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

  /// Removes and returns the node of lowest bound.
  [[nodiscard]] Node take_first() { return take(nodes_.begin()); }
  /// Removes and returns the node of highest bound.
  [[nodiscard]] Node take_last() { return take(std::prev(nodes_.end())); }

  /// Removes the node inserted last if no node was taken since; else the lowest node.
  [[nodiscard]] Node take_recent() {
    return recent_ == nodes_.end() ? take_first() : take(recent_);
  }

  /// Records that a node with this bound was dropped without a search.
  void lose(double bound) { lost_ = std::min(lost_, bound); }

  /// Reports the bound to task.bounded if the bound increased.
  void report_bound() {
    const double bound = std::min(this->bound(), best_.energy);
    if (task_.bounded && bound > reported_) {
      reported_ = bound;
      task_.bounded(bound);
    }
  }

  /// Returns the best solution, proved optimal if no open node can improve on it.
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

  /// The lowest bound of nodes that may improve on the best.
  [[nodiscard]] double bound() const {
    return nodes_.empty() ? lost_ : std::min(lost_, nodes_.begin()->bound);
  }

  const PartTask& task_;
  double step_;
  Solution best_;
  Nodes nodes_;
  typename Nodes::iterator recent_ = nodes_.end();
  double lost_ = kEndless;  // lowest bound of dropped nodes
  double reported_ = -kEndless;
};

}  // namespace oa::solve
