#include "oa/data/digits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace oa {
namespace {

// FNV-1a, to pin bytes without a file of them.
std::uint64_t hash(const Dataset& set) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const auto* bytes : {&set.labels, &set.images.pixels}) {
    for (const std::uint8_t b : *bytes) {
      h = (h ^ b) * 0x100000001b3;
    }
  }
  return h;
}

}  // namespace

TEST_SUITE("data") {
  TEST_CASE("the built-in digits never change") {
    // The accuracies in the manual are those of these bytes, on every machine.
    CHECK(hash(digits(1, Split::Train, 0, 100)) == 0x90a1b8481e54fe0d);
    CHECK(hash(digits(1, Split::Test, 0, 100)) == 0x73c19339dfe884da);
  }

  TEST_CASE("a longer set of digits begins with the shorter one") {
    const Dataset all = digits(7, Split::Train, 0, 40);
    const Dataset part = digits(7, Split::Train, 25, 15);
    CHECK(part.images.count == 15);
    CHECK(part.images.rows == kDigitSide);
    CHECK(part.images.cols == kDigitSide);
    CHECK(std::ranges::equal(part.labels, std::span(all.labels).last(15)));
    CHECK(std::ranges::equal(
        part.images.pixels,
        std::span(all.images.pixels).last(15 * all.images.image_size())));
    CHECK(digits(7, Split::Train, 3, 0).images.pixels.empty());
  }
}

}  // namespace oa
