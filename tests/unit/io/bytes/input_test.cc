#include "oa/io/bytes/input.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace oa;
using io::Input;

namespace {

/// No two neighbouring bytes equal, so that a wrong offset shows.
std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    text[i] = static_cast<char>(i % 251);
  }
  return text;
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string read_text(Input& input, std::size_t size) {
  std::string text(size, '\0');
  text.resize(input.read(std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("reads and peeks of any size give the same bytes as the file") {
  const test::Folder folder;
  const std::string all = pattern(300000);
  test::spill(folder.path("f"), all);
  Rng rng(4);
  for (int round = 0; round < 50; ++round) {
    Input input = Input::open(folder.path("f"));
    std::string got;
    while (true) {
      const std::size_t wanted = rng.below(100000);
      const std::string ahead = text_of(input.peek(wanted));
      REQUIRE(ahead.size() >= std::min(wanted, all.size() - got.size()));
      REQUIRE(all.compare(got.size(), ahead.size(), ahead) == 0);
      REQUIRE(input.position() == got.size());
      REQUIRE(input.remaining() == all.size() - got.size());
      const std::size_t size = rng.below(100000);
      const std::string piece = read_text(input, size);
      got += piece;
      if (piece.size() < size) {
        break;
      }
    }
    CHECK(got == all);
    CHECK(input.at_end());
    CHECK(input.peek(1).empty());
  }
}

TEST_CASE("a pipe and memory give the same bytes as a file") {
  const std::string all = pattern(60000);
  Input pipe = test::piped(all);
  CHECK_FALSE(pipe.remaining());
  CHECK(read_text(pipe, 100000) == all);
  Input memory = Input::memory(test::bytes_of(all), "memory");
  CHECK(memory.name() == "memory");
  CHECK(memory.remaining() == all.size());
  CHECK(read_text(memory, 100000) == all);
}

TEST_CASE("a file opened in the middle knows how many bytes are left") {
  const test::Folder folder;
  test::spill(folder.path("f"), pattern(100));
  const int fd = ::open(folder.path("f").c_str(), O_RDONLY);
  REQUIRE(fd >= 0);
  ::lseek(fd, 60, SEEK_SET);
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(fd, STDIN_FILENO);
  {
    Input input = Input::open("-");
    CHECK(input.name() == "<stdin>");
    CHECK(input.remaining() == 40);
    CHECK(read_text(input, 1000) == pattern(100).substr(60));
  }
  CHECK(::fcntl(STDIN_FILENO, F_GETFD) >= 0);  // standard input is not ours to close
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(fd);
}

TEST_CASE("a file that cannot be opened or read is refused with the reason") {
  const test::Folder folder;
  const auto why = [](const std::string& path) {
    return test::message_of<IoError>([&] {
      Input input = Input::open(path);
      (void)input.at_end();
    });
  };
  CHECK(why(folder.path("none")) ==
        folder.path("none") + ": No such file or directory");
  CHECK(why(folder.path()) ==
        folder.path() +
            ": a folder (expected a file; oa-train, oa-qubo and oa-score read folders "
            "of pictures, oa-cim-ingest of results)");
  CHECK(why("") == ": No such file or directory");
  CHECK(why("/proc/self/mem") == "/proc/self/mem: Input/output error");
}

TEST_CASE("a stop ends a read that waits") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  REQUIRE(::write(ends[1], "abc", 3) == 3);
  std::stop_source stop;
  const std::jthread later([&] { stop.request_stop(); });
  Input input = Input::open("/dev/fd/" + std::to_string(ends[0]), stop.get_token());
  const std::string got = read_text(input, 10);
  CHECK(std::string("abc").starts_with(got));
  CHECK(input.stopped());
  CHECK(input.at_end());
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("a stop ends the wait for a named pipe that nobody writes") {
  const test::Folder folder;
  REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  std::stop_source stop;
  const std::jthread later([&] { stop.request_stop(); });
  Input input = Input::open(folder.path("pipe"), stop.get_token());
  CHECK(input.at_end());
  CHECK(input.stopped());
}

TEST_CASE("a named pipe is waited for until somebody has written it") {
  const test::Folder folder;
  REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  const std::jthread writer([&] { test::spill(folder.path("pipe"), "text"); });
  const std::stop_source stop;
  Input input = Input::open(folder.path("pipe"), stop.get_token());
  CHECK(read_text(input, 10) == "text");
}

TEST_CASE("a claim is believed only as its bytes arrive") {
  constexpr std::size_t kClaim = std::size_t{1} << 45;  // no machine has so much
  const std::string all = pattern(5000);
  for (const bool known : {true, false}) {
    CAPTURE(known);
    Input input =
        known ? Input::memory(test::bytes_of(all), "memory") : test::piped(all);
    io::Bytes bytes;
    bytes.read(input, kClaim, test::bytes_of("before"));
    CHECK(text_of(bytes.span()) == "before" + all);
  }
}

TEST_CASE("bytes larger than any first reservation arrive whole") {
  const std::string all = pattern(5 << 20);
  const test::Folder folder;
  test::spill(folder.path("f"), all);
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  std::jthread feeder([&, fd = ends[1]] {
    for (std::size_t at = 0; at < all.size();) {
      const auto n =
          ::write(fd, all.data() + at, std::min<std::size_t>(70001, all.size() - at));
      if (n <= 0) {
        break;
      }
      at += static_cast<std::size_t>(n);
    }
    ::close(fd);
  });
  Input pipe = Input::open("/dev/fd/" + std::to_string(ends[0]));
  io::Bytes bytes;
  bytes.read(pipe, all.size());
  CHECK((text_of(bytes.span()) == all));
  CHECK(pipe.at_end());
  ::close(ends[0]);

  Input file = Input::open(folder.path("f"));
  bytes.read(file, 100);  // memory is used again
  bytes.read(file, all.size() - 100);
  CHECK((text_of(bytes.span()) == all.substr(100)));
}

TEST_SUITE_END();
