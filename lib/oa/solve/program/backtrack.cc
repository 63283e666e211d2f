#include "oa/solve/program/backtrack.h"

#include "oa/base/index.h"
#include "oa/solve/program/propagation.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace oa::solve {
namespace {

class Backtrack {
 public:
  Backtrack(std::span<const qubo::ProgramRow> rows, int n, const Stop& stop)
      : rows_(rows),
        pace_(stop),
        values_(rows, n) {}

  Backtracked run(std::int64_t failures) {
    constexpr double kLonger = 1.5;
    constexpr double kFirst = 100.0;
    if (!values_.propagate(pace_)) {
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
  struct Choice {
    std::size_t length;  // number of earlier values
    std::int32_t variable;
    std::uint8_t value;  // the value tried first
  };

  /// Searches; returns nothing after `limit` failures.
  std::optional<Backtracked> search(std::int64_t limit) {
    std::vector<Choice> choices;
    const std::size_t begin = values_.length();
    for (std::int64_t failures = 0;;) {
      const std::int32_t i = choose();
      if (i < 0) {
        std::vector<std::uint8_t> x = values_.values();
        std::ranges::replace(x, Propagation::kUnset, std::uint8_t{0});
        return Backtracked{std::move(x), true};
      }
      choices.push_back({values_.length(), i, wanted_});
      bool right = values_.set(i, wanted_) && values_.propagate(pace_);
      while (!right) {
        if (++failures > limit || pace_.stopped()) {
          values_.undo(begin);
          return std::nullopt;
        }
        if (choices.empty()) {
          return Backtracked{.x = {}, .decided = true};
        }
        const Choice last = choices.back();
        choices.pop_back();
        values_.undo(last.length);
        // Earlier choices imply the other value of the last variable.
        right = values_.set(last.variable, last.value == 0 ? 1 : 0) &&
                values_.propagate(pace_);
      }
    }
  }

  /// Chooses a variable of the row most likely to fail, and sets wanted_ to the value
  /// that helps the row; -1 if all rows hold for any values of open variables.
  std::int32_t choose() {
    double least = 0.0;
    std::size_t row = rows_.size();
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Propagation::Bounds& b = values_.bounds(k);
      if (b.least >= rows_[k].low && b.most <= rows_[k].high) {
        continue;
      }
      const double size = b.open / values_.failed(k);
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
      if (values_.open(i)) {
        const std::int64_t size = std::abs(weight);
        const auto degree = std::ssize(values_.rows_of(i));
        if (size > most ||
            (size == most && degree > std::ssize(values_.rows_of(best)))) {
          best = i;
          most = size;
          const bool more = values_.bounds(row).least < rows_[row].low;
          wanted_ = more == (weight > 0) ? 1 : 0;
        }
      }
    }
    return best;
  }

  std::span<const qubo::ProgramRow> rows_;
  Pace pace_;
  Propagation values_;
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
