#include "oa/io/tensor/dataset_io.h"

#include "oa/base/error.h"
#include "oa/data/task.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/task_file.h"
#include "oa_test.h"
#include "ref/idx_files.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace oa {
namespace {

std::string idx_of_ints(std::initializer_list<int> extents,
                        std::initializer_list<int> values) {
  std::string text = io::be32(0x0c00U + static_cast<std::uint32_t>(extents.size()));
  for (const auto& list : {extents, values}) {
    for (const int value : list) {
      text += io::be32(static_cast<std::uint32_t>(value));
    }
  }
  return text;
}

/// A folder of two sequences of at most three tokens, and its error after a
/// file of it is another.
class Small {
 public:
  Small() {
    put("task.json",
        R"({"task":"mine","objective":"positions","vocabulary":5,"classes":3})");
    put("train-tokens-idx2-int", idx_of_ints({2, 3}, {4, 0, -1, 1, 2, 3}));
    put("train-targets-idx2-int", idx_of_ints({2, 3}, {-1, 2, -1, 0, 1, -1}));
  }

  void put(const std::string& name, std::string_view bytes) const {
    test::spill(folder_.path(name), bytes);
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_.path(name);
  }

  [[nodiscard]] Dataset read() const {
    return io::read_dataset(folder_.path(), Split::Train);
  }

  /// The refusal, without the folder's path.
  [[nodiscard]] std::string refusal() const {
    std::string why = test::message_of<InputError>([&] { (void)read(); });
    const std::string start = folder_.path() + "/";
    for (auto at = why.find(start); at != why.npos; at = why.find(start)) {
      why.erase(at, start.size());
    }
    return why;
  }

 private:
  test::Folder folder_;
};

std::string refusal_with(const std::string& name, std::string_view bytes) {
  const Small small;
  small.put(name, bytes);
  return small.refusal();
}

std::string refusal_of_task(std::string_view json) {
  return refusal_with("task.json", json);
}

}  // namespace

