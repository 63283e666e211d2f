#include "oa/io/pdf_text.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/system_call.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <new>

#include <fcntl.h>
#include <iconv.h>
#include <poppler-document.h>
#include <poppler-global.h>
#include <poppler-page.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace oa::io {
namespace {

void say_nothing(const std::string& /*message*/, void* /*closure*/) {}

/// Poppler converts text by iconv(), which loads what it needs when it is first used,
/// and where there is no memory for that there is no text: so it is loaded here, for
/// good.
void load_converters() {
  static const auto load = [](const char* to, const char* from) {
    const iconv_t converter = ::iconv_open(to, from);
    if (converter == iconv_t(-1)) {  // NOLINT: its way to say so
      throw IoError("cannot convert from " + std::string(from), errno);
    }
    return converter;
  };
  static const iconv_t in = load("UTF-16", "UTF-8");
  static const iconv_t out = load("UTF-8", "UTF-16");
  (void)in;
  (void)out;
}

std::string text_of(std::string_view bytes, const std::string& where) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw InputError(where + ": a PDF of over 2 GiB");
  }
  poppler::set_debug_error_function(say_nothing, nullptr);
  const std::unique_ptr<poppler::document> document(
      poppler::document::load_from_raw_data(bytes.data(),
                                            static_cast<int>(bytes.size())));
  if (!document) {
    throw InputError(where + ": damaged PDF");
  }
  if (document->is_locked()) {
    throw InputError(where + ": encrypted PDF");
  }
  if (document->pages() > kMaxPdfPages) {
    throw InputError(where + ": a PDF of over " + format(kMaxPdfPages) + " pages");
  }
  std::string text;
  for (int i = 0; i < document->pages(); ++i) {
    const std::unique_ptr<poppler::page> page(document->create_page(i));
    if (page) {
      const poppler::byte_array part = page->text().to_utf8();
      text.append(part.begin(), part.end());
      text += '\n';
    }
  }
  if (text.find_first_not_of(" \n\f\r\t") == text.npos) {
    throw InputError(where + ": a PDF without text");
  }
  return text;
}

// ---- in a process of its own

/// The statuses of that process; 3 and 4 as those of tools.  What it wrote ends with
/// the text, or with what is wrong, and the length of that; before it may be what
/// packages have said on standard error.
enum Reply { kText = 0, kRefused = 3, kFailed = 4 };
using Length = std::uint64_t;

void put(int pipe, std::string_view text) {
  while (!text.empty()) {
    const auto n =
        uninterrupted([&] { return ::write(pipe, text.data(), text.size()); });
    if (n <= 0) {
      ::_exit(kFailed);
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

[[noreturn]] void say(int pipe, std::string_view text, Reply status) {
  const auto length = Length{text.size()};
  put(pipe, text);
  put(pipe, {reinterpret_cast<const char*>(&length), sizeof length});  // NOLINT: bytes
  ::_exit(status);
}

/// What that process does.  Signals and temporary files are none of its business.
[[noreturn]] void reply(int pipe, std::string_view bytes, const std::string& where) {
  std::signal(SIGABRT, SIG_DFL);
  std::signal(SIGSEGV, SIG_DFL);
  std::set_terminate([] { ::_exit(kFailed); });
  ::dup2(pipe, STDERR_FILENO);
  const rlimit seconds{kMaxPdfSeconds, kMaxPdfSeconds};
  ::setrlimit(RLIMIT_CPU, &seconds);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  try {
    load_converters();
    errno = 0;
    const std::string text = text_of(bytes, where);
    if (errno != ENOMEM) {  // else poppler may have left out what it was for
      say(pipe, text, kText);
    }
  } catch (const InputError& error) {
    if (errno != ENOMEM) {
      say(pipe, error.what(), kRefused);
    }
  } catch (const IoError& error) {
    say(pipe, error.what(), kFailed);
  } catch (const std::bad_alloc&) {
    // Said below.
  } catch (...) {
    std::abort();
  }
  ::_exit(kFailed);
}

/// What the process made of the file, by its status and what it wrote.
std::string understood(int status, std::string_view said, const std::string& where) {
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) {
      throw InputError(where + ": a PDF that takes over " + format(kMaxPdfSeconds) +
                       " s to read");
    }
    if (said.find("Out of memory") == said.npos) {
      throw InputError(where + ": a PDF that poppler crashes on");
    }
  }
  Length length = 0;
  if (WIFEXITED(status) && said.size() >= sizeof length) {
    std::memcpy(&length, said.data() + said.size() - sizeof length, sizeof length);
    said.remove_suffix(sizeof length);
    if (length <= said.size()) {
      const std::string text(said.substr(said.size() - length));
      switch (WEXITSTATUS(status)) {
        case kText: return text;
        case kRefused: throw InputError(text);
        case kFailed: throw IoError(text);
        default: break;
      }
    }
  }
  throw IoError("out of memory");
}

}  // namespace

bool reads_pdf() {
  return true;
}

std::string pdf_text(std::string_view bytes, const std::string& where) {
  std::array<int, 2> ends{};
  pid_t child = -1;
  {
    // One at a time, so that no process keeps the pipe of another one open.
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw IoError("cannot make a pipe", errno);
    }
    child = ::fork();
    if (child == 0) {
      reply(ends[1], bytes, where);
    }
    const int error = errno;
    ::close(ends[1]);
    if (child < 0) {
      ::close(ends[0]);
      throw IoError("cannot start a process", error);
    }
  }
  std::string said;
  std::array<char, 16 * 1024> some{};
  ssize_t n = 0;
  while ((n = uninterrupted(
              [&] { return ::read(ends[0], some.data(), some.size()); })) > 0) {
    said.append(some.data(), static_cast<std::size_t>(n));
  }
  const int error = errno;
  ::close(ends[0]);
  int status = 0;
  uninterrupted([&] { return ::waitpid(child, &status, 0); });
  if (n < 0) {
    throw IoError("cannot read from a pipe", error);
  }
  return understood(status, said, where);
}

}  // namespace oa::io
