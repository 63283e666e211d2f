#include "oa/base/index_set.h"

#include "oa/base/number.h"

#include <algorithm>
#include <limits>

namespace oa {
namespace {

std::optional<IndexSet::Range> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = parse_int(text.substr(0, dash));
  const auto last = dash == text.npos ? first : parse_int(text.substr(dash + 1));
  constexpr auto kLimit = std::numeric_limits<std::int64_t>::max() / 2;
  if (!first || !last || *first < 0 || *last < *first || *last > kLimit) {
    return std::nullopt;
  }
  return IndexSet::Range{*first, *last};
}

}  // namespace

std::optional<IndexSet> IndexSet::parse(std::string_view text) {
  std::vector<Range> ranges;
  while (true) {
    const auto comma = text.find(',');
    const auto range = parse_range(text.substr(0, comma));
    if (!range) {
      return std::nullopt;
    }
    ranges.push_back(*range);
    if (comma == text.npos) {
      break;
    }
    text.remove_prefix(comma + 1);
  }
  std::ranges::sort(ranges, {}, &Range::first);
  IndexSet set;
  for (const Range& range : ranges) {
    if (!set.ranges_.empty() && range.first <= set.ranges_.back().last + 1) {
      set.ranges_.back().last = std::max(set.ranges_.back().last, range.last);
    } else {
      set.ranges_.push_back(range);
    }
  }
  return set;
}

IndexSet IndexSet::first(std::int64_t count) {
  IndexSet set;
  if (count > 0) {
    set.ranges_.push_back({0, count - 1});
  }
  return set;
}

IndexSet IndexSet::slice(std::int64_t begin, std::int64_t end) const {
  IndexSet set;
  std::int64_t before = 0;  // members of earlier ranges
  for (const Range& range : ranges_) {
    const Range some{range.first + std::max<std::int64_t>(begin - before, 0),
                     std::min(range.last, range.first + (end - before) - 1)};
    if (some.first <= some.last) {
      set.ranges_.push_back(some);
    }
    before += range.last - range.first + 1;
  }
  return set;
}

bool IndexSet::contains(std::int64_t index) const {
  const auto after = std::ranges::upper_bound(ranges_, index, {}, &Range::first);
  return after != ranges_.begin() && index <= std::prev(after)->last;
}

std::int64_t IndexSet::size() const {
  std::int64_t total = 0;
  for (const Range& range : ranges_) {
    total += range.last - range.first + 1;
  }
  return total;
}

}  // namespace oa
