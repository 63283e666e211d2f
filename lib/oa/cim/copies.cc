#include "oa/base/index.h"
#include "oa/cim/split.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

// The number of copies of each spin, and the division of levels among copies.

namespace oa::cim {
namespace {

using Counts = std::vector<std::int64_t>;

/// For each pair of spins, the smallest allowed product of their numbers of copies.
class Needs {
 public:
  Needs(const WideLevels& levels, int top_level) : n_(levels.n + 1) {
    for (const std::int64_t level : levels.cells) {
      needs_.push_back((std::abs(level) + top_level - 1) / top_level);
    }
  }

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] std::int64_t of(int i, int k) const {
    return needs_[at(i) * at(n_) + at(k)];
  }
  [[nodiscard]] std::int64_t largest(int i) const {
    std::int64_t most = 1;
    for (int k = 0; k < n_; ++k) {
      most = std::max(most, of(i, k));
    }
    return most;
  }
  /// The fewest copies of spin i, given the copies of all other spins.
  [[nodiscard]] std::int64_t fewest(const Counts& c, int i) const {
    std::int64_t least = 1;
    for (int k = 0; k < n_; ++k) {
      least = std::max(least, (of(i, k) + c[at(k)] - 1) / c[at(k)]);
    }
    return least;
  }

 private:
  int n_;
  Counts needs_;
};

std::int64_t sum_of(const Counts& c) {
  return std::accumulate(c.begin(), c.end(), std::int64_t{0});
}

/// Removes superfluous copies, first of spins with many copies, never of spin `keep`.
void shrink(const Needs& needs, Counts& c, int keep) {
  std::vector<int> order(c.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) { return c[at(a)] > c[at(b)]; });
  for (const int i : order) {
    if (i != keep) {
      c[at(i)] = needs.fewest(c, i);
    }
  }
}

/// Gives spin i `value` copies and changes other counts as needed.
Counts changed(const Needs& needs, Counts c, int i, std::int64_t value) {
  c[at(i)] = value;
  for (int k = 0; k < needs.size(); ++k) {
    if (k != i) {
      c[at(k)] = std::max(c[at(k)], (needs.of(i, k) + value - 1) / value);
    }
  }
  shrink(needs, c, i);
  c[at(i)] = needs.fewest(c, i);
  return c;
}

/// Candidates for the number of copies of spin i.
Counts values_for(const Needs& needs, std::int64_t now, int i) {
  constexpr int kMaxSpins = 40;
  constexpr std::int64_t kMax = 64;
  const std::int64_t most = std::min(needs.largest(i), kMax);
  Counts values;
  if (needs.size() <= kMaxSpins) {
    values.resize(at(most));
    std::iota(values.begin(), values.end(), 1);
  } else {
    values = {1, now - 1, now + 1, 2 * now, most};
    std::erase_if(values, [&](std::int64_t v) { return v < 1 || v > most; });
  }
  return values;
}

/// Writes the couplings between copies into a block.
class Spreader {
 public:
  Spreader(const std::vector<int>& copies, int top_level)
      : copies_(copies),
        top_level_(top_level),
        uneven_(copies.size()) {
    for (const int c : copies) {
      first_.push_back(spins_);
      spins_ += c;
    }
    block_ = {spins_ - copies.back(), copies.back() - 1, {}};
    block_.levels.resize(at(spins_) * at(spins_));
  }

  /// Divides the level of spins i and k.  Returns false if copies cannot hold it.
  bool divide(int i, int k, std::int64_t level) {
    // Fills copies of `outer` one after the other, so that at most one of them has
    // unequal couplings to the copies of `inner`.
    const bool fewer = copies_[at(i)] < copies_[at(k)];
    const int inner = fewer ? i : k;
    const int outer = fewer ? k : i;
    const int ni = copies_[at(inner)];
    const int no = copies_[at(outer)];
    const std::int64_t each = level / (ni * no);
    const int rest = static_cast<int>(std::abs(level % (ni * no)));
    const int sign = level < 0 ? -1 : 1;
    if (std::abs(each) + (rest > 0 ? 1 : 0) > top_level_) {
      return false;
    }
    for (int b = 0; b < no; ++b) {
      const int more = std::clamp(rest - b * ni, 0, ni);
      uneven_[at(inner)] += more % ni != 0 ? 1 : 0;
      for (int a = 0; a < ni; ++a) {
        couple(
            first_[at(inner)] + a, first_[at(outer)] + b, each + (a < more ? sign : 0));
      }
    }
    for (int a = 0; a < ni; ++a) {
      const int filled = rest / ni + (a < rest % ni ? 1 : 0);
      uneven_[at(outer)] += filled % no != 0 ? 1 : 0;
    }
    return true;
  }

  /// Couples the copies of spin i.  Returns false if that exceeds the top level.
  bool tie(int i) {
    const int c = copies_[at(i)];
    const int level = uneven_[at(i)] / c + 1;
    for (int a = 0; a < c; ++a) {
      for (int b = 0; b < a; ++b) {
        couple(first_[at(i)] + a, first_[at(i)] + b, level);
      }
    }
    return c == 1 || level <= top_level_;
  }

  machine::Block take() { return std::move(block_); }

 private:
  void couple(int a, int b, std::int64_t level) {
    block_.levels[at(a) * at(spins_) + at(b)] =
        block_.levels[at(b) * at(spins_) + at(a)] = static_cast<std::int16_t>(level);
  }

  const std::vector<int>& copies_;
  int top_level_;
  std::vector<int> first_;   // the first copy of each spin
  std::vector<int> uneven_;  // of each spin: copies with unequal couplings to it
  int spins_ = 0;
  machine::Block block_;
};

}  // namespace

std::vector<int> few_copies(const WideLevels& levels, int top_level) {
  const Needs needs(levels, top_level);
  Counts c;
  for (int i = 0; i < needs.size(); ++i) {  // start: enough copies for every pair
    const auto root = std::sqrt(static_cast<double>(needs.largest(i)));
    c.push_back(static_cast<std::int64_t>(std::ceil(root)));
  }
  shrink(needs, c, -1);
  for (bool better = true; better;) {
    better = false;
    for (int i = 0; i < needs.size(); ++i) {
      for (const std::int64_t value : values_for(needs, c[at(i)], i)) {
        Counts other = changed(needs, c, i, value);
        if (sum_of(other) < sum_of(c)) {
          c = std::move(other);
          better = true;
        }
      }
    }
  }
  return {c.begin(), c.end()};
}

std::optional<machine::Block> spread(const WideLevels& levels,
                                     const std::vector<int>& copies,
                                     int top_level) {
  Spreader spreader(copies, top_level);
  for (int i = 0; i <= levels.n; ++i) {
    for (int k = 0; k < i; ++k) {
      if (!spreader.divide(i, k, levels.at(i, k))) {
        return std::nullopt;
      }
    }
  }
  for (int i = 0; i <= levels.n; ++i) {
    if (!spreader.tie(i)) {
      return std::nullopt;
    }
  }
  return spreader.take();
}

machine::Bits merged(const std::vector<int>& copies,
                     std::span<const std::uint8_t> x,
                     std::vector<bool>& broken) {
  machine::Bits all;
  for (const int c : copies) {
    const auto ones = std::ranges::count(x.first(at(c)), 1);
    all.push_back(2 * ones > c ? 1 : 0);
    broken.push_back(ones != 0 && ones != c);
    x = x.subspan(at(c));
  }
  return all;
}

}  // namespace oa::cim
