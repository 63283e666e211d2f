#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stop_token>
#include <utility>

namespace oa::solve {

/// Whether a solver should give up: because it was asked to, or ran out of time.
class Stop {
 public:
  /// The time starts now.
  Stop(std::stop_token token, double limit_s)
      : token_(std::move(token)),
        limited_(limit_s < 1e9) {
    if (limited_) {
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(std::max(0.0, limit_s)));
    }
  }

  [[nodiscard]] bool operator()() const {
    return token_.stop_requested() || (limited_ && Clock::now() >= end_);
  }

  /// Whether there is a time limit.
  [[nodiscard]] bool limited() const { return limited_; }

  /// Seconds until it; infinite without one.
  [[nodiscard]] double left_s() const {
    return limited_
               ? std::max(0.0,
                          std::chrono::duration<double>(end_ - Clock::now()).count())
               : std::numeric_limits<double>::infinity();
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::stop_token token_;
  bool limited_;
  Clock::time_point end_;
};

}  // namespace oa::solve
