#include "oa/solve/program/backtrack.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace oa::solve {
namespace {

constexpr std::uint8_t kUnset = 2;

class Backtrack {
 public:
  Backtrack(std::span<const qubo::ProgramRow> rows, int n, const Stop& stop)
      : rows_(rows),
        pace_(stop),
        values_(at(n), kUnset),
        in_(at(n)),
        failed_(rows.size(), 1.0) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      bounds_.push_back(
          {rows[k].least, rows[k].most, static_cast<int>(std::ssize(rows[k].entries))});
      queue_.push_back(k);
      for (const auto& [i, weight] : rows[k].entries) {
        in_[at(i)].push_back({k, weight});
      }
    }
    queued_.assign(rows.size(), true);
  }

  Backtracked run(std::int64_t failures) {
    constexpr double kLonger = 1.5;
    constexpr double kFirst = 100.0;
    if (!propagate()) {
      return {.x = {}, .decided = !pace_.stopped()};
    }
    std::int64_t all = 0;
    for (double most = kFirst; all < failures; most *= kLonger) {
      const std::int64_t limit =
          std::min(failures - all, static_cast<std::int64_t>(most));
      if (const auto found = search(limit)) {
        return *found;
      }
      if (pace_.stopped()) {
        break;
      }
      all += limit;
    }
    return {};
  }

 private:
  struct Effect {
    std::size_t row;
    std::int64_t weight;
  };
  struct Bounds {
    std::int64_t least;
    std::int64_t most;
    int open;
  };
  struct Choice {
    std::size_t trail;  // its length before
    std::int32_t variable;
    std::uint8_t value;  // the one tried first
  };

  /// Nothing after `limit` failures.
  std::optional<Backtracked> search(std::int64_t limit) {
    std::vector<Choice> choices;
    const std::size_t begin = trail_.size();
    for (std::int64_t failures = 0;;) {
      const std::int32_t i = choose();
      if (i < 0) {
        std::vector<std::uint8_t> x = values_;
        std::ranges::replace(x, kUnset, std::uint8_t{0});
        return Backtracked{std::move(x), true};
      }
      choices.push_back({trail_.size(), i, wanted_});
      bool right = set(i, wanted_) && propagate();
      while (!right) {
        if (++failures > limit || pace_.stopped()) {
          undo(begin);
          return std::nullopt;
        }
        if (choices.empty()) {
          return Backtracked{.x = {}, .decided = true};
        }
        const Choice last = choices.back();
        choices.pop_back();
        undo(last.trail);
        // The choices before imply the other value.
        right = set(last.variable, last.value == 0 ? 1 : 0) && propagate();
      }
    }
  }

  /// Chooses a variable of the row that is most likely to fail and sets wanted_ to the
  /// value that helps the row; -1 if all rows hold for all values of open variables.
  std::int32_t choose() {
    double least = 0.0;
    std::size_t row = rows_.size();
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Bounds& b = bounds_[k];
      if (b.least >= rows_[k].low && b.most <= rows_[k].high) {
        continue;
      }
      const double size = b.open / failed_[k];
      if (row == rows_.size() || size < least) {
        least = size;
        row = k;
      }
    }
    if (row == rows_.size()) {
      return -1;
    }
    std::int32_t best = -1;
    std::int64_t most = -1;
    for (const auto& [i, weight] : rows_[row].entries) {
      if (values_[at(i)] == kUnset) {
        const std::int64_t size = std::abs(weight);
        const auto degree = std::ssize(in_[at(i)]);
        if (size > most || (size == most && degree > std::ssize(in_[at(best)]))) {
          best = i;
          most = size;
          const bool more = bounds_[row].least < rows_[row].low;
          wanted_ = more == (weight > 0) ? 1 : 0;
        }
      }
    }
    return best;
  }

  /// False if a row cannot hold any more.
  bool set(std::int32_t i, std::uint8_t value) {
    values_[at(i)] = value;
    trail_.push_back(i);
    bool right = true;
    for (const Effect& e : in_[at(i)]) {
      Bounds& b = bounds_[e.row];
      --b.open;
      count(b, e.weight, value, 1);
      if (b.least > rows_[e.row].high || b.most < rows_[e.row].low) {
        failed_[e.row] += right ? 1.0 : 0.0;
        right = false;
      }
      if (!queued_[e.row]) {
        queued_[e.row] = true;
        queue_.push_back(e.row);
      }
    }
    return right;
  }

  /// Adds what a value of a variable does to the bounds of a row, times `sign`.
  static void count(Bounds& b, std::int64_t weight, std::uint8_t value, int sign) {
    const bool raises =
        (weight > 0) ==
        (value != 0);  // the value raises the least sum; else it lowers the greatest
    (raises ? b.least : b.most) += sign * (value != 0 ? weight : -weight);
  }

  void undo(std::size_t length) {
    while (trail_.size() > length) {
      const std::int32_t i = trail_.back();
      trail_.pop_back();
      for (const Effect& e : in_[at(i)]) {
        Bounds& b = bounds_[e.row];
        ++b.open;
        count(b, e.weight, values_[at(i)], -1);
      }
      values_[at(i)] = kUnset;
    }
    for (const std::size_t k : queue_) {
      queued_[k] = false;
    }
    queue_.clear();
  }

  /// Sets variables for which a row leaves one value.  False if a row fails.
  bool propagate() {
    while (!queue_.empty()) {
      const std::size_t k = queue_.back();
      queue_.pop_back();
      queued_[k] = false;
      const qubo::ProgramRow& row = rows_[k];
      if (pace_(std::ssize(row.entries))) {
        return false;
      }
      for (const auto& [i, weight] : row.entries) {
        if (values_[at(i)] != kUnset) {
          continue;
        }
        const Bounds& b = bounds_[k];
        const std::int64_t up = std::max<std::int64_t>(weight, 0);
        const std::int64_t down = std::min<std::int64_t>(weight, 0);
        const bool one = b.least - down + weight <= row.high &&  // 1 is possible
                         b.most - up + weight >= row.low;
        const bool zero = b.least - down <= row.high && b.most - up >= row.low;
        if (!one && !zero) {
          failed_[k] += 1.0;
          return false;
        }
        if (one != zero && !set(i, one ? 1 : 0)) {
          return false;
        }
      }
    }
    return true;
  }

  std::span<const qubo::ProgramRow> rows_;
  Pace pace_;
  std::vector<std::uint8_t> values_;
  std::vector<std::vector<Effect>> in_;  // rows of each variable
  std::vector<double> failed_;           // 1 plus the failures of each row
  std::vector<Bounds> bounds_;           // of the sum of each row
  std::vector<std::int32_t> trail_;      // variables with values, in this order
  std::vector<std::size_t> queue_;       // rows to be checked
  std::vector<bool> queued_;
  std::uint8_t wanted_ = 0;
};

}  // namespace

Backtracked backtrack(std::span<const qubo::ProgramRow> rows,
                      int n,
                      std::int64_t failures,
                      const Stop& stop) {
  return Backtrack(rows, n, stop).run(failures);
}

}  // namespace oa::solve
