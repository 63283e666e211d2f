#include "oa/io/tensor/npy.h"

#include "oa/base/error.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

using namespace oa;
using io::Dtype;
using io::Shape;

namespace {

/// A file of version `version` with this header, padded to whole lines as numpy does.
std::string npy(std::string header, std::string_view data, char version = 1) {
  const std::size_t before = version == 1 ? 10 : 12;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  const auto length = static_cast<std::uint32_t>(header.size());
  file.append(reinterpret_cast<const char*>(&length), before - 8);
  return file + header + std::string(data);
}

std::string header(const std::string& descr,
                   const std::string& shape,
                   const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }";
}

io::NpyArray read(std::string_view bytes) {
  io::Input input = io::Input::memory(test::bytes_of(bytes), "a.npy");
  return io::read_npy(input);
}

std::string why_not(std::string_view bytes) {
  return test::message_of<InputError>([&] { (void)read(bytes); });
}

template <class T>
std::vector<T> values(const io::NpyArray& array) {
  std::vector<T> out(array.data.size() / sizeof(T));
  std::memcpy(out.data(), array.data.data(), array.data.size());
  return out;
}

std::string big_endian(std::uint64_t value, std::size_t size) {
  std::string text;
  for (std::size_t i = size; i-- > 0;) {
    text += static_cast<char>(value >> (8 * i) & 255);
  }
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("an array written reads back, whatever its type and shape") {
  const std::string data(240, 'x');
  const std::vector<std::pair<Dtype, std::int64_t>> types{{Dtype::Bool, 1},
                                                          {Dtype::U8, 1},
                                                          {Dtype::I8, 1},
                                                          {Dtype::U16, 2},
                                                          {Dtype::I16, 2},
                                                          {Dtype::F16, 2},
                                                          {Dtype::U32, 4},
                                                          {Dtype::I32, 4},
                                                          {Dtype::F32, 4},
                                                          {Dtype::U64, 8},
                                                          {Dtype::I64, 8},
                                                          {Dtype::F64, 8}};
  for (const auto& [dtype, size] : types) {
    for (const Shape& shape :
         {Shape{30}, Shape{5, 6}, Shape{2, 3, 5}, Shape{1, 30, 1}}) {
      const auto used = test::bytes_of(data).first(30 * static_cast<std::size_t>(size));
      const std::string file = test::written(
          [&, d = dtype](io::Output& out) { io::write_npy(out, d, shape, used); });
      CHECK((file.size() - used.size()) % 64 == 0);
      const io::NpyArray array = read(file);
      CHECK(array.dtype == dtype);
      CHECK(array.shape == shape);
      CHECK(std::ranges::equal(array.data.span(), used));
    }
  }
}

TEST_CASE("a type that numpy lacks is not written") {
  CHECK(test::message_of<InputError>([] {
          (void)test::written(
              [](io::Output& out) { io::write_npy(out, Dtype::Bf16, {0}, {}); });
        }) == "numpy has no type BF16");
}

TEST_CASE("versions 1, 2 and 3 are read") {
  for (const char version : {'\1', '\2', '\3'}) {
    CHECK(values<std::uint8_t>(read(npy(header("|u1", "(2,)"), "ab", version))) ==
          std::vector<std::uint8_t>{'a', 'b'});
  }
}

TEST_CASE("scalars and arrays without elements are arrays") {
  const io::NpyArray scalar = read(npy(header("<f8", "()"), std::string(8, '\0')));
  CHECK(scalar.shape.empty());
  CHECK(values<double>(scalar) == std::vector<double>{0.0});
  CHECK(read(npy(header("<f8", "(0, 7)"), "")).shape == Shape{0, 7});
  CHECK(read(npy(header("<f8", "(7, 0)", "True"), "")).data.size() == 0);
}

TEST_CASE("column-major arrays come in row-major order") {
  std::string data;
  for (char c = 0; c < 24; ++c) {
    data += c;
  }
  const io::NpyArray two =
      read(npy(header("|u1", "(2, 3)", "True"), data.substr(0, 6)));
  CHECK(values<std::uint8_t>(two) == std::vector<std::uint8_t>{0, 2, 4, 1, 3, 5});
  const io::NpyArray three = read(npy(header("|u1", "(2, 3, 4)", "True"), data));
  const auto got = values<std::uint8_t>(three);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        CHECK(got[(i * 3 + j) * 4 + k] == i + 2 * (j + 3 * k));
      }
    }
  }
  const io::NpyArray one = read(npy(header("|u1", "(3,)", "True"), data.substr(0, 3)));
  CHECK(values<std::uint8_t>(one) == std::vector<std::uint8_t>{0, 1, 2});
}

TEST_CASE("big-endian numbers come in our order, column-major ones too") {
  CHECK(values<std::uint16_t>(read(
            npy(header(">u2", "(2,)"), big_endian(0x0102, 2) + big_endian(7, 2)))) ==
        std::vector<std::uint16_t>{0x0102, 7});
  CHECK(values<std::uint64_t>(
            read(npy(header(">u8", "()"), big_endian(0x0102030405, 8)))) ==
        std::vector<std::uint64_t>{0x0102030405});
  const std::string f4 = big_endian(0x3fc00000, 4);  // 1.5
  CHECK(values<float>(read(npy(header(">f4", "(1,)"), f4))) ==
        std::vector<float>{1.5F});
  std::string data;
  for (std::uint64_t i = 0; i < 4; ++i) {
    data += big_endian(i, 4);
  }
  CHECK(values<std::int32_t>(read(npy(header(">i4", "(2, 2)", "True"), data))) ==
        std::vector<std::int32_t>{0, 2, 1, 3});
  CHECK(values<std::uint8_t>(read(npy(header(">u1", "(2,)"), "ab"))) ==
        std::vector<std::uint8_t>{'a', 'b'});
}

