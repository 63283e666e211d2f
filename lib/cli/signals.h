#pragma once

#include <atomic>
#include <csignal>
#include <latch>
#include <stop_token>
#include <thread>

namespace oa::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP requests `stop`; the second ends
/// the process at once with status 130, temporary files removed.  Signals that were
/// ignored when the process began (nohup, a shell's background job) stay ignored.
///
/// A thread waits for the signals, because a signal handler may do very little.  Create
/// this object before any other thread, so that these inherit its signal mask.  When
/// the constructor returns, the thread waits and holds no locks, so that fork() is
/// safe.
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

/// SIGPIPE and SIGXFSZ (the shell's `ulimit -f`) must not end the process before its
/// temporary files are removed: writes fail with EPIPE and EFBIG instead.
void ignore_write_signals();

/// Removes temporary files also if a package ends the process, by abort() or by a
/// segmentation fault.
void clean_up_on_crash();

/// Ends the process as SIGPIPE would have.
[[noreturn]] void end_by_sigpipe();

}  // namespace oa::cli
