#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <utility>

namespace oa::solve {

/// Whether a solver should give up: because it was asked to, or ran out of time.  Made
/// once, when a problem begins, and handed down; once it says so it always will.
class Stop {
 public:
  /// Never.
  Stop() = default;

  /// The time starts now.
  Stop(std::stop_token token, double limit_s)
      : token_(std::move(token)),
        limited_(limit_s < 1e9) {
    if (limited_) {
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(std::max(0.0, limit_s)));
    }
  }

  /// Reads the clock where there is a limit: for inner loops there is Pace.
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

  /// The same with this part of the time that is left, or so many seconds less.
  [[nodiscard]] Stop share(double part) const { return {token_, part * left_s()}; }
  [[nodiscard]] Stop earlier(double seconds) const {
    return {token_, left_s() - seconds};
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::stop_token token_;
  bool limited_ = false;
  Clock::time_point end_;
};

/// A Stop for inner loops, which is asked once in a while only.
class Pace {
 public:
  /// `stop` must outlive it.
  explicit Pace(const Stop& stop) : stop_(&stop) {}

  /// Whether to give up, after so much work more: numbers touched, some of which take a
  /// nanosecond.
  [[nodiscard]] bool operator()(std::int64_t work) {
    left_ -= work;
    if (left_ <= 0) {
      left_ = kWork;
      stopped_ = stopped_ || (*stop_)();
    }
    return stopped_;
  }

  /// What it said last.
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  static constexpr std::int64_t kWork = 1 << 18;  // a tenth of a millisecond

  const Stop* stop_;
  std::int64_t left_ = 0;  // the first question is asked at once
  bool stopped_ = false;
};

/// How far a run of so many steps has come, from 0 to 1: as far as its steps, or as its
/// time where that is over sooner.  What cools by it ends in time.
class Course {
 public:
  /// It may take `part` of the time that is left.
  Course(int steps, const Stop& stop, double part)
      : steps_(steps),
        stop_(stop),
        from_s_(stop.left_s()),
        part_s_(std::max(part * from_s_, 1e-9)) {}

  /// At the begin of step 0, 1, ...; 1 at the last one.
  [[nodiscard]] double operator()(int step) const {
    const double done = steps_ > 1 ? static_cast<double>(step) / (steps_ - 1) : 1.0;
    if (!stop_.limited()) {
      return done;
    }
    return std::clamp((from_s_ - stop_.left_s()) / part_s_, done, 1.0);
  }

 private:
  int steps_;
  const Stop& stop_;
  double from_s_;
  double part_s_;
};

}  // namespace oa::solve
