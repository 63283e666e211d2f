#include "oa/cim/split.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace oa::cim {
namespace {

constexpr int kMaxSplitCopies = 64;     // maximum for a spin
constexpr int kMaxSplitSpins = 4096;    // maximum for a problem
constexpr int kCopiesWithoutProof = 4;  // on average

/// Rounds all coefficients at `scale`, to levels of any size.  `clip`: see Rule.
WideLevels wide_levels(const machine::Spins& s, double scale, bool clip) {
  WideLevels all{s.n, {}};
  const auto width = at(s.n + 1);
  all.cells.resize(width * width);
  const auto put = [&](int i, int k, double level) {
    all.cells[at(i) * width + at(k)] = all.cells[at(k) * width + at(i)] =
        static_cast<std::int64_t>(level);
  };
  for (int i = 0; i < s.n; ++i) {
    for (int k = 0; k < i; ++k) {
      put(i, k, std::nearbyint(scale * s.row(i)[k]));
    }
  }
  for (int i = 0; i < s.n; ++i) {
    double pull = 0.0;        // sum of rounded |couplings|
    double exact_pull = 0.0;  // the same before rounding
    for (int k = 0; k < s.n; ++k) {
      pull += static_cast<double>(std::abs(all.at(i, k)));
      exact_pull += std::abs(s.row(i)[k]);
    }
    const double field = s.fields[at(i)];
    const bool cut = clip && std::abs(field) > exact_pull;
    put(i, s.n, cut ? std::copysign(pull + 1.0, field) : std::nearbyint(scale * field));
  }
  return all;
}

/// The QUBO of the levels without its auxiliary spin, which is +1.
machine::Reduced problem_of(const WideLevels& levels) {
  const int n = levels.n;
  std::vector<double> j(at(n) * at(n));
  std::vector<double> h(at(n));
  for (int i = 0; i < n; ++i) {
    std::int64_t sum = -levels.at(i, n);
    for (int k = 0; k < n; ++k) {
      sum += levels.at(i, k);
      j[at(i) * at(n) + at(k)] = -8.0 * static_cast<double>(levels.at(i, k));
    }
    h[at(i)] = 4.0 * static_cast<double>(sum);
  }
  return {qubo::Matrix(n, j), std::move(h), 0.0};
}

machine::Loss loss_of_wide(const machine::Spins& s,
                           const WideLevels& levels,
                           double scale) {
  machine::Loss loss;
  loss.scale = scale;
  std::int64_t coupling = 0;
  std::int64_t field = 0;
  for (int i = 0; i < s.n; ++i) {
    for (int k = 0; k < i; ++k) {
      const double exact = s.row(i)[k];
      const std::int64_t level = levels.at(i, k);
      coupling = std::max(coupling, std::abs(level));
      loss.couplings += exact != 0.0 ? 1 : 0;
      loss.couplings_lost += exact != 0.0 && level == 0 ? 1 : 0;
      loss.worst_error = std::max(loss.worst_error,
                                  std::abs(scale * exact - static_cast<double>(level)));
    }
    field = std::max(field, std::abs(levels.at(i, s.n)));
  }
  const auto bits = [](std::int64_t level) {
    return level == 0 ? 0 : 2 + std::ilogb(static_cast<double>(level));
  };
  loss.coupling_bits = bits(coupling);
  loss.field_bits = bits(field);
  return loss;
}

struct SplitWay {
  double scale = 0.0;
  bool clip = false;
  bool exact = false;  ///< nothing is rounded
  std::vector<int> copies;
  int spins = 0;
};

/// Lists splits from the largest scale without copies by steps of sqrt(2) up to the
/// scale that rounds nothing, if any; fewest spins first, then finest.
std::vector<SplitWay> ways_to_split(const machine::Spins& spins, int top_level) {
  constexpr int kMaxLevel = 1 << 30;
  constexpr int kMaxSteps = 44;
  std::vector<SplitWay> all;
  const auto add = [&](double scale, bool clip, bool exact) {
    SplitWay c{scale, clip, exact, {}, 0};
    c.copies = few_copies(wide_levels(spins, scale, clip), top_level);
    c.spins = std::accumulate(c.copies.begin(), c.copies.end(), 0);
    const bool fits =
        std::ranges::max(c.copies) <= kMaxSplitCopies && c.spins <= kMaxSplitSpins;
    if (fits) {
      all.push_back(std::move(c));
    }
    return fits;
  };
  const auto whole = whole_scale(spins, kMaxLevel);
  for (const bool clip : {true, false}) {
    Rule rule;
    rule.top_level = top_level;
    rule.clip = clip;
    double scale = largest_scale(spins, rule);
    for (int step = 0; step < kMaxSteps && !(whole && scale >= *whole); ++step) {
      if (!add(scale, clip, false)) {
        break;
      }
      scale *= std::sqrt(2.0);
    }
    if (whole) {
      add(*whole, clip, !clip);
    }
  }
  std::ranges::stable_sort(all, [](const SplitWay& a, const SplitWay& b) {
    return a.spins != b.spins ? a.spins < b.spins : a.scale > b.scale;
  });
  return all;
}

/// Splits according to `c`; empty if a tie between copies exceeds the top level.
std::optional<Quantised> split_as(const SplitWay& c,
                                  const machine::Spins& spins,
                                  const WideLevels& levels,
                                  machine::KeptOptima kept,
                                  int top_level) {
  std::optional<machine::Block> block = spread(levels, c.copies, top_level);
  if (!block) {
    return std::nullopt;
  }
  return Quantised{*std::move(block),
                   {c.scale, c.clip, c.copies.back(), top_level},
                   {c.copies.back(), c.clip, true, c.exact},
                   std::move(kept),
                   {c.copies.begin(), c.copies.end() - 1},
                   loss_of_wide(spins, levels, c.scale)};
}

/// Without proofs, returns the finest split of at most `room` spins.
Quantised finest(Quantised plain,
                 const machine::Spins& spins,
                 int top_level,
                 int room) {
  std::vector<SplitWay> all = ways_to_split(spins, top_level);
  std::erase_if(all, [&](const SplitWay& c) { return c.spins > room; });
  std::ranges::stable_sort(all, std::ranges::greater(), &SplitWay::scale);
  for (const SplitWay& c : all) {
    const WideLevels levels = wide_levels(spins, c.scale, c.clip);
    machine::KeptOptima kept;
    kept.known = false;
    if (auto done = split_as(c, spins, levels, std::move(kept), top_level)) {
      return *std::move(done);
    }
  }
  return plain;
}

}  // namespace

