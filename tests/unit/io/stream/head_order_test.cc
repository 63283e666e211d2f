#include "oa/io/stream/head_order.h"

#include "oa/base/error.h"
#include "oa/io/stream/cut.h"
#include "oa/io/stream/example_reader.h"
#include "oa/io/stream/problem_io.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace oa;

namespace {

constexpr std::int64_t kExample = 7;

/// A frame of head `head` of `heads` of an example.
void put_head(io::StreamWriter& writer, std::int64_t index, int head, int heads) {
  Rng rng(static_cast<std::uint64_t>(head));
  qubo::Problem p = test::with_sizes(test::random_problem(rng, 3, 3, 2), {1, 2, 3});
  p.index = index;
  p.place.head = head;
  p.place.heads = heads;
  io::write_problem(writer, p);
}

std::string task_part(const std::function<void(io::StreamWriter&)>& write,
                      bool complete = true) {
  return test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({}, {}, io::Series::Tasks);
    write(writer);
    writer.finish(complete);
  });
}

std::string heads_in_order(int examples, int heads) {
  return task_part([&](io::StreamWriter& writer) {
    for (int k = 0; k < examples; ++k) {
      for (int head = 0; head < heads; ++head) {
        put_head(writer, k, head, heads);
      }
    }
  });
}

io::StreamReader reader_for(const std::string& bytes) {
  return io::StreamReader(io::Input::memory(test::bytes_of(bytes), "s"));
}

std::string order_refusal(const std::string& bytes) {
  return test::message_of<InputError>([&] {
    io::StreamReader reader = reader_for(bytes);
    while (reader.next()) {
    }
  });
}

const std::string kNothing = "(nothing was thrown)";

/// The sizes of the examples of an ExampleReader.
std::vector<std::size_t> examples_in(const std::string& bytes) {
  io::StreamReader reader = reader_for(bytes);
  io::ExampleReader examples(reader);
  std::vector<std::size_t> sizes;
  for (auto frames = examples.next(); !frames.empty(); frames = examples.next()) {
    sizes.push_back(frames.size());
  }
  return sizes;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("all heads of an example follow each other") {
  CHECK(order_refusal(heads_in_order(2, 3)) == kNothing);
  CHECK(order_refusal(task_part([](auto& w) {
          put_head(w, kExample, 0, 3);
          put_head(w, kExample, 2, 3);
        })) ==
        "s:frame 2: head 2 of 3, layer 0, example 7 (expected head 1 of 3, layer 0, "
        "example 7)");
  CHECK(order_refusal(task_part([](auto& w) {
          put_head(w, kExample, 0, 2);
          put_head(w, 8, 1, 2);
        })) ==
        "s:frame 2: head 1 of 2, layer 0, example 8 (expected head 1 of 2, layer 0, "
        "example 7)");
}

TEST_CASE("an incomplete part may end inside an example") {
  const std::string bytes =
      task_part([](auto& w) { put_head(w, kExample, 0, 2); }, false) +
      heads_in_order(1, 2);
  CHECK(order_refusal(bytes) == kNothing);
  CHECK(examples_in(bytes) == std::vector<std::size_t>{1, 1, 1, 2});
  CHECK(examples_in(heads_in_order(2, 3)) == std::vector<std::size_t>{1, 3, 3});
}

TEST_CASE("invalid places are refused") {
  io::Safetensors frame;
  const auto place_refusal = [&] {
    return test::message_of<InputError>([&] { (void)io::head_place(frame, "s"); });
  };
  CHECK(place_refusal() == "s: no 'oa.layer' in its metadata");
  io::put_head_place({2, 1, 4}, frame.metadata);
  CHECK(place_refusal() == kNothing);
  CHECK(io::head_place(frame, "s").layer == 2);
  CHECK(io::head_place(frame, "s").head == 1);
  frame.metadata["oa.head"] = "4";
  CHECK(place_refusal() == "s: oa.head is '4' (expected 0 to 3)");
  frame.metadata["oa.head"] = "one";
  CHECK(place_refusal() == "s: oa.head is 'one' (expected 0 to 3)");
  frame.metadata["oa.heads"] = "0";
  CHECK(place_refusal() == "s: oa.heads is '0' (expected 1 to 65536)");
}

TEST_CASE("frames of tasks are not written to a part of version 1") {
  CHECK_THROWS_AS((void)test::written([](io::Output& output) {
                    io::StreamWriter writer(output);
                    writer.head({}, {});
                    put_head(writer, 0, 0, 1);
                  }),
                  std::logic_error);
}

TEST_CASE("a cut of a stream counts examples, and takes all their heads") {
  const std::string bytes = heads_in_order(4, 3);
  const auto cut = [&](const io::Cut& c) {
    io::StreamReader reader = reader_for(bytes);
    std::vector<std::int64_t> seen;
    const io::CutResult result = io::visit_cut(reader, c, [&](const io::Frame& frame) {
      if (frame.kind != io::FrameKind::Head) {
        seen.push_back(io::read_problem(frame).index * 10 + frame.place.head);
      }
    });
    CHECK(result.images == std::ssize(seen) / 3);
    CHECK(result.ok());
    return seen;
  };
  CHECK(cut({.head = 1}) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(cut({.head = {}, .select = IndexSet::parse("1,3")}) ==
        std::vector<std::int64_t>{10, 11, 12, 30, 31, 32});
}

TEST_SUITE_END();
