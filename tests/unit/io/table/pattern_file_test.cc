#include "oa/io/table/pattern_file.h"

#include "oa/attention/kernel/pattern/patterns.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;
using attention::Pattern;

namespace {

Pattern pattern_in(const std::string& text, bool causal = false) {
  io::Input input = io::Input::memory(test::bytes_of(text), "p.txt");
  return io::read_pattern(input, causal);
}

std::string why_no_pattern(const std::string& text, bool causal = false) {
  return test::message_of<InputError>([&] { (void)pattern_in(text, causal); });
}

/// The pattern in its shortest form.
std::string text_of(const Pattern& pattern) {
  std::string text = format(pattern.queries()) + "\n";
  for (int q = 0; q < pattern.queries(); ++q) {
    std::string line;
    const auto write_run = [&](const attention::Run& run) {
      line += line.empty() ? "" : " ";
      line += format(run.begin);
      line += run.length() > 1 ? "-" + format(run.end - 1) : "";
    };
    if (!pattern.is_band()) {
      for (const attention::Run& run : pattern.runs(q)) {
        write_run(run);
      }
    } else if (const attention::Run run = pattern.band_row(q); run.length() > 0) {
      write_run(run);
    }
    text += (line.empty() ? "-" : line) + "\n";
  }
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a file of a pattern lists the keys of each query") {
  const Pattern p = pattern_in(
      "# a pattern\n\n 5\t# tokens\r\n0\n0-1 # two keys\n0 2\n\n-\n0-2 3 4\n", true);
  CHECK(p.queries() == 5);
  CHECK(p.keys() == 5);
  CHECK(p.pairs() == 1 + 2 + 2 + 0 + 5);
  CHECK(p.allows(2, 2));
  CHECK_FALSE(p.allows(2, 1));
  CHECK(p.degree(3) == 0);
  CHECK(p.runs(4).size() == 1);
  CHECK(text_of(p) == "5\n0\n0-1\n0 2\n-\n0-4\n");
  CHECK(pattern_in("1\n-").pairs() == 0);
}

TEST_CASE("a pattern written reads back as the same") {
  for (const Pattern& p : {attention::bigbird_pattern(60, {}, true),
                           attention::window_pattern(9, 2, false),
                           attention::strided_pattern(33, 5, 1, false),
                           Pattern::band(3, 3, 0, 0)}) {
    const std::string text = text_of(p);
    const Pattern again = pattern_in(text);
    CHECK(again.pairs() == p.pairs());
    CHECK(text_of(again) == text);
  }
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
  CHECK(why_no_pattern("2\n0-1\n-\n", true) ==
        "p.txt:2: query 0 sees key 1 (expected keys up to 0)");
  CHECK(why_no_pattern("3\n0-1 1\n-\n-\n") ==
        "p.txt:2: key 1 after key 1 (keys must increase)");
  CHECK(why_no_pattern("3\n0\n1\n") == "p.txt: ends after 2 of 3 queries");
  CHECK(why_no_pattern("1\n0\n\n0\n") ==
        "p.txt:4: a line too many (the file says 1 tokens)");
  CHECK(why_no_pattern(std::string("1\n\0\n", 4)).find("NUL") != std::string::npos);
}

TEST_SUITE_END();
