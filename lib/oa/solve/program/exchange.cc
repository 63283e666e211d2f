#include "oa/solve/program/exchange.h"

#include "oa/base/index.h"
#include "oa/solve/program/whole_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kRise = 1.3;   // factor of the price of a violated row
constexpr double kFall = 0.97;  // factor of all prices while all rows hold
constexpr std::int64_t kMostPairs =
    4'000'000;  // pairs that one pass of a descent tries

}  // namespace

/// One search.
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
        n_(e.p_.n),
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

  /// Sets the price of a unit of violation to the mean gain from it.
  void choose_prices() {
    for (const qubo::ProgramRow& row : e_.p_.rows) {
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
    sums_.assign(e_.p_.rows.size(), 0);
    zeros_.assign(e_.weights_.size(), 0);
    value_ = 0.0;
    for (int i = 0; i < n_; ++i) {
      for (const Exchange::Effect& e : e_.effects_.of(i)) {
        sums_[at(e.row)] += x_[at(i)] != 0 ? e.weight : 0;
      }
      for (const std::int32_t p : e_.products_.of(i)) {
        zeros_[at(p)] += x_[at(i)] == 0 ? 1 : 0;
      }
      value_ += x_[at(i)] != 0 ? e_.linear_[at(i)] : 0.0;
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
    const qubo::ProgramRow& row = e_.p_.rows[k];
    return std::max<std::int64_t>({0, row.low - sum, sum - row.high});
  }

  /// The change of the value by a flip.
  [[nodiscard]] double gain(int i) const {
    double sum = e_.linear_[at(i)];
    const int others = x_[at(i)] != 0 ? 0 : 1;
    for (const std::int32_t p : e_.products_.of(i)) {
      sum += zeros_[at(p)] == others ? e_.weights_[at(p)] : 0.0;
    }
    return x_[at(i)] != 0 ? -sum : sum;
  }

  /// The change by a flip of the priced violation and of the violation.
  [[nodiscard]] std::pair<double, std::int64_t> fine(int i) const {
    const std::int64_t sign = x_[at(i)] != 0 ? -1 : 1;
    double price = 0.0;
    std::int64_t more = 0;
    for (const Exchange::Effect& e : e_.effects_.of(i)) {
      const std::int64_t sum = sums_[at(e.row)];
      const std::int64_t change =
          missed(at(e.row), sum + sign * e.weight) - missed(at(e.row), sum);
      price += prices_[at(e.row)] * static_cast<double>(change);
      more += change;
    }
    return {price, more};
  }

  void flip(int i, double gained, std::int64_t more) {
    value_ += gained;
    missed_ += more;
    const bool up = x_[at(i)] == 0;
    x_[at(i)] = up ? 1 : 0;
    for (const Exchange::Effect& e : e_.effects_.of(i)) {
      sums_[at(e.row)] += up ? e.weight : -e.weight;
    }
    for (const std::int32_t p : e_.products_.of(i)) {
      zeros_[at(p)] += up ? -1 : 1;
    }
  }

  [[nodiscard]] std::int64_t work(int i) const {
    return std::ssize(e_.products_.of(i)) + std::ssize(e_.effects_.of(i)) + 4;
  }

  /// Keeps x if it is the best so far.
  void note() {
    if (missed_ == 0 && (!best_.feasible || value_ < best_value_ - tolerance_)) {
      best_ = {x_, true};
      best_value_ = value_;
      enough_ = settings_.improved && settings_.improved(x_);
    } else if (!best_.feasible && missed_ < least_missed_) {
      best_.x = x_;
      least_missed_ = missed_;
    }
  }

  /// Draws a variable of the other value, from a row of i if it has rows; -1 if there
  /// is none.
  int partner(int i) {
    constexpr int kTries = 8;
    const auto effects = e_.effects_.of(i);
    for (int tried = 0; tried < kTries; ++tried) {
      int other = 0;
      if (effects.empty()) {
        other = static_cast<int>(rng_.below(static_cast<std::uint32_t>(n_)));
      } else {
        const auto row =
            effects[rng_.below(static_cast<std::uint32_t>(effects.size()))].row;
        const auto& entries = e_.p_.rows[at(row)].entries;
        other =
            entries[rng_.below(static_cast<std::uint32_t>(entries.size()))].variable;
      }
      if (x_[at(other)] != x_[at(i)]) {
        return other;
      }
    }
    return -1;
  }

  void move(double temperature) {
    const int i = static_cast<int>(rng_.below(static_cast<std::uint32_t>(n_)));
    const int k = rng_.below(2) == 0 ? -1 : partner(i);
    const double most = -temperature * std::log(1.0 - rng_.uniform());
    const double gained = gain(i);
    const auto [price, more] = fine(i);
    if (k < 0) {
      if (gained + price <= most) {
        flip(i, gained, more);
      }
      return;
    }
    flip(i, gained, more);
    const double second = gain(k);
    const auto [other_price, other_more] = fine(k);
    if (gained + price + second + other_price <= most) {
      flip(k, second, other_more);
    } else {
      flip(i, -gained, -more);
    }
  }

  void anneal() {
    double scale = 0.0;
    for (const double s : e_.scales_) {
      scale = std::max(scale, s);
    }
    const double hot = 0.3 * (scale > 0.0 ? scale : 1.0);
    const double cooling = std::pow(1e-4, 1.0 / settings_.sweeps);
    double temperature = hot;
    for (int sweep = 0; sweep < settings_.sweeps && !enough_; ++sweep) {
      for (int step = 0; step < n_ && !enough_; ++step) {
        move(temperature);
        note();
        if (pace_(8 + work(step))) {
          return;
        }
      }
      temperature *= cooling;
      adjust();
    }
  }

  void adjust() {
    for (std::size_t k = 0; k < prices_.size(); ++k) {
      prices_[k] *= missed_ == 0 ? kFall : missed(k, sums_[k]) > 0 ? kRise : 1.0;
    }
  }

  /// Flips and exchanges variables of the best feasible x while that improves it.
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
      const bool pairs = std::int64_t{n_} * n_ <= kMostPairs;
      for (int i = 0; pairs && !better && i < n_ && !pace_.stopped(); ++i) {
        better = try_pairs(i);
      }
      note();
      if (pace_.stopped()) {
        return;
      }
    }
  }

  bool try_flip(int i) {
    const double gained = gain(i);
    if (gained >= -tolerance_ || fine(i).second != 0) {
      return false;
    }
    flip(i, gained, 0);
    return true;
  }

  /// Exchanges i with the first variable that improves the value.
  bool try_pairs(int i) {
    const double first = gain(i);
    const std::int64_t more = fine(i).second;
    flip(i, first, more);
    for (int k = i + 1; k < n_ && !pace_(work(k)); ++k) {
      if (x_[at(k)] == x_[at(i)]) {  // i is flipped: they differed before
        const double second = gain(k);
        if (first + second < -tolerance_) {
          if (const std::int64_t other = fine(k).second; more + other == 0) {
            flip(k, second, other);
            return true;
          }
        }
      }
    }
    flip(i, -first, -more);
    return false;
  }

  const Exchange& e_;
  const ExchangeSettings& settings_;
  Rng rng_;
  const Stop& stop_;
  Pace pace_;
  int n_;
  std::vector<double> prices_;
  std::vector<std::uint8_t> x_;
  std::vector<std::int64_t> sums_;  // of rows
  std::vector<int> zeros_;          // of each product: its variables that are 0
  double value_ = 0.0;
  std::int64_t missed_ = 0;  // of all rows
  Exchanged best_;
  double best_value_ = 0.0;
  double tolerance_ = 0.0;  // differences this small may be rounding
  std::int64_t least_missed_ = 0;
  bool enough_ = false;
};

