#include "oa/cim/precision.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"

#include <cmath>
#include <utility>

namespace oa::cim {
namespace {

/// The ratio of consecutive scales: 24 steps halve the scale.
constexpr double kStep = 0.97;

int rank(const machine::KeptOptima& kept) {
  return !kept.known ? 0 : kept.every ? 3 : kept.first ? 2 : kept.some ? 1 : -1;
}

/// Tries rules in turn and keeps the best result.
class Trial {
 public:
  Trial(const machine::Spins& spins, const Optima& optima, std::int64_t max_nodes)
      : spins_(spins),
        optima_(optima),
        max_nodes_(max_nodes) {}

  /// Tries a rule.  Returns true if it keeps every optimum.
  bool operator()(const Rule& rule, bool searched) {
    std::optional<machine::Block> block = quantise(spins_, rule);
    if (!block) {
      return false;
    }
    machine::KeptOptima kept = kept_by(*block, optima_, max_nodes_);
    if (!best_ || rank(kept) > rank(best_->kept)) {
      best_ = Quantised{std::move(*block),
                        rule,
                        {rule.auxiliaries, rule.clip, searched},
                        std::move(kept)};
    }
    return best_->kept.every;
  }

  [[nodiscard]] Quantised take_best() { return std::move(best_).value(); }

 private:
  const machine::Spins& spins_;
  const Optima& optima_;
  std::int64_t max_nodes_;
  std::optional<Quantised> best_;
};

bool try_scales(const machine::Spins& spins, Trial& trial, Rule rule) {
  for (const bool searched : {false, true}) {
    for (const bool clip : {false, true}) {
      rule.clip = clip;
      const double largest = largest_scale(spins, rule);
      for (int step = searched ? 1 : 0; step < (searched ? kScales : 1); ++step) {
        rule.scale = largest * std::pow(kStep, step);
        if (trial(rule, searched)) {
          return true;
        }
      }
    }
  }
  return false;
}

}  // namespace

Quantised quantise_as_vendor(const machine::Spins& spins,
                             const Optima& optima,
                             int top_level,
                             std::int64_t max_nodes) {
  Rule rule;
  rule.top_level = top_level;
  rule.scale = largest_scale(spins, rule);
  Trial trial(spins, optima, max_nodes);
  trial(rule, false);
  return trial.take_best();
}

std::optional<Quantised> quantise_whole(const machine::Spins& spins,
                                        const Optima& optima,
                                        int top_level,
                                        std::int64_t max_nodes) {
  const std::optional<double> scale = whole_scale(spins, top_level);
  if (!scale) {
    return std::nullopt;
  }
  Rule rule;
  rule.top_level = top_level;
  rule.scale = *scale;
  Trial trial(spins, optima, max_nodes);
  trial(rule, false);
  return trial.take_best();
}

Quantised quantise_as_it_is(const machine::Spins& spins,
                            const Optima& optima,
                            int top_level,
                            std::int64_t max_nodes,
                            const std::string& where) {
  const auto check = [&](int i, int k, double value) {
    if (value != std::nearbyint(value) || std::abs(value) > top_level) {
      throw InputError(where + ": M[" + format(i) + "][" + format(k) +
                       "] of its Ising matrix is " + format(value) +
                       " (expected a whole number from -" + format(top_level) + " to " +
                       format(top_level) + "; other precisions round)");
    }
  };
  for (int i = 0; i < spins.n; ++i) {
    for (int k = i + 1; k < spins.n; ++k) {
      check(i, k, spins.row(i)[k]);
    }
    check(i, spins.n, spins.fields[at(i)]);
  }
  Rule rule;
  rule.top_level = top_level;
  Trial trial(spins, optima, max_nodes);
  trial(rule, false);
  return trial.take_best();
}

Quantised quantise_best(const machine::Spins& spins,
                        const Optima& optima,
                        int top_level,
                        int most_spins,
                        std::int64_t max_nodes) {
  Trial trial(spins, optima, max_nodes);
  Rule rule;
  rule.top_level = top_level;
  if (!optima.proved) {
    for (const bool clip : {true, false}) {  // the first that fits is kept
      rule.clip = clip;
      rule.scale = largest_scale(spins, rule);
      trial(rule, false);
    }
    return trial.take_best();
  }
  for (rule.auxiliaries = 1; rule.auxiliaries <= kMaxAuxiliaries;
       rule.auxiliaries *= 2) {
    const bool fits = most_spins == 0 || spins.n + rule.auxiliaries <= most_spins;
    if ((!fits && rule.auxiliaries > 1) || try_scales(spins, trial, rule)) {
      break;
    }
  }
  return trial.take_best();
}

}  // namespace oa::cim
