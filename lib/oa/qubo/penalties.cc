#include "oa/qubo/penalties.h"

#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace oa::qubo {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Returns a + b, rounded up.
double sum_above(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  return error > 0.0 ? std::nextafter(sum, kInfinite) : sum;
}

/// The rows of an assignment problem, on two sides.
/// Each pair of rows of different sides has one variable, which is in no other row.
struct Assignment {
  std::vector<std::size_t> rows;
  bool equal = false;  // all rows are equations; else only the shorter side
};

/// Finds assignment problems: complete bipartite graphs with rows as vertices.
class AssignmentFinder {
 public:
  explicit AssignmentFinder(const Program& program)
      : program_(program),
        rows_of_(at(program.n)),
        side_(program.rows.size()) {
    for (std::size_t r = 0; r < program.rows.size(); ++r) {
      if (!program.rows[r].always()) {
        for (const auto& [i, weight] : program.rows[r].entries) {
          rows_of_[at(i)].push_back(r);
        }
      }
    }
    for (std::size_t r = 0; r < side_.size(); ++r) {
      side_[r] = one_of(program.rows[r]) ? kUnseen : kOther;
    }
  }

  [[nodiscard]] std::vector<Assignment> find() {
    std::vector<Assignment> all;
    for (std::size_t r = 0; r < side_.size(); ++r) {
      if (side_[r] == kUnseen) {
        if (auto found = from(r)) {
          all.push_back(*std::move(found));
        }
      }
    }
    return all;
  }

 private:
  static constexpr int kUnseen = -1;
  static constexpr int kOther = -2;  // belongs to no assignment

  /// True if at most or exactly one variable is 1, and each is in one other row.
  [[nodiscard]] bool one_of(const ProgramRow& row) const {
    return row.high == 1 && (row.low == 0 || row.low == 1) && row.least == 0 &&
           row.most > 1 &&
           std::ranges::all_of(row.entries, [&](const ProgramRow::Entry& e) {
             return e.weight == 1 && rows_of_[at(e.variable)].size() == 2;
           });
  }

  /// Returns the other row of the variable of entry e, which is in row r.
  [[nodiscard]] std::size_t other(std::size_t r, const ProgramRow::Entry& e) const {
    const std::vector<std::size_t>& both = rows_of_[at(e.variable)];
    return both[0] == r ? both[1] : both[0];
  }

  std::optional<Assignment> from(std::size_t first) {
    std::vector<std::size_t> rows{first};
    side_[first] = 0;
    bool known = true;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::size_t r = rows[k];
      for (const ProgramRow::Entry& e : program_.rows[r].entries) {
        const std::size_t next = other(r, e);
        if (side_[next] == kUnseen) {
          side_[next] = 1 - side_[r];
          rows.push_back(next);
        }
        known = known && side_[next] == 1 - side_[r];
      }
    }
    return known ? assignment(std::move(rows)) : std::nullopt;
  }

  std::optional<Assignment> assignment(std::vector<std::size_t> rows) const {
    std::array<std::size_t, 2> count{};
    std::array<std::size_t, 2> equations{};
    for (const std::size_t r : rows) {
      ++count[at(side_[r])];
      equations[at(side_[r])] += program_.rows[r].low == 1 ? 1 : 0;
    }
    for (const std::size_t r : rows) {
      std::set<std::size_t> others;
      for (const ProgramRow::Entry& e : program_.rows[r].entries) {
        others.insert(other(r, e));
      }
      const std::size_t size = count[at(1 - side_[r])];
      if (others.size() != size || program_.rows[r].entries.size() != size) {
        return std::nullopt;
      }
    }
    const std::size_t shorter = count[0] < count[1] || equations[1] == 0 ? 0 : 1;
    const std::size_t longer = 1 - shorter;
    const bool equal = count[0] == count[1] && equations == count;
    const bool known = count[shorter] <= count[longer] &&
                       equations[shorter] == count[shorter] && equations[longer] == 0;
    return equal || known ? std::optional(Assignment{std::move(rows), equal})
                          : std::nullopt;
  }

  const Program& program_;
  std::vector<std::vector<std::size_t>> rows_of_;  // rows that contain each variable
  std::vector<int> side_;  // of each row: side 0 or 1, or kUnseen, kOther
};

/// The effect of flips on the objective and on rows.
class Flips {
 public:
  explicit Flips(const Program& program) : up_(at(program.n)), down_(at(program.n)) {
    for (const Monomial& m : program.objective) {
      add(m);
    }
    for (const ProgramRow& row : program.rows) {
      add(row);
    }
  }

  /// Returns the penalty of a row that no flip can repair: above the objective's range.
  [[nodiscard]] double above_range() const { return above(range_); }
  [[nodiscard]] double power_above_range() const {
    return range_ == 0.0        ? 1.0
           : range_ < kInfinite ? std::ldexp(1.0, std::ilogb(range_) + 1)
                                : kInfinite;
  }

