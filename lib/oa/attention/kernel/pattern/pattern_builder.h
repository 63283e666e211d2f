#pragma once

#include "oa/attention/kernel/pattern/pattern.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::attention {

/// Makes a pattern query by query: see() as often as needed, then end_query().
class PatternBuilder {
 public:
  explicit PatternBuilder(int keys) : keys_(keys) {}

  /// The current query sees keys begin .. end-1, as far as there are such.  In any
  /// order; what overlaps or touches becomes one run.
  void see(std::int64_t begin, std::int64_t end);

  /// What the current query was told to see beyond key `last`, it does not see.
  void end_query(int last);
  void end_query() { end_query(keys_ - 1); }

  /// The pattern of all queries that have ended.
  [[nodiscard]] Pattern take();

 private:
  void sort();

  int keys_;
  std::vector<Run> row_;  ///< of the current query
  std::vector<std::int64_t> first_ = {0};
  std::vector<Run> runs_;
};

/// The pattern of `row_ptr.size() - 1` queries in compressed rows: query q sees
/// columns[row_ptr[q]] .. columns[row_ptr[q+1] - 1].  Throws InputError, "query 3:
/// why", unless row pointers begin with 0, do not fall and end with the number of
/// columns, and the columns of a query rise and are keys; and, if `causal`, none is
/// behind its query.
[[nodiscard]] Pattern from_csr(int keys,
                               std::span<const std::int64_t> row_ptr,
                               std::span<const std::int32_t> columns,
                               bool causal);

}  // namespace oa::attention
