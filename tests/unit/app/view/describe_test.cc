#include "app/view/describe.h"

#include "oa/base/error.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/npy.h"
#include "oa_test.h"
#include "ref/idx_files.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
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

std::string json(const std::string& bytes, bool values = false) {
  app::DescribeSettings settings;
  settings.json = true;
  settings.tensors = values;
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

/// Two variables, one query; energy of (1,0): -3.
std::string stream_of(bool solved, bool complete = true) {
  return test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({{"oa.history", "oa-qubo 0.1"}}, {});
    qubo::SolvedProblem s;
    s.problem.index = 22;
    s.problem.label = 6;
    s.problem.m = 2;
    s.problem.n = s.problem.d = 1;
    s.problem.j = {2, 1, 1, 2};
    s.problem.h = {-4, 1};
    s.problem.v = {1, 0.5};
    s.x = {1, 0};
    s.energy = {-3};
    s.bound = {-3};
    s.status = {qubo::Status::ProvedOptimal};
    s.seconds = {0.25};
    if (solved) {
      io::write_solution(writer, s);
    } else {
      io::write_problem(writer, s.problem);
    }
    writer.finish(complete);
  });
}

std::string npy() {
  const std::vector<double> values{1, 2, 3, 4.5, 0, -1};
  return test::written([&](io::Output& out) {
    io::write_npy(out, io::Dtype::F64, {2, 3}, std::as_bytes(std::span(values)));
  });
}

std::string idx_labels() {
  const std::vector<std::uint8_t> values{3, 3, 7};
  return test::written([&](io::Output& out) { io::write_idx_labels(out, values); });
}

std::string idx_images() {
  Images images;
  images.count = 1;
  images.rows = 2;
  images.cols = 3;
  images.pixels = {0, 0, 0, 0, 0, 60};
  return test::written([&](io::Output& out) { io::write_idx_images(out, images); });
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("each kind of file is recognised by its content and described") {
  CHECK(text(stream_of(false)) ==
        "head\n"
        "  oa.history = oa-qubo 0.1\n"
        "  oa.kind = head\n"
        "  oa.version = 1\n"
        "problem 22  label 6  n 1  m 2  d 1  J 1..2  h -4..1\n"
        "end  1 image, complete\n");
  CHECK(text(stream_of(true, false)) ==
        "head\n"
        "  oa.history = oa-qubo 0.1\n"
        "  oa.kind = head\n"
        "  oa.version = 1\n"
        "solution 22  label 6  n 1  m 2  d 1  chosen 50.0%  energy -3..-3  proved 1/1"
        "  250 ms\n"
        "end  1 image, INCOMPLETE\n");
  const std::vector<float> values{0.25F, std::numeric_limits<float>::infinity(), 3};
  CHECK(text(file_of({{"k", "v"}},
                     {TensorView::of<float>("weights", {3}, values),
                      TensorView::of<float>("one", {1}, std::span(values).first(1)),
                      TensorView::of<float>("none", {0}, {})})) ==
        "safetensors\n"
        "  k = v\n"
        "  none     F32(0)          \n"
        "  one      F32(1)            0.25\n"
        "  weights  F32(3)            min 0.25  mean 1.625  max 3  not finite 1\n");
  CHECK(text(npy()) ==
        "npy  dtype F64  shape [2,3]  min -1  mean 1.583  max 4.5  zeros 1  not_finite "
        "0\n");
  CHECK(text(idx_images()) == "idx  images 1  rows 2  cols 3  mean 10  max 60\n");
  CHECK(text(idx_labels()) == "idx  labels 3  per_class {\"3\":2,\"7\":1}\n");
}

TEST_CASE("the same in one JSON object") {
  CHECK(json(npy()) ==
        "{\"type\":\"npy\",\"dtype\":\"F64\",\"shape\":[2,3],\"min\":-1.0,"
        "\"mean\":1.5833333333333333,\"max\":4.5,\"zeros\":1,\"not_finite\":0}\n");
  CHECK(json(npy(), true).ends_with("\"values\":[1.0,2.0,3.0,4.5,0.0,-1.0]}\n"));
  CHECK(json(idx_labels()) ==
        "{\"type\":\"idx\",\"labels\":3,\"per_class\":{\"3\":2,\"7\":1}}\n");
  CHECK(json(file_of({{"k", "\x7f\n"}}, {})) ==
        "{\"type\":\"safetensors\",\"metadata\":{\"k\":\"\x7f\\n\"},\"tensors\":[]}\n");
  const std::string stream = json(stream_of(false));
  CHECK(stream.starts_with("{\"type\":\"stream\",\"frames\":[{\"kind\":\"head\","));
  CHECK(stream.find("},{\"kind\":\"problem\",\"metadata\":") != std::string::npos);
  CHECK(stream.ends_with("],\"images\":1,\"complete\":true}\n"));
}

TEST_CASE("elements in JSON are exact, and null where JSON has no number") {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> integers{kMax, -kMax - 1, (1LL << 53) + 1};
  CHECK(json(file_of({}, {TensorView::of<std::int64_t>("i", {3}, integers)}), true)
            .find("\"values\":[9223372036854775807,-9223372036854775808,"
                  "9007199254740993]") != std::string::npos);
  const std::vector<std::uint64_t> naturals{~std::uint64_t{0}};
  CHECK(json(file_of({},
                     {{"u", io::Dtype::U64, {1}, std::as_bytes(std::span(naturals))}}),
             true)
            .find("\"values\":[18446744073709551615]") != std::string::npos);
  const std::vector<float> floats{0.1F, std::numeric_limits<float>::infinity()};
  CHECK(json(file_of({}, {TensorView::of<float>("f", {2}, floats)}), true)
            .find("\"values\":[0.1,null]") != std::string::npos);
  const std::vector<double> doubles{0.1, std::numeric_limits<double>::quiet_NaN()};
  CHECK(json(file_of({}, {TensorView::of<double>("d", {2}, doubles)}), true)
            .find("\"values\":[0.1,null]") != std::string::npos);
}

TEST_CASE("a large index is described exactly") {
  const std::string stream = test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({}, {});
    Rng rng(1);
    qubo::Problem p = test::random_problem(rng, 1, 1, 1);
    p.index = std::numeric_limits<std::int64_t>::max();
    io::write_problem(writer, p);
    writer.finish(true);
  });
  CHECK(text(stream).find("problem 9223372036854775807  ") != std::string::npos);
}

