#include "oa/io/bytes/subprocess.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include <unistd.h>

using namespace oa;
using io::AnswerKind;

namespace {

io::Answer apart(const std::function<std::string()>& work) {
  constexpr int kSeconds = 1;
  return io::run_in_child(work, kSeconds);
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("results of another process are returned") {
  int here = 1;
  const std::string large(1 << 20, 'x');  // more than a pipe holds
  const io::Answer answer = apart([&] {
    here = 2;
    return large;
  });
  CHECK(answer.kind == AnswerKind::Text);
  CHECK(answer.text == large);
  CHECK(here == 1);
  CHECK(apart([] { return std::string(); }).kind == AnswerKind::Text);
}

TEST_CASE("wrong files of the released versions are refused") {
  const io::Answer refused = apart([]() -> std::string { throw InputError("f: bad"); });
  CHECK(refused.kind == AnswerKind::Refused);
  CHECK(refused.text == "f: bad");
  const io::Answer failed = apart([]() -> std::string { throw IoError("no disk"); });
  CHECK(failed.kind == AnswerKind::Failed);
  CHECK(failed.text == "no disk");
}

TEST_CASE("a process that ends without an answer had no memory, or crashed") {
  const auto no_memory = [](const std::function<std::string()>& work) {
    const io::Answer answer = apart(work);
    return answer.kind == AnswerKind::Failed && answer.text == "out of memory";
  };
  CHECK(no_memory([]() -> std::string { throw std::bad_alloc(); }));
  CHECK(no_memory([]() -> std::string { ::_exit(1); }));
  CHECK(no_memory([]() -> std::string {
    ::kill(::getpid(), SIGKILL);  // as the system does where memory is short
    return "not reached";
  }));
  CHECK(no_memory([]() -> std::string {
    [[maybe_unused]] const auto n = ::write(STDERR_FILENO, "Out of memory\n", 14);
    std::abort();
  }));
  CHECK(apart([]() -> std::string { std::abort(); }).kind == AnswerKind::Crashed);
  CHECK(apart([]() -> std::string { throw std::logic_error("ours"); }).kind ==
        AnswerKind::Crashed);
}

TEST_CASE("one that takes too long, or waits for itself, is ended") {
  CHECK(apart([]() -> std::string {
          for (std::atomic<unsigned> turn = 0;; ++turn) {
          }
        }).kind == AnswerKind::Late);
  CHECK(apart([]() -> std::string {
          ::pause();
          return "not reached";
        }).kind == AnswerKind::Late);
}

TEST_SUITE_END();
