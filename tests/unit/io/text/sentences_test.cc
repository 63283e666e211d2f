#include "oa/io/text/sentences.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace oa {
namespace {

using Words = std::vector<std::string>;

io::Sentences sentences(std::string_view text, Split split, int vocabulary = 100) {
  io::Input input = io::Input::memory(test::bytes_of(text), "s");
  return io::read_sentences(input, {.vocabulary = vocabulary}, split);
}

// Ten lines: the last one is for tests.
constexpr std::string_view kTen =
    "1\tB a b\n0\tc, b!\n1\ta\n1\ta\n1\ta\n1\ta\n1\ta\n1\ta\n1\tb\n7\tnew a\n";

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("words are letters in a row, in lower case") {
    CHECK(io::words_of("It's 2 GOOD-looking, ") == Words{"it", "s", "good", "looking"});
    CHECK(io::words_of("m\xc3\xa1s") == Words{"m\xc3\xa1s"});
    CHECK(io::words_of(" 12 -- ").empty());
  }

  TEST_CASE("the vocabulary has the most frequent words of training sentences") {
    const io::Sentences train = sentences(kTen, Split::Train);
    CHECK(train.words == Words{"", "a", "b", "c"});
    CHECK(train.data.count() == 9);
    CHECK(train.data.sequences.vocabulary == 4);
    CHECK(train.data.labels == std::vector<std::uint8_t>{1, 0, 1, 1, 1, 1, 1, 1, 1});
    CHECK(train.data.sequences.ids ==
          std::vector<std::int32_t>{2, 1, 2, 3, 2, 1, 1, 1, 1, 1, 1, 2});
    CHECK(train.data.sequences.places[1].begin == 3);
    CHECK(train.data.sequences.places[1].length == 2);
    CHECK(train.data.targets.objective == Objective::Class);

    const io::Sentences test = sentences(kTen, Split::Test);
    CHECK(test.words == train.words);
    CHECK(test.data.labels == std::vector<std::uint8_t>{7});
    CHECK(test.data.sequences.ids == std::vector<std::int32_t>{0, 1});

    const io::Sentences few = sentences(kTen, Split::Train, 2);
    CHECK(few.words == Words{"", "a"});
    CHECK(few.data.sequences.ids[0] == 0);
  }

  TEST_CASE("lines that are not sentences are refused with their number") {
    const auto why = [](std::string_view text) {
      return test::message_of<InputError>([&] { (void)sentences(text, Split::Train); });
    };
    CHECK(why("1\ta\nwords\n") ==
          "s:2: no tab (expected a label, a tab and a sentence)");
    CHECK(why("256\ta\n") == "s:1: the label is not a whole number from 0 to 255");
    CHECK(why("good\ta\n") == "s:1: the label is not a whole number from 0 to 255");
    CHECK(why("1\t!?\n") == "s:1: a sentence without words");
    CHECK(why("") ==
          "s: no sentences for training (the last 10 % of the lines are for tests)");
    CHECK(test::message_of<InputError>([] {
            (void)sentences("1\ta\n", Split::Test);
          }) == "s: no sentences for tests (the last 10 % of the lines are for tests)");
  }

  TEST_CASE("the polarity sentences read, the last 1,066 for tests") {
    const char* shared = std::getenv("OA_SHARED");  // NOLINT: one thread
    if (shared == nullptr) {
      MESSAGE("OA_SHARED is not set");
      return;
    }
    const std::string path = std::string(shared) + "/text/polarity.tsv";
    for (const auto& [split, count] :
         {std::pair{Split::Train, 9596}, {Split::Test, 1066}}) {
      io::Input input = io::Input::open(path);
      const io::Sentences all = io::read_sentences(input, {}, split);
      CHECK(all.data.count() == count);
      CHECK(all.words.size() == 10000);
      CHECK(all.words[1] == "the");
    }
  }
}

}  // namespace oa
