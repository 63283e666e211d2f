#include "oa/solve/program/state_tables.h"

#include "oa/base/index.h"
#include "oa/solve/program/multipliers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace oa::solve {
namespace {

constexpr std::size_t kMaxTable = 20'000'000;
constexpr std::size_t kSmallRows = 4;

}  // namespace

StateTables::StateTables(const WholeProgram& program, std::optional<Whole> known)
    : n(program.size()),
      rows(program.rows),
      shift(std::clamp(96 - program.digits, 4, 30)),
      step(program.step << shift) {
  const std::vector<double> below = linear_below(program);
  const double target =
      known ? static_cast<double>(*known)
            : std::accumulate(below.begin(), below.end(), 0.0, [](double a, double b) {
                return a + std::max(0.0, b);
              });
  const std::vector<double> best = solve::multipliers(program, below, target);
  set_order(below, best);
  for (const int i : order) {
    linear.push_back(program.linear[at(i)] << shift);
  }
  set_products(program);
  set_rests();
  add_multipliers(best);
  add_multipliers(std::vector<double>(rows.size()));
}

/// Sorts variables by the cost of their wrong value, so that bad states are dropped
/// early.  With many rows, takes variables row by row, so that sums are complete early.
void StateTables::set_order(std::span<const double> below,
                            std::span<const double> best) {
  std::vector<double> prices(below.begin(), below.end());
  std::vector<double> shares(at(n));
  std::vector<int> open(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const auto& [i, weight] : rows[k].entries) {
      const auto a = static_cast<double>(weight);
      prices[at(i)] += best[k] * a;
      shares[at(i)] += std::abs(a) / static_cast<double>(rows[k].most - rows[k].least);
    }
    open[k] = static_cast<int>(std::ssize(rows[k].entries));
  }
  std::vector<int> all(at(n));
  std::iota(all.begin(), all.end(), 0);
  std::ranges::sort(all, [&](int a, int b) {
    const auto key = [&](int i) {
      return std::tuple(-std::abs(prices[at(i)]), -shares[at(i)], i);
    };
    return key(a) < key(b);
  });
  if (rows.size() <= kSmallRows) {
    order = std::move(all);
    return;
  }
  std::vector<std::vector<std::size_t>> rows_of(at(n));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const auto& [i, weight] : rows[k].entries) {
      rows_of[at(i)].push_back(k);
    }
  }
  std::vector<int> rank(at(n));
  for (int r = 0; r < n; ++r) {
    rank[at(all[at(r)])] = r;
  }
  std::vector<bool> taken(at(n));
  const auto take = [&](int i) {
    taken[at(i)] = true;
    order.push_back(i);
    for (const std::size_t k : rows_of[at(i)]) {
      --open[k];
    }
  };
  for (;;) {
    std::size_t next = rows.size();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (open[k] > 0 && (next == rows.size() || open[k] < open[next])) {
        next = k;
      }
    }
    if (next == rows.size()) {
      break;
    }
    std::vector<int> its;
    for (const auto& [i, weight] : rows[next].entries) {
      if (!taken[at(i)]) {
        its.push_back(i);
      }
    }
    std::ranges::sort(its, {}, [&](int i) { return rank[at(i)]; });
    std::ranges::for_each(its, take);
  }
  for (const int i : all) {
    if (!taken[at(i)]) {
      take(i);
    }
  }
}

void StateTables::set_products(const WholeProgram& program) {
  std::vector<int> place(at(n));
  for (int t = 0; t < n; ++t) {
    place[at(order[at(t)])] = t;
  }
  for (const WholeProgram::Product& p : program.products) {
    Product product{{}, p.weight << shift, 0};
    for (const std::int32_t i : p.variables) {
      product.places.push_back(place[at(i)]);
    }
    std::ranges::sort(product.places);
    const auto count = static_cast<Whole>(product.places.size());
    // Rounds away from 0, so that the sum of all shares does not exceed the weight.
    product.share = product.weight < 0 ? -((-product.weight + count - 1) / count) : 0;
    products.push_back(std::move(product));
  }
  std::ranges::stable_sort(
      products, {}, [](const Product& p) { return p.places.back(); });
  alive.assign(at(n) + 1, std::vector<std::uint64_t>(at(n + 63) / 64));
  for (const Product& p : products) {
    for (const int t : p.places) {
      for (int later = t + 1; later <= p.places.back(); ++later) {
        alive[at(later)][at(t) / 64] |= std::uint64_t{1} << (at(t) % 64);
      }
    }
  }
  std::size_t next = 0;
  for (int t = 0; t <= n; ++t) {
    while (next < products.size() && products[next].places.back() < t) {
      ++next;
    }
    first_open.push_back(next);
  }
}

void StateTables::set_rests() {
  effects.resize(at(n));
  last.assign(rows.size(), -1);
  std::vector<int> place(at(n));
  for (int t = 0; t < n; ++t) {
    place[at(order[at(t)])] = t;
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const auto& [i, weight] : rows[k].entries) {
      const int t = place[at(i)];
      effects[at(t)].push_back({k, weight});
      last[k] = std::max(last[k], t);
    }
  }
  rests_.resize(2 * (at(n) + 1) * rows.size());
  for (int t = n - 1; t >= 0; --t) {
    const std::size_t here = 2 * at(t) * rows.size();
    std::copy_n(rests_.begin() + std::ssize(rows) * 2 * (t + 1),
                2 * rows.size(),
                rests_.begin() + static_cast<std::ptrdiff_t>(here));
    for (const Effect& e : effects[at(t)]) {
      rests_[here + 2 * e.row + (e.weight < 0 ? 0 : 1)] += e.weight;
    }
  }
}

void StateTables::add_multipliers(std::span<const double> best) {
  Multipliers m;
  m.slopes.resize(at(n));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto range = static_cast<double>(rows[k].most - rows[k].least + 1);
    const double limit = 0x1p120 / (range * static_cast<double>(rows.size()));
    const double l = std::clamp(std::ldexp(best[k], shift), -limit, limit);
    const Whole whole = std::isfinite(l) ? static_cast<Whole>(l) : 0;
    m.of_rows.push_back(whole);
    m.sides.push_back(whole * (whole < 0 ? rows[k].low : rows[k].high));
  }
  for (int t = 0; t < n; ++t) {
    for (const Effect& e : effects[at(t)]) {
      m.slopes[at(t)] += m.of_rows[e.row] * e.weight;
    }
  }
  m.tails.resize(at(n) + 1);
  for (int t = n - 1; t >= 0; --t) {
    m.tails[at(t)] =
        m.tails[at(t) + 1] + std::min<Whole>(0, linear[at(t)] + m.slopes[at(t)]);
  }
  bounds.push_back(std::move(m));
}

bool StateTables::suit(const WholeProgram& program) {
  const auto n = at(program.size()) + 1;
  return n * program.rows.size() <= kMaxTable && n * (n / 64 + 1) <= kMaxTable &&
         n * program.products.size() <= kMaxTable;
}

}  // namespace oa::solve
