#include "oa/io/machine/pdf_process.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/pipe.h"
#include "oa/io/bytes/subprocess.h"
#include "oa/io/machine/pdf_text.h"

#include <csignal>
#include <mutex>
#include <new>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

// Three processes: this one asks a server with one thread, which forks a reader for
// each file.

namespace oa::io {
namespace {

/// Answers for the next file: its text, or what is wrong.
Answer answer_one(int from) {
  Answer where;
  Answer bytes;
  if (!get_answer(from, where) || !get_answer(from, bytes)) {
    ::_exit(0);  // the parent has ended
  }
  Answer answer =
      run_in_child([&] { return pdf_text(bytes.text, where.text); }, kMaxPdfSeconds);
  if (answer.kind == AnswerKind::Late) {
    answer.text = where.text + ": a PDF that poppler cannot read in " +
                  format(kMaxPdfSeconds) + " s";
  } else if (answer.kind == AnswerKind::Crashed) {
    answer.text = where.text + ": a PDF that poppler crashes on";
  }
  return answer;
}

/// Ignores signals and leaves the parent's folder and streams.
[[noreturn]] void serve(int from, int to) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    std::signal(signal, SIG_IGN);
  }
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::dup2(nothing, stream);
  }
  [[maybe_unused]] const int there = ::chdir("/");
  bool connected = true;
  while (connected) {
    try {
      const Answer answer = answer_one(from);
      connected = put_answer(to, answer.text, answer.kind);
    } catch (const IoError& error) {
      connected = put_answer(to, error.what(), AnswerKind::Failed);
    } catch (const std::bad_alloc&) {
      connected = false;
    }
  }
  ::_exit(0);
}

/// The parent's ends of the pipes.
struct {
  std::mutex mutex;
  int to = -1;
  int from = -1;
} server;

}  // namespace

void start_pdf_process() {
  Pipe questions;
  Pipe answers;
  int process = 0;
  if (split(process)) {
    questions.close(1);
    answers.close(0);
    serve(questions.ends[0], answers.ends[1]);
  }
  server.to = questions.keep(1);
  server.from = answers.keep(0);
}

std::string pdf_text_in_child(std::string_view bytes, const std::string& where) {
  Answer answer;
  {
    const std::scoped_lock lock(server.mutex);
    // After a failure ask no more: an old answer could arrive for a new question.
    const int to = std::exchange(server.to, -1);
    if (!put_answer(to, where) || !put_answer(to, bytes) ||
        !get_answer(server.from, answer)) {
      throw IoError("the process that reads PDF files has ended");
    }
    server.to = to;
  }
  switch (answer.kind) {
    case AnswerKind::Text: return answer.text;
    case AnswerKind::Failed: throw IoError(answer.text);
    case AnswerKind::Refused:
    case AnswerKind::Late:
    case AnswerKind::Crashed: break;
  }
  throw InputError(answer.text);
}

}  // namespace oa::io
