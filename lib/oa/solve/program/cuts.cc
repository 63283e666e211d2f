#include "oa/solve/program/cuts.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kViolation = 1e-3;                // of a cut that is worth a row
constexpr int kMaxLiterals = 6000;                 // maximum for a conflict table
constexpr std::int64_t kMaxConflicts = 5'000'000;  // of one knapsack
constexpr int kMaxStarts = 200;                    // of cliques

/// Converts "sum of weights * literals <= limit" to a row of variables.
qubo::ProgramRow row_of(std::span<const std::pair<std::int64_t, std::int32_t>> items,
                        std::int64_t limit) {
  std::map<std::int32_t, std::int64_t> weights;
  for (const auto& [weight, literal] : items) {
    const bool complement = literal % 2 != 0;
    weights[literal / 2] += complement ? -weight : weight;
    limit -= complement ? weight : 0;
  }
  qubo::ProgramRow row;
  for (const auto& [variable, weight] : weights) {
    if (weight != 0) {
      row.entries.push_back({variable, weight});
      (weight < 0 ? row.least : row.most) += weight;
    }
  }
  row.low = row.least;
  row.high = std::clamp(limit, row.least - 1, row.most);
  return row;
}

}  // namespace

Cuts::Cuts(std::span<const qubo::ProgramRow> rows, int n) : n_(n) {
  if (2 * n <= kMaxLiterals) {
    words_ = at(2 * n + 63) / 64;
    conflicts_.assign(at(2 * n) * words_, 0);
  }
  for (const qubo::ProgramRow& row : rows) {
    if (row.high < row.most) {
      add_knapsack(row, 1, row.high);
    }
    if (row.low > row.least) {
      add_knapsack(row, -1, -row.low);
    }
  }
}