TEST_CASE("frames without a shown tensor are described without it") {
  const std::string stream = test::written([&](io::Output& output) {
    io::StreamWriter writer(output);
    writer.head({}, {});
    writer.image(io::FrameKind::Problem, {}, {});
    writer.image(
        io::FrameKind::Solution, {}, {TensorView::of<double>("energy", {0}, {})});
    writer.finish(true);
  });
  const std::string got = text(stream);
  CHECK(got.find("problem ?  n ?  m ?  d ?\n") != std::string::npos);
  CHECK(got.find("solution ?  n ?  m ?  d ?") != std::string::npos);
  app::DescribeSettings all;
  all.tensors = true;
  CHECK(described(stream, all).find("  energy  F64(0)") != std::string::npos);
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
  CHECK(described(stream_of(false), settings).ends_with("end  1 image, complete\n"));
}

TEST_CASE("frames before the damage are described") {
  std::string shown;
  const std::string bytes = stream_of(false);
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

TEST_CASE("a verdict says what was found, in words and in JSON") {
  const app::CheckResult good = checked(stream_of(true));
  CHECK(good.complete);
  CHECK(
      good.summary ==
      "complete stream, 0 problem frames, 1 solution frame, 1 QUBO, 1 proved optimal");
  CHECK(good.json ==
        "{\"type\":\"stream\",\"problems\":0,\"solutions\":1,\"qubos\":1,"
        "\"proved_optimal\":1,\"complete\":true}");
  const app::CheckResult cut = checked(stream_of(false, false));
  CHECK_FALSE(cut.complete);
  CHECK(cut.summary == "INCOMPLETE stream, 1 problem frame, 0 solution frames, 1 QUBO");
  CHECK(checked(npy()).summary == "numpy array (2,3)");
  CHECK(checked(idx_images()).summary == "1 IDX image");
  CHECK(checked(idx_labels()).summary == "3 IDX labels");
  CHECK(checked(file_of({}, {})).summary == "safetensors with 0 tensors");
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
