#include "oa/io/stream/cut.h"

#include "oa/io/stream/problem_io.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace oa;

namespace {

using Indices = std::vector<std::int64_t>;

/// A part with one small problem for each index.
std::string part(const Indices& indices, bool complete = true) {
  return test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({}, {});
    for (const std::int64_t index : indices) {
      Rng rng(static_cast<std::uint64_t>(index));
      qubo::Problem p = test::random_problem(rng, 2, 1, 1);
      p.index = index;
      io::write_problem(writer, p);
    }
    writer.finish(complete);
  });
}

struct Made {
  std::string bytes;
  io::CutResult result;
};

Made made(const std::string& stream, const io::Cut& cut) {
  Made m;
  m.bytes = test::written([&](io::Output& output) {
    io::StreamReader reader(io::Input::memory(test::bytes_of(stream), "s"));
    m.result = io::write_cut(reader, cut, output);
  });
  return m;
}

io::Cut head(std::int64_t n) {
  return {n, std::nullopt};
}

io::Cut select(const char* list) {
  return {std::nullopt, IndexSet::parse(list)};
}

/// The indices in a stream, which must be well-formed, and its mark.
std::pair<Indices, bool> contents(const std::string& bytes) {
  io::StreamReader reader(io::Input::memory(test::bytes_of(bytes), "cut"));
  Indices indices;
  while (const auto frame = reader.next()) {
    if (frame->kind != io::FrameKind::Head) {
      indices.push_back(io::read_problem(*frame).index);
    }
  }
  return {indices, reader.complete()};
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a cut that leaves everything is the stream itself") {
  const std::string stream = part({4, 2, 9});
  CHECK(made(stream, {}).bytes == stream);
  CHECK(made(stream, head(3)).bytes == stream);
  CHECK(made(stream, head(99)).bytes == stream);
  CHECK(made(stream, select("2,4,9")).bytes == stream);
  const std::string two = part({1}) + part({}) + part({5, 6});
  CHECK(made(two, {}).bytes == two);
}

TEST_CASE("the first n images are a complete stream of n images") {
  const std::string stream = part({4, 2}) + part({9, 7});
  const Indices all{4, 2, 9, 7};
  for (int n = 0; n <= 4; ++n) {
    CAPTURE(n);
    const Made m = made(stream, head(n));
    CHECK(contents(m.bytes) == std::pair(Indices(all.begin(), all.begin() + n), true));
    CHECK(m.result.images == n);
    CHECK(m.result.ok());
  }
}

TEST_CASE("the first n images are read no further than needed") {
  const std::string stream = part({4, 2, 9});
  const std::string damaged = stream.substr(0, part({4, 2}).size() - 120);
  CHECK(contents(made(damaged, head(1)).bytes).first == Indices{4});
}

TEST_CASE("selected images come in the order of the stream") {
  const std::string stream = part({4, 2}) + part({9, 7});
  const Made m = made(stream, select("7,2-3,9"));
  CHECK(contents(m.bytes) == std::pair(Indices{2, 9, 7}, false));
  CHECK(m.result.missing == 1);
  CHECK_FALSE(m.result.ok());
  CHECK(m.result.complete);
  CHECK(contents(made(stream, select("2,9")).bytes) == std::pair(Indices{2, 9}, true));
}

TEST_CASE("an image that appears twice is returned twice, and no image is lost") {
  const Made m = made(part({4, 2}) + part({2}), select("2"));
  CHECK(contents(m.bytes) == std::pair(Indices{2, 2}, true));
  CHECK(m.result.missing == 0);
}

TEST_CASE("the first n of the selected images") {
  const Made m = made(part({4, 2, 9, 7}), {2, IndexSet::parse("2,7,9,1000")});
  CHECK(contents(m.bytes) == std::pair(Indices{2, 9}, true));
  CHECK(m.result.missing == 0);  // not known: the rest was not read
}

TEST_CASE("the mark of an incomplete stream is passed on") {
  const Made m = made(part({4, 2}, false), select("4"));
  CHECK(contents(m.bytes) == std::pair(Indices{4}, false));
  CHECK_FALSE(m.result.ok());
  // Only frames that were read decide it.
  CHECK(made(part({4, 2}, false), head(1)).result.ok());
}

TEST_CASE("a stop before the first frame leaves nothing, and one later a mark") {
  const test::Folder folder;
  test::spill(folder.path("s"), part({4, 2, 9}));
  for (int frames = 0; frames < 4; ++frames) {
    CAPTURE(frames);
    std::stop_source stop;
    io::StreamReader reader(io::Input::open(folder.path("s"), stop.get_token()));
    int seen = 0;
    if (frames == 0) {
      stop.request_stop();
    }
    const std::string visited = test::written([&](io::Output& output) {
      io::StreamWriter writer(output);
      io::visit_cut(reader, {}, [&](io::Frame& frame) {
        writer.copy(frame);
        if (++seen == frames) {
          stop.request_stop();
        }
      });
    });
    CHECK(seen == frames);
    CHECK_FALSE(reader.complete());
  }
  std::stop_source stop;
  stop.request_stop();
  io::StreamReader reader(io::Input::open(folder.path("s"), stop.get_token()));
  CHECK(test::written([&](io::Output& output) {
          CHECK_FALSE(io::write_cut(reader, {}, output).ok());
        }).empty());
}

TEST_SUITE_END();
