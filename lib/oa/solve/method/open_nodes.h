#pragma once

#include "oa/base/exact_sum.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace oa::solve {

/// What a search of nodes with bounds knows: the best solution so far, and the nodes
/// where a better one may be.  A `Node` has a `bound` and a `number` of its own.
template <class Node>
class OpenNodes {
 public:
  /// Keeps a reference to `task` and begins at task.known.  Energies differ by `step`
  /// at least.
  OpenNodes(const PartTask& task, double step)
      : task_(task),
        step_(step),
        best_(task.known) {}
  OpenNodes(const OpenNodes&) = delete;
  OpenNodes& operator=(const OpenNodes&) = delete;

  [[nodiscard]] const Solution& best() const { return best_; }

  /// What has a bound above this is no better than the best.
  [[nodiscard]] double cutoff() const {
    ExactSum sum;
    sum.add(best_.energy);
    sum.add(best_.rest);
    sum.add(-step_);
    return std::nextafter(sum.value(), kEndless);
  }

  /// Takes a solution that is better than the best.
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

  /// The one of least bound.
  [[nodiscard]] Node take_first() { return take(nodes_.begin()); }
  /// That of most.
  [[nodiscard]] Node take_last() { return take(std::prev(nodes_.end())); }

  /// What was inserted last since a node was taken, or else the one of least bound.
  [[nodiscard]] Node take_recent() {
    return recent_ == nodes_.end() ? take_first() : take(recent_);
  }

  /// A part of such a bound is never looked at.
  void lose(double bound) { lost_ = std::min(lost_, bound); }

  /// Says the bound of what is open to task.bounded, if it rose.
  void tell_bound() {
    const double bound = std::min(this->bound(), best_.energy);
    if (task_.bounded && bound > told_) {
      told_ = bound;
      task_.bounded(bound);
    }
  }

  /// With the best solution: proved if nothing open can be better.
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

  /// The least bound of what may be better than the best.
  [[nodiscard]] double bound() const {
    return nodes_.empty() ? lost_ : std::min(lost_, nodes_.begin()->bound);
  }

  const PartTask& task_;
  double step_;
  Solution best_;
  Nodes nodes_;
  typename Nodes::iterator recent_ = nodes_.end();
  double lost_ = kEndless;  // the least bound of what is never looked at
  double told_ = -kEndless;
};

}  // namespace oa::solve
