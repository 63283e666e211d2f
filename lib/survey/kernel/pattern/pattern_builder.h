#pragma once

#include "survey/kernel/pattern/pattern.h"

#include <cstdint>
#include <vector>

namespace oa::attention {

/// Builds a pattern query by query: see() any number of times, then end_query().
class PatternBuilder {
 public:
  explicit PatternBuilder(int keys) : keys_(keys) {}

  /// Makes keys begin .. end-1 that exist visible to the current query.
  /// Calls may come in any order; overlapping or touching ranges become one run.
  void see(std::int64_t begin, std::int64_t end);

  /// Ends the current query and drops its keys after `last`.
  void end_query(int last);
  void end_query() { end_query(keys_ - 1); }

  /// Returns the pattern of all queries that were ended.
  [[nodiscard]] Pattern take();

 private:
  void sort();

  int keys_;
  std::vector<Run> row_;  ///< of the current query
  std::vector<std::int64_t> first_ = {0};
  std::vector<Run> runs_;
};

}  // namespace oa::attention
