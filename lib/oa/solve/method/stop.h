#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <utility>

namespace oa::solve {

/// True if a solver should stop: on request, or at its time limit.
/// Created per problem and passed down.  A Stop never changes back to false.
class Stop {
 public:
  /// Never stops.
  Stop() = default;

  /// Starts the time limit now.
  Stop(std::stop_token token, double limit_s)
      : token_(std::move(token)),
        limited_(limit_s < 1e9) {
    if (limited_) {
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(std::max(0.0, limit_s)));
    }
  }

  /// Reads the clock if there is a limit; inner loops should use Pace.
  [[nodiscard]] bool operator()() const {
    return token_.stop_requested() || (limited_ && Clock::now() >= end_);
  }

  [[nodiscard]] bool limited() const { return limited_; }

  /// Seconds until the limit; infinite without one.
  [[nodiscard]] double left_s() const {
    return limited_
               ? std::max(0.0,
                          std::chrono::duration<double>(end_ - Clock::now()).count())
               : std::numeric_limits<double>::infinity();
  }

  /// Stops after a share of the remaining time; earlier() stops some seconds earlier.
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

/// A Stop for inner loops that reads the clock rarely.
class Pace {
 public:
  /// `stop` must outlive this.
  explicit Pace(const Stop& stop) : stop_(&stop) {}

  /// True if the loop should stop, after reading `work` more numbers (about 1 ns each).
  bool operator()(std::int64_t work) {
    left_ -= work;
    if (left_ <= 0) {
      left_ = kWork;
      stopped_ = stopped_ || (*stop_)();
    }
    return stopped_;
  }

  /// The last answer.
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  static constexpr std::int64_t kWork = 1 << 18;  // about 0.1 ms

  const Stop* stop_;
  std::int64_t left_ = 0;  // 0: the first call asks at once
  bool stopped_ = false;
};

/// The progress of a run from 0 to 1: the larger of the shares of steps and of time.
/// A temperature that follows this progress reaches its end in time.
class Course {
 public:
  /// The run may use `part` of the remaining time.
  Course(int steps, const Stop& stop, double part)
      : steps_(steps),
        stop_(stop),
        from_s_(stop.left_s()),
        part_s_(std::max(part * from_s_, 1e-9)) {}

  /// The progress at the start of step 0, 1, ...; 1 at the last step.
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
