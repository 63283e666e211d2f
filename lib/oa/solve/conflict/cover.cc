#include "oa/solve/conflict/cover.h"

#include "oa/base/index.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace oa::solve {
namespace {

constexpr std::size_t kMaxWork = 1 << 23;  // maximum of words in all pairs of classes

bool is_empty(std::span<const Word> set) {
  return std::ranges::all_of(set, [](Word word) { return word == 0; });
}

/// True if `a` is a subset of `b`.
bool is_subset(std::span<const Word> a, std::span<const Word> b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if ((a[k] & ~b[k]) != 0) {
      return false;
    }
  }
  return true;
}

/// Returns the only element of a set, or -1.
int only_element(std::span<const Word> set) {
  int found = -1;
  for (std::size_t k = 0; k < set.size(); ++k) {
    if (set[k] == 0) {
      continue;
    }
    if (found >= 0 || !std::has_single_bit(set[k])) {
      return -1;
    }
    found = static_cast<int>(k) * kWordBits + std::countr_zero(set[k]);
  }
  return found;
}

}  // namespace

ConflictRows::ConflictRows(const Conflicts& conflicts, std::span<const int> order)
    : words_((order.size() + kWordBits - 1) / kWordBits),
      bits_(order.size() * words_) {
  std::vector<int> number(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    number[at(order[k])] = static_cast<int>(k);
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto row = std::span(bits_).subspan(k * words_, words_);
    for (const std::int32_t other : conflicts.row(order[k])) {
      set_bit(row, number[at(other)]);
    }
  }
}

Cover::Cover(const ConflictRows& rows)
    : rows_(rows),
      left_(rows.words() * kWordBits),
      uncovered_(rows.words()),
      candidates_(rows.words()) {}

std::int64_t Cover::add_classes(std::span<const Word> open,
                                std::span<const std::int64_t> weights,
                                std::int64_t most) {
  const std::size_t words = rows_.words();
  classes_.clear();
  members_.clear();
  std::ranges::copy(open, uncovered_.begin());
  each_bit(open, [&](int v) {
    left_[at(v)] = weights[at(v)];
    if (weights[at(v)] <= 0) {
      clear_bit(uncovered_, v);
    }
  });
  std::int64_t total = 0;
  std::size_t first = 0;  // all words before it are 0
  while (total < most) {
    while (first < words && uncovered_[first] == 0) {
      ++first;
    }
    if (first == words) {
      break;
    }
    members_.resize(members_.size() + words);
    const std::span<Word> added = members(classes_.size());
    std::ranges::copy(uncovered_, candidates_.begin());
    std::int64_t weight = most - total;
    for (std::size_t k = first; k < words; ++k) {
      while (candidates_[k] != 0) {
        const int v =
            static_cast<int>(k) * kWordBits + std::countr_zero(candidates_[k]);
        weight = std::min(weight, left_[at(v)]);
        added[k] |= candidates_[k] & (~candidates_[k] + 1);
        const auto row = rows_[v];
        for (std::size_t i = k; i < words; ++i) {
          candidates_[i] &= row[i];
        }
        work_ += 2 + static_cast<std::int64_t>(words - k) / 4;
      }
    }
    each_bit(added, [&](int v) {
      left_[at(v)] -= weight;
      if (left_[at(v)] == 0) {
        clear_bit(uncovered_, v);
      }
    });
    total += weight;
    classes_.push_back({weight, weight});
  }
  return total;
}

std::int64_t Cover::bound(std::span<const Word> open,
                          std::span<const std::int64_t> weights) {
  return add_classes(open, weights, std::numeric_limits<std::int64_t>::max());
}

std::span<const int> Cover::remaining(std::span<const Word> open,
                                      std::span<const std::int64_t> weights,
                                      std::int64_t most,
                                      Pace& pace) {
  add_classes(open, weights, most);
  remaining_.clear();
  each_bit(uncovered_, [&](int v) {
    if (pace(std::exchange(work_, 0)) || !covers(v)) {
      remaining_.push_back(v);
    }
  });
  return remaining_;
}

/// Covers the remaining weight of `v` without adding weight to classes.
bool Cover::covers(int v) {
  const std::size_t words = rows_.words();
  if (classes_.size() * members_.size() > kMaxWork) {
    return false;
  }
  const auto row = rows_[v];
  admitted_.resize(members_.size());
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    for (std::size_t i = 0; i < words; ++i) {
      admitted_[k * words + i] = members(k)[i] & ~row[i];
    }
  }
  work_ += static_cast<std::int64_t>(members_.size());
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    if (moves(v, k)) {
      return true;
    }
  }
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    if (pairs_up(v, k)) {
      return true;
    }
  }
  return false;
}

/// True if v conflicts with all members of class k.
bool Cover::apart(std::size_t k, int v) const {
  return is_subset(members(k), rows_[v]);
}

/// Puts v into class k; a single member without conflict with v moves elsewhere.
bool Cover::moves(int v, std::size_t k) {
  const std::size_t words = rows_.words();
  const auto whole = [&](std::size_t c) {
    return classes_[c].unused == classes_[c].weight;
  };
  const auto admitted = std::span(admitted_).subspan(k * words, words);
  const std::int64_t weight = classes_[k].weight;
  if (!whole(k)) {
    return false;
  }
  const int other = only_element(admitted);
  if (other < 0 && !is_empty(admitted)) {
    return false;
  }
  std::size_t to = 0;
  while (other >= 0 && to < classes_.size() &&
         (to == k || !whole(to) || classes_[to].weight < weight || !apart(to, other))) {
    ++to;
  }
  work_ += static_cast<std::int64_t>((to + 1) * words / 4);
  if (to == classes_.size()) {
    return false;
  }
  if (other >= 0) {
    clear_bit(members(k), other);
    clear_bit(admitted, other);
    set_bit(members(to), other);
    if (((rows_[v][at(other / kWordBits)] >> (other % kWordBits)) & 1U) == 0) {
      set_bit(std::span(admitted_).subspan(to * words, words), other);
    }
  }
  set_bit(members(k), v);
  set_bit(admitted, v);
  left_[at(v)] -= std::min(left_[at(v)], weight);
  return left_[at(v)] == 0;
}

/// Covers v by two classes, k and a later class.
/// Requires conflicts between all vertices of k and of the later class that have no
/// conflict with v: then a solution has at most two of v and both classes' vertices.
bool Cover::pairs_up(int v, std::size_t k) {
  const std::size_t words = rows_.words();
  const auto own = std::span(admitted_).subspan(k * words, words);
  for (std::size_t c = k + 1; c < classes_.size() && classes_[k].unused > 0; ++c) {
    if (classes_[c].unused == 0) {
      continue;
    }
    const auto others = std::span(admitted_).subspan(c * words, words);
    work_ += static_cast<std::int64_t>(words / 2);
    bool any = false;
    for (std::size_t i = 0; i < words && !any; ++i) {
      for (Word word = own[i]; word != 0 && !any; word &= word - 1) {
        const int u = static_cast<int>(i) * kWordBits + std::countr_zero(word);
        any = !is_subset(others, rows_[u]);
        work_ += 2;
      }
    }
    if (any) {
      continue;
    }
    const std::int64_t shared =
        std::min({left_[at(v)], classes_[k].unused, classes_[c].unused});
    left_[at(v)] -= shared;
    classes_[k].unused -= shared;
    classes_[c].unused -= shared;
    if (left_[at(v)] == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace oa::solve
