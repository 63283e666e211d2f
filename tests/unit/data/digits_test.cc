#include "oa/data/digits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace oa {
namespace {

constexpr std::size_t kPixels = std::size_t{kDigitSide} * kDigitSide;

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

std::vector<std::uint8_t> drawn(int label, std::uint64_t seed) {
  std::vector<std::uint8_t> pixels(kPixels);
  draw_digit(label, Rng(seed), pixels);
  return pixels;
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

  TEST_CASE("seeds and splits give different digits") {
    const Dataset one = digits(1, Split::Train, 0, 200);
    for (const Dataset& other :
         {digits(2, Split::Train, 0, 200), digits(1, Split::Test, 0, 200)}) {
      CHECK(other.labels != one.labels);
      int same = 0;
      for (int i = 0; i < 200; ++i) {
        same += std::ranges::equal(one.images[i], other.images[i]) ? 1 : 0;
      }
      CHECK(same == 0);
    }
  }

  TEST_CASE("the nearest mean image often has the right label, not always") {
    const Dataset train = digits(1, Split::Train, 0, 1000);
    const Dataset test = digits(1, Split::Test, 0, 300);
    std::array<std::array<double, kPixels>, 10> sum{};
    std::array<double, 10> count{};
    for (int i = 0; i < train.images.count; ++i) {
      const std::size_t label = train.labels[static_cast<std::size_t>(i)];
      count[label] += 1.0;
      for (std::size_t k = 0; k < kPixels; ++k) {
        sum[label][k] += train.images[i][k];
      }
    }
    int correct = 0;
    for (int i = 0; i < test.images.count; ++i) {
      std::array<double, 10> distance{};
      for (std::size_t label = 0; label < 10; ++label) {
        for (std::size_t k = 0; k < kPixels; ++k) {
          const double d = test.images[i][k] - sum[label][k] / count[label];
          distance[label] += d * d;
        }
      }
      const auto nearest = std::ranges::min_element(distance) - distance.begin();
      correct += nearest == test.labels[static_cast<std::size_t>(i)] ? 1 : 0;
    }
    CHECK(correct > 150);  // chance is 30
    CHECK(correct < 270);
  }

  TEST_CASE("one random stream draws ten different digits") {
    for (int a = 0; a < 10; ++a) {
      for (int b = 0; b < a; ++b) {
        CHECK(drawn(a, 5) != drawn(b, 5));
      }
    }
  }

  TEST_CASE("labels are balanced, ink is plausible and the border is clear") {
    constexpr int kImages = 1000;
    const Dataset set = digits(1, Split::Train, 0, kImages);
    std::array<int, 10> count{};
    for (const std::uint8_t label : set.labels) {
      REQUIRE(label < 10);
      ++count[label];
    }
    for (const int n : count) {
      CHECK(n > 100 - 48);  // five standard deviations, sqrt(1000 * 0.1 * 0.9) = 9.5
      CHECK(n < 100 + 48);
    }
    double sum = 0.0;
    double black = 0.0;
    double border = 0.0;
    for (int i = 0; i < kImages; ++i) {
      const auto image = set.images[i];
      int ink = 0;
      for (int k = 0; k < kDigitSide * kDigitSide; ++k) {
        const int y = k / kDigitSide;
        const int x = k % kDigitSide;
        const int value = image[static_cast<std::size_t>(k)];
        ink += value;
        black += value == 0 ? 1 : 0;
        const bool edge =
            x == 0 || y == 0 || x == kDigitSide - 1 || y == kDigitSide - 1;
        border += edge ? value : 0;
      }
      CHECK(ink > 1000);  // never an empty image
      sum += ink;
    }
    const double pixels = static_cast<double>(set.images.pixels.size());
    CHECK(sum / pixels > 20.0);
    CHECK(sum / pixels < 32.0);
    CHECK(black / pixels > 0.75);
    CHECK(black / pixels < 0.85);
    CHECK(border / sum < 0.001);
  }
}

}  // namespace oa
