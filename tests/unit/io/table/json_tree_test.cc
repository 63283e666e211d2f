#include "oa/io/table/json_tree.h"

#include "oa/base/error.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace oa::io {
namespace {

JsonTree tree_of(std::string_view text) {
  const Input input = Input::memory({}, "text");
  return {text, input};
}

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("a JSON tree holds what was read") {
    for (const char* text : {"null",
                             "true",
                             "-9223372036854775808",
                             "18446744073709551615",
                             "0.1",
                             "\"a\\\"\\u0000\xc3\xa4\"",
                             "[]",
                             "{}",
                             R"([[],{},[1,[2.5,false]],"",-3])",
                             R"({"b":{"a":[],"":[{}]},"a":[1,2],"b":null})"}) {
      CHECK(tree_of(text).root().json() == text);
    }
  }

  TEST_CASE("members keep their order, and the last of a name is found") {
    const JsonTree tree = tree_of(R"({"z":[1,[2,3],4],"a":{"x":1},"z":-2})");
    const JsonNode root = tree.root();
    CHECK(root.size() == 3);
    std::string names;
    for (const JsonNode member : root) {
      names += member.name();
    }
    CHECK(names == "zaz");
    CHECK(root.find("z")->number().value == -2.0);
    CHECK_FALSE(root.find("x"));
    const JsonNode list = *root.begin();
    CHECK(list.size() == 3);
    CHECK(list[1][1].json() == "3");
    CHECK(list[2].json() == "4");
  }

  TEST_CASE("integers of 64 bits are exact in a JSON tree") {
    const JsonTree tree = tree_of("[18446744073709551615,-9223372036854775807,1e30]");
    const TwoDoubles most = tree.root()[0].number();
    CHECK(most.value == 0x1p64);
    CHECK(most.rest == -1.0);
    CHECK(tree.root()[1].number().rest == 1.0);
    CHECK(tree.root()[2].number().value == 1e30);
  }

  TEST_CASE("text that is not JSON is refused with its place") {
    const auto why = [](const std::string& text) -> std::string {
      try {
        (void)tree_of(text);
      } catch (const InputError& error) {
        return error.what();
      }
      return "";
    };
    CHECK(why("[1,\n2") == "text:2: not JSON from here on");
    CHECK(why("{}\n{}").starts_with("text:2: two problems in one file"));
    CHECK(why("{} 1") == "text:1: not JSON from here on");
    CHECK(why("[\"\xff\"]") == "text:1: not JSON from here on");
    CHECK(why("[1e999]") == "text: a number that a double cannot hold");
    CHECK(why("[100000000000000000001]").starts_with("text: the whole number 1"));
    CHECK(why(std::string(64, '[') + std::string(64, ']')).empty());
    CHECK(why(std::string(65, '[')) == "text: nested too deeply");
  }
}

}  // namespace oa::io
