#include "oa/io/table/pattern_file.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;

namespace {

std::string rows_in(const std::string& text) {
  io::Input input = io::Input::memory(test::bytes_of(text), "p.txt");
  return io::read_pattern(input);
}

std::string why_no_pattern(const std::string& text) {
  return test::message_of<InputError>([&] { (void)rows_in(text); });
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a file of a pattern lists the keys of each query") {
  CHECK(rows_in(
            "# a pattern\n\n 5\t# tokens\r\n0\n0-1 # two keys\n0 2\n\n-\n0-2 3 4\n") ==
        "0;0-1;0+2;;0-4");
  CHECK(rows_in("1\n-").empty());
  CHECK(rows_in("3\n00-0 1\n2-2\n-\n") == "0-1;2;");
}

TEST_CASE("a file that is not a pattern is refused with its line") {
  CHECK(why_no_pattern("") == "p.txt: empty (expected the number of tokens)");
  CHECK(why_no_pattern("# nothing\n") ==
        "p.txt: empty (expected the number of tokens)");
  const std::string tokens =
      " (expected the number of tokens alone, from 1 to 16777216)";
  CHECK(why_no_pattern("0\n") == "p.txt:1: '0'" + tokens);
  CHECK(why_no_pattern("\n-3\n") == "p.txt:2: '-3'" + tokens);
  CHECK(why_no_pattern("3 4\n") == "p.txt:1: '3'" + tokens);
  CHECK(why_no_pattern("16777217\n") == "p.txt:1: '16777217'" + tokens);
  const std::string keys = " (expected a key, a range of keys such as 3-7, or -)";
  CHECK(why_no_pattern("2\n0\nx\n") == "p.txt:3: 'x'" + keys);
  CHECK(why_no_pattern("2\n1-0\n-\n") == "p.txt:2: '1-0'" + keys);
  CHECK(why_no_pattern("2\n0-\n-\n") == "p.txt:2: '0-'" + keys);
  CHECK(why_no_pattern("2\n0 -\n-\n") == "p.txt:2: '-'" + keys);
  CHECK(why_no_pattern("2\n-1\n-\n") == "p.txt:2: '-1'" + keys);
  CHECK(why_no_pattern("2\n0-1-1\n-\n") == "p.txt:2: '0-1-1'" + keys);
  CHECK(why_no_pattern("2\n- 0\n-\n") ==
        "p.txt:2: something behind '-', which says that the query sees no key");
  CHECK(why_no_pattern("2\n2\n-\n") ==
        "p.txt:2: query 0 sees key 2 (expected keys up to 1)");
  CHECK(why_no_pattern("3\n0-1 1\n-\n-\n") ==
        "p.txt:2: key 1 after key 1 (keys must increase)");
  CHECK(why_no_pattern("3\n0\n1\n") == "p.txt: ends after 2 of 3 queries");
  CHECK(why_no_pattern("1\n0\n\n0\n") ==
        "p.txt:4: a line too many (the file says 1 tokens)");
  CHECK(why_no_pattern(std::string("1\n\0\n", 4)).find("NUL") != std::string::npos);
}

TEST_SUITE_END();
