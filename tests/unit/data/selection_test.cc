#include "oa/data/selection.h"

#include "oa/data/digits.h"
#include "oa/data/packed_example.h"
#include "oa/data/task.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace oa;

namespace {

Selection keeping(int first, int last, std::vector<std::uint8_t>* seen = nullptr) {
  Selection selection;
  selection.keep = [=](int) { return ExampleRange{first, last}; };
  if (seen != nullptr) {
    selection.pass = [=](std::span<const std::uint8_t> bytes) {
      seen->insert(seen->end(), bytes.begin(), bytes.end());
    };
  }
  return selection;
}

}  // namespace

TEST_SUITE_BEGIN("data");

TEST_CASE("a selection of pictures keeps some, sees all, and knows all classes") {
  const Dataset all = digits(1, Split::Train, 0, 40);
  std::vector<std::uint8_t> seen;
  const Dataset some = select(all, keeping(7, 10, &seen));
  CHECK(some.images.pixels == cut(all, 7, 10).images.pixels);
  CHECK(some.labels == cut(all, 7, 10).labels);
  CHECK(some.count() == 3);
  CHECK(some.targets.classes == 10);
  std::vector<std::uint8_t> expected = all.images.pixels;
  expected.insert(expected.end(), all.labels.begin(), all.labels.end());
  CHECK(seen == expected);
  CHECK(select(all, {}).images.pixels == all.images.pixels);
}

TEST_CASE("behind the first examples of a selection only classes count") {
  Dataset all = digits(1, Split::Train, 0, 40);
  all.labels.back() = 17;
  Selection selection;
  selection.first = 5;
  int there = 0;
  selection.keep = [&](int count) {
    there = count;
    return ExampleRange{0, count};
  };
  const Dataset some = select(all, selection);
  CHECK(there == 5);
  CHECK(some.images.pixels == cut(all, 0, 5).images.pixels);
  CHECK(some.labels == cut(all, 0, 5).labels);
  CHECK(some.targets.classes == 18);
}

TEST_CASE("a selection of sequences knows the longest, and may be empty") {
  Dataset all = draw_task(Task::Recall, {}, Pictures(), 1, Split::Train, 0, 20);
  all.sequences.places.front().length -= 1;
  const int length = all.sequences.places.back().length;
  const Dataset some = select(all, keeping(0, 1));
  CHECK(some.count() == 1);
  CHECK(some.sequences.places.front().length == length - 1);
  CHECK(some.sequences.longest == length);
  const Dataset none = select(all, keeping(3, 3));
  CHECK(none.count() == 0);
  CHECK(none.has_sequences());
}

TEST_SUITE_END();
