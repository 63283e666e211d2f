#pragma once

#include "oa/solve/method/solver.h"

#include <atomic>
#include <mutex>
#include <utility>

namespace oa::solve {

/// The best solution of a task, on which several threads may improve.
class Incumbent {
 public:
  /// Starts at task.known.  `task` must outlive this.
  explicit Incumbent(const PartTask& task)
      : task_(task),
        best_(task.known),
        reached_(best_.value() <= task.target) {}

  /// Takes a solution if it improves on the best, and reports it.
  void offer(Solution s) {
    const std::lock_guard lock(mutex_);
    if (s.value() < best_.value()) {
      best_ = std::move(s);
      reached_ = best_.value() <= task_.target;
      if (task_.improved) {
        task_.improved(best_.x);
      }
    }
  }
  /// Must not be called while other threads offer solutions.
  [[nodiscard]] const Solution& best() const { return best_; }
  /// True if the best reaches the target.
  [[nodiscard]] bool reached() const { return reached_; }

 private:
  const PartTask& task_;
  std::mutex mutex_;
  Solution best_;
  std::atomic<bool> reached_;
};

}  // namespace oa::solve
