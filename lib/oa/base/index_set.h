#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace oa {

/// A set of indices, parsed from a list of numbers and ranges, "3,7,20-29".
/// Stored as ranges, so that "0-1000000000" takes little memory.
class IndexSet {
 public:
  /// Both ends belong to the range.
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };

  /// Parses `text`; returns nothing if it is no list of ranges of non-negative numbers.
  [[nodiscard]] static std::optional<IndexSet> parse(std::string_view text);

  /// The numbers from 0 to `count` - 1.
  [[nodiscard]] static IndexSet first(std::int64_t count);

  /// Returns the members with ranks `begin` (from 0) to `end` - 1 in ascending order.
  [[nodiscard]] IndexSet slice(std::int64_t begin, std::int64_t end) const;

  [[nodiscard]] bool contains(std::int64_t index) const;
  [[nodiscard]] std::int64_t size() const;

  /// Ranges are sorted, disjoint and not adjacent.
  [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }

 private:
  std::vector<Range> ranges_;
};

}  // namespace oa
