#include "oa/solve/exact/presolve/presolve.h"

#include "oa/base/index.h"
#include "oa/qubo/components.h"
#include "oa/solve/exact/presolve/roof.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace oa::solve {
namespace {

using qubo::Quadratic;

constexpr std::int64_t kMaxPairs = 8;  // for each variable; roof duality decides
                                       // little in denser problems
constexpr std::int64_t kSmallPairs = 1'000'000;
constexpr double kRoofShare = 0.1;  // of the remaining time
constexpr int kWorthwhile = 64;     // variables; a larger problem must lose 1 in 64

}  // namespace

class Presolve::Reduction {
 public:
  Reduction(
      const Quadratic& f, int unit, Ties ties, std::vector<Step>& steps, Pace& pace)
      : f_(in_whole_numbers(f, unit, pace)),
        offset_(constant_of(f, unit)),
        ties_(ties),
        state_(at(f.size()), kQueued),
        place_(at(f.size()), -1),
        steps_(steps),
        pace_(pace) {
    for (int i = 0; i < f.size(); ++i) {
      queue_.push_back(i);
    }
  }

  /// Fixes one variable of each component at 0: f(x) = f(1 - x).
  void fix_symmetric() {
    for (const std::vector<int>& one : components(std::vector<bool>(f_.rows.size()))) {
      // The smallest minimum begins with a 0.
      // If any minimum suffices, fixes the variable with most neighbours.
      fix(ties_ == Ties::Smallest
              ? *std::ranges::min_element(one)
              : *std::ranges::max_element(
                    one, {}, [&](int i) { return f_.rows[at(i)].size(); }),
          0);
    }
  }

  void run() {
    while (!queue_.empty()) {
      const int i = queue_.back();
      queue_.pop_back();
      if (pace_(16 + std::ssize(f_.rows[at(i)]))) {
        return;
      }
      if (state_[at(i)] == kGone) {
        continue;
      }
      state_[at(i)] = kWaiting;
      reduce(i);
    }
  }

  /// Fixes the variables that roof duality decides; returns true if there are any.
  bool decide(const Stop& stop) {
    auto parts = components(removed());
    std::ranges::for_each(parts, [](auto& part) { std::ranges::sort(part); });
    std::ranges::stable_sort(
        parts, std::greater<>(), [](const auto& part) { return part.size(); });
    bool any = false;
    for (const std::vector<int>& part : parts) {
      if (pace_.stopped()) {
        return false;
      }
      any = decide(part, stop) || any;
    }
    return any;
  }

  /// The remaining variables, ascending.
  [[nodiscard]] std::vector<int> variables() const {
    std::vector<int> left;
    for (int i = 0; i < f_.size(); ++i) {
      if (state_[at(i)] != kGone) {
        left.push_back(i);
      }
    }
    return left;
  }

  /// The function of the remaining variables.
  [[nodiscard]] Quadratic rest(const std::vector<int>& variables) {
    Quadratic f = in_doubles(restricted(f_, variables, place_));
    const TwoDoubles constant = in_doubles(offset_, f_.unit);
    f.add_constant(constant.value);
    f.add_constant(constant.rest);
    return f;
  }

 private:
  enum State : std::uint8_t { kWaiting, kQueued, kGone };

  [[nodiscard]] std::vector<bool> removed() const {
    std::vector<bool> removed(f_.rows.size());
    for (std::size_t i = 0; i < removed.size(); ++i) {
      removed[i] = state_[i] == kGone;
    }
    return removed;
  }

