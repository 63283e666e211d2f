#include "oa/io/tensor/safetensors.h"

#include "oa/base/error.h"
#include "oa/io/tensor/safetensors_header.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using namespace oa;
using io::TensorView;

namespace {

io::Safetensors from(std::string_view bytes) {
  io::Input input = io::Input::memory(test::bytes_of(bytes), "f");
  return io::read_safetensors_file(input);
}

std::string why_not(std::string_view bytes, bool by_pipe = false) {
  return test::message_of<InputError>([&] {
    io::Input input =
        by_pipe ? test::piped(bytes) : io::Input::memory(test::bytes_of(bytes), "f");
    (void)io::read_safetensors_file(input);
  });
}

std::string to_bytes(const io::Metadata& metadata,
                     const std::vector<TensorView>& tensors) {
  return test::written(
      [&](io::Output& out) { io::write_safetensors(out, metadata, tensors); });
}

const std::vector<float> kFloats{1.5F, -2.0F, 0.25F, 3.0F, 5.0F, 8.0F};
const std::vector<std::uint8_t> kBytes{1, 2, 3};
const std::vector<std::int64_t> kIntegers{-7};

const std::string kByte = R"({"t":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})";

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("written data are read back") {
  const io::Metadata metadata{{"", ""}, {"key", "line\n\"quoted\"\t\\ \xc3\xa9"}};
  const io::Safetensors file =
      from(to_bytes(metadata,
                    {TensorView::of<std::uint8_t>("bytes", {3}, kBytes),
                     TensorView::of<float>("floats \"\\", {2, 3}, kFloats),
                     TensorView::of<std::int64_t>("integer", {}, kIntegers),
                     TensorView::of<double>("none", {0, 4}, {})}));
  CHECK(file.metadata == metadata);
  CHECK(file.tensors().size() == 4);
  CHECK(std::ranges::equal(file.get<float>("floats \"\\", {2, 3}, "f"), kFloats));
  CHECK(std::ranges::equal(file.get<float>("floats \"\\", {-1, -1}, "f"), kFloats));
  CHECK(std::ranges::equal(file.get<std::uint8_t>("bytes", {3}, "f"), kBytes));
  CHECK(std::ranges::equal(file.get<std::int64_t>("integer", {}, "f"), kIntegers));
  CHECK(file.get<double>("none", {0, 4}, "f").empty());
  CHECK(file.find("floats") == nullptr);
}

TEST_CASE("the same value has the same bytes, in whatever order it is given") {
  std::vector<TensorView> tensors{TensorView::of<std::uint8_t>("z", {3}, kBytes),
                                  TensorView::of<float>("b", {6}, kFloats),
                                  TensorView::of<float>("a", {6}, kFloats),
                                  TensorView::of<std::int64_t>("x", {1}, kIntegers)};
  const std::string bytes = to_bytes({{"k", "v"}}, tensors);
  std::ranges::reverse(tensors);
  CHECK(to_bytes({{"k", "v"}}, tensors) == bytes);
  const io::Safetensors file = from(bytes);
  std::string order;
  for (const TensorView& t : file.tensors()) {
    order += t.name;
  }
  CHECK(order == "xabz");  // by falling size, so that all are aligned; then by name
  CHECK(to_bytes(file.metadata, file.tensors()) == bytes);
  CHECK(test::bytes_of(bytes).size() ==
        file.header_bytes().size() + file.data_bytes().size());
  CHECK(file.header_bytes().size() % 8 == 0);
}

TEST_CASE("a header like the last one equals a new one") {
  io::LastWritten last;
  const auto check = [&](const io::Metadata& metadata,
                         const std::vector<TensorView>& given) {
    std::vector<TensorView> plain = given;
    std::vector<TensorView> again = given;
    CHECK(last.header(metadata, again) == io::safetensors_header(metadata, plain));
    CHECK(
        std::ranges::equal(again, plain, [](const TensorView& a, const TensorView& b) {
          return a.name == b.name && a.bytes.data() == b.bytes.data();
        }));
  };
  const std::vector<float> others{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F};
  const TensorView bytes = TensorView::of<std::uint8_t>("z", {3}, kBytes);
  const TensorView floats = TensorView::of<float>("b", {6}, kFloats);
  check({}, {bytes, floats});
  check({}, {bytes, floats});
  check({}, {bytes, TensorView::of<float>("b", {6}, others)});
  check({}, {bytes, TensorView::of<float>("b", {2, 3}, others)});
  check({}, {bytes, TensorView::of<float>("a", {2, 3}, others)});
  check({}, {floats, bytes});
  check({{"k", "v"}}, {floats, bytes});
  check({{"k", "w"}}, {floats, bytes});
  check({{"k", "w"}}, {floats, bytes});
  check({{"k", "w"}}, {});
  check({{"k", "w"}}, {floats});
}

TEST_CASE("a tensor that is not as wanted is refused by name, type and shape") {
  const io::Safetensors file =
      from(to_bytes({}, {TensorView::of<float>("t", {2, 3}, kFloats)}));
  const auto why = [&](auto&& get) { return test::message_of<InputError>(get); };
  CHECK(why([&] {
          (void)file.get<float>("u", {2, 3}, "f:frame 1");
        }) == "f:frame 1: tensor 'u' is missing");
  CHECK(why([&] {
          (void)file.get<double>("t", {2, 3}, "f");
        }) == "f: tensor 't' is F32 (expected F64)");
  CHECK(why([&] {
          (void)file.get<float>("t", {3, 2}, "f");
        }) == "f: tensor 't' has shape (2,3) (expected (3,2))");
  CHECK(why([&] { (void)file.get<float>("t", {-1}, "f"); }) ==
        "f: tensor 't' has shape (2,3) (expected (any))");
  CHECK(why([&] { (void)file.get<float>("t", {6}, "f"); }) ==
        "f: tensor 't' has shape (2,3) (expected (6))");
}

TEST_CASE("tensors that are not aligned in the file are aligned in memory") {
  // A byte before the doubles, and a float before the second of them.
  const std::vector<double> doubles{1.25, -3e300};
  std::string file = test::raw_safetensors(
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
      R"("d":{"dtype":"F64","shape":[1],"data_offsets":[1,9]},)"
      R"("f":{"dtype":"F32","shape":[1],"data_offsets":[9,13]},)"
      R"("e":{"dtype":"F64","shape":[1],"data_offsets":[13,21]}})",
      0);
  file += '\7';
  file.append(reinterpret_cast<const char*>(&doubles[0]), 8);
  file.append(reinterpret_cast<const char*>(kFloats.data()), 4);
  file.append(reinterpret_cast<const char*>(&doubles[1]), 8);
  const io::Safetensors read = from(file);
  for (const TensorView& t : read.tensors()) {
    CHECK(std::bit_cast<std::uintptr_t>(t.bytes.data()) % io::size_of(t.dtype) == 0);
  }
  CHECK(read.get<std::uint8_t>("a", {1}, "f")[0] == 7);
  CHECK(read.get<double>("d", {1}, "f")[0] == doubles[0]);
  CHECK(read.get<float>("f", {1}, "f")[0] == kFloats[0]);
  CHECK(read.get<double>("e", {1}, "f")[0] == doubles[1]);
}

TEST_CASE("reused memory gives the same results as new memory") {
  Rng rng(6);
  std::string all;
  std::vector<std::string> files;
  for (int i = 0; i < 20; ++i) {
    const std::string text(rng.below(5000), static_cast<char>('a' + i));
    files.push_back(
        to_bytes({{"i", std::to_string(i)}},
                 {{"t", io::Dtype::U8, {std::ssize(text)}, test::bytes_of(text)}}));
    for (int more = i % 3; more > 0; --more) {  // of which only the data differ
      files.push_back(files.back());
      files.back().back() = static_cast<char>('A' + more);
    }
  }
  for (const std::string& one : files) {
    all += one;
  }
  io::Input input = io::Input::memory(test::bytes_of(all), "f");
  io::LastHeader last;
  io::Safetensors again;
  for (const std::string& one : files) {
    REQUIRE(io::read_safetensors(input, last, again));
    CHECK(to_bytes(again.metadata, again.tensors()) == one);
  }
  CHECK_FALSE(io::read_safetensors(input, last, again));
}

TEST_CASE("a file cut anywhere is refused, from memory and from a pipe") {
  const std::string whole = to_bytes({}, {TensorView::of<float>("t", {6}, kFloats)});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    const std::string part = whole.substr(0, size);
    for (const bool by_pipe : {false, true}) {
      const std::string why = why_not(part, by_pipe);
      CHECK(why.find(size == 0 && by_pipe ? ": nothing came through the pipe"
                     : size == 0          ? ": empty (expected safetensors)"
                     : size < 8
                         ? ":byte 0: truncated (the header's length takes 8 bytes)"
                     : by_pipe ? ":byte 0: truncated"
                               : ":byte 0: ") != std::string::npos);
    }
  }
  const auto cut = [&](std::size_t less) {
    return whole.substr(0, whole.size() - less);
  };
  CHECK(why_not(cut(1), true)
            .ends_with(":byte 0: truncated: tensors take 24 bytes, 23 are there"));
  CHECK(
      why_not(whole.substr(0, 12), true).ends_with(":byte 0: truncated in the header"));
}

