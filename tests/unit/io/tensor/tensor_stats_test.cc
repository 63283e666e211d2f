#include "oa/io/tensor/tensor_stats.h"

#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

using namespace oa;
using io::Dtype;

namespace {

template <class T>
std::vector<std::byte> raw(std::initializer_list<T> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::ranges::copy(std::as_bytes(std::span(values.begin(), values.size())),
                    bytes.begin());
  return bytes;
}

template <class T>
void check_extremes(Dtype dtype) {
  using Limits = std::numeric_limits<T>;
  const auto bytes = raw<T>({Limits::lowest(), Limits::max(), T{1}});
  CAPTURE(io::name_of(dtype));
  CHECK(io::size_of(dtype) == sizeof(T));
  CHECK(io::element(dtype, bytes, 0) == static_cast<double>(Limits::lowest()));
  CHECK(io::element(dtype, bytes, 1) == static_cast<double>(Limits::max()));
  CHECK(io::element(dtype, bytes, 2) == 1.0);
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("every element type is read to its extremes") {
  check_extremes<std::uint8_t>(Dtype::U8);
  check_extremes<std::int8_t>(Dtype::I8);
  check_extremes<std::uint16_t>(Dtype::U16);
  check_extremes<std::int16_t>(Dtype::I16);
  check_extremes<std::uint32_t>(Dtype::U32);
  check_extremes<std::int32_t>(Dtype::I32);
  check_extremes<std::uint64_t>(Dtype::U64);
  check_extremes<std::int64_t>(Dtype::I64);
  check_extremes<float>(Dtype::F32);
  check_extremes<double>(Dtype::F64);
  CHECK(io::element(Dtype::Bool, raw<std::uint8_t>({0, 1}), 1) == 1.0);
}

TEST_CASE("half precision has the values of IEEE 754") {
  const auto half = [](std::uint16_t bits) {
    return io::element(Dtype::F16, raw<std::uint16_t>({bits}), 0);
  };
  CHECK(half(0x0000) == 0.0);
  CHECK(std::signbit(half(0x8000)));
  CHECK(half(0x3c00) == 1.0);
  CHECK(half(0xc000) == -2.0);
  CHECK(half(0x7bff) == 65504.0);
  CHECK(half(0x0400) == std::ldexp(1.0, -14));
  CHECK(half(0x0001) == std::ldexp(1.0, -24));
  CHECK(half(0x03ff) == std::ldexp(1023.0, -24));
  CHECK(half(0x3555) == 0.333251953125);
  CHECK(half(0x7c00) == std::numeric_limits<double>::infinity());
  CHECK(half(0xfc00) == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(half(0x7c01)));
}

TEST_CASE("bfloat16 is the upper half of a float") {
  const auto bf16 = [](std::uint16_t bits) {
    return io::element(Dtype::Bf16, raw<std::uint16_t>({bits}), 0);
  };
  CHECK(bf16(0x3f80) == 1.0);
  CHECK(bf16(0xc049) == -3.140625);
  CHECK(std::isnan(bf16(0x7fc0)));
}

TEST_CASE("numbers that are not finite are counted and left out of the rest") {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const auto bytes = raw<float>({3, -kInf, 0, -5, std::nanf(""), 0, kInf, 4});
  const io::TensorStats s = io::tensor_stats(Dtype::F32, bytes);
  CHECK(s.count == 8);
  CHECK(s.not_finite == 3);
  CHECK(s.zeros == 2);
  CHECK(s.min == -5);
  CHECK(s.max == 4);
  CHECK(s.mean == doctest::Approx(2.0 / 5));
}

TEST_CASE("a distribution without finite numbers is empty") {
  for (const auto& bytes : {raw<float>({}), raw<float>({std::nanf("")})}) {
    const io::TensorStats s = io::tensor_stats(Dtype::F32, bytes);
    CHECK(s.count == s.not_finite);
    CHECK(s.min == 0);
    CHECK(s.max == 0);
    CHECK(s.mean == 0);
  }
}

TEST_SUITE_END();