  /// Returns the penalty of a row that flips can satisfy.
  [[nodiscard]] double least(const ProgramRow& row) const {
    double raise = -kInfinite;
    if (row.high < row.most) {
      raise = std::max(raise, cheapest(row, true));
    }
    if (row.low > row.least) {
      raise = std::max(raise, cheapest(row, false));
    }
    return std::min(above(raise), above_range());
  }

  /// Returns the penalty of all rows of an assignment.
  [[nodiscard]] double least(const Program& program, const Assignment& a) const {
    double up = -kInfinite;
    double down = -kInfinite;
    for (const std::size_t r : a.rows) {
      for (const auto& [i, weight] : program.rows[r].entries) {
        up = std::max(up, up_[at(i)].raise);
        down = std::max(down, down_[at(i)].raise);
      }
    }
    const double swap = sum_above(up, down);
    const double raise = a.equal
                             ? 0.5 * std::max({up, down, swap, sum_above(swap, down)})
                             : std::max({up, down, swap});
    return std::min(above(raise), above_range());
  }

 private:
  /// A flip of a variable to a given value.
  struct Flip {
    double raise = 0.0;  // bound of the objective's increase
    int harms = 0;       // rows whose violation may increase
  };

  void add(const Monomial& m) {
    const double size = std::abs(m.weight);
    if (m.variables.empty() || size == 0.0) {
      return;
    }
    range_ = sum_above(range_, size);
    smallest_ = std::min(smallest_, size);
    whole_ = whole_ && std::trunc(size) == size;
    const bool alone = m.variables.size() == 1;
    for (const std::int32_t i : m.variables) {
      for (const auto& [flip, change] :
           {std::pair{&up_[at(i)], m.weight}, {&down_[at(i)], -m.weight}}) {
        flip->raise = sum_above(flip->raise, alone ? change : std::max(change, 0.0));
      }
    }
  }

  void add(const ProgramRow& row) {
    if (row.never()) {
      return;
    }
    const int above = row.high < row.most ? 1 : 0;
    const int below = row.low > row.least ? 1 : 0;
    for (const auto& [i, weight] : row.entries) {
      up_[at(i)].harms += weight > 0 ? above : below;
      down_[at(i)].harms += weight > 0 ? below : above;
    }
  }

  /// Bounds the increase of the objective by the cheapest flip that moves the sum
  /// toward the range, for any sum above (or below) the range.
  [[nodiscard]] double cheapest(const ProgramRow& row, bool above) const {
    const bool two_sided = row.high < row.most && row.low > row.least;
    std::vector<std::pair<double, std::int64_t>> flips;  // raise, size
    for (const auto& [i, weight] : row.entries) {
      const Flip& flip = above == (weight > 0) ? down_[at(i)] : up_[at(i)];
      const std::int64_t size = std::abs(weight);
      const bool past = two_sided && size > row.high - row.low + 1;
      const bool harms = flip.harms > (two_sided ? 1 : 0);  // 1: this row itself
      flips.emplace_back(past || harms ? kInfinite : flip.raise, size);
    }
    std::ranges::sort(flips, std::greater());
    std::int64_t left = above ? row.high - row.least : row.most - row.low;
    for (const auto& [raise, size] : flips) {
      left -= size;
      if (left < 0) {
        return raise;
      }
    }
    return kInfinite;
  }

  /// Returns a number of few bits above `bound`, by a margin beyond rounding.
  [[nodiscard]] double above(double bound) const {
    constexpr int kMarginBits = 8;
    constexpr double kWhole = 0x1p52;  // whole numbers up to kWhole are exact
    if (range_ == 0.0 || bound == kInfinite) {
      return range_ == 0.0 ? 1.0 : kInfinite;
    }
    if (bound <= 0.0) {
      return smallest_;
    }
    if (whole_ && bound < kWhole) {
      return std::max(std::floor(bound) + 1.0, smallest_);
    }
    const double power = std::ldexp(1.0, std::ilogb(bound) + 1);
    const double unit = std::ldexp(power, -kMarginBits);
    const double multiple =
        unit > 0.0 ? (std::floor(bound / unit + 0.5) + 1.0) * unit : kInfinite;
    return std::max(std::min(multiple, power), smallest_);
  }

  std::vector<Flip> up_;    // of each variable, from 0 to 1
  std::vector<Flip> down_;  // from 1 to 0
  double range_ = 0.0;      // bound of the objective's max - min
  double smallest_ = kInfinite;
  bool whole_ = true;
};

}  // namespace

std::vector<double> penalties_of(const Program& program, Penalties kind) {
  const Flips flips(program);
  std::vector<double> penalties;
  for (const ProgramRow& row : program.rows) {
    penalties.push_back(kind == Penalties::Ordered ? flips.power_above_range()
                        : row.always()             ? 0.0
                        : row.never()              ? flips.above_range()
                                                   : flips.least(row));
  }
  if (kind == Penalties::Least) {
    for (const Assignment& a : AssignmentFinder(program).find()) {
      const double penalty = flips.least(program, a);
      for (const std::size_t r : a.rows) {
        penalties[r] = penalty;
      }
    }
  }
  return penalties;
}

}  // namespace oa::qubo
