#include "oa/solve/recover/square_cliques.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace oa::solve {
namespace {

using Entry = qubo::ProgramRow::Entry;

constexpr std::size_t kLargest = 12;     // couplings of a variable that are examined
constexpr double kSteadyShare = 0.25;    // of pairs, that agree on a scale
constexpr std::size_t kFirstPairs = 10;  // one of which must be coupled
constexpr std::size_t kMaxAgainst = 2;   // per fitting pair, pairs of opposite sign
constexpr double kNear = 1.3;            // maximum ratio of numbers taken as equal
constexpr std::size_t kStarts = 3;       // cliques tried for a variable
constexpr std::size_t kMinClique = 3;
constexpr std::size_t kCompared = 16;  // members compared with a further one
constexpr double kLarge = 0.25;        // a large coupling / the largest
constexpr double kMinPart = 0.125;     // of large couplings, in a clique
constexpr int kMaxLeast = 12;          // maximum of a clique's least weight
constexpr double kMaxBesides = 0.2;    // distance from a whole number
constexpr std::size_t kAsked = 48;     // members whose pairs determine the penalty
constexpr int kDescents = 30;          // passes over all variables
constexpr double kMinChange = 1e-3;    // of a pass, for another one to follow

struct Neighbour {
  std::int32_t other;
  double weight;
};

bool larger(const Neighbour& a, const Neighbour& b) {
  return std::abs(a.weight) > std::abs(b.weight) ||
         (std::abs(a.weight) == std::abs(b.weight) && a.other < b.other);
}

/// Returns the first kLargest neighbours, without neighbours of small couplings.
std::span<const Neighbour> large(std::span<const Neighbour> sorted) {
  std::size_t count = 0;
  while (count < std::min(sorted.size(), kLargest) &&
         std::abs(sorted[count].weight) >= kLarge * std::abs(sorted[0].weight)) {
    ++count;
  }
  return sorted.first(count);
}

/// Returns the square of i's share in its couplings, as most pairs of neighbours k and
/// l give it; 0 if they disagree. between(k, l) is the coupling of k and l.
template <class Between>
double steady_scale(std::span<const Neighbour> some, const Between& between) {
  std::vector<double> scales;
  std::size_t against = 0;  // pairs of opposite sign
  std::size_t pairs = 0;
  for (std::size_t b = 1; b < some.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a, ++pairs) {
      if (pairs == kFirstPairs && scales.empty()) {
        return 0.0;
      }
      const double weight = between(some[a].other, some[b].other);
      const double scale =
          weight == 0.0 ? 0.0 : some[a].weight * some[b].weight / weight;
      if (scale > 0.0) {
        scales.push_back(scale);
      }
      against += scale < 0.0 ? 1 : 0;
    }
  }
  if (kMaxAgainst * against > scales.size()) {
    return 0.0;
  }
  std::ranges::sort(scales);
  std::size_t first = 0;
  std::size_t count = 0;
  for (std::size_t from = 0, to = 0; from < scales.size(); ++from) {
    while (to < scales.size() && scales[to] <= kNear * scales[from]) {
      ++to;
    }
    if (to - from > count) {
      first = from;
      count = to - from;
    }
  }
  const bool steady = some.size() > 1 && static_cast<double>(count) >=
                                             kSteadyShare * static_cast<double>(pairs);
  return steady ? scales[first + count / 2] : 0.0;
}

/// A variable and its share: a square's couplings are products of two shares.
struct Member {
  std::int32_t variable;
  double share;
};

/// Adds neighbours of i, from `start` on, that fit all earlier members.
std::vector<Member> grown(SquareRows& rows,
                          std::int32_t i,
                          double share,
                          std::span<const Neighbour> sorted,
                          std::size_t start) {
  std::vector<Member> clique{{i, share}};
  const auto fits_to = [&](const Member& a, const Member& b) {
    const double product = a.share * b.share;
    const double ratio =
        static_cast<double>(rows.left(a.variable, b.variable)) / product;
    return ratio <= kNear && ratio >= 1.0 / kNear;
  };
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const Neighbour& next = sorted[(start + k) % sorted.size()];
    const Member m{next.other, next.weight / share};
    const std::size_t end = std::min(clique.size(), kCompared);
    if (std::all_of(clique.begin() + 1,
                    clique.begin() + static_cast<std::ptrdiff_t>(end),
                    [&](const Member& other) { return fits_to(m, other); })) {
      clique.push_back(m);
    }
  }
  return clique;
}

