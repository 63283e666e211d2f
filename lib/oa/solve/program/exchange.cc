#include "oa/solve/program/exchange.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kRise = 1.3;                  // raises the price of a violated row
constexpr double kFall = 0.97;                 // lowers all prices while all rows hold
constexpr std::int64_t kMaxPairs = 4'000'000;  // pairs tried in a pass of a descent
constexpr double kHot = 0.3;                   // first temperature / largest change
constexpr double kCold = 3e-3;                 // last temperature / first temperature
constexpr std::int64_t kLongWork = 2'000'000'000;  // terms visited by a long read
constexpr std::int64_t kMinLongSweeps = 200;
constexpr std::int64_t kMaxLongSweeps = 2000;

}  // namespace

/// The state of one search.
class ExchangeRun {
 public:
  ExchangeRun(const Exchange& e,
              const ExchangeSettings& settings,
              const Rng& rng,
              const Stop& stop)
      : e_(e),
        settings_(settings),
        rng_(rng),
        stop_(stop),
        pace_(stop_),
        n_(e.n_),
        prices_(settings.prices) {
    double total = 0.0;
    for (const double scale : e.scales_) {
      total += scale;
    }
    tolerance_ = 1e-13 * total;
    if (prices_.empty()) {
      choose_prices();
    }
  }

  Exchanged run(const std::vector<std::uint8_t>& start) {
    place(start);
    best_.x = start;
    least_missed_ = missed_;
    note();
    descend();
    for (int read = 0; read < settings_.reads && !done(); ++read) {
      anneal();
      descend();
    }
    return std::move(best_);
  }

 private:
  [[nodiscard]] bool done() { return enough_ || pace_.stopped() || stop_(); }

  /// Sets the price of a unit of violation to its mean gain.
  void choose_prices() {
    for (const qubo::ProgramRow& row : e_.rows_) {
      double sum = 0.0;
      for (const auto& [i, weight] : row.entries) {
        sum += e_.scales_[at(i)] / std::abs(static_cast<double>(weight));
      }
      prices_.push_back(sum / std::max(1.0, static_cast<double>(row.entries.size())));
    }
    const double most = prices_.empty() ? 0.0 : std::ranges::max(prices_);
    for (double& price : prices_) {
      price = std::max(price, most > 0.0 ? 1e-3 * most : 1.0);
    }
  }