TEST_CASE("a header longer than the file or than the limit is refused") {
  const auto claim = [](std::uint64_t length) {
    std::string file(100, '{');
    std::memcpy(file.data(), &length, 8);
    return file;
  };
  const std::string unknown =
      ":byte 0: not in a known format, or damaged (expected a stream or a "
      "model)";
  CHECK(why_not(claim(std::uint64_t{4} << 30)) == "f" + unknown);
  CHECK(why_not(claim(~std::uint64_t{0})) == "f" + unknown);
  CHECK(why_not(claim(io::kMaxHeader + 1), true).ends_with(unknown));
  CHECK(why_not(claim(io::kMaxHeader), true).ends_with("truncated in the header"));
}

TEST_CASE("a header as long as the limit is read") {
  std::string header = kByte;
  header.resize(io::kMaxHeader, ' ');
  CHECK(from(test::raw_safetensors(header, 4)).tensors().size() == 1);
}

TEST_CASE("a claim of data far beyond the file is refused, known or not") {
  const std::string file = test::raw_safetensors(
      R"({"t":{"dtype":"U8","shape":[4294967296],"data_offsets":[0,4294967296]}})", 20);
  CHECK(why_not(file, true)
            .ends_with("truncated: tensors take 4294967296 bytes, 20 are there"));
}

TEST_CASE("text that is not UTF-8 is written as text that is") {
  const std::string bytes = to_bytes({{"file", "caf\xe9"}}, {});
  CHECK(from(bytes).metadata.at("file") == "caf\xef\xbf\xbd");
}

TEST_SUITE_END();
