#include "oa/solve/exact/tree/elimination.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace oa::solve {
namespace {

// The number of entries that the search for an order reads: about 0.3 s.
constexpr std::int64_t kMaxTouched = 200'000'000;
constexpr std::int64_t kMaxMerged = 20'000'000;  // for a lower bound
// The size of the pilot part: n / kPilotShare, but at least kPilot.
constexpr int kPilotShare = 8;
constexpr int kPilot = 2000;

/// The graph of couplings, from which variables are eliminated.  Incomplete if over().
class Graph {
 public:
  Graph(const WholeFunction& f, std::int64_t most_touched, const Stop& stop)
      : adjacent_(f.rows.size()),
        left_(most_touched),
        pace_(stop) {
    for (std::size_t i = 0; i < f.rows.size() && !over(); ++i) {
      pace_(4 * std::ssize(f.rows[i]));
      for (const WholeCoupling& c : f.rows[i]) {
        adjacent_[i].push_back(c.other);
      }
      std::ranges::sort(adjacent_[i]);
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(adjacent_.size()); }
  [[nodiscard]] const std::vector<int>& of(int i) const { return adjacent_[at(i)]; }
  [[nodiscard]] int degree(int i) const { return static_cast<int>(of(i).size()); }
  /// True if stopped, or if the work limit is reached.
  [[nodiscard]] bool over() const { return left_ < 0 || pace_.stopped(); }

  /// Twice the number of missing edges among neighbours of i; too small if over().
  std::int64_t fill(int i) {
    std::int64_t missing = 0;
    for (const int k : of(i)) {
      if (over()) {
        break;
      }
      both_.clear();
      std::ranges::set_intersection(of(i), of(k), std::back_inserter(both_));
      missing += std::ssize(of(i)) - 1 - std::ssize(both_);
      touch(degree(i) + degree(k));
    }
    return missing;
  }

  /// Eliminates i: connects all its neighbours with each other, and returns them.
  std::vector<int> take(int i) {
    const std::vector<int> others = std::move(adjacent_[at(i)]);
    adjacent_[at(i)].clear();
    for (const int k : others) {
      both_.clear();
      std::ranges::set_union(of(k), others, std::back_inserter(both_));
      std::erase_if(both_, [&](int other) { return other == i || other == k; });
      adjacent_[at(k)].assign(both_.begin(), both_.end());
      touch(std::ssize(both_) + std::ssize(others));
    }
    return others;
  }

  /// Merges i with neighbour `into`.
  void merge(int i, int into) {
    const std::vector<int> others = std::move(adjacent_[at(i)]);
    adjacent_[at(i)].clear();
    for (const int k : others) {
      std::vector<int>& row = adjacent_[at(k)];
      touch(degree(k));
      row.erase(std::ranges::lower_bound(row, i));
      if (k != into) {
        const auto place = std::ranges::lower_bound(row, into);
        if (place == row.end() || *place != into) {
          row.insert(place, into);
        }
      }
    }
    both_.clear();
    std::ranges::set_union(of(into), others, std::back_inserter(both_));
    std::erase(both_, into);
    adjacent_[at(into)].assign(both_.begin(), both_.end());
  }

 private:
  void touch(std::int64_t entries) {
    left_ -= entries;
    pace_(entries);
  }

  std::vector<std::vector<int>> adjacent_;  // sorted neighbours of each variable
  std::vector<int> both_;
  std::int64_t left_;  // remaining entries to read
  Pace pace_;
};

/// Returns a lower bound of the width of all orders.
/// Repeatedly merges the variable of least degree with its neighbour of least degree;
/// the bound is the largest degree at removal (Gogate and Dechter, "A complete anytime
/// algorithm for treewidth", 2004).  Returns early above `most`, or at the work limit.
int least_width(const WholeFunction& f, int most, const Stop& stop) {
  Graph graph(f, kMaxMerged, stop);
  std::set<std::pair<int, int>> queue;  // degree, variable
  for (int i = 0; i < graph.size(); ++i) {
    queue.emplace(graph.degree(i), i);
  }
  int width = 0;
  while (!queue.empty() && width <= most && !graph.over()) {
    const auto [least, i] = *queue.begin();
    queue.erase(queue.begin());
    width = std::max(width, least);
    if (least == 0) {
      continue;
    }
    const std::vector<int> others = graph.of(i);
    for (const int k : others) {
      queue.erase({graph.degree(k), k});
    }
    graph.merge(i, *std::ranges::min_element(others, {}, [&](int k) {
                  return graph.degree(k);
                }));
    for (const int k : others) {
      queue.emplace(graph.degree(k), k);
    }
  }
  return width;
}

/// Appends variable i to the order.  False if it is too wide or took too much work.
bool add_step(Graph& graph, int i, int most_width, Elimination& order) {
  const int width = graph.degree(i);
  if (width > most_width || graph.over()) {
    return false;
  }
  order.steps.push_back({i, graph.take(i)});
  order.width = std::max(order.width, width);
  order.entries += std::ldexp(1.0, width);
  return true;
}

std::optional<Elimination> by_least_fill(const WholeFunction& f,
                                         int most_width,
                                         const Stop& stop) {
  Graph graph(f, kMaxTouched, stop);
  using Key = std::tuple<std::int64_t, int, int>;  // fill, degree, variable
  const auto key = [&](int i) { return Key(graph.fill(i), graph.degree(i), i); };
  std::vector<Key> keys;
  for (int i = 0; i < f.size(); ++i) {
    keys.push_back(key(i));
    if (graph.over()) {
      return std::nullopt;
    }
  }
  std::set<Key> queue(keys.begin(), keys.end());
  Elimination order;
  std::vector<int> changed;
  while (!queue.empty()) {
    const int i = std::get<2>(*queue.begin());
    queue.erase(queue.begin());
    if (!add_step(graph, i, most_width, order)) {
      return std::nullopt;
    }
    changed = order.steps.back().others;
    for (const int k : order.steps.back().others) {
      changed.insert(changed.end(), graph.of(k).begin(), graph.of(k).end());
    }
    std::ranges::sort(changed);
    const auto repeated = std::ranges::unique(changed);
    changed.erase(repeated.begin(), repeated.end());
    for (const int k : changed) {
      queue.erase(keys[at(k)]);
      keys[at(k)] = key(k);
      queue.insert(keys[at(k)]);
    }
  }
  return order;
}

/// Lists all variables in breadth-first order from `first`, component by component.
std::vector<int> walk(const WholeFunction& f, int first) {
  std::vector<int> order;
  std::vector<bool> seen(f.rows.size());
  const auto see = [&](int i) {
    if (!seen[at(i)]) {
      seen[at(i)] = true;
      order.push_back(i);
    }
  };
  see(first);
  std::size_t next = 0;
  for (int i = 0; i < f.size(); ++i) {
    for (; next < order.size(); ++next) {
      for (const WholeCoupling& c : f.rows[at(order[next])]) {
        see(c.other);
      }
    }
    see(i);
  }
  return order;
}

/// Breadth-first order from a peripheral variable, the last variable of another search.
std::optional<Elimination> in_breadth(const WholeFunction& f,
                                      int most_width,
                                      const Stop& stop) {
  Graph graph(f, kMaxTouched, stop);
  Elimination order;
  for (const int i : walk(f, walk(f, walk(f, 0).back()).back())) {
    if (!add_step(graph, i, most_width, order)) {
      return std::nullopt;
    }
  }
  return order;
}

/// The part that a breadth-first search reaches first.
WholeFunction beginning(const WholeFunction& f, int size) {
  std::vector<std::int32_t> place(f.rows.size(), -1);
  const std::vector<int> order = walk(f, 0);
  return restricted(f, std::span(order).first(at(size)), place);
}

/// Sorts `others` of each step in the order of elimination, and finds children.
void link(Elimination& order) {
  std::vector<std::size_t> turn(order.steps.size());
  for (std::size_t k = 0; k < turn.size(); ++k) {
    turn[at(order.steps[k].variable)] = k;
  }
  for (Elimination::Step& step : order.steps) {
    std::ranges::sort(step.others, {}, [&](int i) { return turn[at(i)]; });
  }
  for (std::size_t k = 0; k < turn.size(); ++k) {
    const std::vector<int>& others = order.steps[k].others;
    if (others.empty()) {
      continue;
    }
    Elimination::Step& parent = order.steps[turn[at(others.front())]];
    std::vector<int> bits;
    for (std::size_t b = 1; b < others.size(); ++b) {
      bits.push_back(static_cast<int>(std::ranges::find(parent.others, others[b]) -
                                      parent.others.begin()));
    }
    parent.children.push_back({k, std::move(bits)});
  }
}

}  // namespace

std::size_t Elimination::Child::entry(std::size_t above, std::size_t value) const {
  std::size_t own = value;
  for (std::size_t b = 0; b < bits.size(); ++b) {
    own |= (above >> bits[b] & 1U) << (b + 1);
  }
  return own;
}

std::optional<Elimination> eliminate(const WholeFunction& f,
                                     int most_width,
                                     const Stop& stop) {
  if (f.size() == 0) {
    return std::nullopt;
  }
  // The width of a part is a lower bound of the whole width.
  const int pilot = std::max(kPilot, f.size() / kPilotShare);
  if (f.size() > 2 * kPilot && !eliminate(beginning(f, pilot), most_width, stop)) {
    return std::nullopt;
  }
  if (least_width(f, most_width, stop) > most_width || stop()) {
    return std::nullopt;
  }
  auto order = by_least_fill(f, most_width, stop);
  auto other = in_breadth(f, order ? order->width : most_width, stop);
  if (other && (!order || other->entries < order->entries)) {
    order = std::move(other);
  }
  if (order) {
    link(*order);
  }
  return order;
}

}  // namespace oa::solve