void Cuts::add_knapsack(const qubo::ProgramRow& row,
                        std::int64_t sign,
                        std::int64_t limit) {
  Knapsack k{{}, limit};
  for (const auto& [i, weight] : row.entries) {
    const std::int64_t w = sign * weight;
    k.items.emplace_back(std::abs(w), 2 * i + (w < 0 ? 1 : 0));
    k.limit -= std::min<std::int64_t>(w, 0);
  }
  std::ranges::sort(k.items, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  add_conflicts(k);
  if (!k.items.empty() && k.items.front().first != k.items.back().first) {
    knapsacks_.push_back(std::move(k));
  }
}

/// Marks pairs of literals whose weights together exceed the limit.
void Cuts::add_conflicts(const Knapsack& k) {
  std::int64_t pairs = 0;
  for (std::size_t a = 0; a < k.items.size() && !conflicts_.empty(); ++a) {
    for (std::size_t b = a + 1;
         b < k.items.size() && k.items[a].first > k.limit - k.items[b].first;
         ++b) {
      if (++pairs > kMaxConflicts) {
        return;
      }
      const Literal one = k.items[a].second;
      const Literal other = k.items[b].second;
      conflicts_[at(one) * words_ + at(other) / 64] |= std::uint64_t{1} << other % 64;
      conflicts_[at(other) * words_ + at(one) / 64] |= std::uint64_t{1} << one % 64;
    }
  }
}

bool Cuts::conflict(Literal a, Literal b) const {
  return (conflicts_[at(a) * words_ + at(b) / 64] >> (b % 64) & 1U) != 0;
}

std::vector<qubo::ProgramRow> Cuts::find(std::span<const double> x,
                                         std::size_t most) const {
  std::vector<double> values;  // of literals
  for (const double value : x.first(at(n_))) {
    values.push_back(value);
    values.push_back(1.0 - value);
  }
  std::vector<Cut> found;
  for (const Knapsack& k : knapsacks_) {
    find_cover(k, values, found);
  }
  if (!conflicts_.empty()) {
    find_cliques(values, found);
  }
  std::ranges::stable_sort(found, std::greater<>(), &Cut::violation);
  std::vector<qubo::ProgramRow> rows;
  for (Cut& cut : found) {
    const auto same = [&](const qubo::ProgramRow& row) {
      return row.high == cut.row.high &&
             std::ranges::equal(row.entries, cut.row.entries, [](auto a, auto b) {
               return a.variable == b.variable && a.weight == b.weight;
             });
    };
    if (rows.size() < most && std::ranges::none_of(rows, same)) {
      rows.push_back(std::move(cut.row));
    }
  }
  return rows;
}

/// Adds the literals with the least (1 - value) / weight until the limit is exceeded,
/// then drops superfluous literals.
void Cuts::find_cover(const Knapsack& k,
                      std::span<const double> values,
                      std::vector<Cut>& found) const {
  std::vector<std::size_t> order(k.items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto loss = [&](std::size_t a) { return 1.0 - values[at(k.items[a].second)]; };
  std::ranges::stable_sort(order, {}, [&](std::size_t a) {
    return std::max(0.0, loss(a)) / static_cast<double>(k.items[a].first);
  });
  std::vector<std::size_t> cover;
  std::int64_t sum = 0;
  for (std::size_t a = 0; a < order.size() && sum <= k.limit; ++a) {
    cover.push_back(order[a]);
    sum += k.items[order[a]].first;
  }
  if (sum <= k.limit) {
    return;
  }
  std::ranges::stable_sort(cover, std::greater<>(), loss);
  std::erase_if(cover, [&](std::size_t a) {
    const bool needed = sum - k.items[a].first <= k.limit;
    sum -= needed ? 0 : k.items[a].first;
    return !needed;
  });
  std::ranges::sort(cover);  // largest weight first
  std::vector<std::pair<std::int64_t, Literal>> items;
  double left = 0.0;
  std::size_t next = 0;
  for (std::size_t a = 0; a < k.items.size(); ++a) {
    std::int64_t weight = 0;
    if (next < cover.size() && cover[next] == a) {
      weight = 1;
      ++next;
    } else {
      std::int64_t largest = 0;
      for (const std::size_t c : cover) {
        largest += k.items[c].first;
        if (largest > k.items[a].first) {
          break;
        }
        ++weight;
      }
    }
    if (weight > 0) {
      items.emplace_back(weight, k.items[a].second);
      left += static_cast<double>(weight) * values[at(k.items[a].second)];
    }
  }
  const std::int64_t limit = std::ssize(cover) - 1;
  const double violation = left - static_cast<double>(limit);
  if (violation > kViolation) {
    found.push_back({violation / std::sqrt(items.size()), row_of(items, limit)});
  }
}

/// Grows cliques greedily from each fractional literal.
void Cuts::find_cliques(std::span<const double> values, std::vector<Cut>& found) const {
  constexpr double kInside = 1e-4;
  std::vector<Literal> inside;
  for (Literal a = 0; a < 2 * n_; ++a) {
    if (values[at(a)] > kInside) {
      inside.push_back(a);
    }
  }
  std::ranges::stable_sort(
      inside, std::greater<>(), [&](Literal a) { return values[at(a)]; });
  int starts = 0;
  for (const Literal start : inside) {
    if (values[at(start)] > 1.0 - kInside) {
      continue;
    }
    if (++starts > kMaxStarts) {
      return;
    }
    std::vector<std::pair<std::int64_t, Literal>> clique{{1, start}};
    double sum = values[at(start)];
    const auto grow = [&](Literal a) {
      if (std::ranges::all_of(clique,
                              [&](const auto& b) { return conflict(a, b.second); })) {
        clique.emplace_back(1, a);
        sum += values[at(a)];
      }
    };
    std::ranges::for_each(inside, grow);
    if (sum <= 1.0 + kViolation) {
      continue;
    }
    for (Literal a = 0; a < 2 * n_; ++a) {
      if (values[at(a)] <= kInside) {
        grow(a);
      }
    }
    found.push_back({(sum - 1.0) / std::sqrt(clique.size()), row_of(clique, 1)});
  }
}

}  // namespace oa::solve
