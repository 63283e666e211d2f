#include "oa/base/printable.h"

#include <doctest/doctest.h>

#include <string>

using oa::printable;

TEST_SUITE_BEGIN("base");

TEST_CASE("text without control characters stays as it is") {
  for (const std::string text :
       {"", "plain", "caf\xc3\xa9 \xc2\xa0 \xe4\xbb\xbb", "\xff\xfe", "\xc2"}) {
    CHECK(printable(text) == text);
  }
}

TEST_CASE("control characters become question marks, one each") {
  CHECK(printable("a\nb\tc\x1b[2Jd\x7f") == "a?b?c?[2Jd?");
  CHECK(printable(std::string("\0x", 2)) == "?x");
  CHECK(printable("\xc2\x9b"
                  "31m\xc2\x80\xc2\x9f") == "?31m??");
}

TEST_SUITE_END();