  void place(const std::vector<std::uint8_t>& x) {
    x_ = x;
    sums_.assign(e_.rows_.size(), 0);
    zeros_.assign(e_.weights_.size(), 0);
    fields_ = e_.linear_;
    value_ = 0.0;
    for (int i = 0; i < n_; ++i) {
      const bool one = x_[at(i)] != 0;
      for (const Exchange::Effect& e : e_.effects_.of(i)) {
        sums_[at(e.row)] += one ? e.weight : 0;
      }
      for (const std::int32_t p : e_.products_.of(i)) {
        zeros_[at(p)] += one ? 0 : 1;
      }
      if (one) {
        value_ += fields_[at(i)];  // with couplings to earlier variables
        for (const qubo::Coupling& c : e_.couplings_.of(i)) {
          fields_[at(c.other)] += c.weight;
        }
      }
    }
    for (std::size_t p = 0; p < zeros_.size(); ++p) {
      value_ += zeros_[p] == 0 ? e_.weights_[p] : 0.0;
    }
    missed_ = 0;
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      missed_ += missed(k, sums_[k]);
    }
  }

  [[nodiscard]] std::int64_t missed(std::size_t k, std::int64_t sum) const {
    const qubo::ProgramRow& row = e_.rows_[k];
    return std::max<std::int64_t>({0, row.low - sum, sum - row.high});
  }

  [[nodiscard]] double sign(int i) const { return x_[at(i)] != 0 ? -1.0 : 1.0; }

  /// Returns the change of the value by flipping i.
  [[nodiscard]] double gain(int i) const {
    double sum = fields_[at(i)];
    const int others = x_[at(i)] != 0 ? 0 : 1;
    for (const std::int32_t p : e_.products_.of(i)) {
      sum += zeros_[at(p)] == others ? e_.weights_[at(p)] : 0.0;
    }
    return sign(i) * sum;
  }

  /// Returns the change of the value by flipping k after touch(i).
  [[nodiscard]] double second_gain(int i, int k) const {
    const auto row = e_.couplings_.of(i);
    const auto found = std::ranges::lower_bound(row, k, {}, &qubo::Coupling::other);
    const double shared = found != row.end() && found->other == k ? found->weight : 0.0;
    return gain(k) - sign(i) * sign(k) * shared;
  }

  /// The changes of priced and plain violation by a flip,
  /// and the first row in which the violation grows.
  struct Fine {
    double price = 0.0;
    std::int64_t more = 0;
    std::int32_t row = -1;
  };
  [[nodiscard]] Fine fine(int i) const {
    const std::int64_t sign = x_[at(i)] != 0 ? -1 : 1;
    Fine all;
    for (const Exchange::Effect& e : e_.effects_.of(i)) {
      const std::int64_t sum = sums_[at(e.row)];
      const std::int64_t change =
          missed(at(e.row), sum + sign * e.weight) - missed(at(e.row), sum);
      all.price += prices_[at(e.row)] * static_cast<double>(change);
      all.more += change;
      all.row = change > 0 && all.row < 0 ? e.row : all.row;
    }
    return all;
  }

  /// Flips i, but leaves fields out of date.
  void touch(int i) {
    const bool up = x_[at(i)] == 0;
    x_[at(i)] = up ? 1 : 0;
    for (const Exchange::Effect& e : e_.effects_.of(i)) {
      sums_[at(e.row)] += up ? e.weight : -e.weight;
    }
    for (const std::int32_t p : e_.products_.of(i)) {
      zeros_[at(p)] += up ? -1 : 1;
    }
  }

  /// Updates fields after touch(i).
  void settle(int i) {
    const double change = -sign(i);
    for (const qubo::Coupling& c : e_.couplings_.of(i)) {
      fields_[at(c.other)] += change * c.weight;
    }
  }

  void flip(int i, double gained, std::int64_t more) {
    touch(i);
    settle(i);
    value_ += gained;
    missed_ += more;
  }

  /// Flips k, and completes the flip of i after touch(i).
  void flip_both(int i, int k, double gained, std::int64_t more) {
    settle(i);
    flip(k, gained, more);
  }

  [[nodiscard]] std::int64_t work(int i) const {
    return std::ssize(e_.products_.of(i)) + std::ssize(e_.effects_.of(i)) + 4;
  }

  /// Stores x if it is the best so far.
  void note() {
    if (missed_ == 0 && (!best_.feasible || value_ < best_value_ - tolerance_)) {
      best_ = {x_, true};
      best_value_ = value_;
      told_ = false;
    } else if (!best_.feasible && missed_ < least_missed_) {
      best_.x = x_;
      least_missed_ = missed_;
    }
  }

  void tell() {
    if (!told_ && settings_.improved) {
      enough_ = settings_.improved(best_.x);
    }
    told_ = true;
  }

  /// After touch(i): draws a variable of `row`, or of any row of i,
  /// that restores the sum; -1 if there is none.
  int partner(int i, std::int32_t row) {
    constexpr int kTries = 8;
    const auto effects = e_.effects_.of(i);
    if (row < 0 && !effects.empty()) {
      row = effects[rng_.below(static_cast<std::uint32_t>(effects.size()))].row;
    }
    if (row < 0) {
      const auto k = static_cast<int>(rng_.below(static_cast<std::uint32_t>(n_)));
      return k != i ? k : -1;
    }
    std::int64_t own = 0;
    for (const Exchange::Effect& e : effects) {
      own = e.row == row ? e.weight : own;
    }
    const auto& entries = e_.rows_[at(row)].entries;
    const bool up = (x_[at(i)] != 0) == (own > 0);
    for (int tried = 0; tried < kTries; ++tried) {
      const auto& e = entries[rng_.below(static_cast<std::uint32_t>(entries.size()))];
      if (e.variable != i && ((x_[at(e.variable)] == 0) == (e.weight > 0)) != up) {
        return e.variable;
      }
    }
    return -1;
  }

  [[nodiscard]] bool accepts(double change) {
    return change <= 0.0 || (change < 30.0 * temperature_ &&
                             change <= -temperature_ * std::log(1.0 - rng_.uniform()));
  }

  void move(int i) {
    const double gained = gain(i);
    const Fine first = fine(i);
    const bool alone = first.more <= 0 && !(rng_.u32() % 4 == 0);
    if (alone || rng_.u32() % 4 == 0) {
      if (accepts(gained + first.price)) {
        flip(i, gained, first.more);
        note();
      }
      return;
    }
    touch(i);
    const int k = partner(i, first.row);
    if (k >= 0) {
      const Fine second = fine(k);
      const double both = gained + second_gain(i, k);
      if (accepts(both + first.price + second.price)) {
        flip_both(i, k, both, first.more + second.more);
        note();
        return;
      }
    }
    touch(i);
  }

  /// Returns the mean change by a flip of the best x, or the largest change of any x.
  [[nodiscard]] double hottest() const {
    double sum = 0.0;
    double most = 0.0;
    for (int i = 0; i < n_; ++i) {
      sum += std::abs(gain(i));
      most = std::max(most, e_.scales_[at(i)]);
    }
    const double scale = best_.feasible ? sum / n_ : kHot * most;
    return scale > 0.0 ? scale : 1.0;
  }

  void anneal() {
    temperature_ = hottest();
    const double cooling = std::pow(kCold, 1.0 / settings_.sweeps);
    for (int sweep = 0; sweep < settings_.sweeps && !enough_; ++sweep) {
      for (int i = 0; i < n_; ++i) {
        move(i);
        if (pace_(8 + work(i))) {
          return;
        }
      }
      tell();
      temperature_ *= cooling;
      adjust();
    }
  }

  void adjust() {
    for (std::size_t k = 0; k < prices_.size(); ++k) {
      prices_[k] *= missed_ == 0 ? kFall : missed(k, sums_[k]) > 0 ? kRise : 1.0;
    }
  }

  /// Flips and exchanges variables of the best feasible x as long as it improves.
  void descend() {
    if (!best_.feasible) {
      return;
    }
    place(best_.x);
    for (bool better = true; better && !enough_;) {
      better = false;
      for (int i = 0; i < n_ && !pace_(work(i)); ++i) {
        better = try_flip(i) || better;
      }
      const bool pairs = std::int64_t{n_} * n_ <= kMaxPairs;
      for (int i = 0; pairs && !better && i < n_ && !pace_.stopped(); ++i) {
        better = try_pairs(i);
      }
      note();
      tell();
      if (pace_.stopped()) {
        return;
      }
    }
  }

  bool try_flip(int i) {
    const double gained = gain(i);
    if (gained >= -tolerance_ || fine(i).more != 0) {
      return false;
    }
    flip(i, gained, 0);
    return true;
  }

  /// Exchanges i with the first variable that improves the value.
  bool try_pairs(int i) {
    const double first = gain(i);
    const std::int64_t more = fine(i).more;
    touch(i);
    settle(i);
    for (int k = i + 1; k < n_ && !pace_(work(k)); ++k) {
      const double both = first + gain(k);
      if (both < -tolerance_ && more + fine(k).more == 0) {
        flip(k, both, more);
        missed_ -= more;
        return true;
      }
    }
    touch(i);
    settle(i);
    return false;
  }

  const Exchange& e_;
  const ExchangeSettings& settings_;
  Rng rng_;
  const Stop& stop_;
  Pace pace_;
  int n_;
  double temperature_ = 0.0;
  std::vector<double> prices_;
  std::vector<std::uint8_t> x_;
  std::vector<std::int64_t> sums_;  // of rows
  std::vector<double> fields_;      // change of the value by x_i = 1, without products
  std::vector<int> zeros_;          // zeros in each product
  double value_ = 0.0;
  std::int64_t missed_ = 0;  // violation of all rows
  Exchanged best_;
  bool told_ = true;  // best_ was reported
  double best_value_ = 0.0;
  double tolerance_ = 0.0;  // smaller differences may be rounding
  std::int64_t least_missed_ = 0;
  bool enough_ = false;
};

