#include "oa/solve/program/chains.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::int32_t kGap = 4;              // missing couplings that do not end a run
constexpr std::uint32_t kMostLookedAt = 512;  // variables of a row for one flip
constexpr std::size_t kMostTwins = 4;
constexpr int kProbes = 300;         // chains that set the temperature
constexpr double kColdChain = 0.03;  // last temperature beside the first

constexpr double kFirstPart = 0.4;  // of the flips, for the first annealing
constexpr int kReheats = 4;         // from the best x
constexpr double kReheat = 0.125;   // their first temperature beside the first

}  // namespace

Chains::Chains(const qubo::Quadratic& objective, std::span<const qubo::ProgramRow> rows)
    : rows_(rows),
      place_(at(objective.size()), -1) {
  const auto number = [&](std::int32_t i) {
    if (place_[at(i)] < 0) {
      place_[at(i)] = static_cast<std::int32_t>(order_.size());
      order_.push_back(i);
    }
  };
  for (const qubo::ProgramRow& row : rows) {
    for (const auto& e : row.entries) {
      number(e.variable);
    }
  }
  for (int i = 0; i < objective.size(); ++i) {
    number(i);
  }
  std::vector<std::vector<Effect>> effects(order_.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<std::int32_t>& members = members_.emplace_back();
    for (const auto& e : rows[k].entries) {
      const std::int32_t i = place_[at(e.variable)];
      members.push_back(i);
      effects[at(i)].push_back({static_cast<std::int32_t>(k), e.weight});
    }
    std::ranges::sort(members);
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    linear_.push_back(objective.linear[at(order_[i])]);
    add_couplings(objective, order_[i]);
    effect_begins_.push_back(effects_.size());
    effects_.insert(effects_.end(), effects[i].begin(), effects[i].end());
  }
  run_begins_.push_back(runs_.size());
  effect_begins_.push_back(effects_.size());
  find_twins();
}

void Chains::add_couplings(const qubo::Quadratic& objective, int variable) {
  std::vector<qubo::Coupling> row;
  objective.row(variable).each([&](std::int32_t k, double weight) {
    row.push_back({place_[at(k)], weight});
  });
  std::ranges::sort(row, {}, &qubo::Coupling::other);
  run_begins_.push_back(runs_.size());
  for (const qubo::Coupling& c : row) {
    const std::size_t own = runs_.size() - run_begins_.back();
    const std::int32_t end = own > 0 ? runs_.back().first + runs_.back().count : 0;
    if (own > 0 && c.other <= end + kGap) {
      weights_.resize(weights_.size() + at(c.other - end));
      runs_.back().count += c.other - end + 1;
    } else {
      runs_.push_back({c.other, 1, weights_.size()});
    }
    weights_.push_back(c.weight);
  }
}

/// Lists variables of other rows that gain by equal values; empty if there are none.
void Chains::find_twins() {
  twins_.resize(order_.size());
  bool any = false;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    for (std::size_t r = run_begins_[i]; r < run_begins_[i + 1]; ++r) {
      for (std::int32_t k = 0; k < runs_[r].count && twins_[i].size() <= kMostTwins;
           ++k) {
        const std::int32_t other = runs_[r].first + k;
        if (weights_[runs_[r].weights + at(k)] < 0.0 &&
            !shares_row(static_cast<std::int32_t>(i), other)) {
          twins_[i].push_back(other);
        }
      }
    }
    if (twins_[i].size() > kMostTwins) {
      twins_[i].clear();
    }
    any = any || !twins_[i].empty();
  }
  if (!any) {
    twins_.clear();
  }
}

bool Chains::shares_row(std::int32_t i, std::int32_t k) const {
  for (std::size_t a = effect_begins_[at(i)]; a < effect_begins_[at(i) + 1]; ++a) {
    for (std::size_t b = effect_begins_[at(k)]; b < effect_begins_[at(k) + 1]; ++b) {
      if (effects_[a].row == effects_[b].row) {
        return true;
      }
    }
  }
  return false;
}

