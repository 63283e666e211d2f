#include "oa/io/pdf_process.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/pdf_text.h"
#include "oa/io/pipe.h"
#include "oa/io/system_call.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <span>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Three kinds of processes: ours asks the server, which has one thread and nothing to
// lose, and that starts a reader for each file.

namespace oa::io {
namespace {

enum class Outcome : std::uint64_t { Text, Refused, Failed };

/// What goes through pipes: its size, and what it is.
struct Head {
  std::uint64_t size = 0;
  Outcome outcome{};
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

bool put(int pipe, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto n =
        uninterrupted([&] { return ::write(pipe, bytes.data(), bytes.size()); });
    if (n <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

bool get(int pipe, std::span<std::byte> bytes) {
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

bool put(int pipe, std::string_view text, Outcome outcome = {}) {
  const Head head{text.size(), outcome};
  return put(pipe, std::as_bytes(std::span(&head, 1))) && put(pipe, bytes_of(text));
}

bool get(int pipe, std::string& text, Outcome& outcome) {
  Head head;
  if (!get(pipe, std::as_writable_bytes(std::span(&head, 1)))) {
    return false;
  }
  text.resize(head.size);
  outcome = head.outcome;
  return get(pipe, std::as_writable_bytes(std::span(text)));
}

pid_t split() {
  const pid_t process = ::fork();
  if (process < 0) {
    throw IoError("cannot start a process", errno);
  }
  return process;
}

constexpr int kNoMemory = 4;

/// Text, or what is wrong, into the pipe; a process that ends without either had no
/// memory, or crashed.
[[noreturn]] void read_file(int pipe,
                            std::string_view bytes,
                            const std::string& where) {
  const rlimit seconds{kMaxPdfSeconds, kMaxPdfSeconds};
  ::setrlimit(RLIMIT_CPU, &seconds);
  try {
    put(pipe, pdf_text(bytes, where), Outcome::Text);
  } catch (const InputError& error) {
    put(pipe, error.what(), Outcome::Refused);
  } catch (const IoError& error) {
    put(pipe, error.what(), Outcome::Failed);
  } catch (const std::bad_alloc&) {
    ::_exit(kNoMemory);
  } catch (...) {
    std::abort();
  }
  ::_exit(0);
}

/// What to answer where the reader's process ended without a word.
void explain(int status, const std::string& said, std::string& text, Outcome& outcome) {
  outcome = Outcome::Refused;
  if (WIFSIGNALED(status) &&
      (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)) {
    text = ": a PDF that takes over " + format(kMaxPdfSeconds) + " s to read";
  } else if (WIFSIGNALED(status) && said.find("Out of memory") == said.npos) {
    text = ": a PDF that poppler crashes on";
  } else {
    outcome = Outcome::Failed;
    text = "out of memory";
  }
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

void serve_one(int from, int to) {
  std::string where;
  std::string bytes;
  Outcome outcome{};
  if (!get(from, where, outcome) || !get(from, bytes, outcome)) {
    ::_exit(0);  // nobody asks any more
  }
  Pipe words;
  Pipe errors;
  ::fcntl(errors.ends[1], F_SETFL, O_NONBLOCK);  // who says too much is not heard
  const pid_t reader = split();
  if (reader == 0) {
    ::dup2(errors.ends[1], STDERR_FILENO);
    read_file(words.ends[1], bytes, where);
  }
  words.close(1);
  errors.close(1);
  std::string text;
  const bool answered = get(words.ends[0], text, outcome);
  const std::string said = all_of(errors.ends[0]);
  int status = 0;
  uninterrupted([&] { return ::waitpid(reader, &status, 0); });
  if (!answered) {
    explain(status, said, text, outcome);
    text.insert(0, outcome == Outcome::Refused ? where : "");
  }
  if (!put(to, text, outcome)) {
    ::_exit(0);
  }
}

/// Signals, files and streams of ours are none of its business.
[[noreturn]] void serve(int from, int to) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    std::signal(signal, SIG_IGN);
  }
  for (const int signal : {SIGABRT, SIGSEGV}) {
    std::signal(signal, SIG_DFL);
  }
  std::set_terminate([] { ::_exit(kNoMemory); });
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::dup2(nothing, stream);
  }
  [[maybe_unused]] const int there = ::chdir("/");
  while (true) {
    try {
      serve_one(from, to);
    } catch (const IoError& error) {
      put(to, error.what(), Outcome::Failed);
    } catch (const std::bad_alloc&) {
      ::_exit(kNoMemory);
    }
  }
}

/// The server, as we see it.
struct {
  std::mutex mutex;
  int to = -1;
  int from = -1;
} server;

}  // namespace

void start_pdf_process() {
  Pipe questions;
  Pipe answers;
  if (split() == 0) {
    questions.close(1);
    answers.close(0);
    serve(questions.ends[0], answers.ends[1]);
  }
  server.to = questions.keep(1);
  server.from = answers.keep(0);
}

std::string pdf_text_apart(std::string_view bytes, const std::string& where) {
  std::string text;
  Outcome outcome{};
  {
    const std::scoped_lock lock(server.mutex);
    // Where one is not answered the next is not asked: it might get that answer.
    const int to = std::exchange(server.to, -1);
    if (!put(to, where) || !put(to, bytes) || !get(server.from, text, outcome)) {
      throw IoError("the process that reads PDF files has ended");
    }
    server.to = to;
  }
  switch (outcome) {
    case Outcome::Text: return text;
    case Outcome::Refused: throw InputError(text);
    case Outcome::Failed: break;
  }
  throw IoError(text);
}

}  // namespace oa::io
