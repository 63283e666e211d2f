#include "oa/io/text/characters.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace oa {
namespace {

io::Characters characters(std::string_view text,
                          const io::CharacterOptions& options,
                          Split split) {
  io::Input input = io::Input::memory(test::bytes_of(text), "t");
  return io::read_characters(input, options, split);
}

/// The signs of a row of tokens.
std::u32string text_of(const io::Characters& all) {
  std::u32string text;
  for (const std::int32_t id : all.data.sequences.ids) {
    text += all.alphabet[static_cast<std::size_t>(id)];
  }
  return text;
}

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("a text is windows that share one row, and asks for what follows") {
    const io::Characters all =
        characters("abcabcabcabcabcabcab", {.context = 4, .stride = 3}, Split::Train);
    CHECK_FALSE(all.bytes);
    CHECK(all.alphabet == std::vector<char32_t>{U'a', U'b', U'c'});
    CHECK(text_of(all) == U"abcabcabcabcabcabc");
    const Sequences& s = all.data.sequences;
    CHECK(s.vocabulary == 3);
    REQUIRE(s.places.size() == 5);  // 12 .. 15, and 16 that the last is asked for
    for (std::size_t k = 0; k < s.places.size(); ++k) {
      CHECK(s.places[k].begin == static_cast<std::int64_t>(3 * k));
      CHECK(s.places[k].length == 4);
    }
    const Targets& targets = all.data.targets;
    CHECK(targets.objective == Objective::Positions);
    CHECK(targets.classes == 3);
    REQUIRE(targets.numbers.size() == s.ids.size());
    for (std::size_t i = 0; i + 1 < s.ids.size(); ++i) {
      CHECK(targets.numbers[i] == s.ids[i + 1]);
    }
    CHECK(targets.numbers.back() == -1);
  }

  TEST_CASE("test windows are of the last 10 % and do not overlap") {
    std::string text(90, 'a');
    text += "bcdefghijk";
    const io::Characters test =
        characters(text, {.context = 3, .stride = 1}, Split::Test);
    CHECK(text_of(test) == U"bcdefghijk");
    CHECK(test.alphabet.size() == 11);  // of the whole text
    REQUIRE(test.data.sequences.places.size() == 3);
    CHECK(test.data.sequences.places[2].begin == 6);
  }

  TEST_CASE("signs are code points, and bytes where text is not UTF-8") {
    CHECK(io::signs_of("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80").signs ==
          std::vector<char32_t>{U'a', 0xe9, 0x20ac, 0x1f600});
    const io::Signs bytes = io::signs_of("\xc3\xa9\xed\xa0\x80");
    CHECK(bytes.bytes);
    CHECK(bytes.signs == std::vector<char32_t>{0xc3, 0xa9, 0xed, 0xa0, 0x80});
    CHECK_FALSE(io::signs_of("\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf").bytes);
  }

  TEST_CASE("both parts of a text agree on signs, also where one is not UTF-8") {
    const std::string text = test::repeated("\xc3\xa9", 45) + "\xc3\xa9\xff\xff aaaaaa";
    const io::CharacterOptions options{.context = 2, .stride = 2};
    const io::Characters train = characters(text, options, Split::Train);
    const io::Characters test = characters(text, options, Split::Test);
    CHECK(train.bytes);
    CHECK(test.bytes);
    CHECK(train.alphabet == test.alphabet);
    CHECK(train.alphabet == std::vector<char32_t>{U' ', U'a', 0xa9, 0xc3, 0xff});
  }

  TEST_CASE("a byte order mark is not a character") {
    CHECK(characters("\xef\xbb\xbf"
                     "aaaaaaaaab",
                     {.context = 2, .stride = 1},
                     Split::Train)
              .alphabet == std::vector<char32_t>{U'a', U'b'});
  }

  TEST_CASE("texts shorter than a window and the next token are refused") {
    const auto why = [](std::string_view text, int context, Split split) {
      return test::message_of<InputError>(
          [&] { (void)characters(text, {.context = context, .stride = 1}, split); });
    };
    CHECK(why("aaaaaaaaab", 9, Split::Train) ==
          "t: 9 signs for training (expected more than the 9 of a window; the last "
          "10 % of a text are for tests)");
    CHECK(characters("aaaaaaaaab", {.context = 8, .stride = 1}, Split::Train)
              .data.count() == 1);
    CHECK(why("aaaaaaaaab", 1, Split::Test).starts_with("t: 1 signs for tests"));
    CHECK(why("", 1, Split::Train).starts_with("t: 0 signs for training"));
  }

  TEST_CASE("Shakespeare has 65 kinds of characters") {
    const char* shared = std::getenv("OA_SHARED");  // NOLINT: one thread
    if (shared == nullptr) {
      MESSAGE("OA_SHARED is not set");
      return;
    }
    const std::string path = std::string(shared) + "/text/shakespeare.txt";
    io::Input input = io::Input::open(path);
    const io::Characters train = io::read_characters(input, {}, Split::Train);
    CHECK(train.alphabet.size() == 65);
    CHECK(train.data.sequences.ids.size() == 1115394 - 111539);
    CHECK(train.data.count() == (1115394 - 111539 - 1) / 64);
  }
}

}  // namespace oa
