#include "oa/solve/conflict/search.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/conflict/cover.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

// Gives up if the estimate exceeds kHopeless times the limit, after kTrialShare of it.
constexpr double kHopeless = 8.0;
constexpr double kTrialShare = 0.1;
constexpr std::int64_t kAskedNodes =
    512;  // nodes between estimates, below the first levels

/// A degeneracy order: repeatedly removes the vertex with most conflicts.
/// Branching begins with the vertices removed last.
std::vector<int> branching_order(const Conflicts& c) {
  const int n = c.size();
  std::vector<int> degree(at(n));
  std::vector<std::vector<int>> buckets(at(n));
  for (int v = 0; v < n; ++v) {
    degree[at(v)] = static_cast<int>(c.row(v).size());
    buckets[at(degree[at(v)])].push_back(v);
  }
  std::vector<int> order;
  std::vector<bool> removed(at(n));
  for (int most = n - 1; most >= 0;) {
    if (buckets[at(most)].empty()) {
      --most;
      continue;
    }
    const int v = buckets[at(most)].back();
    buckets[at(most)].pop_back();
    if (removed[at(v)] || degree[at(v)] != most) {
      continue;
    }
    removed[at(v)] = true;
    order.push_back(v);
    for (const std::int32_t other : c.row(v)) {
      if (!removed[at(other)]) {
        buckets[at(--degree[at(other)])].push_back(other);
      }
    }
  }
  std::ranges::reverse(order);
  return order;
}

/// The branch and bound.  Gains are doubled, so that halves are whole numbers.
class IndependentSets {
 public:
  IndependentSets(const PartTask& task,
                  const Conflicts& conflicts,
                  const Stop& stop,
                  bool gives_up)
      : task_(task),
        conflicts_(conflicts),
        stop_(stop),
        limit_s_(stop.left_s()),
        gives_up_(gives_up && stop.limited()),
        order_(branching_order(conflicts)),
        rows_(conflicts, order_),
        cover_(rows_),
        pace_(stop) {
    result_.best = {task.known};
    result_.method = "conflicts";
    result_.proof = "conflicts";
    number_further();
    const std::vector<int> known = conflicts.independent(task.known.x);
    best_ = 2 * conflicts.value(known);
    take(conflicts.x_of(known, task.f.size()));
  }

  Result solve() {
    Level& root = level(0);
    for (int v = 0; v < conflicts_.size(); ++v) {
      set_bit(root.open, v);
      root.gains.push_back(2 * conflicts_.weights[at(order_[at(v)])]);
    }
    report(cover_.bound(root.open, capped(root)));
    const bool finished = !reached() && expand(0, 0);
    const bool proved = finished && !reached();
    result_.status = proved ? qubo::Status::ProvedOptimal : qubo::Status::Stopped;
    const double best = exact_energy(task_.f, result_.best.front().x).rounded_down();
    result_.bound = proved ? best : std::min(result_.bound, best);
    return std::move(result_);
  }

 private:
  struct Level {
    std::vector<Word> open;           // candidates
    std::vector<std::int64_t> gains;  // in addition to the chosen
    std::vector<int> branches;
    std::size_t count = 1;  // of branches, at the start
  };

  void number_further() {
    std::vector<int> number(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) {
      number[at(order_[k])] = static_cast<int>(k);
    }
    for (const int v : order_) {
      further_begins_.push_back(further_.size());
      for (const FurtherCoupling& c : conflicts_.further_row(v)) {
        further_.push_back({number[at(c.other)], 2 * c.cost});
      }
    }
    further_begins_.push_back(further_.size());
  }

  [[nodiscard]] std::span<const FurtherCoupling> further(int v) const {
    const std::size_t begin = further_begins_[at(v)];
    return std::span(further_).subspan(begin, further_begins_[at(v) + 1] - begin);
  }

  Level& level(int depth) {
    while (std::ssize(levels_) <= depth) {
      levels_.push_back({std::vector<Word>(rows_.words()), {}, {}});
    }
    return levels_[at(depth)];
  }

  [[nodiscard]] const std::vector<std::int64_t>& gains(const Level& level) const {
    return further_.empty() ? levels_.front().gains : level.gains;
  }

  /// Gains of open vertices, plus half of the possible gain by further couplings.
  [[nodiscard]] const std::vector<std::int64_t>& capped(const Level& now) {
    if (further_.empty()) {
      return gains(now);
    }
    capped_ = now.gains;
    each_bit(now.open, [&](int v) {
      for (const FurtherCoupling& c : further(v)) {
        const Word word = now.open[at(c.other / kWordBits)];
        if (c.cost < 0 && ((word >> (c.other % kWordBits)) & 1U) != 0) {
          capped_[at(v)] -= c.cost / 2;
        }
      }
    });
    return capped_;
  }

