#include "oa/data/picture_form.h"

#include "oa/data/digits.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace oa {
namespace {

using Pixels = std::vector<std::uint8_t>;

Images grey(int rows, int cols, Pixels pixels) {
  return {1, rows, cols, 1, std::move(pixels)};
}

double mean(const Images& images) {
  return std::accumulate(images.pixels.begin(), images.pixels.end(), 0.0) /
         static_cast<double>(images.pixels.size());
}

}  // namespace

TEST_SUITE_BEGIN("data");

TEST_CASE("pictures that are as asked for stay as they are") {
  const Images images = grey(2, 2, {1, 2, 3, 4});
  CHECK(in_form(images, {}).pixels == images.pixels);
  CHECK(in_form(images, {2, 2, 1, false}).pixels == images.pixels);
}

TEST_CASE("resizing with a triangle filter gives values worked out by hand") {
  // Twice as large: centres lie at -1/4, 1/4, 3/4, 5/4 between those of two pixels.
  CHECK(in_form(grey(1, 2, {0, 100}), {1, 4}).pixels == Pixels{0, 25, 75, 100});
  // Half: weights 1/8, 3/8, 3/8, 1/8 inside, and at an edge 3/7, 3/7, 1/7.
  CHECK(in_form(grey(1, 6, {70, 70, 140, 8, 80, 16}), {1, 3}).pixels ==
        Pixels{80, 74, 42});
  // Rows as columns.
  CHECK(in_form(grey(6, 1, {70, 70, 140, 8, 80, 16}), {3, 1}).pixels ==
        Pixels{80, 74, 42});
  // Even pictures stay even at any size.
  for (const int size : {1, 3, 7, 28, 100}) {
    CHECK(in_form(grey(7, 5, Pixels(35, 201)), {size, 9}).pixels ==
          Pixels(static_cast<std::size_t>(size) * 9, 201));
  }
}

TEST_CASE("digits keep their brightness at half and twice their size") {
  const Images all = digits(1, Split::Test, 0, 20).images;
  for (const int size : {14, 56}) {
    const Images other = in_form(all, {size, size});
    CHECK(other.count == 20);
    CHECK(other.rows == size);
    CHECK(std::abs(mean(other) - mean(all)) < 0.5);
  }
}

TEST_CASE("colours become grey by their brightness, and grey three colours") {
  const Images colour{1, 1, 4, 3, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255}};
  CHECK(in_form(colour, {.channels = 1}).pixels == Pixels{76, 150, 29, 255});
  const Images back = in_form(grey(1, 2, {3, 9}), {.channels = 3});
  CHECK(back.channels == 3);
  CHECK(back.pixels == Pixels{3, 9, 3, 9, 3, 9});
  const Images planes{1, 1, 1, 2, {1, 2}};
  CHECK(in_form(planes, {.channels = 1}).channels == 2);
}

TEST_SUITE_END();

}  // namespace oa
