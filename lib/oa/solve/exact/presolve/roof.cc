#include "oa/solve/exact/presolve/roof.h"

#include "oa/base/index.h"

#include <algorithm>

// f is a constant plus products a u v, a > 0, of literals u and v: x_i, 1 - x_i or 1.
// A product is 0 if u implies not v, and v implies not u: two arcs of capacity a.
// Implications that remain after a maximum flow from 1 to 0 hold in a minimum.

namespace oa::solve {
namespace {

constexpr std::int64_t kMaxWork = 50'000'000;  // maximum of visited arcs

/// Literal x_i is node 2i, its negation node 2i + 1; the last two nodes are 1 and 0.
/// The reverse of arc e is e ^ 1, its contrapositive e ^ 2.
class Implications {
 public:
  Implications(const WholeFunction& f, const Stop& stop)
      : stop_(stop),
        nodes_(2 * f.size() + 2),
        source_(2 * f.size()) {
    for (int i = 0; i < f.size(); ++i) {
      Whole linear = f.linear[at(i)];
      for (const WholeCoupling& c : f.rows[at(i)]) {
        if (c.other < i) {
          continue;
        }
        if (c.weight > 0) {
          product(2 * i, 2 * c.other, c.weight);
        } else {
          product(2 * i, 2 * c.other + 1, -c.weight);  // w x y = w x - w x (1 - y)
          linear += c.weight;
        }
      }
      // The product of a pair is stored at its first variable.
      if (linear != 0) {
        product(linear > 0 ? 2 * i : 2 * i + 1, source_, linear > 0 ? linear : -linear);
      }
    }
    index();
  }

  /// Computes a maximum flow by Dinic's algorithm; false if it takes too long.
  bool saturate() {
    while (levels()) {
      next_ = begin_;
      while (augment() && !stop_()) {
      }
      if (work_ > kMaxWork || stop_()) {
        return false;
      }
    }
    return true;
  }

  /// The true literals.  A strongly connected component is true if all components that
  /// it implies are true and if it does not contain a literal with its negation.
  std::vector<std::int8_t> values() const;

  /// The literals that 1 implies: true in every minimum.
  std::vector<std::int8_t> implied() const;

 private:
  void product(int u, int v, Whole capacity) {
    arc(u, v ^ 1, capacity);
    arc(v, u ^ 1, capacity);
  }

  void arc(int from, int to, Whole capacity) {
    from_.push_back(from);
    to_.push_back(to);
    left_.push_back(capacity);
    from_.push_back(to);
    to_.push_back(from);
    left_.push_back(0);
  }

  /// Groups arcs by the node that they leave.
  void index() {
    begin_.assign(at(nodes_) + 1, 0);
    for (const int v : from_) {
      ++begin_[at(v) + 1];
    }
    for (std::size_t v = 0; v < at(nodes_); ++v) {
      begin_[v + 1] += begin_[v];
    }
    arcs_.resize(from_.size());
    std::vector<std::size_t> place = begin_;
    for (std::size_t e = 0; e < from_.size(); ++e) {
      arcs_[place[at(from_[e])]++] = e;
    }
  }

  /// Computes distances from the source; true if the sink is reachable.
  bool levels() {
    level_.assign(at(nodes_), -1);
    level_[at(source_)] = 0;
    std::vector<int> queue(1, source_);
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const int v = queue[k];
      for (std::size_t a = begin_[at(v)]; a < begin_[at(v) + 1]; ++a) {
        const std::size_t e = arcs_[a];
        if (left_[e] > 0 && level_[at(to_[e])] < 0) {
          level_[at(to_[e])] = level_[at(v)] + 1;
          queue.push_back(to_[e]);
        }
      }
    }
    work_ += std::ssize(arcs_);
    return level_[at(source_ + 1)] >= 0;
  }

  /// Augments the flow along a shortest path; false if there is none.
  bool augment() {
    std::vector<std::size_t> path;
    int v = source_;
    while (v != source_ + 1) {
      std::size_t& a = next_[at(v)];
      const std::size_t end = begin_[at(v) + 1];
      while (a < end &&
             (left_[arcs_[a]] == 0 || level_[at(to_[arcs_[a]])] != level_[at(v)] + 1)) {
        ++a;
        ++work_;
      }
      if (work_ > kMaxWork) {
        return false;
      }
      if (a < end) {
        path.push_back(arcs_[a]);
        v = to_[arcs_[a]];
      } else if (path.empty()) {
        return false;
      } else {
        level_[at(v)] = -1;
        v = from_[path.back()];
        path.pop_back();
      }
      ++work_;
    }
    Whole flow = left_[path.front()];
    for (const std::size_t e : path) {
      flow = std::min(flow, left_[e]);
    }
    for (const std::size_t e : path) {
      left_[e] -= flow;
      left_[e ^ 1] += flow;
    }
    return true;
  }