namespace {

/// Concatenates lists.
template <class From, class To>
void gather(const From& from, To& to) {
  to.first.push_back(0);
  for (const auto& list : from) {
    to.all.insert(to.all.end(), list.begin(), list.end());
    to.first.push_back(to.all.size());
  }
}

}  // namespace

int long_sweeps(const qubo::Program& program) {
  const std::int64_t work = program.n + std::ssize(program.objective);
  return static_cast<int>(std::clamp(kLongWork / work, kMinLongSweeps, kMaxLongSweeps));
}

qubo::Quadratic quadratic_of(const qubo::Program& program) {
  std::vector<qubo::Term> terms;
  for (const qubo::Monomial& m : program.objective) {
    if (m.variables.size() == 1 || m.variables.size() == 2) {
      terms.push_back({m.variables.front(), m.variables.back(), m.weight});
    }
  }
  qubo::Quadratic f(program.n);
  f.add(terms);
  return f;
}

Exchange::Exchange(const qubo::Quadratic& objective,
                   std::span<const qubo::ProgramRow> rows)
    : n_(objective.size()),
      rows_(rows),
      linear_(objective.linear),
      products_{std::vector<std::size_t>(at(n_) + 1), {}},
      scales_(at(n_)) {
  couplings_.first.push_back(0);
  for (int i = 0; i < n_; ++i) {
    scales_[at(i)] += std::abs(linear_[at(i)]);
    objective.row(i).each([&](std::int32_t k, double weight) {
      couplings_.all.push_back({k, weight});
      scales_[at(i)] += std::abs(weight);
    });
    couplings_.first.push_back(couplings_.all.size());
  }
  std::vector<std::vector<Effect>> effects(at(n_));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const auto& [i, weight] : rows[k].entries) {
      effects[at(i)].push_back({static_cast<std::int32_t>(k), weight});
    }
  }
  gather(effects, effects_);
}

Exchange::Exchange(const qubo::Program& program)
    : Exchange(quadratic_of(program), program.rows) {
  std::vector<std::vector<std::int32_t>> products(at(n_));
  for (const qubo::Monomial& m : program.objective) {
    if (m.variables.size() > 2) {
      for (const std::int32_t i : m.variables) {
        scales_[at(i)] += std::abs(m.weight);
        products[at(i)].push_back(static_cast<std::int32_t>(weights_.size()));
      }
      weights_.push_back(m.weight);
    }
  }
  products_.first.clear();
  gather(products, products_);
}

Exchanged Exchange::run(const std::vector<std::uint8_t>& start,
                        const ExchangeSettings& settings,
                        const Rng& rng,
                        const Stop& stop) const {
  return ExchangeRun(*this, settings, rng, stop).run(start);
}

}  // namespace oa::solve
