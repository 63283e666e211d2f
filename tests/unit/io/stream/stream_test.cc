#include "oa/io/stream/stream.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <zlib.h>

using namespace oa;
using io::FrameKind;
using io::TensorView;

namespace {

using Kinds = std::vector<FrameKind>;

std::string stream_of(const std::function<void(io::StreamWriter&)>& write) {
  return test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    write(writer);
  });
}

const std::vector<float> kValues{1.0F, 2.0F, 3.0F};

TensorView tensor() {
  return TensorView::of<float>("t", {3}, kValues);
}

/// A head and so many problems.
std::string part(int images, bool complete = true) {
  return stream_of([&](io::StreamWriter& writer) {
    writer.head({{"name", "head"}}, {tensor()});
    for (int i = 0; i < images; ++i) {
      writer.image(FrameKind::Problem, {{"i", std::to_string(i)}}, {tensor()});
    }
    writer.finish(complete);
  });
}

/// One frame of any content.
std::string frame(const std::string& metadata) {
  return test::raw_safetensors("{\"__metadata__\":{" + metadata + "}}", 0);
}

const std::string kHead = frame(R"("oa.kind":"head","oa.version":"1")");
const std::string kProblem = frame(R"("oa.kind":"problem")");

/// The end mark of `body`, a head and `images` frames.
std::string end_of(std::string_view body, const std::string& images) {
  const auto crc = ::crc32(
      0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  std::string hex(8, '0');
  for (std::size_t i = 0; i < 8; ++i) {
    hex[i] = "0123456789abcdef"[crc >> (28 - 4 * i) & 15];
  }
  return frame(R"("oa.kind":"end","complete":"true","frames":")" + images +
               R"(","checksum":")" + hex + "\"");
}

struct Reading {
  Kinds kinds;
  bool complete = false;
};

Reading read(io::Input input) {
  io::StreamReader reader(std::move(input));
  Reading reading;
  while (const auto next = reader.next()) {
    reading.kinds.push_back(next->kind);
  }
  reading.complete = reader.complete();
  return reading;
}

Reading read(std::string_view bytes) {
  return read(io::Input::memory(test::bytes_of(bytes), "s"));
}

std::string why_not(std::string_view bytes) {
  return test::message_of<InputError>([&] { (void)read(bytes); });
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("frames are read in order, with the contents written") {
  const std::string bytes = stream_of([&](io::StreamWriter& writer) {
    writer.head({{"name", "n"}}, {tensor()});
    writer.image(FrameKind::Problem, {{"i", "0"}}, {tensor()});
    writer.image(FrameKind::Solution, {}, {});
    writer.finish(true);
  });
  io::StreamReader reader(io::Input::memory(test::bytes_of(bytes), "s"));
  const auto head = reader.next();
  REQUIRE(head);
  CHECK(head->kind == FrameKind::Head);
  CHECK(head->where == "s:frame 0");
  CHECK(head->data.metadata ==
        io::Metadata{{"name", "n"}, {"oa.kind", "head"}, {"oa.version", "1"}});
  CHECK(std::ranges::equal(head->data.get<float>("t", {3}, ""), kValues));
  const auto problem = reader.next();
  REQUIRE(problem);
  CHECK(problem->where == "s:frame 1");
  CHECK(problem->data.metadata == io::Metadata{{"i", "0"}, {"oa.kind", "problem"}});
  const auto solution = reader.next();
  REQUIRE(solution);
  CHECK(solution->kind == FrameKind::Solution);
  CHECK_FALSE(reader.next());
  CHECK_FALSE(reader.next());  // and again
  CHECK(reader.complete());
}

TEST_CASE("streams that follow each other are one stream, complete if all are") {
  for (const bool first : {true, false}) {
    for (const bool second : {true, false}) {
      const Reading r = read(part(2, first) + part(0) + part(1, second));
      CHECK(r.kinds == Kinds{FrameKind::Head,
                             FrameKind::Problem,
                             FrameKind::Problem,
                             FrameKind::Head,
                             FrameKind::Head,
                             FrameKind::Problem});
      CHECK(r.complete == (first && second));
    }
  }
}

TEST_CASE("the checksum is the CRC-32 of zlib over all bytes before the end mark") {
  const std::string body = kHead + kProblem;
  CHECK(read(body + end_of(body, "1")).complete);
  const std::string bytes = part(3);
  const auto end = bytes.rfind("\"oa.kind\":\"end\"");
  const auto start = bytes.rfind("{\"__metadata__\"", end) - 8;
  CHECK(bytes.find(end_of(bytes.substr(0, start), "3").substr(80, 8), start) !=
        std::string::npos);
}

TEST_CASE("a head says whether the parts before it were complete") {
  const std::string bytes = part(1) + part(0, false) + part(1);
  io::StreamReader reader(io::Input::memory(test::bytes_of(bytes), "s"));
  std::vector<bool> before;
  while (const auto next = reader.next()) {
    if (next->kind == FrameKind::Head) {
      before.push_back(next->complete_before);
    }
  }
  CHECK(before == std::vector<bool>{true, true, false});
  CHECK_FALSE(reader.complete());
}

TEST_CASE("a stream cut anywhere is refused, and so is one that goes on") {
  const std::string whole = part(2);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(why_not(whole.substr(0, size)).starts_with("s:"));
    if (size > 0) {
      CHECK(why_not(whole + whole.substr(0, size)).starts_with("s:"));
    }
  }
  CHECK(why_not(whole + kHead) == "s:frame 5: truncated: the stream has no end mark");
  CHECK(why_not(whole + "\n") == "s:byte " + std::to_string(whole.size()) +
                                     ": truncated (the header's length takes 8 bytes)");
}