Quantised quantise_split(const machine::Spins& spins,
                         const Optima& optima,
                         int top_level,
                         int most_spins,
                         std::int64_t max_nodes,
                         const std::string& where) {
  const int single = spins.n + 1;
  if (most_spins > 0 && single > most_spins) {
    throw InputError(where + " needs " + format(single) +
                     " spins even without copies (the machine has " +
                     format(most_spins) + "), so no split fits");
  }
  Quantised plain = quantise_best(spins, optima, top_level, single, max_nodes);
  if (!optima.proved) {
    const int room = most_spins > 0 ? most_spins : kCopiesWithoutProof * single;
    return finest(std::move(plain), spins, top_level, room);
  }
  if (plain.kept.every) {
    return plain;
  }
  for (const SplitWay& c : ways_to_split(spins, top_level)) {
    const WideLevels levels = wide_levels(spins, c.scale, c.clip);
    machine::KeptOptima kept = kept_by(problem_of(levels), optima, max_nodes);
    if (!kept.every) {
      continue;
    }
    auto done = split_as(c, spins, levels, std::move(kept), top_level);
    if (!done) {
      continue;
    }
    if (most_spins > 0 && c.spins > most_spins) {
      throw InputError(where + ": the smallest split that keeps every optimum needs " +
                       format(c.spins) + " spins (the machine has " +
                       format(most_spins) + ")");
    }
    return *std::move(done);
  }
  throw InputError(where +
                   ": no split keeps every optimum (precision best keeps what it can)");
}

}  // namespace oa::cim
