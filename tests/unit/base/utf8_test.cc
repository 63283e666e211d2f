#include "oa/base/utf8.h"

#include <doctest/doctest.h>

using namespace oa;  // NOLINT: a test

TEST_SUITE_BEGIN("base");

TEST_CASE("a code point written as UTF-8 reads back") {
  for (const char32_t sign : {0x24, 0x7FF, 0x800, 0x4E2D, 0xFFFF, 0x10000, 0x10FFFF}) {
    CHECK(code_points(utf8(sign)) == std::u32string{sign});
  }
}

TEST_CASE("each byte that is not UTF-8 becomes the replacement character") {
  CHECK(code_points("a\xC3\x97\xE2\x80\x93\xF0\x9F\x98\x80") ==
        std::u32string{'a', 0xD7, 0x2013, 0x1F600});
  CHECK(code_points("\x80z") == std::u32string{kReplacement, 'z'});
  for (const std::string_view bad : {"\x80",              // a tail without a start
                                     "\xC3",              // cut
                                     "\xE2\x80",          // cut
                                     "\xC0\xAF",          // overlong
                                     "\xE0\x80\xAF",      // overlong
                                     "\xF0\x80\x80\xAF",  // overlong
                                     "\xED\xA0\x80",      // a surrogate
                                     "\xF4\x90\x80\x80",  // above U+10FFFF
                                     "\xFF"}) {
    CHECK(code_points(bad) == std::u32string(bad.size(), kReplacement));
    std::string_view left = bad;
    CHECK_FALSE(take_code_point(left));
    CHECK(left == bad);
  }
}

TEST_SUITE_END();