  /// True if the mean of the flow and its mirror image leaves capacity on arc e.
  [[nodiscard]] bool holds(std::size_t e) const { return left_[e] + left_[e ^ 2] > 0; }

  const Stop& stop_;
  int nodes_;
  int source_;
  std::vector<int> from_;
  std::vector<int> to_;
  std::vector<Whole> left_;
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> arcs_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
  std::int64_t work_ = 0;
};

std::vector<std::int8_t> Implications::values() const {
  // Tarjan's algorithm: a component comes after all components that it implies.
  enum : std::int8_t { kUnknown, kFalse, kTrue, kNeither };
  std::vector<std::int8_t> truth(at(nodes_), kUnknown);
  std::vector<int> order(at(nodes_), 0);
  std::vector<int> low(at(nodes_), 0);
  std::vector<int> component(at(nodes_), -1);
  std::vector<std::size_t> next = begin_;
  std::vector<int> walk;
  std::vector<int> open;
  int visited = 0;
  int components = 0;
  const auto close = [&](int root) {
    std::vector<int> members;
    do {
      members.push_back(open.back());
      open.pop_back();
    } while (members.back() != root);
    for (const int v : members) {
      component[at(v)] = components;
    }
    ++components;
    bool may = std::ranges::none_of(members, [&](int v) {
      return component[at(v)] == component[at(v ^ 1)] || truth[at(v)] == kFalse;
    });
    for (const int v : members) {
      for (std::size_t a = begin_[at(v)]; may && a < begin_[at(v) + 1]; ++a) {
        const int to = to_[arcs_[a]];
        may = !holds(arcs_[a]) || component[at(to)] == component[at(v)] ||
              truth[at(to)] == kTrue;
      }
    }
    for (const int v : members) {
      if (may) {
        truth[at(v)] = kTrue;
        truth[at(v ^ 1)] = kFalse;
      } else if (truth[at(v)] == kUnknown) {
        truth[at(v)] = kNeither;
      }
    }
  };
  // Begins at 1: every minimum has all literals that 1 implies.
  for (int root = source_; root >= 0; --root) {
    if (order[at(root)] != 0) {
      continue;
    }
    walk.push_back(root);
    while (!walk.empty()) {
      const int v = walk.back();
      if (order[at(v)] == 0) {
        order[at(v)] = low[at(v)] = ++visited;
        open.push_back(v);
      }
      bool deeper = false;
      while (next[at(v)] < begin_[at(v) + 1]) {
        const std::size_t e = arcs_[next[at(v)]];
        const int to = to_[e];
        if (holds(e) && order[at(to)] == 0) {
          walk.push_back(to);
          deeper = true;
          break;
        }
        if (holds(e) && component[at(to)] < 0) {
          low[at(v)] = std::min(low[at(v)], low[at(to)]);
        }
        ++next[at(v)];
      }
      if (deeper) {
        continue;
      }
      walk.pop_back();
      if (low[at(v)] == order[at(v)]) {
        close(v);
      }
    }
  }
  std::vector<std::int8_t> values(at(nodes_ / 2 - 1), -1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (truth[2 * i] == kTrue || truth[2 * i + 1] == kTrue) {
      values[i] = truth[2 * i] == kTrue ? 1 : 0;
    }
  }
  return values;
}

std::vector<std::int8_t> Implications::implied() const {
  std::vector<std::int8_t> values(at(nodes_ / 2 - 1), -1);
  std::vector<bool> seen(at(nodes_));
  std::vector<int> reached(1, source_);
  seen[at(source_)] = true;
  for (std::size_t k = 0; k < reached.size(); ++k) {
    const int v = reached[k];
    if (v < source_) {
      values[at(v / 2)] = v % 2 == 0 ? 1 : 0;
    }
    for (std::size_t a = begin_[at(v)]; a < begin_[at(v) + 1]; ++a) {
      const std::size_t e = arcs_[a];
      if (holds(e) && !seen[at(to_[e])]) {
        seen[at(to_[e])] = true;
        reached.push_back(to_[e]);
      }
    }
  }
  return values;
}

}  // namespace

std::vector<std::int8_t> roof_persistencies(const WholeFunction& f,
                                            Persistency persistency,
                                            const Stop& stop) {
  Implications implications(f, stop);
  if (!implications.saturate()) {
    return std::vector<std::int8_t>(f.linear.size(), -1);
  }
  return persistency == Persistency::Every ? implications.implied()
                                           : implications.values();
}

}  // namespace oa::solve