TEST_SUITE("io") {
  TEST_CASE("every task written block by block reads back") {
    for (const Task task :
         {Task::Recall, Task::Induction, Task::Copy, Task::Superposed, Task::Scenes}) {
      for (const bool pictures : {false, true}) {
        TaskOptions o;
        o.pictures = pictures;
        const auto draw = [&](int first, int count) {
          return draw_task(task, o, Pictures(), 1, Split::Test, first, count);
        };
        // Files of one task are longer than what is read at once.
        const int count = task == Task::Recall && !pictures ? 400 : 7;
        const Dataset all = draw(0, count);
        const test::Folder place;
        {
          const io::OutputFolder folder(place.path());
          io::DatasetFiles files(folder, Split::Test, count, all, pictures);
          files.write(draw(0, 3));
          files.write(draw(3, count - 3));
          files.commit();
          io::Output json(folder / io::kTaskFile);
          io::write_task(json,
                         {.task = field_text(task),
                          .objective = all.targets.objective,
                          .vocabulary = all.sequences.vocabulary,
                          .width = all.sequences.width,
                          .classes = all.targets.classes,
                          .asking = all.sequences.asking,
                          .options = {}});
          json.commit();
        }
        const Dataset got = io::read_dataset(place.path(), Split::Test);
        CHECK(got.count() == count);
        CHECK(got.images.pixels == all.images.pixels);
        CHECK(got.sequences.ids == all.sequences.ids);
        CHECK(got.sequences.vectors == all.sequences.vectors);
        CHECK(got.sequences.asking == all.sequences.asking);
        CHECK(got.sequences.vocabulary == all.sequences.vocabulary);
        CHECK(got.targets.numbers == all.targets.numbers);
        CHECK(got.targets.objective == all.targets.objective);
        CHECK(got.targets.rows == all.targets.rows);
        CHECK(got.targets.per_row == all.targets.per_row);
        CHECK(got.targets.classes == all.targets.classes);
        for (std::size_t i = 0; i < all.sequences.places.size(); ++i) {
          CHECK(got.sequences.places[i].begin == all.sequences.places[i].begin);
          CHECK(got.sequences.places[i].length == all.sequences.places[i].length);
        }
      }
    }
  }

  TEST_CASE("rows end where -1 fills them up, and so do their targets") {
    const Small small;
    const Dataset set = small.read();
    CHECK(set.count() == 2);
    CHECK(set.sequences.places[0].length == 2);
    CHECK(set.sequences.places[1].begin == 2);
    CHECK(set.sequences.places[1].length == 3);
    CHECK(set.sequences.ids == std::vector<std::int32_t>{4, 0, 1, 2, 3});
    CHECK(set.targets.numbers == std::vector<std::int32_t>{-1, 2, 0, 1, -1});
    small.put("train-tokens-idx2-int",
              io::be32(0x0902) + io::be32(2) + io::be32(3) + "\4\1\xff\1\2\3");
    CHECK(small.read().sequences.ids == std::vector<std::int32_t>{4, 1, 1, 2, 3});
  }

  TEST_CASE("members of a task file are kept, unknown ones as options") {
    const Small small;
    small.put("task.json",
              R"({"task":"x","objective":"sets","classes":7,"seed":3,"noise":0.05,)"
              R"("pictures":true,"by":"me","deep":[{"a":[1]}]})");
    const auto task = io::task_of(small.path("."));
    REQUIRE(task);
    CHECK(task->task == "x");
    CHECK(task->objective == Objective::Sets);
    CHECK(task->classes == 7);
    CHECK(task->options ==
          std::map<std::string, std::string>{
              {"by", "me"}, {"noise", "0.05"}, {"pictures", "true"}, {"seed", "3"}});
    const test::Folder empty;
    CHECK_FALSE(io::task_of(empty.path()));
    CHECK(test::written([](io::Output& out) {
            io::write_task(
                out, {.task = "t", .classes = 2, .options = {{"a", "1"}, {"b", "c"}}});
          }) == R"({"task":"t","objective":"class","classes":2,"a":1,"b":"c"})"
                "\n");
  }

  TEST_CASE("tasks that make no sense are refused") {
    CHECK(refusal_of_task("[]") == "task.json: is not a JSON object");
    CHECK(refusal_of_task("{") == "task.json: is not a JSON object");
    CHECK(refusal_of_task("{}") == "task.json: does not say which \"task\" it is");
    CHECK(refusal_of_task(R"({"task":7})") == "task.json: \"task\" is not a name");
    CHECK(refusal_of_task(R"({"task":"a","objective":"x"})") ==
          "task.json: \"objective\" is \"x\" (expected \"class\", \"positions\", "
          "\"sets\" or \"cells\")");
    for (const char* number : {"-1", "1.5", "\"2\"", "16777217", "1e300"}) {
      CHECK(refusal_of_task(R"({"task":"a","vocabulary":)" + std::string(number) + "}")
                .ends_with("(expected a whole number from 0 to 16777216)"));
    }
    CHECK(refusal_of_task(R"({"task":"a","objective":"positions","vocabulary":5})") ==
          "task.json: \"classes\" is missing");
    CHECK(refusal_of_task(R"({"task":"a","objective":"positions","classes":5})") ==
          "task.json: neither \"vocabulary\" nor \"width\" (expected one with "
          "positions)");
    CHECK(refusal_of_task(
              R"({"task":"a","objective":"sets","classes":5,"vocabulary":5})") ==
          "task.json: \"asking\" is missing (a task of sets needs it)");
    CHECK(refusal_of_task(
              R"({"task":"a","objective":"cells","classes":5,"vocabulary":5})") ==
          "task.json: a task of cells is for pictures (this one has sequences)");
    CHECK(refusal_of_task(test::repeated(" ", (1U << 20) + 1)) ==
          "task.json: is longer than 1 MiB (expected a task)");
  }

  TEST_CASE("tokens and targets out of range are refused, with their example") {
    const std::string tokens = "train-tokens-idx2-int";
    CHECK(refusal_with(tokens, idx_of_ints({2, 3}, {4, 0, -1, 1, 5, 3})) ==
          tokens + ": example 1: token 5 (expected -1 to 4)");
    CHECK(refusal_with(tokens, idx_of_ints({2, 3}, {4, -2, -1, 1, 1, 3})) ==
          tokens + ": example 0: token -2 (expected -1 to 4)");
    CHECK(refusal_with(tokens, idx_of_ints({2, 3}, {4, 0, -1, 1, -1, 3})) ==
          tokens + ": example 1: token 1 is -1 (expected -1 at the end only)");
    CHECK(refusal_with(tokens, idx_of_ints({2, 3}, {4, 0, -1, -1, -1, -1})) ==
          tokens + ": example 1: no tokens");
    CHECK(refusal_with(tokens, idx_of_ints({2, 0}, {})) ==
          tokens + ": sequences without tokens");
    const std::string targets = "train-targets-idx2-int";
    CHECK(refusal_with(targets, idx_of_ints({2, 3}, {-1, 2, -1, 3, 1, -1})) ==
          targets + ": example 1: target 3 (expected -1 to 2)");
    CHECK(refusal_with(targets, idx_of_ints({2, 3}, {-1, 2, 0, 0, 1, -1})) ==
          targets + ": example 0: a target behind its last token");
  }

  TEST_CASE("files that disagree are refused, by name") {
    CHECK(refusal_with("train-targets-idx2-int", idx_of_ints({1, 3}, {0, 0, 0})) ==
          "train-targets-idx2-int: is 1x3 (expected 2x3, as train-tokens-idx2-int is)");
    CHECK(refusal_with("train-targets-idx2-int", idx_of_ints({2, 1, 1}, {0, 0})) ==
          "train-targets-idx2-int: IDX magic 0x00000c03 (expected targets of positions "
          "with 2 extents, of bytes, 32-bit integers or floats)");
    CHECK(refusal_with("train-tokens-idx2-ubyte", "") ==
          "train-tokens-idx2-int: there is train-tokens-idx2-ubyte, too (expected one "
          "of them)");
    CHECK(refusal_of_task(R"({"task":"a","objective":"positions","classes":5,)"
                          R"("vocabulary":5,"asking":3})") ==
          "train-tokens-idx2-int: example 0: 2 tokens (the last 3 of an example ask, "
          "says task.json)");
    const Small small;
    CHECK(test::message_of<IoError>([&] {
            (void)io::read_dataset(small.path("."), Split::Test);
          }) == small.path("./t10k-tokens-idx2-int") +
                    ": neither this file nor one of its kind exists");
  }

  TEST_CASE("vectors agree with tokens and are finite") {
    Small small;
    small.put("task.json",
              R"({"task":"a","objective":"positions","classes":3,"vocabulary":5,)"
              R"("width":1})");
    const auto vectors = [&](int count, int width, float last) {
      std::string text = io::be32(0x0d03) +
                         io::be32(static_cast<std::uint32_t>(count)) + io::be32(3) +
                         io::be32(static_cast<std::uint32_t>(width));
      for (int i = 0; i < count * 3 * width; ++i) {
        text += io::be32(
            std::bit_cast<std::uint32_t>(i + 1 < count * 3 * width ? 0.5F : last));
      }
      small.put("train-vectors-idx3-float", text);
    };
    vectors(2, 1, -2.0F);
    const Dataset set = small.read();
    CHECK(set.sequences.vectors ==
          std::vector<float>{0.5F, 0.5F, 0.5F, 0.5F, 0.5F, -2.0F});
    CHECK(set.sequences.places[0].length == 3);  // an id of -1 is not padding here
    vectors(2, 1, std::numeric_limits<float>::quiet_NaN());
    CHECK(small.refusal() ==
          "train-vectors-idx3-float: element 5 is not a finite number");
    vectors(2, 2, 1.0F);
    CHECK(small.refusal() ==
          "train-vectors-idx3-float: is 2x3x2 (expected 2x3x1, as "
          "train-tokens-idx2-int and task.json say)");
    vectors(3, 1, 1.0F);
    CHECK(small.refusal() ==
          "train-vectors-idx3-float: is 3x3x1 (expected 2x3x1, as "
          "train-tokens-idx2-int and task.json say)");
  }

  TEST_CASE("sets have the rows that ask and no class twice") {
    Small small;
    small.put(
        "task.json",
        R"({"task":"a","objective":"sets","classes":3,"vocabulary":5,"asking":1})");
    small.put("train-targets-idx3-int", idx_of_ints({2, 1, 2}, {2, -1, 0, 1}));
    const Dataset set = small.read();
    CHECK(set.targets.per_row == 2);
    CHECK(set.targets.numbers == std::vector<std::int32_t>{2, -1, 0, 1});
    small.put("train-targets-idx3-int", idx_of_ints({2, 1, 2}, {2, -1, 1, 1}));
    CHECK(small.refusal() == "train-targets-idx3-int: example 1: a set has 1 twice");
    small.put("train-targets-idx3-int", idx_of_ints({2, 2, 1}, {2, 1, 1, 1}));
    CHECK(small.refusal() ==
          "train-targets-idx3-int: is 2x2x1 (expected 2x1x1, as train-tokens-idx2-int "
          "and task.json say)");
  }

  TEST_CASE("pictures of several planes, and their cells") {
    const Small small;
    small.put("task.json", R"({"task":"a","objective":"cells","classes":4})");
    small.put("train-images-idx4-ubyte",
              io::be32(0x804) + io::be32(1) + io::be32(3) + io::be32(1) + io::be32(2) +
                  "abcdef");
    small.put("train-targets-idx2-int", idx_of_ints({1, 2}, {3, -1}));
    const Dataset set = small.read();
    CHECK(set.images.channels == 3);
    CHECK(set.images[0].size() == 6);
    CHECK(set.targets.rows == 2);
    CHECK(test::written([&](io::Output& out) {
            io::write_idx_images(out, set.images);
          }) == test::slurp(small.path("train-images-idx4-ubyte")));
    small.put("train-targets-idx2-int", idx_of_ints({1, 2}, {4, -1}));
    CHECK(small.refusal() ==
          "train-targets-idx2-int: example 0: cell 4 (expected -1 to 3)");
    small.put("train-targets-idx2-int", idx_of_ints({2, 1}, {1, -1}));
    CHECK(
        small.refusal() ==
        "train-targets-idx2-int: is 2x1 (expected 1x1, as train-images-idx4-ubyte is)");
    small.put("train-images-idx4-ubyte",
              io::be32(0x804) + io::be32(1) + io::be32(17) + io::be32(1) + io::be32(2));
    CHECK(small.refusal() ==
          "train-images-idx4-ubyte: images of 17 planes (expected 1 to 16)");
  }

  TEST_CASE("a folder without a task is one of pictures and labels") {
    const test::Folder folder;
    test::spill(folder.path("train-images-idx3-ubyte"),
                io::be32(0x803) + io::be32(2) + io::be32(1) + io::be32(1) + "ab");
    test::spill(folder.path("train-labels-idx1-ubyte"),
                io::be32(0x801) + io::be32(2) + "\1\2");
    const Dataset set = io::read_dataset(folder.path(), Split::Train);
    CHECK(set.images.channels == 1);
    CHECK(set.labels == std::vector<std::uint8_t>{1, 2});
    CHECK(set.targets.objective == Objective::Class);
  }

  TEST_CASE("arrays that claim too much are refused without memory for them") {
    const std::string tokens = "train-tokens-idx2-int";
    CHECK(
        refusal_with(tokens,
                     io::be32(0x0c02) + io::be32(0x7fffffff) + io::be32(0x7fffffff)) ==
        tokens +
            ": extent 2147483647 (expected at most 2^40 elements, and 2147483647 each "
            "way)");
    CHECK(
        refusal_with(
            tokens, io::be32(0x0c02) + io::be32(1U << 20) + io::be32(1U << 20) + "x") ==
        tokens + ": has 1 bytes of data (its header says 4398046511104)");
    CHECK(
        refusal_with(tokens, io::be32(0x0c02) + io::be32(0) + io::be32(0x80000000)) ==
        tokens +
            ": extent 2147483648 (expected at most 2^40 elements, and 2147483647 each "
            "way)");
    CHECK(refusal_with(tokens, idx_of_ints({1, 1}, {0, 0})) ==
          tokens + ": goes on after its 4 bytes of data");
    CHECK(refusal_with(tokens,
                       io::be32(0x0d02) + io::be32(1) + io::be32(1) + io::be32(0)) ==
          tokens + ": IDX of floats (expected whole numbers)");
  }
}

}  // namespace oa
