#include "oa/base/index.h"
#include "oa/solve/program/chains.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kMaxLookedAt = 512;  // bundles of a row scanned for a flip
constexpr int kProbes = 300;                 // chains that determine the temperature
constexpr double kColdChain = 0.03;          // last temperature / first temperature
constexpr double kFirstPart = 0.4;           // share of flips in the first annealing
constexpr int kReheats = 4;                  // from the best x
constexpr double kReheat = 0.125;  // temperature of a reheat / first temperature
constexpr int kReducedPasses = 3;  // over all sets of numbers

}  // namespace

/// The state of one search.
class ChainRun {
 public:
  ChainRun(const Chains& c,
           const ChainSettings& settings,
           const Rng& rng,
           const Stop& stop)
      : c_(c),
        settings_(settings),
        rng_(rng),
        pace_(stop),
        n_(static_cast<int>(c.order_.size())),
        barred_(at(n_)),
        up_(at(c.bundles_->count())),
        down_(at(c.bundles_->count())) {}

  std::vector<std::uint8_t> run(std::span<const std::uint8_t> start) {
    place(start);
    best_ = signs_;
    const double hot = settings_.heat * scale();
    const double all = static_cast<double>(settings_.sweeps) * n_;
    anneal(hot, kFirstPart * all);
    for (int k = 0; k < kReheats && !enough_; ++k) {
      go_back_to_best();
      anneal(kReheat * hot, (1.0 - kFirstPart) / kReheats * all);
    }
    return x_of(best_);
  }

  std::vector<std::uint8_t> run_reduced(std::span<const std::uint8_t> start) {
    place(start);
    best_ = signs_;
    const double all = static_cast<double>(settings_.sweeps) * n_ /
                       static_cast<double>(c_.reduced_.size()) / kReducedPasses;
    for (int pass = 0; pass < kReducedPasses && !enough_; ++pass) {
      for (const ReducedMoves& set : c_.reduced_) {
        go_back_to_best();
        anneal_with(settings_.heat * set.cost, all, [&](double temperature) {
          move_reduced(set, temperature);
        });
      }
    }
    return x_of(best_);
  }

 private:
  /// The cheapest change of a bundle's number by 1, in addition to the bundle's field.
  struct Step {
    double cost = kNever;
    std::int32_t variable = -1;
  };

  void place(std::span<const std::uint8_t> x) {
    signs_.assign(at(n_), 1.0);
    fields_.assign(up_.size(), 0.0);
    own_ = c_.linear_;
    sums_.assign(c_.rows_.size(), 0);
    for (int b = 0; b < c_.bundles_->count(); ++b) {
      find_steps(b);
    }
    for (int i = 0; i < n_; ++i) {
      if (x[at(c_.order_[at(i)])] != 0) {
        flip(i);
      }
    }
    value_ = 0.0;  // relative to the start
  }

  [[nodiscard]] std::vector<std::uint8_t> x_of(std::span<const double> signs) const {
    std::vector<std::uint8_t> x(at(n_));
    for (int i = 0; i < n_; ++i) {
      x[at(c_.order_[at(i)])] = signs[at(i)] < 0.0 ? 1 : 0;
    }
    return x;
  }

  [[nodiscard]] std::int64_t missed(std::int32_t row, std::int64_t sum) const {
    const qubo::ProgramRow& r = c_.rows_[at(row)];
    return std::max<std::int64_t>({0, r.low - sum, sum - r.high});
  }

  /// The change of the violation by flipping i.
  [[nodiscard]] std::int64_t more_missed(int i) const {
    std::int64_t more = 0;
    for (const Chains::Effect& e : c_.effects(i)) {
      const std::int64_t sum = sums_[at(e.row)];
      const std::int64_t next = signs_[at(i)] > 0.0 ? sum + e.weight : sum - e.weight;
      more += missed(e.row, next) - missed(e.row, sum);
    }
    return more;
  }

  /// Returns 1 if flipping i raises the number of i's bundle,
  /// -1 if it lowers the number.
  [[nodiscard]] double direction(int i) const {
    return signs_[at(i)] * c_.bundles_->sign(i);
  }

  void flip(int i) {
    const std::int32_t bundle = c_.bundles_->of(i);
    const double sign = signs_[at(i)];
    const double change = direction(i);
    value_ += change * fields_[at(bundle)] + sign * own_[at(i)];
    signs_[at(i)] = -sign;
    for (const Chains::Effect& e : c_.effects(i)) {
      sums_[at(e.row)] += sign > 0.0 ? e.weight : -e.weight;
    }
    double* const fields = fields_.data();
    std::int64_t touched = 0;
    for (std::size_t r = c_.run_begins_[at(bundle)]; r < c_.run_begins_[at(bundle) + 1];
         ++r) {
      const Chains::Run run = c_.runs_[r];
      const double* const weights = c_.weights_.data() + run.weights;
      for (std::int32_t k = 0; k < run.count; ++k) {
        fields[run.first + k] += change * weights[k];
      }
      touched += run.count + 4;
    }
    for (const qubo::Coupling& c : c_.bundles_->rest(i)) {
      own_[at(c.other)] += sign * c.weight;
      if (const std::int32_t other = c_.bundles_->of(c.other); other != bundle) {
        find_steps(other);
      }
      touched += 16;
    }
    find_steps(bundle);
    (void)pace_(touched / 4);
  }

