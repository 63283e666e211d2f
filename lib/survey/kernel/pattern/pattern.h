#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::attention {

/// Keys begin .. end-1.
struct Run {
  int begin = 0;
  int end = 0;

  [[nodiscard]] int length() const { return end - begin; }
  bool operator==(const Run&) const = default;
};

/// The keys that each query of a sequence sees.
/// A band around the diagonal takes no memory; any other set is stored as runs of keys.
/// A query without keys has output and gradients 0.
class Pattern {
 public:
  /// Every query sees every key.
  [[nodiscard]] static Pattern all(int queries, int keys);
  /// Query q sees those of keys q-left .. q+right that exist.
  [[nodiscard]] static Pattern band(int queries, int keys, int left, int right);
  /// Query q sees keys 0 .. q.
  [[nodiscard]] static Pattern causal(int tokens);
  /// Query q has the ascending runs runs[first[q]] .. runs[first[q+1] - 1].
  /// Runs are not empty and do not touch.
  [[nodiscard]] static Pattern of_runs(int keys,
                                       const std::vector<std::int64_t>& first,
                                       std::vector<Run> runs);

  [[nodiscard]] int queries() const { return queries_; }
  [[nodiscard]] int keys() const { return keys_; }

  /// True if each query has one run of keys, computed by band_row().
  [[nodiscard]] bool is_band() const { return !has_runs_; }
  [[nodiscard]] Run band_row(int query) const {
    assert(is_band());
    const int begin = std::clamp(query - left_, 0, keys_);
    // query + right + 1 must not overflow.
    const int end = right_ >= keys_ - query ? keys_ : query + right_ + 1;
    return {begin, std::max(begin, end)};
  }
  /// Returns the runs of a query; not for a band.
  [[nodiscard]] std::span<const Run> runs(int query) const;
  /// True if queries first .. last all see the same keys; not for a band.
  [[nodiscard]] bool alike(int first, int last) const {
    return rows_[static_cast<std::size_t>(first)] ==
           rows_[static_cast<std::size_t>(last)];
  }

  /// A power of 2 at whose multiples, or after the last key, all runs and all groups
  /// of equal queries start and end; not for a band.
  [[nodiscard]] int grain() const { return grain_; }

  /// The number of keys of a query.
  [[nodiscard]] int degree(int query) const;
  [[nodiscard]] std::int64_t pairs() const;
  [[nodiscard]] bool allows(int query, int key) const;
  /// The bytes that runs take.
  [[nodiscard]] std::size_t bytes() const;

 private:
  int queries_ = 0;
  int keys_ = 0;
  int left_ = 0;
  int right_ = 0;
  /// A range of runs_, which equal neighbours share.
  struct Row {
    std::int64_t begin = 0;
    std::int64_t count = 0;
    bool operator==(const Row&) const = default;
  };
  bool has_runs_ = false;
  int grain_ = 0;
  std::vector<Row> rows_;
  std::vector<Run> runs_;
};

}  // namespace oa::attention
