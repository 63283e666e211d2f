#include "oa/solve/conflict/cover_walk.h"

#include "oa/base/index.h"

#include <algorithm>

namespace oa::solve {
namespace {

// A mean stress above kMaxStress times the number of vertices shrinks to kKept of it.
constexpr double kMaxStress = 0.5;
constexpr double kKept = 0.3;

// If a cover is much larger than the degrees, a step does not scan it:
// the best of some random vertices moves.
constexpr std::size_t kSmallScanned = 1024;
constexpr std::size_t kScannedDegrees = 4;
constexpr int kSamples = 64;

}  // namespace

CoverWalk::CoverWalk(const Conflicts& conflicts,
                     std::span<const int> begin,
                     const Rng& rng)
    : conflicts_(conflicts),
      rng_(rng),
      equal_(std::ranges::all_of(
          conflicts.weights,
          [&](std::int64_t w) { return w == conflicts.weights.front(); })),
      covering_(at(conflicts.size()), 1),
      rank_(at(conflicts.size())),
      score_(at(conflicts.size())),
      moved_(at(conflicts.size())),
      may_return_(at(conflicts.size()), 1) {
  number_conflicts();
  for (int v = 0; v < conflicts.size(); ++v) {
    rank_[at(v)] = v;
    cover_.push_back(v);
    total_ += conflicts.weights[at(v)];
  }
  cover_weight_ = total_;
  for (const int v : begin) {
    remove(v);
  }
  record();
}

void CoverWalk::number_conflicts() {
  const auto entries = conflicts_.others.size();
  number_.resize(entries);
  ends_.reserve(entries);
  std::vector<std::size_t> next(conflicts_.begins.begin(), conflicts_.begins.end());
  for (int v = 0; v < conflicts_.size(); ++v) {
    for (const std::int32_t other : conflicts_.row(v)) {
      if (other > v) {
        const auto number = static_cast<std::int32_t>(ends_.size() / 2);
        number_[next[at(v)]++] = number;
        number_[next[at(other)]++] = number;
        ends_.push_back(v);
        ends_.push_back(other);
      }
    }
  }
  stress_.assign(entries / 2, 1);
  place_.resize(entries / 2);
  all_stress_ = static_cast<std::int64_t>(entries / 2);
}

void CoverWalk::remove(int v) {
  covering_[at(v)] = 0;
  cover_weight_ -= conflicts_.weights[at(v)];
  cover_[at(rank_[at(v)])] = cover_.back();
  rank_[at(cover_.back())] = rank_[at(v)];
  cover_.pop_back();
  score_[at(v)] = -score_[at(v)];
  may_return_[at(v)] = 0;
  for (std::size_t k = conflicts_.begins[at(v)]; k < conflicts_.begins[at(v) + 1];
       ++k) {
    const std::int32_t u = conflicts_.others[k];
    const std::int32_t pair = number_[k];
    may_return_[at(u)] = 1;
    if (covering_[at(u)] != 0) {
      score_[at(u)] -= stress_[at(pair)];
    } else {
      score_[at(u)] += stress_[at(pair)];
      place_[at(pair)] = static_cast<std::int32_t>(untouched_.size());
      untouched_.push_back(pair);
    }
  }
  work_ += 8 * std::ssize(conflicts_.row(v));
}

void CoverWalk::add(int v) {
  covering_[at(v)] = 1;
  cover_weight_ += conflicts_.weights[at(v)];
  rank_[at(v)] = static_cast<std::int32_t>(cover_.size());
  cover_.push_back(v);
  score_[at(v)] = -score_[at(v)];
  for (std::size_t k = conflicts_.begins[at(v)]; k < conflicts_.begins[at(v) + 1];
       ++k) {
    const std::int32_t u = conflicts_.others[k];
    const std::int32_t pair = number_[k];
    may_return_[at(u)] = 1;
    if (covering_[at(u)] != 0) {
      score_[at(u)] += stress_[at(pair)];
    } else {
      score_[at(u)] -= stress_[at(pair)];
      const std::int32_t last = untouched_.back();
      untouched_[at(place_[at(pair)])] = last;
      place_[at(last)] = place_[at(pair)];
      untouched_.pop_back();
    }
  }
  work_ += 8 * std::ssize(conflicts_.row(v));
}

/// True if moving `a` is better than moving `b`:
/// by score per unit of weight, then by age.
inline bool CoverWalk::is_better(int a, int b) const {
  const auto weight = [&](int v) {
    return equal_ ? 1.0 : static_cast<double>(conflicts_.weights[at(v)]);
  };
  const double x = static_cast<double>(score_[at(a)]) * weight(b);
  const double y = static_cast<double>(score_[at(b)]) * weight(a);
  return x > y || (x == y && moved_[at(a)] < moved_[at(b)]);
}

/// Returns the cheapest vertex to remove from the cover, except the newest.
int CoverWalk::cheapest() {
  int best = -1;
  const auto see = [&](int v) {
    if (v != added_ && (best < 0 || is_better(v, best))) {
      best = v;
    }
  };
  const std::size_t degree = conflicts_.others.size() / covering_.size();
  if (cover_.size() <= kSmallScanned + kScannedDegrees * degree) {
    std::ranges::for_each(cover_, see);
    work_ += std::ssize(cover_);
  } else {
    for (int k = 0; k < kSamples; ++k) {
      see(cover_[rng_.below(static_cast<std::uint32_t>(cover_.size()))]);
    }
    work_ += 4 * kSamples;
  }
  return best;
}

/// Picks a random uncovered conflict.  Returns its better end of weight <= `most`,
/// or -1.  An end that may not return yet is taken only if the other end is too heavy.
int CoverWalk::addition(std::int64_t most) {
  const auto pair =
      at(untouched_[rng_.below(static_cast<std::uint32_t>(untouched_.size()))]);
  int best = -1;
  for (const std::int32_t v : {ends_[2 * pair], ends_[2 * pair + 1]}) {
    if (conflicts_.weights[at(v)] > most) {
      continue;
    }
    const bool sooner = best < 0 || may_return_[at(v)] > may_return_[at(best)];
    const bool as_soon = best >= 0 && may_return_[at(v)] == may_return_[at(best)];
    if (sooner || (as_soon && is_better(v, best))) {
      best = v;
    }
  }
  return best;
}

/// Removes vertices until the cover weighs less than the best one.
void CoverWalk::shrink() {
  while (cover_weight_ >= total_ - value_) {
    const int v = cheapest();
    if (v < 0) {
      return;
    }
    remove(v);
    moved_[at(v)] = steps_;
  }
}

void CoverWalk::step() {
  ++steps_;
  // Removing two vertices makes room for a heavier vertex.
  const std::uint32_t removed = equal_ ? 1 : 1 + rng_.below(2);
  for (std::uint32_t k = 0; k < removed; ++k) {
    if (const int v = cheapest(); v >= 0) {
      remove(v);
      moved_[at(v)] = steps_;
    }
  }
  added_ = -1;
  const std::int64_t most = total_ - value_ - 1;
  while (!untouched_.empty()) {
    const int v = addition(most - cover_weight_);
    if (v < 0) {
      break;
    }
    add(v);
    moved_[at(v)] = steps_;
    added_ = v;
  }
  raise_weights();
}

void CoverWalk::raise_weights() {
  for (const std::int32_t pair : untouched_) {
    ++stress_[at(pair)];
    ++score_[at(ends_[2 * at(pair)])];
    ++score_[at(ends_[2 * at(pair) + 1])];
  }
  all_stress_ += std::ssize(untouched_);
  work_ += 4 * std::ssize(untouched_);
  if (static_cast<double>(all_stress_) >
      kMaxStress * conflicts_.size() * static_cast<double>(stress_.size())) {
    forget_weights();
  }
}

void CoverWalk::forget_weights() {
  std::ranges::fill(score_, 0);
  all_stress_ = 0;
  for (std::size_t pair = 0; pair < stress_.size(); ++pair) {
    stress_[pair] = static_cast<std::int32_t>(kKept * stress_[pair]);
    all_stress_ += stress_[pair];
    const int a = ends_[2 * pair];
    const int b = ends_[2 * pair + 1];
    if (covering_[at(a)] == 0 && covering_[at(b)] == 0) {
      score_[at(a)] += stress_[pair];
      score_[at(b)] += stress_[pair];
    } else if (covering_[at(a)] == 0 || covering_[at(b)] == 0) {
      score_[at(covering_[at(a)] != 0 ? a : b)] -= stress_[pair];
    }
  }
  work_ += 8 * std::ssize(stress_);
}

/// Stores the set as the best, after removing superfluous vertices of the cover.
void CoverWalk::record() {
  added_ = -1;
  for (int v = cheapest(); v >= 0 && score_[at(v)] == 0; v = cheapest()) {
    remove(v);
  }
  best_.clear();
  for (int v = 0; v < conflicts_.size(); ++v) {
    if (covering_[at(v)] == 0) {
      best_.push_back(v);
    }
  }
  value_ = total_ - cover_weight_;
}

void CoverWalk::offer(std::span<const int> vertices) {
  const std::int64_t value = conflicts_.value(vertices);
  if (value > value_) {
    value_ = value;
    best_.assign(vertices.begin(), vertices.end());
  }
}

bool CoverWalk::run(std::int64_t work, Pace& pace) {
  const std::int64_t before = value_;
  for (std::int64_t done = 0; done < work && !cover_.empty();) {
    work_ = 50;
    shrink();
    step();
    if (untouched_.empty() && cover_weight_ < total_ - value_) {
      record();
    }
    done += work_;
    if (pace(work_)) {
      break;
    }
  }
  return value_ > before;
}

}  // namespace oa::solve
