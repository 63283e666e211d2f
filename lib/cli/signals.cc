#include "cli/signals.h"

#include "cli/cli.h"
#include "oa/base/error.h"
#include "oa/io/bytes/output.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <pthread.h>
#include <unistd.h>

namespace oa::cli {
namespace {

constexpr std::array kStops{SIGINT, SIGTERM, SIGHUP};
constexpr int kWake = SIGURG;  // ignored by default, so a late signal is harmless

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Signals::Signals(std::stop_source stop) {
  sigemptyset(&waited_);
  sigaddset(&waited_, kWake);
  for (const int signal : kStops) {
    if (!is_ignored(signal)) {
      sigaddset(&waited_, signal);
    }
  }
  pthread_sigmask(SIG_BLOCK, &waited_, nullptr);
  try {
    thread_ = std::jthread([this, stop = std::move(stop)] { wait(stop); });
  } catch (const std::system_error& error) {
    throw IoError("cannot start a thread", error.code().value());
  }
  waits_.wait();
}

void Signals::wait(std::stop_source stop) {
  waits_.count_down();
  while (true) {
    int signal = 0;
    if (::sigwait(&waited_, &signal) != 0) {
      continue;
    }
    if (signal == kWake) {
      if (done_) {
        return;
      }
    } else if (received_.exchange(true)) {
      io::remove_temporaries();
      ::_exit(static_cast<int>(app::Exit::Interrupted));
    } else {
      stop.request_stop();
    }
  }
}

Signals::~Signals() {
  done_ = true;
  pthread_kill(thread_.native_handle(), kWake);
  thread_.join();
  pthread_sigmask(SIG_UNBLOCK, &waited_, nullptr);
}

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void clean_up_on_crash() {
  // When the handler returns, the process ends:
  // abort() continues, or the faulting instruction runs again.
  for (const int signal : {SIGABRT, SIGSEGV}) {
    std::signal(signal, [](int caught) {
      io::remove_temporaries();
      std::signal(caught, SIG_DFL);
    });
  }
}

void end_by_sigpipe() {
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t pipe_only{};
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  pthread_sigmask(SIG_UNBLOCK, &pipe_only, nullptr);
  std::raise(SIGPIPE);
  std::_Exit(128 + SIGPIPE);  // not reached
}

}  // namespace oa::cli
