#include "oa/base/error.h"
#include "oa/io/table/chart_data.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace oa;

namespace {

std::vector<score::Curve> read(std::string_view text, bool& cut, bool steps = false) {
  io::Input input = io::Input::memory(test::bytes_of(text), "run.jsonl");
  return io::read_training_log(input, steps, cut);
}

std::vector<score::Curve> read(std::string_view text) {
  bool cut = false;
  auto curves = read(text, cut);
  CHECK_FALSE(cut);
  return curves;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("if a resumed training repeats an epoch, its last log line counts") {
  const auto curves = read(
      "{\"type\":\"epoch\",\"epoch\":1,\"train_loss\":3}\n"
      "{\"type\":\"epoch\",\"epoch\":2,\"train_loss\":2}\n"
      "{\"type\":\"epoch\",\"epoch\":2,\"train_loss\":1.5}\r\n\n");
  REQUIRE(curves.size() == 1);
  REQUIRE(curves[0].epochs.size() == 2);
  CHECK(curves[0].epochs[1].train_loss == 1.5);
  CHECK_FALSE(curves[0].epochs[1].test_loss);
}

TEST_CASE("a log with other line ends and a byte order mark") {
  const auto curves = read(
      "\xef\xbb\xbf{\"type\":\"epoch\",\"epoch\":1,\"train_loss\":3}\r"
      "{\"type\":\"epoch\",\"epoch\":2,\"train_loss\":2}\r");
  REQUIRE(curves.size() == 1);
  CHECK(curves[0].epochs.size() == 2);
  CHECK(read("\xef\xbb\xbf{\"train_loss\":[3,2]}").size() == 1);
}

TEST_CASE("the table of a training is the log of its epochs") {
  constexpr std::string_view kHeader =
      "seed,epoch,step,train_loss,train_accuracy,validation_loss,validation_accuracy,"
      "test_loss,test_accuracy,best\n";
  const auto curves = read(std::string(kHeader) +
                           "1,1,9,2.5,0.1,2,0.25,,,1\n1,2,18,1.5,0.5,1,,,,0\r\n" +
                           "\n2,1,9,3,0.125,,,1.25,0.75,1");
  REQUIRE(curves.size() == 2);
  CHECK(curves[0].name == "seed 1");
  REQUIRE(curves[0].epochs.size() == 2);
  CHECK(curves[0].held_out);
  CHECK(curves[0].epochs[0].test_loss == 2.0);
  CHECK(curves[0].epochs[1].train_loss == 1.5);
  CHECK_FALSE(curves[0].epochs[1].test_accuracy);
  CHECK_FALSE(curves[1].held_out);
  CHECK(curves[1].epochs[0].test_accuracy == 0.75);

  bool cut = false;
  CHECK(read(std::string(kHeader) + "1,1,9,2.5,0.1,,,,,1\n1,2,18,1.", cut).size() == 1);
  CHECK(cut);
  cut = false;
  CHECK(read(std::string(kHeader) + "1,1,9,2.5,0.1,,,,,1\n1,2,18,1.5,,,,,,", cut)
            .front()
            .epochs.size() == 1);
  CHECK(cut);
  CHECK_THROWS_AS(read(std::string(kHeader) + "1,1,9\n"), InputError);
  CHECK_THROWS_AS(read(std::string(kHeader) + "1,1,9,x,,,,,,1\n"), InputError);
  CHECK_THROWS_AS(read(std::string(kHeader) + "1,,9,1,,,,,,1\n"), InputError);
  CHECK_THROWS_AS(read(kHeader), InputError);
}

TEST_CASE("an epoch under way shows its steps, and a line under way nothing") {
  bool cut = false;
  const auto curves = read(
      "{\"type\":\"step\",\"epoch\":1,\"train_loss\":3}\n"
      "{\"type\":\"step\",\"epoch\":1,\"train_loss\":2}\n{\"type\":\"st",
      cut);
  CHECK(cut);
  REQUIRE(curves.size() == 1);
  REQUIRE(curves[0].epochs.size() == 1);
  CHECK(curves[0].epochs[0].train_loss == 2.0);
}

TEST_CASE("over steps, points are means since the point before") {
  bool cut = false;
  const auto curves = read(
      "{\"type\":\"initial\",\"epoch\":0,\"validation_loss\":9}\n"
      "{\"type\":\"step\",\"epoch\":1,\"step\":100,\"train_loss\":3}\n"
      "{\"type\":\"step\",\"epoch\":1,\"step\":200,\"train_loss\":2.5}\n"
      "{\"type\":\"epoch\",\"epoch\":1,\"step\":250,\"train_loss\":2.25,"
      "\"validation_loss\":1}\n"
      "{\"type\":\"step\",\"epoch\":2,\"step\":300,\"train_loss\":1}\n"
      "{\"type\":\"step\",\"epoch\":2,\"step\":500,\"train_loss\":0.75}\n"
      "{\"type\":\"epoch\",\"epoch\":2,\"step\":500,\"train_loss\":0.75,"
      "\"validation_loss\":0.5}\n",
      cut,
      true);
  REQUIRE(curves.size() == 1);
  const auto& points = curves[0].epochs;
  REQUIRE(points.size() == 6);
  CHECK(points[0].epoch == 100);
  CHECK(points[0].train_loss == 3.0);
  CHECK(points[1].train_loss == 2.0);   // 2 * 2.5 - 3
  CHECK(points[2].train_loss == 1.25);  // (250 * 2.25 - 200 * 2.5) / 50
  CHECK(points[2].test_loss == 1.0);
  CHECK(points[3].train_loss == 1.0);
  CHECK(points[4].train_loss == 0.6875);  // (250 * 0.75 - 50) / 200
  CHECK_FALSE(points[5].train_loss);
  CHECK(points[5].test_loss == 0.5);
  CHECK(curves[0].held_out);
  CHECK_THROWS_AS(read("{\"train_loss\":[3,2]}", cut, true), InputError);
}

TEST_CASE("however a log is cut, it reads or is refused in one line") {
  const std::string whole =
      "{\"type\":\"epoch\",\"seed\":1,\"epoch\":1,\"train_loss\":3,\"layers\":[{"
      "\"ones\":0.5}]}\n"
      "{\"type\":\"epoch\",\"seed\":1,\"epoch\":2,\"train_loss\":2,\"test_loss\":null}"
      "\n";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    bool cut = false;
    try {
      const auto curves = read(whole.substr(0, size), cut);
      CHECK(curves.size() == 1);
    } catch (const InputError& error) {
      CHECK(std::string_view(error.what()).starts_with("run.jsonl:"));
      CHECK(size < whole.find('\n'));
    }
  }
}

TEST_CASE("JSON that is not a log is refused at any depth") {
  for (const std::string& text :
       {std::string(),
        std::string("[1,2]"),
        std::string("{\"train_loss\":[]}"),
        std::string("{\"train_loss\":[1]}\0?", 20),
        std::string("{\"type\":\"epoch\",\"epoch\":1}\0?\n\n", 30),
        "{\"type\":\"epoch\",\"epoch\":1,\"x\":" + std::string(100000, '[') +
            "}\n\n"}) {
    bool cut = false;
    CHECK_THROWS_AS((void)read(text, cut), InputError);
  }
}

TEST_SUITE_END();
