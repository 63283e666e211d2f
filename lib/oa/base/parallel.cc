#include "oa/base/parallel.h"

#include <atomic>
#include <limits>
#include <system_error>
#include <thread>

namespace oa {

int usable_threads() {
  const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : static_cast<int>(count);
}

void run_workers(int threads, const std::function<void(int)>& job) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(threads));
  {
    std::vector<std::jthread> others;
    const auto guarded = [&](int worker) {
      try {
        job(worker);
      } catch (...) {
        errors[static_cast<std::size_t>(worker)] = std::current_exception();
      }
    };
    try {
      for (int worker = 1; worker < threads; ++worker) {
        others.emplace_back(guarded, worker);
      }
    } catch (const std::system_error&) {
      // The limit on threads is reached: the work goes on with fewer.
    }
    guarded(0);
  }
  for (const auto& error : errors) {
    if (error) {
      std::rethrow_exception(error);
    }
  }
}

void parallel_for(std::int64_t n,
                  int threads,
                  const std::function<void(std::int64_t, int)>& job,
                  const std::stop_token& stop) {
  if (n < threads) {
    threads = n < 1 ? 1 : static_cast<int>(n);
  }
  std::atomic<std::int64_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex guard;
  std::int64_t failed_at = std::numeric_limits<std::int64_t>::max();
  std::exception_ptr failure;

  // Jobs start in order of i.  When one fails, every lower i has started and its
  // failure will be seen: the lowest failure does not depend on timing.
  run_workers(threads, [&](int worker) {
    while (!failed && !stop.stop_requested()) {
      const std::int64_t i = next++;
      if (i >= n) {
        return;
      }
      try {
        job(i, worker);
      } catch (...) {
        const std::lock_guard lock(guard);
        failed = true;
        if (i < failed_at) {
          failed_at = i;
          failure = std::current_exception();
        }
      }
    }
  });
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace oa
