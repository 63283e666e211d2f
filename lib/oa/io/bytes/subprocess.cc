#include "oa/io/bytes/subprocess.h"

#include "oa/base/error.h"
#include "oa/io/bytes/pipe.h"
#include "oa/io/bytes/system_call.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <new>
#include <span>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace oa::io {
namespace {

/// The header of an answer in the pipe.
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

bool put_answer(int pipe, std::string_view text, AnswerKind kind = AnswerKind::Text) {
  const Head head{text.size(), kind};
  return write_all(pipe, std::as_bytes(std::span(&head, 1))) &&
         write_all(pipe, std::as_bytes(std::span(text)));
}

/// False if the other end is closed.
bool get_answer(int pipe, Answer& answer) {
  Head head;
  if (!get_bytes(pipe, std::as_writable_bytes(std::span(&head, 1)))) {
    return false;
  }
  answer.text.resize(head.size);
  answer.kind = head.kind;
  return get_bytes(pipe, std::as_writable_bytes(std::span(answer.text)));
}

constexpr int kNoMemory = 4;

/// Resets signals and redirects stderr in the child.
void set_up_child(int errors) {
  for (const int signal : {SIGABRT, SIGSEGV}) {
    std::signal(signal, SIG_DFL);
  }
  std::set_terminate([] { ::_exit(kNoMemory); });
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::dup2(errors, STDERR_FILENO);
}

/// Sends the answer; without one, the process ran out of memory or crashed.
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

/// Waits for bytes in the pipe.
/// False if the child sleeps at every check, which means a deadlock.
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

/// Reads a pipe to its end, or until there are more than `most` bytes.
std::string all_of(int pipe,
                   std::size_t most = std::numeric_limits<std::size_t>::max()) {
  std::string all;
  std::array<char, 4096> some{};
  while (all.size() <= most) {
    const auto n =
        uninterrupted([&] { return ::read(pipe, some.data(), some.size()); });
    if (n < 0) {
      throw IoError("cannot read what a process writes", errno);
    }
    if (n == 0) {
      break;
    }
    all.append(some.data(), static_cast<std::size_t>(n));
  }
  return all;
}

/// Explains why a process ended without an answer.
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

int status_of(int process) {
  int status = 0;
  uninterrupted([&] { return ::waitpid(process, &status, 0); });
  return status;
}

/// A file in memory with the bytes of a text, to be read from the beginning.
class InputFile {
 public:
  explicit InputFile(std::string_view bytes)
      : file_(::memfd_create("input", MFD_CLOEXEC)) {
    if (file_ < 0 || !write_all(file_, std::as_bytes(std::span(bytes))) ||
        ::lseek(file_, 0, SEEK_SET) != 0) {
      const int error = errno;
      ::close(file_);
      throw IoError("cannot make a file in memory", error);
    }
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { ::close(file_); }

  [[nodiscard]] int number() const { return file_; }

 private:
  int file_;
};

/// Starts a program in its own process group,
/// with the three streams and default signal handlers.
int start(const Program& program, int input, int output, int errors) {
  posix_spawn_file_actions_t streams;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&streams);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&streams, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&streams, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&streams, errors, STDERR_FILENO);
  sigset_t signals;
  sigfillset(&signals);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  ::posix_spawnattr_setflags(
      &attributes,
      POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words;
  for (const char* word : program.words) {
    words.push_back(const_cast<char*>(word));  // NOLINT: the signature of posix_spawn()
  }
  words.push_back(nullptr);
  char* no_variables = nullptr;
  int process = 0;
  const int error = ::posix_spawn(
      &process, words.front(), &streams, &attributes, words.data(), &no_variables);
  ::posix_spawn_file_actions_destroy(&streams);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw IoError("cannot start " + std::string(program.words.front()), error);
  }
  return process;
}

}  // namespace

Answer run_in_child(const std::function<std::string()>& work) {
  Pipe words;
  Pipe errors;
  ::fcntl(errors.ends[1], F_SETFL, O_NONBLOCK);  // excess error text is dropped
  const int process = ::fork();
  if (process < 0) {
    throw IoError("cannot start a process", errno);
  }
  if (process == 0) {
    words.close(0);  // so that writing fails after the parent ends
    set_up_child(errors.ends[1]);
    work_and_answer(words.ends[1], work);
  }
  words.close(1);
  errors.close(1);
  Answer found;
  const bool stuck = !await(words.ends[0], process);
  const bool answered = !stuck && get_answer(words.ends[0], found);
  if (!answered) {
    ::kill(process, SIGKILL);  // no effect if the program has ended
  }
  const std::string error_text = all_of(errors.ends[0]);
  const int status = status_of(process);
  return answered ? found
         : stuck  ? Answer{"", AnswerKind::Late}
                  : explain(status, error_text);
}

Answer run_program(const Program& program, std::string_view input) {
  const InputFile file(input);
  Pipe output;
  Pipe errors;
  ::fcntl(errors.ends[1], F_SETFL, O_NONBLOCK);  // excess messages are dropped
  const int process = start(program, file.number(), output.ends[1], errors.ends[1]);
  const auto most = static_cast<rlim_t>(program.most_seconds);
  const rlimit seconds{most, most + 1};
  const rlimit no_core{0, 0};
  ::prlimit(process, RLIMIT_CPU, &seconds, nullptr);
  ::prlimit(process, RLIMIT_CORE, &no_core, nullptr);
  output.close(1);
  errors.close(1);
  const bool stuck = !await(output.ends[0], process);
  std::string text = stuck ? "" : all_of(output.ends[0], program.most_bytes);
  const bool too_long = text.size() > program.most_bytes;
  if (stuck || too_long) {
    ::kill(process, SIGKILL);
  }
  const std::string messages = all_of(errors.ends[0]);
  const int status = status_of(process);
  if (stuck) {
    return {"", AnswerKind::Late};
  }
  if (too_long) {
    return {"too much text", AnswerKind::Refused};
  }
  if (status == 0) {
    return {std::move(text), AnswerKind::Text};
  }
  const bool ended =
      WIFEXITED(status) && messages.find("Out of memory") == messages.npos;
  return ended ? Answer{messages, AnswerKind::Refused} : explain(status, messages);
}

}  // namespace oa::io
