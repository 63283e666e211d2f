#include "oa/solve/recover/conflicts.h"

#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kConflictBits = 60;
constexpr std::int64_t kMaxPairs = 1 << 24;  // lists take 30 bytes a pair
constexpr int kMaxUnit = 900;                // powers of two stay normal doubles

/// Returns the largest gain of each variable, rounded.
std::vector<double> rough_gains(const qubo::Quadratic& f) {
  std::vector<double> gains;
  const auto sums = f.couplings().sums();
  for (int i = 0; i < f.size(); ++i) {
    double negative = 0.0;
    if (!sums.empty()) {
      const auto& [low, high] = sums[at(i)];
      negative = f.factor() * static_cast<double>(f.factor() > 0.0 ? low : high);
    } else {
      f.row(i).each([&](std::int32_t /*other*/, double weight) {
        negative += std::min(weight, 0.0);
      });
    }
    gains.push_back(-f.linear[at(i)] - negative);
  }
  return gains;
}

/// True if every coupling is below the least gain.  Reads totals, not pairs.
bool too_small(const qubo::Quadratic& f) {
  double least = std::numeric_limits<double>::infinity();
  for (const double gain : rough_gains(f)) {
    least = gain > 0.0 ? std::min(least, gain) : least;
  }
  if (!std::isfinite(least)) {
    return true;  // the optimum is x = 0
  }
  double largest = std::abs(f.factor()) * f.couplings().bits();
  if (f.couplings().sums().empty()) {
    for (int i = 0; i < f.size(); ++i) {
      f.row(i).each([&](std::int32_t /*other*/, double weight) {
        largest = std::max(largest, weight);
      });
    }
  }
  constexpr double kRounding = 1e-9;
  return largest < (1.0 - kRounding) * least;
}

/// The work to read a row.
std::int64_t row_work(const qubo::Quadratic& f) {
  return 16 + 2 * f.pairs() / f.size();
}

/// Converts coefficients of f to integer multiples of its unit.
class Units {
 public:
  explicit Units(int unit) : scale_(std::ldexp(1.0, -unit)) {}
  std::int64_t operator()(double weight) const {
    return static_cast<std::int64_t>(scale_ * weight);
  }

 private:
  double scale_;
};

std::vector<std::int64_t> exact_gains(const qubo::Quadratic& f,
                                      const Units& units,
                                      Pace& pace) {
  std::vector<std::int64_t> gains;
  for (int i = 0; i < f.size(); ++i) {
    std::int64_t gain = -units(f.linear[at(i)]);
    f.row(i).each([&](std::int32_t /*other*/, double weight) {
      gain -= std::min<std::int64_t>(units(weight), 0);
    });
    gains.push_back(gain);
    if (pace(row_work(f))) {
      break;
    }
  }
  return gains;
}

/// Appends the rows of the vertices; false if there are too many further couplings.
bool add_rows(const qubo::Quadratic& f,
              const Units& units,
              std::span<const std::int64_t> gains,
              Conflicts& c,
              Pace& pace) {
  std::vector<int> vertex(at(f.size()), -1);
  for (int v = 0; v < c.size(); ++v) {
    vertex[at(c.variables[at(v)])] = v;
  }
  for (const int i : c.variables) {
    c.begins.push_back(c.others.size());
    c.further_begins.push_back(c.further.size());
    f.row(i).each([&](std::int32_t other, double weight) {
      const int v = vertex[at(other)];
      const std::int64_t cost = units(weight);
      if (v < 0) {
        return;
      }
      if (cost >= std::min(gains[at(i)], gains[at(other)])) {
        c.others.push_back(v);
      } else {
        c.further.push_back({v, cost});
      }
    });
    constexpr std::size_t kSmall = 1 << 20;
    if (pace(row_work(f)) || c.further.size() > kSmall + 2 * c.others.size()) {
      return false;
    }
  }
  c.begins.push_back(c.others.size());
  c.further_begins.push_back(c.further.size());
  return !c.others.empty() &&
         c.others.size() >= std::min(c.further.size(), 2 * c.variables.size());
}

