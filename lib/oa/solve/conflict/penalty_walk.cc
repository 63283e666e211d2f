#include "oa/solve/conflict/penalty_walk.h"

#include "oa/base/index.h"

#include <algorithm>

namespace oa::solve {
namespace {

constexpr double kPenalised = 0.75;         // target share of penalised vertices
constexpr std::uint32_t kFreshStarts = 64;  // one in kFreshStarts restarts is random

}  // namespace

void PenaltyWalk::Places::insert(int v) {
  place_[at(v)] = static_cast<int>(all_.size());
  all_.push_back(v);
}

void PenaltyWalk::Places::erase(int v) {
  const int place = place_[at(v)];
  all_[at(place)] = all_.back();
  place_[at(all_.back())] = place;
  all_.pop_back();
  place_[at(v)] = -1;
}

PenaltyWalk::PenaltyWalk(const Conflicts& conflicts, const Rng& rng)
    : conflicts_(conflicts),
      rng_(rng),
      free_(conflicts.size()),
      single_(conflicts.size()),
      rank_(at(conflicts.size()), -1),
      beside_(at(conflicts.size())),
      penalty_(at(conflicts.size())),
      used_(at(conflicts.size())),
      since_(at(conflicts.size())) {
  for (int v = 0; v < conflicts.size(); ++v) {
    free_.insert(v);
  }
}

void PenaltyWalk::add(int v) {
  free_.erase(v);
  rank_[at(v)] = static_cast<std::int32_t>(chosen_.size());
  chosen_.push_back(v);
  used_[at(v)] = climbs_;
  since_[at(v)] = ++moves_;
  last_ = v;
  for (const std::int32_t u : conflicts_.row(v)) {
    beside_[at(u)].all ^= v;
    const std::int32_t count = ++beside_[at(u)].count;
    if (count == 1) {
      free_.erase(u);
      single_.insert(u);
    } else if (count == 2) {
      single_.erase(u);
    }
  }
  work_ += 4 * std::ssize(conflicts_.row(v));
}

void PenaltyWalk::drop(int v) {
  chosen_[at(rank_[at(v)])] = chosen_.back();
  rank_[at(chosen_.back())] = rank_[at(v)];
  chosen_.pop_back();
  rank_[at(v)] = -1;
  free_.insert(v);
  for (const std::int32_t u : conflicts_.row(v)) {
    beside_[at(u)].all ^= v;
    const std::int32_t count = --beside_[at(u)].count;
    if (count == 0) {
      single_.erase(u);
      free_.insert(u);
    } else if (count == 1) {
      single_.insert(u);
    }
  }
  work_ += 4 * std::ssize(conflicts_.row(v));
}

/// Returns a random vertex of least penalty that this climb has not added yet, or -1.
int PenaltyWalk::least(const std::vector<int>& vertices) {
  ties_.clear();
  for (const int v : vertices) {
    if (used_[at(v)] == climbs_) {
      continue;
    }
    if (!ties_.empty() && penalty_[at(v)] < penalty_[at(ties_.front())]) {
      ties_.clear();
    }
    if (ties_.empty() || penalty_[at(v)] == penalty_[at(ties_.front())]) {
      ties_.push_back(v);
    }
  }
  work_ += std::ssize(vertices);
  return ties_.empty() ? -1
                       : ties_[rng_.below(static_cast<std::uint32_t>(ties_.size()))];
}

/// Swaps a chosen vertex for another; returns false if no swap is left.
bool PenaltyWalk::exchange() {
  const int v = least(single_.all());
  if (v < 0) {
    return false;
  }
  const int out = beside_[at(v)].all;
  kept_ -= since_[at(out)] <= begun_ ? 1 : 0;
  drop(out);
  add(v);
  return true;
}

/// Adds and swaps vertices until neither is possible, `most` are exceeded, or stopped.
void PenaltyWalk::climb(std::size_t most, Pace& pace) {
  for (;;) {
    for (int v = least(free_.all()); v >= 0 && !pace(std::ssize(free_.all()));
         v = least(free_.all())) {
      add(v);
    }
    if (chosen_.size() > most || pace.stopped()) {
      return;
    }
    kept_ = std::ssize(chosen_);
    begun_ = moves_;
    while (least(free_.all()) < 0) {
      if (kept_ <= 0 || pace(std::ssize(single_.all())) || !exchange()) {
        return;
      }
    }
  }
}

void PenaltyWalk::penalise() {
  for (const int v : chosen_) {
    penalised_ += penalty_[at(v)]++ == 0 ? 1 : 0;
  }
  if (++waited_ >= delay_) {
    waited_ = 0;
    for (std::int32_t& p : penalty_) {
      penalised_ -= p == 1 ? 1 : 0;
      p -= p > 0 ? 1 : 0;
    }
    work_ += conflicts_.size();
    const bool few = static_cast<double>(penalised_) < kPenalised * conflicts_.size();
    delay_ = std::max(2, few ? delay_ + 1 : delay_ - 1);
  }
}

/// Restarts from the vertex added last or, rarely, from a random one.
void PenaltyWalk::restart() {
  int kept = last_;
  if (rng_.below(kFreshStarts) == 0) {
    kept = static_cast<int>(rng_.below(static_cast<std::uint32_t>(conflicts_.size())));
    while (!chosen_.empty()) {
      drop(chosen_.back());
    }
    add(kept);
  }
  while (chosen_.size() > 1) {
    drop(chosen_.back() == kept ? chosen_.front() : chosen_.back());
  }
  ++climbs_;
}

bool PenaltyWalk::run(std::size_t most, std::int64_t work, Pace& pace) {
  work_ = 0;
  for (std::int64_t done = 0; done < work;) {
    if (!chosen_.empty()) {
      penalise();
      restart();
    }
    climb(most, pace);
    done += work_;
    if (chosen_.size() > most) {
      return true;
    }
    if (pace(work_)) {
      return false;
    }
    work_ = 0;
  }
  return false;
}

}  // namespace oa::solve