  /// Finds a bundle's cheapest flips up and down.
  void find_steps(int bundle) {
    Step up;
    Step down;
    for (const std::int32_t i : c_.bundles_->members(bundle)) {
      Step& step = direction(i) > 0.0 ? up : down;
      const double cost = signs_[at(i)] * own_[at(i)] + barred_[at(i)];
      if (cost < step.cost) {
        step = {cost, i};
      }
    }
    up_[at(bundle)] = up;
    down_[at(bundle)] = down;
  }

  /// Returns a violated row of i, else any row of i; -1 if i is in no row.
  [[nodiscard]] std::int32_t row_of(int i) {
    const auto all = c_.effects(i);
    if (all.empty()) {
      return -1;
    }
    const std::uint32_t first = rng_.below(static_cast<std::uint32_t>(all.size()));
    for (std::size_t k = 0; missed_ > 0 && k < all.size(); ++k) {
      const std::int32_t row = all[(first + k) % all.size()].row;
      if (missed(row, sums_[at(row)]) > 0) {
        return row;
      }
    }
    return all[first].row;
  }

  /// Returns the cheapest flip in a row with violation <= `most`; -1 if there is none.
  [[nodiscard]] int cheapest(std::int32_t row, std::int64_t most) {
    const std::vector<std::int32_t>& members = c_.members_[at(row)];
    const auto size = static_cast<std::uint32_t>(members.size());
    const std::uint32_t count = std::min(size, kMaxLookedAt);
    const std::uint32_t from = rng_.below(size);
    int best = -1;
    double least = kNever;
    const auto try_step = [&](double gain, std::int32_t i) {
      if (gain < least && missed_ + more_missed(i) <= most) {
        least = gain;
        best = i;
      }
    };
    const auto look = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t k = begin; k < end; ++k) {
        const auto b = at(members[k]);
        try_step(up_[b].cost + fields_[b], up_[b].variable);
        try_step(down_[b].cost - fields_[b], down_[b].variable);
      }
    };
    look(from, std::min(size, from + count));
    look(0, from + count > size ? from + count - size : 0);
    (void)pace_(count / 2);
    return best;
  }

  /// Returns a cheapest flip in the bundle of a random variable.
  [[nodiscard]] int first_step() {
    const auto i = static_cast<int>(rng_.below(static_cast<std::uint32_t>(n_)));
    const std::int32_t bundle = c_.bundles_->of(i);
    return direction(i) > 0.0 ? up_[at(bundle)].variable : down_[at(bundle)].variable;
  }

  /// Builds a chain and undoes the flips after its best prefix.
  /// Returns the change, which is infinite if no prefix is feasible.
  double make_chain() {
    const double before = value_;
    double least = kNever;
    std::size_t keep = 0;
    chain_.clear();
    const int length =
        1 + static_cast<int>(rng_.below(static_cast<std::uint32_t>(settings_.length)));
    int i = first_step();
    const std::int64_t most = i < 0 ? 0 : more_missed(i);
    for (int step = 0; i >= 0; ++step) {
      missed_ += more_missed(i);
      barred_[at(i)] = kNever;
      flip(i);
      chain_.push_back(i);
      if (missed_ == 0 && value_ < least) {
        least = value_;
        keep = chain_.size();
      }
      if (step >= length && (missed_ == 0 || step > length + 4)) {
        break;
      }
      const std::int32_t row = row_of(missed_ == 0 ? chain_.front() : i);
      i = row < 0 ? -1 : cheapest(row, most);
    }
    take_back(keep);
    if (!c_.twins_.empty() && keep > 0 && rng_.below(2) == 0) {
      least = repeat(least);
    }
    return least - before;
  }

  /// Repeats a chain's flips with the twins of its variables, then with their twins,
  /// each variable once.  Keeps the flips of least value, and returns this value.
  double repeat(double least) {
    std::size_t keep = chain_.size();
    for (const int k : chain_) {
      barred_[at(k)] = kNever;
    }
    const std::uint32_t side = rng_.below(3);
    for (std::size_t from = 0, to = keep; from < to; from = to, to = chain_.size()) {
      for (std::size_t k = from; k < to; ++k) {
        const int i = chain_[k];
        for (const std::int32_t twin : c_.twins_[at(i)]) {
          const bool wanted = side == 2 || (twin > i) == (side == 1);
          if (wanted && barred_[at(twin)] == 0.0 && signs_[at(twin)] != signs_[at(i)]) {
            barred_[at(twin)] = kNever;
            missed_ += more_missed(twin);
            flip(twin);
            chain_.push_back(twin);
          }
        }
      }
      if (missed_ == 0 && value_ < least) {
        least = value_;
        keep = chain_.size();
      }
    }
    take_back(keep);
    return least;
  }

  void take_back(std::size_t keep) {
    for (const int k : chain_) {
      barred_[at(k)] = 0.0;
    }
    while (chain_.size() > keep) {
      flip(chain_.back());
      chain_.pop_back();
      ++flips_;
    }
    for (const int k : chain_) {
      find_steps(c_.bundles_->of(k));
    }
    flips_ += std::ssize(chain_);
    missed_ = 0;
  }

  void move(double temperature) {
    const double before = value_;
    decide(before, make_chain(), temperature);
  }

  /// Changes numbers by a random move of `set` or by its opposite.
  void move_reduced(const ReducedMoves& set, double temperature) {
    const double before = value_;
    const auto count = static_cast<std::uint32_t>(set.moves.size());
    const NumberMove& move = set.moves[rng_.below(count)];
    const int sign = rng_.below(2) == 0 ? 1 : -1;
    chain_.clear();
    bool possible = true;
    for (const NumberMove::Change& change : move.changes) {
      const auto b = at(change.bundle);
      const std::vector<Step>& steps = sign * change.by > 0 ? up_ : down_;
      for (int k = 0; k < std::abs(change.by) && possible; ++k) {
        const std::int32_t i = steps[b].variable;
        possible = i >= 0;
        if (possible) {
          missed_ += more_missed(i);
          flip(i);
          chain_.push_back(i);
        }
      }
    }
    flips_ += std::ssize(chain_);
    const bool holds = possible && missed_ == 0;
    missed_ = 0;
    decide(before, holds ? value_ - before : kNever, temperature);
  }

  /// Keeps the flips of a move at random, or undoes them.
  void decide(double before, double change, double temperature) {
    const bool taken =
        change <= 0.0 || (change < 30.0 * temperature &&
                          change <= -temperature * std::log(1.0 - rng_.uniform()));
    if (!taken) {
      take_back(0);
      value_ = before;
    }
    if (value_ < best_value_ - 1e-9 * std::abs(best_value_)) {
      best_value_ = value_;
      best_ = signs_;
      told_ = false;
    }
  }

  /// Returns the mean change by a chain from a local optimum.
  double scale() {
    for (int k = 0; k < n_ && !pace_.stopped(); ++k) {
      move(0.0);
    }
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < kProbes && !pace_.stopped(); ++k) {
      const double before = value_;
      const double change = make_chain();
      if (change < kNever && change != 0.0) {
        sum += std::abs(change);
        ++count;
      }
      take_back(0);
      value_ = before;
    }
    return count > 0 ? sum / count : 1.0;
  }

  void anneal(double hot, double all) {
    anneal_with(hot, all, [&](double temperature) { move(temperature); });
  }

  /// Cools from `hot` over `all` flips.
  template <class Move>
  void anneal_with(double hot, double all, const Move& move_at) {
    std::int64_t told = 0;
    flips_ = 0;
    while (static_cast<double>(flips_) < all && !pace_(8) && !enough_) {
      move_at(hot * std::pow(kColdChain, static_cast<double>(flips_) / all));
      if (flips_ - told > n_) {
        told = flips_;
        tell();
      }
    }
    tell();
  }

  void go_back_to_best() {
    for (int i = 0; i < n_; ++i) {
      if (signs_[at(i)] != best_[at(i)]) {
        flip(i);
      }
    }
    value_ = best_value_;
  }

  void tell() {
    if (!told_ && settings_.improved) {
      enough_ = settings_.improved(x_of(best_));
    }
    told_ = true;
  }

  const Chains& c_;
  const ChainSettings& settings_;
  Rng rng_;
  Pace pace_;
  int n_;
  std::vector<double> signs_;   // sign of a flip: 1 at 0, -1 at 1
  std::vector<double> fields_;  // change of the value by 1 more in a bundle
  std::vector<double> own_;     // each variable's own addition to its bundle's field
  std::vector<double> barred_;  // infinite for variables of the chain
  std::vector<Step> up_;        // for each bundle
  std::vector<Step> down_;
  std::vector<std::int64_t> sums_;  // of rows
  std::vector<int> chain_;
  std::int64_t missed_ = 0;
  std::int64_t flips_ = 0;
  double value_ = 0.0;
  double best_value_ = 0.0;
  std::vector<double> best_;
  bool told_ = true;
  bool enough_ = false;
};

std::vector<std::uint8_t> Chains::run(std::span<const std::uint8_t> start,
                                      const ChainSettings& settings,
                                      const Rng& rng,
                                      const Stop& stop) const {
  return complete_ && !order_.empty() ? ChainRun(*this, settings, rng, stop).run(start)
                                      : std::vector(start.begin(), start.end());
}

std::vector<std::uint8_t> Chains::run_reduced(std::span<const std::uint8_t> start,
                                              const ChainSettings& settings,
                                              const Rng& rng,
                                              const Stop& stop) const {
  return complete_ && has_reduced()
             ? ChainRun(*this, settings, rng, stop).run_reduced(start)
             : std::vector(start.begin(), start.end());
}

}  // namespace oa::solve