TEST_CASE("complex numbers are pairs of numbers, and refused unless allowed") {
  std::string data;
  for (const double part : {1.0, -2.0, 0.5, 4.0}) {
    data.append(reinterpret_cast<const char*>(&part), sizeof part);
  }
  const std::string file = npy(header("<c16", "(2,)"), data);
  io::Input input = io::Input::memory(test::bytes_of(file), "a.npy");
  const io::NpyArray array = io::read_npy(input, true);
  CHECK(array.complex);
  CHECK(array.dtype == Dtype::F64);
  CHECK(array.shape == Shape{2});
  CHECK(values<double>(array) == std::vector{1.0, -2.0, 0.5, 4.0});
  // The parts of a big-endian number keep their order.
  std::string swapped;
  for (const float part : {1.0F, -2.0F}) {
    swapped += big_endian(std::bit_cast<std::uint32_t>(part), 4);
  }
  const std::string big = npy(header(">c8", "(1,)"), swapped);
  io::Input other = io::Input::memory(test::bytes_of(big), "a.npy");
  CHECK(values<float>(io::read_npy(other, true)) == std::vector{1.0F, -2.0F});
}

TEST_CASE("a header in any order, quoting and spacing is understood") {
  CHECK(read(npy("{\"shape\":(2,),\n \"fortran_order\":False,'descr':'|u1'}", "ab"))
            .shape == Shape{2});
}

TEST_CASE("types that are not plain numbers are refused") {
  const std::string plain = "' (expected plain numbers, such as <f4 or <f8)";
  for (const std::string type :
       {"|S3", "|V8", "<c8", "<M8[s]", "f4", "", "<", "<f3", "?f4"}) {
    CAPTURE(type);
    CHECK(why_not(npy(header(type, "(1,)"), "")) ==
          "a.npy: the .npy header has the type '" + type + plain);
  }
}

TEST_CASE("a header that differs from numpy's is refused") {
  const auto why = [](const std::string& text) { return why_not(npy(text, "")); };
  const std::string start = "a.npy: the .npy header has ";
  const std::string rest = "'fortran_order': False, 'shape': (0,)}";
  CHECK(why("") == start + "no '{' where one belongs");
  CHECK(why("{" + rest) == start + "not exactly descr, fortran_order and shape");
  CHECK(why("{'descr': '|u1', " + rest + "}") ==
        start + "not exactly descr, fortran_order and shape");
  CHECK(why("{'descr' '|u1', " + rest) == start + "no ':' where one belongs");
  CHECK(why("{'descr': '|u1' " + rest) == start + "no '}' where one belongs");
  CHECK(why("{'descr': '|u1") == start + "an unfinished string");
  CHECK(why("{descr: '|u1'}") == start + "no ''' where one belongs");
  CHECK(why("{'descr': '|u1', 'order': 1}") == start + "an unknown key 'order'");
  for (const std::string shape : {"(-1,)",
                                  "(1.5,)",
                                  "(a,)",
                                  "(,)",
                                  "(1,,2)",
                                  "(1099511627777,)",
                                  "(1,1,1,1,1,1,1,1,1)",
                                  "(99999999999999999999,)"}) {
    CAPTURE(shape);
    CHECK(why(header("|u1", shape)) == start + "an impossible shape");
  }
  CHECK(why(header("|u1", "3")) == start + "no '(' where one belongs");
  CHECK(why(header("|u1", "(3 4)")).starts_with(start));
  for (const std::string order : {"1", "true", "Falsehood", "", "'False'"}) {
    CAPTURE(order);
    CHECK(why(header("|u1", "(0,)", order)) ==
          start + "neither True nor False for fortran_order");
  }
}

TEST_CASE("a huge shape without elements takes no memory") {
  const auto huge = npy(header("|u1", "(0, 1099511627776, 1099511627776)"), "");
  CHECK(read(huge).data.size() == 0);
  CHECK(read(npy(header("|u1", "(1099511627776, 1099511627776, 0)"), "")).data.size() ==
        0);
}

TEST_CASE("a file that ends in its header is refused") {
  const std::string file = npy(header("<f4", "(2,)"), "12345678");
  for (std::size_t size = 0; size < 128; ++size) {
    CHECK(why_not(file.substr(0, size)) ==
          (size < 10 ? "a.npy: truncated .npy header"
                     : "a.npy: an .npy header of 118 bytes is longer than the file or "
                       "the limit"));
  }
  CHECK(test::message_of<InputError>([&] {
          io::Input pipe = test::piped(file.substr(0, 100));
          (void)io::read_npy(pipe);
        }).ends_with(": truncated .npy header"));
}

TEST_CASE("npy files are recognised by their first bytes") {
  CHECK(io::looks_like_npy(test::bytes_of(npy(header("|u1", "()"), "a"))));
  CHECK_FALSE(io::looks_like_npy(test::bytes_of("\x93NUMP")));
  CHECK_FALSE(io::looks_like_npy(test::bytes_of("NUMPY and more")));
}

TEST_SUITE_END();