/// Returns small whole numbers in the ratio of the shares; empty if there are none.
std::vector<Entry> in_small_numbers(std::span<const Member> clique) {
  double least = std::abs(clique.front().share);
  for (const Member& m : clique) {
    least = std::min(least, std::abs(m.share));
  }
  for (int parts = 1; parts <= kMaxLeast; ++parts) {
    std::vector<Entry> entries;
    double both = 0.0;
    double squared = 0.0;
    for (const Member& m : clique) {
      const double weight = std::round(m.share * parts / least);
      entries.push_back({m.variable, static_cast<std::int64_t>(weight)});
      both += m.share * weight;
      squared += weight * weight;
    }
    const double unit = both / squared;
    if (std::ranges::equal(entries, clique, [&](const Entry& e, const Member& m) {
          return std::abs(m.share / unit - static_cast<double>(e.weight)) <=
                 kMaxBesides;
        })) {
      return entries;
    }
  }
  return {};
}

/// Returns the median of 2 P given by the couplings of pairs, an even number.
std::int64_t twice_penalty(SquareRows& rows, std::span<const Entry> entries) {
  const std::size_t step = (entries.size() + kAsked - 1) / kAsked;
  std::vector<double> all;
  for (std::size_t b = step; b < entries.size(); b += step) {
    for (std::size_t a = 0; a < b; a += step) {
      all.push_back(
          static_cast<double>(rows.left(entries[a].variable, entries[b].variable)) /
          (static_cast<double>(entries[a].weight) *
           static_cast<double>(entries[b].weight)));
    }
  }
  const auto middle = all.begin() + std::ssize(all) / 2;
  std::ranges::nth_element(all, middle);
  return 2 * std::llround(0.5 * *middle);
}

constexpr std::int64_t kMaxWork = 100'000'000;  // couplings read

/// Descends from random values.  Adds the number of couplings read to `work`.
std::vector<std::uint8_t> local_minimum(const qubo::Quadratic& f,
                                        Rng rng,
                                        Pace& pace,
                                        std::int64_t& work) {
  std::vector<std::uint8_t> x(at(f.size()));
  std::vector<double> fields = f.linear;
  const auto set = [&](int i, double change) {
    x[at(i)] ^= 1U;
    const auto row = f.row(i);
    row.each([&](std::int32_t k, double weight) { fields[at(k)] += change * weight; });
    work += std::ssize(row);
    (void)pace(std::ssize(row));
  };
  std::vector<int> order(at(f.size()));
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(std::span(order));
  for (const int i : order) {
    if (rng.below(2) == 1) {
      set(i, 1.0);
    }
  }
  for (bool lower = true; lower && !pace(f.size());) {
    lower = false;
    for (const int i : order) {
      const double change = x[at(i)] == 0 ? 1.0 : -1.0;
      if (change * fields[at(i)] < 0.0 && !pace.stopped()) {
        set(i, change);
        lower = true;
      }
    }
  }
  return x;
}

}  // namespace

double largest_in_clique(const qubo::Quadratic& f, std::int32_t i) {
  std::vector<Neighbour> largest;
  f.row(i).each([&](std::int32_t k, double weight) {
    const Neighbour next{k, weight};
    if (largest.size() == kLargest && !larger(next, largest.back())) {
      return;
    }
    if (largest.size() == kLargest) {
      largest.pop_back();
    }
    largest.insert(std::ranges::upper_bound(largest, next, larger), next);
  });
  const double scale =
      steady_scale(large(largest),
                   [&](std::int32_t k, std::int32_t l) { return coupling(f, k, l); });
  return scale > 0.0 ? std::abs(largest.front().weight) : 0.0;
}

