#include "oa/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <system_error>
#include <thread>

#include <sys/types.h>
#include <unistd.h>

namespace oa {

int usable_threads() {
  // Asked once, because the C library reads a file for it.
  static const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : static_cast<int>(count);
}

namespace {

using Job = std::function<void(int)>;

// Returns when `value` differs from `old`.  Polls for a while if every thread has a
// processor: waking takes tens of microseconds in virtual machines.
template <class T>
void wait_while(std::atomic<T>& value, T old, bool stay_awake) {
  using Clock = std::chrono::steady_clock;
  if (stay_awake) {
    const Clock::time_point end = Clock::now() + std::chrono::microseconds(50);
    while (value == old && Clock::now() < end) {
    }
  }
  value.wait(old);
}

/// A pool of threads: starting a thread takes as long as a small layer.
/// Threads end with the process, which never joins them.
class Helpers {
 public:
  /// Runs guarded(0) here and guarded(1), guarded(2), ... on pool threads, or on fewer
  /// if the system refuses to start one.  Returns false and runs nothing if a call is
  /// in progress, or in a forked process, which lacks the threads.
  bool run(int threads, const Job& guarded) {
    if (::getpid() != process_ || busy_.exchange(true)) {
      return false;
    }
    const auto others = static_cast<std::size_t>(threads - 1);
    while (helpers_.size() < others && start_one()) {
    }
    const std::size_t there = std::min(others, helpers_.size());
    working_ = static_cast<int>(there);
    stay_awake_ = static_cast<int>(there) < usable_;
    for (std::size_t i = 0; i < there; ++i) {
      helpers_[i].job = &guarded;
      helpers_[i].job.notify_one();
    }
    guarded(0);
    for (int left = working_; left > 0; left = working_) {
      wait_while(working_, left, stay_awake_);
    }
    busy_ = false;
    return true;
  }

 private:
  struct Helper {
    std::atomic<const Job*> job = nullptr;
  };

  bool start_one() {
    Helper& helper = helpers_.emplace_back();
    const auto worker = static_cast<int>(helpers_.size());
    try {
      std::thread([this, &helper, worker] { serve(helper, worker); }).detach();
    } catch (const std::system_error&) {
      helpers_.pop_back();
      return false;
    }
    return true;
  }

  [[noreturn]] void serve(Helper& helper, int worker) {
    for (;;) {
      wait_while<const Job*>(helper.job, nullptr, stay_awake_);
      const Job* job = helper.job.exchange(nullptr);
      (*job)(worker);
      if (--working_ == 0) {
        working_.notify_one();
      }
    }
  }

  const pid_t process_ = ::getpid();
  const int usable_ = usable_threads();
  std::atomic<bool> busy_ = false;
  std::deque<Helper> helpers_;  // references stay valid as it grows
  std::atomic<int> working_ = 0;
  std::atomic<bool> stay_awake_ = false;  // every thread has a processor
};

/// Fallback for nested and for simultaneous calls.
void run_on_new_threads(int threads, const Job& guarded) {
  std::vector<std::jthread> others;
  try {
    for (int worker = 1; worker < threads; ++worker) {
      others.emplace_back(guarded, worker);
    }
  } catch (const std::system_error&) {
    // The limit on threads is reached: continue with fewer.
  }
  guarded(0);
}

}  // namespace

void run_workers(int threads, const std::function<void(int)>& job) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(threads));
  const Job guarded = [&](int worker) {
    try {
      job(worker);
    } catch (...) {
      errors[static_cast<std::size_t>(worker)] = std::current_exception();
    }
  };
  static Helpers* const helpers = new Helpers;  // never destroyed: used at exit
  if (threads == 1) {
    guarded(0);
  } else if (!helpers->run(threads, guarded)) {
    run_on_new_threads(threads, guarded);
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

  // Jobs start in order of i.  If job i fails, all jobs below i have started, so the
  // lowest failure is found independently of timing.
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

void parallel_stretches(std::int64_t n,
                        int threads,
                        const std::function<void(std::int64_t, int)>& job) {
  const auto count = static_cast<int>(std::clamp<std::int64_t>(n, 1, threads));
  if (count == 1) {
    for (std::int64_t k = 0; k < n; ++k) {
      job(k, 0);
    }
    return;
  }
  struct alignas(64) Stretch {  // a cache line
    std::atomic<std::int64_t> next;
    std::int64_t end;
  };
  std::vector<Stretch> stretches(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    Stretch& stretch = stretches[static_cast<std::size_t>(i)];
    stretch.next = n * i / count;
    stretch.end = n * (i + 1) / count;
  }
  run_workers(count, [&](int worker) {
    for (int i = 0; i < count; ++i) {
      Stretch& stretch = stretches[static_cast<std::size_t>((worker + i) % count)];
      for (std::int64_t k = stretch.next++; k < stretch.end; k = stretch.next++) {
        job(k, worker);
      }
    }
  });
}

}  // namespace oa