/// One search.
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
        barred_(at(n_)) {}

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

 private:
  void place(std::span<const std::uint8_t> x) {
    signs_.assign(at(n_), 1.0);
    fields_ = c_.linear_;
    sums_.assign(c_.rows_.size(), 0);
    for (int i = 0; i < n_; ++i) {
      if (x[at(c_.order_[at(i)])] != 0) {
        flip(i);
      }
    }
    value_ = 0.0;  // beside the start
  }

  [[nodiscard]] std::vector<std::uint8_t> x_of(std::span<const double> signs) const {
    std::vector<std::uint8_t> x(at(n_));
    for (int i = 0; i < n_; ++i) {
      x[at(c_.order_[at(i)])] = signs[at(i)] < 0.0 ? 1 : 0;
    }
    return x;
  }

  [[nodiscard]] std::span<const Chains::Effect> effects(int i) const {
    return std::span(c_.effects_)
        .subspan(c_.effect_begins_[at(i)],
                 c_.effect_begins_[at(i) + 1] - c_.effect_begins_[at(i)]);
  }

  [[nodiscard]] std::int64_t missed(std::int32_t row, std::int64_t sum) const {
    const qubo::ProgramRow& r = c_.rows_[at(row)];
    return std::max<std::int64_t>({0, r.low - sum, sum - r.high});
  }

  /// The change of the violation by a flip.
  [[nodiscard]] std::int64_t more_missed(int i) const {
    std::int64_t more = 0;
    for (const Chains::Effect& e : effects(i)) {
      const std::int64_t sum = sums_[at(e.row)];
      const std::int64_t next = signs_[at(i)] > 0.0 ? sum + e.weight : sum - e.weight;
      more += missed(e.row, next) - missed(e.row, sum);
    }
    return more;
  }

  void flip(int i) {
    const double sign = signs_[at(i)];
    value_ += sign * fields_[at(i)];
    signs_[at(i)] = -sign;
    for (const Chains::Effect& e : effects(i)) {
      sums_[at(e.row)] += sign > 0.0 ? e.weight : -e.weight;
    }
    double* const fields = fields_.data();
    std::int64_t touched = 0;
    for (std::size_t r = c_.run_begins_[at(i)]; r < c_.run_begins_[at(i) + 1]; ++r) {
      const Chains::Run run = c_.runs_[r];
      const double* const weights = c_.weights_.data() + run.weights;
      for (std::int32_t k = 0; k < run.count; ++k) {
        fields[run.first + k] += sign * weights[k];
      }
      touched += run.count + 4;
    }
    (void)pace_(touched / 4);
  }

  /// A row of i that is violated, or any; -1 if i is in none.
  [[nodiscard]] std::int32_t row_of(int i) {
    const auto all = effects(i);
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

  /// The cheapest flip in a row that violates no more than `most`; -1 if there is none.
  [[nodiscard]] int cheapest(std::int32_t row, std::int64_t most) {
    const std::vector<std::int32_t>& members = c_.members_[at(row)];
    const auto size = static_cast<std::uint32_t>(members.size());
    const std::uint32_t count = std::min(size, kMostLookedAt);
    const std::uint32_t from = rng_.below(size);
    int best = -1;
    double least = kNever;
    const auto look = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t k = begin; k < end; ++k) {
        const int i = members[k];
        const double gain = signs_[at(i)] * fields_[at(i)] + barred_[at(i)];
        if (gain < least && missed_ + more_missed(i) <= most) {
          least = gain;
          best = i;
        }
      }
    };
    look(from, std::min(size, from + count));
    look(0, from + count > size ? from + count - size : 0);
    (void)pace_(count / 2);
    return best;
  }

  /// Makes a chain and takes back the flips after its best prefix.  Returns the change;
  /// infinite if no prefix satisfies all rows.
  double make_chain() {
    const double before = value_;
    double least = kNever;
    std::size_t keep = 0;
    chain_.clear();
    const int length =
        1 + static_cast<int>(rng_.below(static_cast<std::uint32_t>(settings_.length)));
    auto i = static_cast<int>(rng_.below(static_cast<std::uint32_t>(n_)));
    std::int64_t most = more_missed(i);
    for (int step = 0; i >= 0; ++step) {
      missed_ += more_missed(i);
      flip(i);
      chain_.push_back(i);
      barred_[at(i)] = kNever;
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

  /// Repeats the flips of a chain with the twins of its variables, then with their
  /// twins, each variable once.  Returns the least value, whose flips stay.
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
    flips_ += std::ssize(chain_);
    missed_ = 0;
  }

  void move(double temperature) {
    const double before = value_;
    const double change = make_chain();
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

  /// The mean change by chains from a local optimum.
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

  /// Cools from `hot` by a number of flips.
  void anneal(double hot, double all) {
    std::int64_t told = 0;
    flips_ = 0;
    while (static_cast<double>(flips_) < all && !pace_(8) && !enough_) {
      move(hot * std::pow(kColdChain, static_cast<double>(flips_) / all));
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
  std::vector<double> signs_;       // 1 for 0, -1 for 1: that of a flip
  std::vector<double> fields_;      // the change of the value by a 1
  std::vector<double> barred_;      // infinite for variables of the chain
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
  return ChainRun(*this, settings, rng, stop).run(start);
}

}  // namespace oa::solve
