#include "interrupt.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};

/// How often stop_all() was called.
std::atomic<int> stops = 0;

/// Runs work on its thread, and waits for it.
class Worker {
 public:
  explicit Worker(const std::function<void(const std::stop_source&)>& work)
      : thread_([this, &work] {
          try {
            work(stop_);
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          done_ = true;
          ended_.notify_one();
        }) {}

  /// Waits until the next look for signals.  True if the work has ended.
  [[nodiscard]] bool ended_soon() {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, kBetweenLooks, [&] { return done_; });
  }

  void stop() { stop_.request_stop(); }

  void join() { thread_.join(); }

  void rethrow() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

/// Runs handlers of signals.  True if one has raised an exception, which stays set.
bool signal_raised() {
  const nb::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

/// True if the main thread has ended.  The interpreter then waits for other threads.
bool interpreter_ending() {
  const nb::gil_scoped_acquire lock;
  try {
    const nb::object main = nb::module_::import_("threading").attr("main_thread")();
    return !nb::cast<bool>(main.attr("is_alive")());
  } catch (const nb::python_error&) {
    return true;
  }
}

}  // namespace

void run_interruptible(const std::function<void(const std::stop_source&)>& work) {
  bool raised = false;
  const int stops_before = stops;
  {
    const nb::gil_scoped_release unlocked;
    Worker worker(work);
    while (!worker.ended_soon()) {
      if (!raised && signal_raised()) {
        raised = true;
        worker.stop();
      }
      if (stops != stops_before || (!raised && interpreter_ending())) {
        worker.stop();
      }
    }
    worker.join();
    if (!raised) {
      worker.rethrow();
    }
  }
  if (raised) {
    throw nb::python_error();
  }
}

void run_briefly(const std::function<void(const std::stop_source&)>& work) {
  const nb::gil_scoped_release unlocked;
  work(std::stop_source());
}

void stop_all() {
  ++stops;
}

}  // namespace oa::python