  bool decide(const std::vector<int>& part, const Stop& stop) {
    std::int64_t entries = 0;
    for (const int i : part) {
      entries += std::ssize(f_.rows[at(i)]);
    }
    if (entries > 2 * kMaxPairs * std::ssize(part)) {
      return false;
    }
    const std::vector<std::int8_t> values = roof_persistencies(
        restricted(f_, part, place_),
        ties_ == Ties::Smallest ? Persistency::Every : Persistency::Some,
        stop.share(kRoofShare));
    bool any = false;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k] >= 0) {
        fix(part[k], values[k]);
        any = true;
      }
    }
    return any;
  }

  /// The connected components of the remaining variables.
  [[nodiscard]] std::vector<std::vector<int>> components(
      std::vector<bool> removed) const {
    return qubo::components(std::move(removed), [&](int i, const auto& visit) {
      const std::vector<WholeCoupling>& row = f_.rows[at(i)];
      if (pace_(16 + 8 * std::ssize(row))) {
        return false;
      }
      for (const WholeCoupling& c : row) {
        visit(c.other);
      }
      return true;
    });
  }

  void fix(int i, int value) {
    if (value == 1) {
      offset_ += f_.linear[at(i)];
      for (const WholeCoupling& c : f_.rows[at(i)]) {
        f_.linear[at(c.other)] += c.weight;
      }
    }
    steps_.push_back({i, i, i, value == 1 ? -1 : 1, 0, 0});
    drop(i);
  }

  void drop(int i) {
    state_[at(i)] = kGone;
    for (const WholeCoupling& c : f_.rows[at(i)]) {
      pace_(std::ssize(f_.rows[at(c.other)]));
      std::erase_if(f_.rows[at(c.other)],
                    [i](const WholeCoupling& b) { return b.other == i; });
      look_again(c.other);
    }
    f_.rows[at(i)].clear();
  }

  void look_again(int i) {
    if (state_[at(i)] == kWaiting) {
      state_[at(i)] = kQueued;
      queue_.push_back(i);
    }
  }

  void reduce(int i) {
    const std::vector<WholeCoupling>& row = f_.rows[at(i)];
    Whole low = f_.linear[at(i)];  // least and greatest contribution of x_i = 1
    Whole high = low;
    for (const WholeCoupling& c : row) {
      (c.weight < 0 ? low : high) += c.weight;
    }
    const bool any = ties_ == Ties::Any;
    if (low >= 0) {
      fix(i, 0);
    } else if (high < 0 || (high == 0 && any)) {
      fix(i, 1);
    } else if (row.size() == 1 || row.size() == 2) {
      // Removing x_i must keep the order of minima.
      // This is certain if x_i depends on earlier variables.
      const int last = std::max(row.front().other, row.back().other);
      if (any || last < i) {
        absorb(i);
      }
    }
  }

  /// Replaces x_i, whose neighbours are j and k, by min(0, l + a x_j + b x_k).
  /// This is a function of x_j and x_k; b = 0 if there is one neighbour.
  void absorb(int i) {
    const std::vector<WholeCoupling> row = f_.rows[at(i)];
    const bool two = row.size() == 2;
    const int j = row[0].other;
    const int k = two ? row[1].other : j;
    const Whole l = f_.linear[at(i)];
    const Whole a = row[0].weight;
    const Whole b = two ? row[1].weight : 0;
    const auto below = [](Whole value) { return std::min(Whole{0}, value); };
    const Whole m = below(l);
    offset_ += m;
    f_.linear[at(j)] += below(l + a) - m;
    if (two) {
      f_.linear[at(k)] += below(l + b) - m;
      const Whole coupled = below(l + a + b) - below(l + a) - below(l + b) + m;
      add_to(j, k, coupled);
      add_to(k, j, coupled);
    }
    steps_.push_back({i, j, k, l, a, b});
    drop(i);
  }

  void add_to(int i, int k, Whole weight) {
    std::vector<WholeCoupling>& row = f_.rows[at(i)];
    const auto found = std::ranges::find(row, k, &WholeCoupling::other);
    if (found == row.end()) {
      row.push_back({k, weight});
    } else {
      found->weight += weight;
    }
    std::erase_if(row, [](const WholeCoupling& c) { return c.weight == 0; });
  }

  WholeFunction f_;
  Whole offset_;
  Ties ties_;
  std::vector<State> state_;
  std::vector<std::int32_t> place_;  // scratch
  std::vector<int> queue_;
  std::vector<Step>& steps_;
  Pace& pace_;
};

bool Presolve::pays(const Quadratic& f, const Options& options) {
  const std::int64_t pairs = f.pairs();
  const bool small = pairs <= kMaxPairs * f.size() || options.symmetric;
  if (pairs <= (small ? 4 : 1) * kSmallPairs) {
    return true;
  }
  int sure = 0;
  for (int i = 0; i < f.size(); ++i) {
    // Least and greatest contribution of x_i = 1; rounding errors only cost time.
    double low = f.linear[at(i)];
    double high = low;
    int degree = 0;
    if (const auto sums = f.couplings().sums(); !sums.empty()) {
      const auto [negative, positive] = sums[at(i)];
      const double a = f.factor() * static_cast<double>(negative);
      const double b = f.factor() * static_cast<double>(positive);
      low += std::min(a, b);
      high += std::max(a, b);
      const auto begins = f.couplings().begins();
      degree = begins.empty() ? f.size()  // an upper bound
                              : static_cast<int>(begins[at(i) + 1] - begins[at(i)]);
    } else {
      for (const qubo::Coupling& c : f.row(i)) {
        (c.weight < 0.0 ? low : high) += c.weight;
        ++degree;
        if (low < 0.0 && high > 0.0 && degree > 2) {
          break;  // further entries make no difference
        }
      }
    }
    sure += low >= 0.0 || high <= 0.0 || degree <= 2 ? 1 : 0;
  }
  return sure >= f.size() / kWorthwhile;
}

Presolve::Presolve(const Quadratic& f,
                   int unit,
                   const Options& options,
                   const Stop& stop) {
  if (stop()) {
    return;
  }
  Pace pace(stop);
  Reduction reduction(f, unit, options.ties, steps_, pace);
  if (options.symmetric) {
    reduction.fix_symmetric();
  }
  do {
    reduction.run();
    if (pace.stopped()) {
      return;
    }
  } while (reduction.decide(stop));
  if (pace.stopped()) {
    return;
  }
  variables_ = reduction.variables();
  rest_ = reduction.rest(variables_);
}

void Presolve::restore(std::span<std::uint8_t> x) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const Whole sum = step->constant + (x[at(step->j)] != 0 ? step->first : 0) +
                      (x[at(step->k)] != 0 ? step->second : 0);
    x[at(step->variable)] = sum < 0 ? 1 : 0;
  }
}

}  // namespace oa::solve
