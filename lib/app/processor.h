#pragma once

#include <cstddef>
#include <string>

namespace oa::app {

/// The processor's name according to the system, or "unknown".
[[nodiscard]] std::string processor_name();

/// Bytes that this process can allocate without swapping, within the limits of the
/// machine and the control group; the largest number if unknown.
[[nodiscard]] std::size_t available_memory();

/// Resident bytes of this process; 0 if unknown.
[[nodiscard]] std::size_t resident_memory();

/// Pins the calling thread to its current core.
void stay_on_this_processor();

/// A clock for work: with one thread, processor time, which excludes other programs;
/// with several threads, wall time.
class WorkClock {
 public:
  explicit WorkClock(int threads);

  /// Seconds since construction of the clock.
  [[nodiscard]] double seconds() const;

 private:
  [[nodiscard]] double now() const;

  bool processor_time_;
  double begin_;
};

}  // namespace oa::app
