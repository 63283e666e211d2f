#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace oa::app {

// The machine under a benchmark.

/// What the system calls its processor; "unknown" if it does not say.
[[nodiscard]] std::string processor_name();

/// Bytes that can be taken without swapping, of the machine and of the group of
/// processes that this one belongs to; the largest number if the system does not say.
[[nodiscard]] std::size_t available_memory();

/// Bytes of this process that are in memory; 0 if the system does not say.
[[nodiscard]] std::size_t resident_memory();

/// Keeps the calling thread on the processor that it runs on.
void stay_on_this_processor();

/// Measures work of so many threads: the time of the processor for one, so that other
/// programs count little, else the time that passes.
class WorkClock {
 public:
  explicit WorkClock(int threads);

  /// Seconds since the clock was made.
  [[nodiscard]] double seconds() const;

 private:
  [[nodiscard]] double now() const;

  bool processor_time_;
  double begin_;
};

}  // namespace oa::app
