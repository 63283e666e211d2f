#include "oa/attention/kernel/pattern.h"

#include <algorithm>
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
                         std::vector<std::int64_t> first,
                         std::vector<Run> runs) {
  assert(!first.empty() && first.back() == std::ssize(runs));
  Pattern p;
  p.queries_ = static_cast<int>(first.size()) - 1;
  p.keys_ = keys;
  p.first_ = std::move(first);
  p.runs_ = std::move(runs);
  return p;
}

std::span<const Run> Pattern::runs(int query) const {
  assert(!is_band());
  const auto q = static_cast<std::size_t>(query);
  const auto begin = static_cast<std::size_t>(first_[q]);
  const auto end = static_cast<std::size_t>(first_[q + 1]);
  return std::span(runs_).subspan(begin, end - begin);
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
  return first_.size() * sizeof(std::int64_t) + runs_.size() * sizeof(Run);
}

}  // namespace oa::attention