TEST_CASE("no flipped bit goes unnoticed or changes what is read") {
  // Bits of the end mark itself are not covered by its checksum: what it says of the
  // stream must still be true, and padding may change without harm.
  const std::string whole = part(1);
  const std::size_t end = whole.rfind("{\"__metadata__\"") - 8;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int bit : {1, 4, 32, 128}) {
      CAPTURE(at);
      std::string broken = whole;
      broken[at] = static_cast<char>(broken[at] ^ bit);
      try {
        const Reading r = read(broken);
        CHECK(at >= end);
        CHECK(r.complete);
        CHECK(r.kinds == Kinds{FrameKind::Head, FrameKind::Problem});
      } catch (const InputError& error) {
        CHECK(std::string(error.what()).starts_with("s:"));
      }
    }
  }
}

TEST_CASE("frames out of order are refused") {
  const std::string end = end_of(kHead, "0");
  CHECK(why_not(part(1) + kProblem) == "s:frame 3: a problem without a head before it");
  CHECK(why_not(end) == "s:frame 0: an end mark without a head before it");
  CHECK(why_not(kHead + end + end) ==
        "s:frame 2: an end mark without a head before it");
}

TEST_CASE("frames that do not belong to a stream are refused") {
  CHECK(
      why_not(frame(R"("oa.attention":"optimizing")")) ==
      "s:frame 0: a model (oa-qubo poses its problems, oa-score asks it about images) "
      "(expected a frame of a stream)");
}

TEST_CASE("an end mark that does not agree is refused") {
  const std::string body = kHead + kProblem;
  CHECK(why_not(body + end_of(body, "-1")) ==
        "s:frame 2: the end mark counts -1 frames, but 1 came");
  const auto end = [&](const std::string& rest) {
    return why_not(kHead + frame("\"oa.kind\":\"end\"" + rest));
  };
  CHECK(end("") ==
        "s:frame 1: no 'frames' in its metadata (expected a frame of a stream)");
  CHECK(end(R"(,"frames":"0")") ==
        "s:frame 1: no 'complete' in its metadata (expected a frame of a stream)");
  CHECK(end(R"(,"frames":"0","complete":"yes")") == "s:frame 1: a damaged end mark");
}

TEST_SUITE_END();