/// Converts further couplings, all negative, to vertices.
Conflicts with_vertices(const Conflicts& c) {
  Conflicts more;
  more.unit = c.unit;
  more.variables = c.variables;
  more.weights = c.weights;
  more.gains = c.gains;
  std::vector<std::vector<std::int32_t>> added(at(c.size()));
  std::vector<std::int32_t> ends;  // two for each added vertex
  for (int v = 0; v < c.size(); ++v) {
    for (const FurtherCoupling& one : c.further_row(v)) {
      more.weights[at(v)] -= one.cost;
      if (one.other > v) {
        for (const int end : {v, int{one.other}}) {
          added[at(end)].push_back(static_cast<std::int32_t>(more.variables.size()));
          ends.push_back(end);
        }
        more.variables.push_back(kNoVariable);
        more.weights.push_back(-one.cost);
        more.gains.push_back(-one.cost);
        more.constant -= one.cost;
      }
    }
  }
  for (int v = 0; v < more.size(); ++v) {
    more.begins.push_back(more.others.size());
    if (v < c.size()) {
      const auto row = c.row(v);
      more.others.insert(more.others.end(), row.begin(), row.end());
      more.others.insert(more.others.end(), added[at(v)].begin(), added[at(v)].end());
    } else {
      const std::size_t first = 2 * at(v - c.size());
      more.others.insert(more.others.end(), {ends[first], ends[first + 1]});
    }
  }
  more.begins.push_back(more.others.size());
  more.further_begins.resize(at(more.size()) + 1);
  return more;
}

}  // namespace

std::span<const std::int32_t> Conflicts::row(int v) const {
  return std::span(others).subspan(begins[at(v)], begins[at(v) + 1] - begins[at(v)]);
}

std::span<const FurtherCoupling> Conflicts::further_row(int v) const {
  const std::size_t begin = further_begins[at(v)];
  return std::span(further).subspan(begin, further_begins[at(v) + 1] - begin);
}

std::vector<int> Conflicts::independent(std::span<const std::uint8_t> x) const {
  std::vector<int> order;
  std::vector<int> others_if_free;
  for (int v = 0; v < size(); ++v) {
    const int i = variables[at(v)];
    if (i == kNoVariable) {
      others_if_free.push_back(v);
    } else if (x[at(i)] != 0) {
      order.push_back(v);
    }
  }
  // Drops, of each conflicting pair, the variable with less gain.
  std::ranges::stable_sort(order,
                           [&](int a, int b) { return gains[at(a)] > gains[at(b)]; });
  order.insert(order.end(), others_if_free.begin(), others_if_free.end());
  std::vector<bool> barred(at(size()));
  std::vector<int> chosen;
  for (const int v : order) {
    if (!barred[at(v)]) {
      chosen.push_back(v);
      for (const std::int32_t other : row(v)) {
        barred[at(other)] = true;
      }
    }
  }
  return chosen;
}

std::vector<std::uint8_t> Conflicts::x_of(std::span<const int> vertices,
                                          int variables_of_f) const {
  std::vector<std::uint8_t> x(at(variables_of_f));
  for (const int v : vertices) {
    if (variables[at(v)] != kNoVariable) {
      x[at(variables[at(v)])] = 1;
    }
  }
  return x;
}

std::int64_t Conflicts::value(std::span<const int> vertices) const {
  std::vector<bool> chosen(at(size()));
  std::int64_t sum = 0;
  for (const int v : vertices) {
    sum += weights[at(v)];
    for (const FurtherCoupling& c : further_row(v)) {
      sum -= chosen[at(c.other)] ? c.cost : 0;
    }
    chosen[at(v)] = true;
  }
  return sum;
}

std::optional<Conflicts> find_conflicts(const qubo::Quadratic& f, const Stop& stop) {
  if (!f.rests().empty() || f.pairs() == 0 || f.pairs() > kMaxPairs || too_small(f)) {
    return std::nullopt;
  }
  qubo::Quadratic free = f;  // shares the couplings
  free.offset = 0.0;
  const Digits digits = digits_of(free);
  if (digits.top - digits.unit > kConflictBits || std::abs(digits.unit) > kMaxUnit) {
    return std::nullopt;
  }
  Pace pace(stop);
  const Units units(digits.unit);
  const std::vector<std::int64_t> gains = exact_gains(f, units, pace);
  if (pace.stopped()) {
    return std::nullopt;
  }
  Conflicts c;
  c.unit = digits.unit;
  for (int i = 0; i < f.size(); ++i) {
    if (gains[at(i)] > 0) {
      c.variables.push_back(i);
      c.weights.push_back(-units(f.linear[at(i)]));
      c.gains.push_back(gains[at(i)]);
    }
  }
  if (!add_rows(f, units, gains, c, pace)) {
    return std::nullopt;
  }
  const auto negative = [](const FurtherCoupling& one) { return one.cost < 0; };
  return std::ranges::all_of(c.further, negative) && !c.further.empty()
             ? with_vertices(c)
             : std::move(c);
}

}  // namespace oa::solve
