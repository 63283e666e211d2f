#include "app/view/describe.h"

#include "oa/base/error.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/tensor/npy.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace oa;
using io::TensorView;

namespace {

std::string described(const std::string& bytes, const app::DescribeSettings& settings) {
  return test::written([&](io::Output& output) {
    io::Input input = io::Input::memory(test::bytes_of(bytes), "f");
    (void)app::describe(input, output, settings);
  });
}

std::string text(const std::string& bytes) {
  return described(bytes, {});
}

/// With the elements of tensors.
std::string json(const std::string& bytes) {
  app::DescribeSettings settings;
  settings.json = true;
  settings.tensors = true;
  return described(bytes, settings);
}

app::CheckResult checked(const std::string& bytes) {
  io::Input input = io::Input::memory(test::bytes_of(bytes), "f");
  return app::check(input);
}

std::string file_of(const io::Metadata& metadata,
                    const std::vector<TensorView>& tensors) {
  return test::written(
      [&](io::Output& out) { io::write_safetensors(out, metadata, tensors); });
}

/// A problem of two variables and one query.
std::string stream() {
  return test::written([](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({}, {});
    qubo::Problem p;
    p.index = 22;
    p.label = 6;
    p.m = 2;
    p.n = p.d = 1;
    p.j = {2, 1, 1, 2};
    p.h = {-4, 1};
    p.v = {1, 0.5};
    io::write_problem(writer, p);
    writer.finish(true);
  });
}

std::string npy() {
  const std::vector<double> values{1, 2, 3, 4.5, 0, -1};
  return test::written([&](io::Output& out) {
    io::write_npy(out, io::Dtype::F64, {2, 3}, std::as_bytes(std::span(values)));
  });
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("elements in JSON are exact, and null where JSON has no number") {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> integers{kMax, -kMax - 1, (1LL << 53) + 1};
  CHECK(json(file_of({}, {TensorView::of<std::int64_t>("i", {3}, integers)}))
            .find("\"values\":[9223372036854775807,-9223372036854775808,"
                  "9007199254740993]") != std::string::npos);
  const std::vector<std::uint64_t> naturals{~std::uint64_t{0}};
  CHECK(json(file_of({},
                     {{"u", io::Dtype::U64, {1}, std::as_bytes(std::span(naturals))}}))
            .find("\"values\":[18446744073709551615]") != std::string::npos);
  const std::vector<float> floats{0.1F, std::numeric_limits<float>::infinity()};
  CHECK(json(file_of({}, {TensorView::of<float>("f", {2}, floats)}))
            .find("\"values\":[0.1,null]") != std::string::npos);
  const std::vector<double> doubles{0.1, std::numeric_limits<double>::quiet_NaN()};
  CHECK(json(file_of({}, {TensorView::of<double>("d", {2}, doubles)}))
            .find("\"values\":[0.1,null]") != std::string::npos);
}

TEST_CASE("a large index is described exactly") {
  const std::string frames = test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({}, {});
    Rng rng(1);
    qubo::Problem p = test::random_problem(rng, 1, 1, 1);
    p.index = std::numeric_limits<std::int64_t>::max();
    io::write_problem(writer, p);
    writer.finish(true);
  });
  CHECK(text(frames).find("problem 9223372036854775807  ") != std::string::npos);
}

TEST_CASE("frames without a shown tensor are described without it") {
  const std::string frames = test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({}, {});
    writer.image(io::FrameKind::Problem, {}, {});
    writer.image(
        io::FrameKind::Solution, {}, {TensorView::of<double>("energy", {0}, {})});
    writer.finish(true);
  });
  const std::string got = text(frames);
  CHECK(got.find("problem ?  n ?  m ?  d ?\n") != std::string::npos);
  CHECK(got.find("solution ?  n ?  m ?  d ?") != std::string::npos);
  app::DescribeSettings all;
  all.tensors = true;
  CHECK(described(frames, all).find("  energy  F64(0)") != std::string::npos);
}

TEST_CASE("text of a file cannot move the cursor of a terminal") {
  const std::string got = text(file_of({{"k", "\x1b[2J\r\b\x7f\nnext"},
                                        {"u",
                                         "a\xc2\x9b"
                                         "31mb\xc3\xa9"}},
                                       {}));
  CHECK(got == "safetensors\n  k = ?[2J???\n    next\n  u = a?31mb\xc3\xa9\n");
}

TEST_CASE("a model whose data hold the words of a stream is still a model") {
  const std::string words = "\"oa.kind\":\"head\"";
  const std::string file =
      file_of({}, {{"t", io::Dtype::U8, {std::ssize(words)}, test::bytes_of(words)}});
  CHECK(text(file).starts_with("safetensors\n"));
}

TEST_CASE("only a stream can be cut") {
  app::DescribeSettings settings;
  settings.cut.head = 1;
  CHECK(test::message_of<InputError>([&] { (void)described(npy(), settings); }) ==
        "f: not a stream (only a stream can be cut)");
  CHECK(described(stream(), settings).ends_with("end  1 image, complete\n"));
}

TEST_CASE("frames before the damage are described") {
  std::string shown;
  const std::string bytes = stream();
  const test::Folder folder;
  const std::string why = test::message_of<InputError>([&] {
    io::Output output(folder.path("f"));
    io::Input input =
        io::Input::memory(test::bytes_of(bytes).first(bytes.size() - 1), "f");
    try {
      (void)app::describe(input, output, {});
    } catch (const InputError&) {
      output.commit();
      shown = test::slurp(folder.path("f"));
      throw;
    }
  });
  CHECK(why.starts_with("f:byte "));
  CHECK(shown.ends_with("problem 22  label 6  n 1  m 2  d 1  J 1..2  h -4..1\n"));
}

TEST_CASE("a check looks into every frame") {
  std::string bytes = test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({}, {});
    Rng rng(3);
    qubo::SolvedProblem s = test::random_solution(rng, 3, 2, 2);
    io::write_solution(writer, s);
    s.energy[1] += 1;
    io::write_solution(writer, s);
    writer.finish(true);
  });
  const std::string why = test::message_of<InputError>([&] { (void)checked(bytes); });
  CHECK(why.starts_with("f:frame 2: query 1: the energy of its x is "));
}

TEST_SUITE_END();
