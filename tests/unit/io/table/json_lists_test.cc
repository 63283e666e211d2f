#include "oa/io/table/json_lists.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace oa::io {
namespace {

constexpr std::array<std::string_view, 2> kKeys = {"a", "b"};

struct Cut {
  std::string rest;
  std::array<std::vector<double>, 2> lists;
  int pieces = 0;
};

Cut cut(std::string_view text) {
  Cut result;
  result.rest =
      cut_lists(text, kKeys, "f", [&](std::size_t k, std::size_t first, auto numbers) {
        CHECK(first == result.lists[k].size());
        result.lists[k].insert(result.lists[k].end(), numbers.begin(), numbers.end());
        ++result.pieces;
      });
  return result;
}

std::string why(std::string_view text) {
  return test::message_of<InputError>([&] { (void)cut(text); });
}

using Numbers = std::vector<double>;

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("lists of numbers are taken out of JSON, and nothing else") {
    const Cut got =
        cut(R"({"c":[1],"a":[1,-2.5, 3e2 ,0],"d":"]","b" : [],"e":{"a":[7]}})");
    CHECK(got.lists[0] == Numbers{1, -2.5, 300, 0});
    CHECK(got.lists[1].empty());
    CHECK(got.pieces == 2);
    CHECK(got.rest == R"({"c":[1],"a":[],"d":"]","b" : [],"e":{"a":[7]}})");
  }

  TEST_CASE("lines of the rest are where they were") {
    const Cut got = cut("{\n\"a\": [\n1,\r\n\n2\n]\n,\"c\":\n3}\n");
    CHECK(got.lists[0] == Numbers{1, 2});
    CHECK(got.rest == "{\n\"a\": [\n\n\n\n]\n,\"c\":\n3}\n");
  }

  TEST_CASE("text that only looks like a key is left alone") {
    for (const char* text : {R"({"x":"\"a\":[1]"})",
                             R"({"x":["a",[1]]})",
                             R"(["a",[1]])",
                             R"({"x":"a","y":[1]})",
                             R"({"a":1,"b":{"a":[2]}})",
                             R"({"\u0061":[1]})",
                             R"({"a\":[1]})",
                             "{\"a\":",
                             "{\"a",
                             "{\"a\\",
                             ""}) {
      const Cut got = cut(text);
      CHECK(got.rest == text);
      CHECK(got.pieces == 0);
    }
  }

  TEST_CASE("long lists come in pieces") {
    std::string text = "{\"b\":[";
    Numbers want;
    for (int k = 0; k < 5000; ++k) {
      text += std::to_string(k) + ",";
      want.push_back(k);
    }
    text.back() = ']';
    const Cut got = cut(text + "}");
    CHECK(got.lists[1] == want);
    CHECK(got.pieces > 1);
    CHECK(got.rest == "{\"b\":[]}");
  }

  TEST_CASE("a list of something else is refused, with its line") {
    for (const char* word : {"true",
                             "\"1\"",
                             "[1]",
                             "{}",
                             "+1",
                             "01",
                             "-01",
                             "1.",
                             ".5",
                             "1.e3",
                             "1e",
                             "0x1",
                             "inf",
                             "-nan",
                             "1e999",
                             "--1",
                             "1;2"}) {
      CAPTURE(word);
      CHECK(why("{\n\"a\":[0,\n" + std::string(word) + "]}") ==
            "f:3: a[1] is not a finite number");
    }
    CHECK(why("{\"a\":[1,]}") == "f:1: not JSON from here on");
    CHECK(why("{\"a\":[,1]}") == "f:1: not JSON from here on");
    CHECK(why("{\n\"a\":[1 2]}") == "f:2: not JSON from here on");
    CHECK(why("{\n\n\"a\":[1") == "f:3: not JSON from here on");
    CHECK(why("{\"a\":[") == "f:1: not JSON from here on");
    CHECK(why("{\"a\":[1],\n\"a\":[1]}") == "f:2: a second a");
  }
}

}  // namespace oa::io
