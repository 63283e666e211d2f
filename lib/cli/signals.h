#pragma once

#include <atomic>
#include <latch>
#include <stop_token>
#include <thread>

namespace oa::cli {

/// Requests `stop` at the first SIGINT, SIGTERM or SIGHUP during its lifetime.
/// The second signal removes temporary files and ends the process with status 130.
/// Signals ignored at the start (nohup, background jobs) stay ignored.
///
/// A thread waits for the signals, because a signal handler may do little.
/// Create this object before all threads, which inherit its signal mask.
/// After construction the thread holds no locks, so fork() is safe.
class Signals {
 public:
  explicit Signals(std::stop_source stop);
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();

  /// True after the first signal.
  [[nodiscard]] const std::atomic<bool>& received() const { return received_; }

 private:
  void wait(std::stop_source stop);

  sigset_t waited_{};
  std::latch waits_{1};
  std::atomic<bool> done_ = false;
  std::atomic<bool> received_ = false;
  std::jthread thread_;
};

/// Ignores SIGPIPE and SIGXFSZ (`ulimit -f`): writes then fail with EPIPE and EFBIG,
/// and temporary files are removed.
void ignore_write_signals();

/// Removes temporary files after abort() or a segmentation fault, by handlers.
void clean_up_on_crash();

/// Ends the process by SIGPIPE.
[[noreturn]] void end_by_sigpipe();

}  // namespace oa::cli
