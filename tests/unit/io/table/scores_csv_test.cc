#include "oa/io/table/scores_csv.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace oa;

namespace {

std::vector<score::Prediction> read(std::string_view text) {
  io::Input input = io::Input::memory(std::as_bytes(std::span(text)), "t.csv");
  return io::read_scores(input);
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("predictions written read back to the last bit") {
  std::vector<score::Prediction> sent(2);
  sent[0] = {22, 6, 1, {0.1, 1.0 / 3.0}};
  sent[1] = {23, std::nullopt, 0, {5.399922719891095e-18, 0.0}};
  const std::string text = test::written([&](io::Output& output) {
    io::ScoresWriter writer(output);
    for (const auto& p : sent) {
      writer.write(p);
    }
  });
  CHECK(
      text.starts_with("idx,label,pred,correct,logits_0,logits_1\n22,6,1,False,0.1,"));
  const auto got = read(text);
  REQUIRE(got.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(got[i].index == sent[i].index);
    CHECK(got[i].label == sent[i].label);
    CHECK(got[i].predicted == sent[i].predicted);
    CHECK(got[i].probabilities == sent[i].probabilities);
  }
}

TEST_CASE("the reference's dialects of the table are read") {
  const auto rows = read(
      "\xef\xbb\xbf"
      "label,pred,correct,logits_0,logits_1\r\n7,1,False, 0.25 "
      ",0.75\r\n\r\n1,1,True,0,1");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].index == 0);
  CHECK(rows[1].index == 1);
  CHECK(rows[0].label == 7);
  CHECK(rows[0].probabilities == std::vector<double>{0.25, 0.75});
  const auto other = read(
      "idx,label,prediction,correct,logit_1,probability_0\n22,6,1,False,0.9,0.1\n");
  CHECK(other[0].index == 22);
  CHECK(other[0].probabilities == std::vector<double>{0.1, 0.9});
}

TEST_CASE("tables that make no sense are refused with their line") {
  const std::string header = "idx,label,pred,logits_0,logits_1\n";
  const std::vector<std::pair<std::string, std::string>> bad{
      {"", "t.csv: empty"},
      {"a,b\n1,2\n", "t.csv:1: not a table"},
      {"pred,logits_0,logits_2\n", "t.csv:1: not a table"},
      {"pred,pred,logits_0\n", "t.csv:1: column 'pred' appears twice"},
      {header + "1,2,0,0.5\n", "t.csv:2: 4 cells (expected 5)"},
      {header + "\n1,2,0,0.5,nan\n", "t.csv:3: 'nan' (expected a number)"},
      {header + "1,2,-1,0.5,0.5\n", "t.csv:2: '-1' (expected pred"},
      {header + "1,999,0,0.5,0.5\n", "t.csv:2: '999' (expected label"},
      {header + std::string("1,2,0,0.5,0.5\0x\n", 15), "t.csv: not text"},
      {header + std::string((std::size_t{1} << 24) + 1, '1') + '\n',
       "t.csv:2: a line of over 16 MiB"}};
  for (const auto& [text, message] : bad) {
    CAPTURE(message);
    try {
      static_cast<void>(read(text));
      FAIL("accepted");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).starts_with(message));
    }
  }
}

TEST_SUITE_END();
