#include "oa/io/bytes/subprocess.h"

#include "oa/base/error.h"
#include "oa/io/bytes/pipe.h"
#include "oa/io/bytes/system_call.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace oa::io {
namespace {

/// Precedes a text in a pipe.
struct Head {
  std::uint64_t size = 0;
  AnswerKind kind{};
};

bool get_bytes(int pipe, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const auto n =
        uninterrupted([&] { return ::read(pipe, bytes.data(), bytes.size()); });
    if (n <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

constexpr int kNoMemory = 4;

/// Sets signals, limits and the error stream of the child.
void set_up_child(int errors, int seconds) {
  for (const int signal : {SIGABRT, SIGSEGV}) {
    std::signal(signal, SIG_DFL);
  }
  std::set_terminate([] { ::_exit(kNoMemory); });
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (seconds > 0) {
    const auto most = static_cast<rlim_t>(seconds);
    const rlimit limit{most, most + 1};
    ::setrlimit(RLIMIT_CPU, &limit);
  }
  ::dup2(errors, STDERR_FILENO);
}

/// A process that ends without an answer ran out of memory or crashed.
[[noreturn]] void work_and_answer(int pipe, const std::function<std::string()>& work) {
  bool delivered = false;
  try {
    delivered = put_answer(pipe, work());
  } catch (const InputError& error) {
    delivered = put_answer(pipe, error.what(), AnswerKind::Refused);
  } catch (const IoError& error) {
    delivered = put_answer(pipe, error.what(), AnswerKind::Failed);
  } catch (const std::bad_alloc&) {
    ::_exit(kNoMemory);
  } catch (...) {
    std::abort();
  }
  ::_exit(delivered ? 0 : kNoMemory);
}

/// True if the process is sleeping now.
bool sleeps(int process) {
  std::array<char, 512> text{};
  const std::string path = "/proc/" + std::to_string(process) + "/stat";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto n = file < 0 ? -1 : ::read(file, text.data(), text.size());
  ::close(file);
  // The format is "1234 (its name) S ...".
  const std::string_view stat(text.data(), n < 0 ? 0 : static_cast<std::size_t>(n));
  return stat.substr(std::min(stat.rfind(')'), stat.size())).starts_with(") S");
}

/// Waits for bytes in the pipe.  False if the process behind it is asleep at every
/// look: then it can only wait for itself.
bool await(int pipe, int process) {
  constexpr int kLook = 1000;  // ms
  constexpr int kLooks = 3;
  pollfd something{pipe, POLLIN, 0};
  for (int asleep = 0; asleep < kLooks;) {
    if (uninterrupted([&] { return ::poll(&something, 1, kLook); }) != 0) {
      return true;
    }
    asleep = sleeps(process) ? asleep + 1 : 0;
  }
  return false;
}

std::string all_of(int pipe) {
  std::string all;
  std::array<char, 4096> some{};
  ssize_t n = 0;
  while ((n = uninterrupted([&] { return ::read(pipe, some.data(), some.size()); })) >
         0) {
    all.append(some.data(), static_cast<std::size_t>(n));
  }
  return all;
}

/// The reason of a process that ended without an answer.
Answer explain(int status, const std::string& error_text) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU) {
    return {"", AnswerKind::Late};
  }
  // The system kills processes when memory is short.
  if (signal == 0 || signal == SIGKILL ||
      error_text.find("Out of memory") != error_text.npos) {
    return {"out of memory", AnswerKind::Failed};
  }
  return {"", AnswerKind::Crashed};
}

}  // namespace

bool split(int& process) {
  process = ::fork();
  if (process < 0) {
    throw IoError("cannot start a process", errno);
  }
  return process == 0;
}

bool put_answer(int pipe, std::string_view text, AnswerKind kind) {
  const Head head{text.size(), kind};
  return write_all(pipe, std::as_bytes(std::span(&head, 1))) &&
         write_all(pipe, std::as_bytes(std::span(text)));
}

bool get_answer(int pipe, Answer& answer) {
  Head head;
  if (!get_bytes(pipe, std::as_writable_bytes(std::span(&head, 1)))) {
    return false;
  }
  answer.text.resize(head.size);
  answer.kind = head.kind;
  return get_bytes(pipe, std::as_writable_bytes(std::span(answer.text)));
}

Answer run_in_child(const std::function<std::string()>& work, int seconds) {
  Pipe words;
  Pipe errors;
  ::fcntl(errors.ends[1], F_SETFL, O_NONBLOCK);  // excess error text is dropped
  int process = 0;
  if (split(process)) {
    words.close(0);  // so that writing fails after our end
    set_up_child(errors.ends[1], seconds);
    work_and_answer(words.ends[1], work);
  }
  words.close(1);
  errors.close(1);
  Answer found;
  const bool stuck = !await(words.ends[0], process);
  const bool answered = !stuck && get_answer(words.ends[0], found);
  if (!answered) {
    ::kill(process, SIGKILL);  // no effect if it has ended
  }
  const std::string error_text = all_of(errors.ends[0]);
  int status = 0;
  uninterrupted([&] { return ::waitpid(process, &status, 0); });
  return answered ? found
         : stuck  ? Answer{"", AnswerKind::Late}
                  : explain(status, error_text);
}

}  // namespace oa::io