std::optional<FoundSquare> clique_with(SquareRows& rows, std::int32_t i) {
  std::vector<Neighbour> sorted;
  for (const SquareRows::Weight& w : rows.row(i)) {
    sorted.push_back({w.other, static_cast<double>(w.weight)});
  }
  std::ranges::sort(sorted, larger);
  rows.spend(4 * std::ssize(sorted));
  const double scale = steady_scale(large(sorted), [&](std::int32_t k, std::int32_t l) {
    return static_cast<double>(rows.left(k, l));
  });
  if (scale == 0.0) {
    return std::nullopt;
  }
  std::vector<Member> best;
  for (std::size_t start = 0; start < std::min(kStarts, sorted.size()); ++start) {
    std::vector<Member> clique = grown(rows, i, std::sqrt(scale), sorted, start);
    if (clique.size() > best.size()) {
      best = std::move(clique);
    }
  }
  const auto all = std::ranges::count_if(sorted, [&](const Neighbour& n) {
    return std::abs(n.weight) >= kLarge * std::abs(sorted.front().weight);
  });
  if (best.size() < kMinClique ||
      static_cast<double>(best.size()) < kMinPart * static_cast<double>(all)) {
    return std::nullopt;
  }
  FoundSquare s{.entries = in_small_numbers(best)};
  if (s.entries.empty()) {
    return std::nullopt;
  }
  std::ranges::sort(s.entries, {}, &Entry::variable);
  s.twice = twice_penalty(rows, s.entries);
  return s.twice > 0 ? std::optional(std::move(s)) : std::nullopt;
}

std::vector<double> fractional_sums(SquareRows& rows,
                                    std::span<const std::int64_t> linear,
                                    std::span<const FoundSquare> squares,
                                    Pace& pace) {
  struct Effect {
    std::size_t square;
    double weight;
  };
  std::vector<std::vector<Effect>> effects(linear.size());
  std::vector<double> bends(linear.size());  // second derivatives
  for (std::size_t s = 0; s < squares.size(); ++s) {
    for (const Entry& e : squares[s].entries) {
      const auto weight = static_cast<double>(e.weight);
      effects[at(e.variable)].push_back({s, weight});
      bends[at(e.variable)] += static_cast<double>(squares[s].twice) * weight * weight;
    }
  }
  std::vector<double> sums(squares.size());
  std::vector<double> x(linear.size());
  for (int pass = 0; pass < kDescents && !squares.empty(); ++pass) {
    double most = 0.0;
    for (std::int32_t i = 0; i < std::ssize(linear); ++i) {
      const SquareRows::Row& row = rows.row(i);
      if (pace(std::ssize(row))) {
        return sums;
      }
      // The variable's own square is in the linear terms.
      double slope = static_cast<double>(linear[at(i)]) - 0.5 * bends[at(i)];
      for (const SquareRows::Weight& w : row) {
        slope += static_cast<double>(w.weight) * x[at(w.other)];
      }
      for (const Effect& e : effects[at(i)]) {
        slope +=
            static_cast<double>(squares[e.square].twice) * e.weight * sums[e.square];
      }
      const double bend = bends[at(i)];
      const double least = bend > 0.0    ? x[at(i)] - slope / bend
                           : slope < 0.0 ? 1.0
                                         : 0.0;
      const double change = std::clamp(least, 0.0, 1.0) - x[at(i)];
      x[at(i)] += change;
      most = std::max(most, std::abs(change));
      for (const Effect& e : effects[at(i)]) {
        sums[e.square] += change * e.weight;
      }
    }
    if (most < kMinChange) {
      break;
    }
  }
  return sums;
}

std::vector<std::vector<std::uint8_t>> local_minima(const qubo::Quadratic& f,
                                                    int count,
                                                    const Rng& rng,
                                                    Pace& pace) {
  std::vector<std::vector<std::uint8_t>> all;
  std::int64_t work = 0;
  for (int k = 0; k < count && work <= kMaxWork; ++k) {
    std::vector<std::uint8_t> x = local_minimum(f, rng.fork(at(k)), pace, work);
    if (pace.stopped()) {
      return {};
    }
    all.push_back(std::move(x));
  }
  return all;
}

double holding_share(const FoundSquare& s,
                     std::span<const std::vector<std::uint8_t>> minima) {
  int seen = 0;
  int satisfied = 0;
  for (const std::vector<std::uint8_t>& x : minima) {
    std::int64_t sum = 0;
    bool any = s.right != 0;
    for (const qubo::ProgramRow::Entry& e : s.entries) {
      sum += x[at(e.variable)] != 0 ? e.weight : 0;
      any = any || x[at(e.variable)] != 0;
    }
    seen += any ? 1 : 0;
    satisfied += any && sum == s.right ? 1 : 0;
  }
  return static_cast<double>(satisfied) / (seen + 1);
}

}  // namespace oa::solve
