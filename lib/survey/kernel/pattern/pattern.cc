#include "survey/kernel/pattern/pattern.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace oa::attention {

Pattern Pattern::all(int queries, int keys) {
  return band(queries, keys, queries, keys);
}

Pattern Pattern::band(int queries, int keys, int left, int right) {
  Pattern p;
  p.queries_ = queries;
  p.keys_ = keys;
  p.left_ = std::clamp(left, 0, queries);
  p.right_ = std::clamp(right, 0, keys);
  return p;
}

Pattern Pattern::causal(int tokens) {
  return band(tokens, tokens, tokens, 0);
}

Pattern Pattern::of_runs(int keys,
                         const std::vector<std::int64_t>& first,
                         std::vector<Run> runs) {
  assert(!first.empty() && first.back() == std::ssize(runs));
  Pattern p;
  p.queries_ = static_cast<int>(first.size()) - 1;
  p.keys_ = keys;
  p.has_runs_ = true;
  p.rows_.reserve(first.size() - 1);
  std::int64_t kept = 0;
  unsigned edges = 1U << 30;  // bits of all edges
  const auto is_same = [&](const Row& row, auto begin, auto end) {
    const auto before = runs.begin() + row.begin;
    return std::equal(before, before + row.count, begin, end);
  };
  for (std::size_t q = 0; q + 1 < first.size(); ++q) {
    const auto begin = runs.begin() + first[q];
    const auto end = runs.begin() + first[q + 1];
    if (!p.rows_.empty() && is_same(p.rows_.back(), begin, end)) {
      p.rows_.push_back(p.rows_.back());
      continue;
    }
    edges |= static_cast<unsigned>(q);
    for (auto run = begin; run != end; ++run) {
      edges |= static_cast<unsigned>(run->begin) |
               static_cast<unsigned>(run->end == keys ? 0 : run->end);
    }
    if (kept < first[q]) {
      std::copy(begin, end, runs.begin() + kept);
    }
    p.rows_.push_back({kept, end - begin});
    kept += end - begin;
  }
  p.grain_ = 1 << std::countr_zero(edges);
  runs.resize(static_cast<std::size_t>(kept));
  runs.shrink_to_fit();
  p.runs_ = std::move(runs);
  return p;
}

std::span<const Run> Pattern::runs(int query) const {
  assert(!is_band());
  const Row& row = rows_[static_cast<std::size_t>(query)];
  return std::span(runs_).subspan(static_cast<std::size_t>(row.begin),
                                  static_cast<std::size_t>(row.count));
}

int Pattern::degree(int query) const {
  if (is_band()) {
    return band_row(query).length();
  }
  int sum = 0;
  for (const Run& run : runs(query)) {
    sum += run.length();
  }
  return sum;
}

std::int64_t Pattern::pairs() const {
  std::int64_t sum = 0;
  for (int q = 0; q < queries_; ++q) {
    sum += degree(q);
  }
  return sum;
}

bool Pattern::allows(int query, int key) const {
  if (is_band()) {
    const Run run = band_row(query);
    return run.begin <= key && key < run.end;
  }
  return std::ranges::any_of(
      runs(query), [&](const Run& run) { return run.begin <= key && key < run.end; });
}

std::size_t Pattern::bytes() const {
  return rows_.size() * sizeof(Row) + runs_.size() * sizeof(Run);
}

}  // namespace oa::attention
