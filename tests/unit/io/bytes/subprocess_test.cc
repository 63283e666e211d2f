#include "oa/io/bytes/subprocess.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include <unistd.h>

using namespace oa;
using io::AnswerKind;

TEST_SUITE_BEGIN("io");

TEST_CASE("results of another process are returned") {
  int here = 1;
  const std::string large(1 << 20, 'x');  // more than a pipe holds
  const io::Answer answer = io::run_in_child([&] {
    here = 2;
    return large;
  });
  CHECK(answer.kind == AnswerKind::Text);
  CHECK(answer.text == large);
  CHECK(here == 1);
  CHECK(io::run_in_child([] { return std::string(); }).kind == AnswerKind::Text);
}

TEST_CASE("wrong files of the released versions are refused") {
  const io::Answer refused =
      io::run_in_child([]() -> std::string { throw InputError("f: bad"); });
  CHECK(refused.kind == AnswerKind::Refused);
  CHECK(refused.text == "f: bad");
  const io::Answer failed =
      io::run_in_child([]() -> std::string { throw IoError("no disk"); });
  CHECK(failed.kind == AnswerKind::Failed);
  CHECK(failed.text == "no disk");
}

TEST_CASE("a process that ends without an answer had no memory, or crashed") {
  const auto no_memory = [](const std::function<std::string()>& work) {
    const io::Answer answer = io::run_in_child(work);
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
  CHECK(io::run_in_child([]() -> std::string { std::abort(); }).kind ==
        AnswerKind::Crashed);
  CHECK(io::run_in_child([]() -> std::string {
          throw std::logic_error("ours");
        }).kind == AnswerKind::Crashed);
}

TEST_CASE("a process that waits for itself is ended") {
  CHECK(io::run_in_child([]() -> std::string {
          ::pause();
          return "not reached";
        }).kind == AnswerKind::Late);
}

TEST_CASE("a program gets its input and gives its output") {
  const std::string large(1 << 20, 'x');  // more than a pipe holds
  const io::Answer copied =
      io::run_program({.words = {"/bin/cat"}, .most_bytes = 1 << 20}, large);
  CHECK(copied.kind == AnswerKind::Text);
  CHECK(copied.text == large);
  const io::Answer refused =
      io::run_program({.words = {"/bin/sh", "-c", "echo no >&2; exit 3"}}, "");
  CHECK(refused.kind == AnswerKind::Refused);
  CHECK(refused.text == "no\n");
  CHECK_THROWS_AS((void)io::run_program({.words = {"/nowhere"}}, ""), IoError);
}

TEST_CASE("a program that takes too long, writes too much or crashes is ended") {
  const auto kind_of = [](const char* script) {
    return io::run_program({.words = {"/bin/sh", "-c", script},
                            .most_seconds = 1,
                            .most_bytes = 1000},
                           "")
        .kind;
  };
  CHECK(kind_of("while :; do :; done") == AnswerKind::Late);
  CHECK(kind_of("exec cat /dev/zero") == AnswerKind::Refused);
  CHECK(kind_of("kill -SEGV $$") == AnswerKind::Crashed);
  CHECK(kind_of("kill -KILL $$") == AnswerKind::Failed);
}

TEST_SUITE_END();