Exchange::Exchange(const qubo::Program& program)
    : p_(program),
      linear_(at(program.n)),
      scales_(at(program.n)) {
  std::vector<std::vector<std::int32_t>> products(at(program.n));
  std::vector<std::vector<Effect>> effects(at(program.n));
  for (const qubo::Monomial& m : program.objective) {
    for (const std::int32_t i : m.variables) {
      scales_[at(i)] += std::abs(m.weight);
      if (m.variables.size() == 1) {
        linear_[at(i)] += m.weight;
      } else {
        products[at(i)].push_back(static_cast<std::int32_t>(weights_.size()));
      }
    }
    if (m.variables.size() > 1) {
      weights_.push_back(m.weight);
    }
  }
  for (std::size_t k = 0; k < program.rows.size(); ++k) {
    for (const auto& [i, weight] : program.rows[k].entries) {
      effects[at(i)].push_back({static_cast<std::int32_t>(k), weight});
    }
  }
  const auto gather = [](const auto& from, auto& to) {
    to.first.push_back(0);
    for (const auto& list : from) {
      to.all.insert(to.all.end(), list.begin(), list.end());
      to.first.push_back(to.all.size());
    }
  };
  gather(products, products_);
  gather(effects, effects_);
}

Exchanged Exchange::run(const std::vector<std::uint8_t>& start,
                        const ExchangeSettings& settings,
                        const Rng& rng,
                        const Stop& stop) const {
  return ExchangeRun(*this, settings, rng, stop).run(start);
}

}  // namespace oa::solve