  /// Searches sets of chosen vertices (of gain `value`) and open vertices for a set
  /// better than the best.  Returns false if stopped.
  bool expand(int depth, std::int64_t value) {
    ++result_.nodes;
    if (value > best_) {
      best_ = value;
      std::vector<int> vertices;
      for (const int v : chosen_) {
        vertices.push_back(order_[at(v)]);
      }
      take(conflicts_.x_of(vertices, task_.f.size()));
    }
    if (reached() || result_.nodes > task_.settings.max_nodes || pace_(100)) {
      return false;
    }
    Level& now = level(depth);
    const auto branches = cover_.remaining(now.open, capped(now), best_ - value, pace_);
    now.branches.assign(branches.begin(), branches.end());
    now.count = branches.size();
    while (!now.branches.empty()) {
      const int v = now.branches.back();
      now.branches.pop_back();
      choose(v, depth);
      if (!expand(depth + 1, value + gains(now)[at(v)])) {
        return false;
      }
      chosen_.pop_back();
      clear_bit(now.open, v);
      const bool asks = depth <= 1 || result_.nodes % kAskedNodes == 0;
      if (asks && hopeless(depth)) {
        return false;
      }
      if (depth == 0 && !now.branches.empty()) {
        report(cover_.bound(now.open, capped(now)));
      }
    }
    return true;
  }

  /// Initialises the next level, with v chosen.
  void choose(int v, int depth) {
    chosen_.push_back(v);
    Level& next = level(depth + 1);
    const Level& now = levels_[at(depth)];
    const auto row = rows_[v];
    for (std::size_t k = 0; k < row.size(); ++k) {
      next.open[k] = now.open[k] & ~row[k];
    }
    clear_bit(next.open, v);
    if (!further_.empty()) {
      next.gains = now.gains;
      for (const FurtherCoupling& c : further(v)) {
        next.gains[at(c.other)] -= c.cost;
      }
    }
  }

  /// Estimates the total time from the finished branches of levels 0 to `depth`.
  [[nodiscard]] bool hopeless(int depth) const {
    const double passed = limit_s_ - stop_.left_s();
    if (!gives_up_ || passed < kTrialShare * limit_s_) {
      return false;
    }
    double finished = 0.0;
    double part = 1.0;
    for (int d = 0; d <= depth; ++d) {
      const Level& one = levels_[at(d)];
      part /= static_cast<double>(one.count);
      const bool within = d < depth;  // one of its branches is not finished
      finished += part * static_cast<double>(one.count - one.branches.size() -
                                             (within ? 1 : 0));
    }
    return passed > kHopeless * finished * limit_s_;
  }

  void take(std::vector<std::uint8_t> x) {
    Solution found{exact_energy(task_.f, x).two(), std::move(x)};
    if (found.value() < result_.best.front().value()) {
      result_.best.front() = std::move(found);
      if (task_.improved) {
        task_.improved(result_.best.front().x);
      }
    }
  }

  [[nodiscard]] bool reached() const {
    return result_.best.front().value() <= task_.target;
  }

  /// Reports a bound.  `most` is twice the largest possible gain of an unseen set.
  void report(std::int64_t most) {
    const Whole gained = std::max(most, best_) - 2 * Whole{conflicts_.constant};
    const TwoDoubles gain = in_doubles(gained, conflicts_.unit - 1);
    ExactSum sum;
    sum.add(task_.f.offset);
    sum.add(-gain.value);
    sum.add(-gain.rest);
    const double bound = sum.rounded_down();
    if (bound > result_.bound) {
      result_.bound = bound;
      if (task_.bounded) {
        task_.bounded(bound);
      }
    }
  }

  const PartTask& task_;
  const Conflicts& conflicts_;
  const Stop& stop_;
  double limit_s_;
  bool gives_up_;
  std::vector<int> order_;
  ConflictRows rows_;
  Cover cover_;
  Pace pace_;
  Result result_;
  std::vector<std::size_t> further_begins_;
  std::vector<FurtherCoupling> further_;
  std::deque<Level> levels_;
  std::vector<int> chosen_;
  std::vector<std::int64_t> capped_;
  std::int64_t best_ = 0;
};

}  // namespace

std::int64_t few_conflict_nodes(const PartTask& task) {
  constexpr std::int64_t kVertices = 4'000'000;
  return std::min(task.settings.max_nodes, 1 + kVertices / (1 + task.f.size()));
}

Result search_conflicts(const PartTask& task,
                        const Conflicts& conflicts,
                        const Stop& stop,
                        bool gives_up) {
  assert(conflicts.size() <= kMaxConflicting);
  return IndependentSets(task, conflicts, stop, gives_up).solve();
}

}  // namespace oa::solve
