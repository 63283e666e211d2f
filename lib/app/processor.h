#pragma once

#include <cstddef>
#include <string>

namespace oa::app {

// Facts about the machine of a benchmark.

/// The system's name of its processor, or "unknown".
[[nodiscard]] std::string processor_name();

/// Bytes that can be allocated without swapping, within the machine and the control
/// group; the largest number if unknown.
[[nodiscard]] std::size_t available_memory();

/// Resident bytes of this process; 0 if unknown.
[[nodiscard]] std::size_t resident_memory();

/// Pins the calling thread to its current core.
void stay_on_this_processor();

/// Measures the time of work: processor time for one thread, which excludes other
/// programs; wall time for several.
class WorkClock {
 public:
  explicit WorkClock(int threads);

  /// Seconds since construction.
  [[nodiscard]] double seconds() const;

 private:
  [[nodiscard]] double now() const;

  bool processor_time_;
  double begin_;
};

}  // namespace oa::app
