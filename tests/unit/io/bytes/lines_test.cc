#include "oa/io/bytes/lines.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace oa::io {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  Input input = Input::memory(test::bytes_of(text), "f");
  LineReader reader(input);
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) {
    lines.emplace_back(line);
  }
  return lines;
}

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("lines end with LF, CR LF or CR, and the last line may have no end") {
    using List = std::vector<std::string>;
    for (const char* text : {"a\n\nb", "a\r\n\r\nb\r\n", "a\r\rb\r", "a\r\n\rb\n"}) {
      CAPTURE(text);
      CHECK(lines_of(text) == List{"a", "", "b"});
      std::string_view left = text;
      CHECK(take_line(left) == "a");
      CHECK(take_line(left).empty());
      CHECK(take_line(left) == "b");
      CHECK(left.empty());
    }
    CHECK(lines_of("").empty());
    CHECK(lines_of("\r") == List{""});
    CHECK(lines_of("\r\n") == List{""});
    CHECK(lines_of("\xef\xbb\xbfone\ntwo") == List{"one", "two"});
    CHECK(lines_of("\xef\xbb\xbf").empty());
  }

  TEST_CASE("lines are the same wherever the buffer ends between them") {
    // 2^18 bytes are read at a time; every end falls once on each side of that.
    for (const char* end : {"\n", "\r\n", "\r"}) {
      for (std::size_t shift = 0; shift < 8; ++shift) {
        std::string text(shift, 'x');
        std::size_t lines = 1;
        for (text += end; text.size() < (std::size_t{1} << 19); ++lines) {
          text += "12345" + std::string(end);
        }
        const auto got = lines_of(text);
        CAPTURE(shift);
        REQUIRE(got.size() == lines);
        for (std::size_t k = 1; k < lines; ++k) {
          REQUIRE(got[k] == "12345");
        }
      }
    }
  }

  TEST_CASE("a file of CR alone is read as fast as others") {
    // Searched to its end for every line, it would take minutes.
    const std::string text = test::repeated("1 2 3\r", 2'000'000);
    CHECK(lines_of(text).size() == 2'000'000);
  }
}

}  // namespace oa::io
