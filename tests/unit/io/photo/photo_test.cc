#include "oa/io/photo/photo.h"

#include "oa/base/error.h"
#include "oa_test.h"
#include "unit/io/photo/photo_samples.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace oa {
namespace {

using Pixels = std::vector<std::uint8_t>;

io::Photo decoded(const std::string& bytes) {
  return io::decode_photo(bytes, "p");
}

io::Photo of_png(std::string_view hex) {
  return decoded(test::of_hex(hex));
}

std::string why_no_photo(const std::string& bytes) {
  return test::message_of<InputError>([&] { (void)decoded(bytes); });
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("PNG pictures of every kind become planes of bytes") {
  const io::Photo grey = of_png(test::kGreyPng);
  CHECK(grey.rows == 2);
  CHECK(grey.cols == 3);
  CHECK(grey.channels == 1);
  CHECK(grey.pixels == Pixels{0, 10, 200, 255, 7, 9});
  const io::Photo colour = of_png(test::kColourPng);
  CHECK(colour.channels == 3);
  CHECK(colour.pixels == Pixels{250, 1, 100, 2, 20, 3});
  CHECK(of_png(test::kPalettePng).pixels == Pixels{6, 9, 5, 8, 4, 7});
  CHECK(of_png(test::kDeepPng).pixels == Pixels{128, 255});
  CHECK(of_png(test::kBitsPng).pixels == Pixels{255, 0, 255, 0});
  CHECK(of_png(test::kAlphaPng).pixels == Pixels{200, 0});  // on black
}

TEST_CASE("PNG pictures that are damaged or too large are refused") {
  const std::string whole = test::of_hex(test::kGreyPng);
  const std::size_t data = whole.find("IEND") - 4;  // from here on nothing is lost
  for (std::size_t size = 8; size < data - 4; ++size) {
    CHECK(why_no_photo(whole.substr(0, size)).starts_with("p: "));
  }
  std::string changed = whole;
  changed[whole.find("IDAT") + 8] ^= 1;
  CHECK(why_no_photo(changed).starts_with("p: damaged PNG picture: "));
  CHECK(why_no_photo(test::of_hex(test::kHugePng)) ==
        "p: 100000x1 pixels (expected 1 to 4096 a side)");
  CHECK(why_no_photo(test::of_hex(test::kHollowPng)) ==
        "p: damaged PNG picture: 68 bytes for 4096x4096 pixels");
}

TEST_CASE("PGM and PPM pictures, as text and as bytes") {
  const io::Photo text =
      decoded("P2 # a comment\n3 2\n# another\n255\n0 10 200 255 7 9\n");
  CHECK(text.rows == 2);
  CHECK(text.cols == 3);
  CHECK(text.pixels == Pixels{0, 10, 200, 255, 7, 9});
  CHECK(decoded("P5\n3 1 255\n\n #").pixels == Pixels{'\n', ' ', '#'});
  CHECK(decoded("P3 2 1 255 250 100 20 1 2 3").pixels == Pixels{250, 1, 100, 2, 20, 3});
  CHECK(decoded("P6 2 1 255 abcdef").pixels == Pixels{'a', 'd', 'b', 'e', 'c', 'f'});
  // Other scales: rounded to 255 of the largest value.
  CHECK(decoded("P2 4 1 15 0 1 8 15").pixels == Pixels{0, 17, 136, 255});
  const std::string wide("P5 2 1 65535\n\x80\x80\xff\xff", 17);
  CHECK(decoded(wide).pixels == Pixels{128, 255});
}

TEST_CASE("PGM pictures that contradict their header are refused") {
  const std::string start = "p: damaged PGM or PPM picture: ";
  CHECK(why_no_photo("P5 2 2 255\nabc") == start + "3 bytes of pixels (expected 4)");
  CHECK(why_no_photo("P5 2 2 255\nabcde") == start + "5 bytes of pixels (expected 4)");
  CHECK(why_no_photo("P5 2 2 255") == start + "0 bytes of pixels (expected 4)");
  CHECK(why_no_photo("P2 2 2 255 1 2 3") == start + "no pixel where one is expected");
  CHECK(why_no_photo("P2 2 1 255 1 2 3") == start + "more pixels than its header says");
  CHECK(why_no_photo("P2 2 1 100 1 101") ==
        start + "a pixel of 101 (the largest value is 100)");
  CHECK(why_no_photo("P2 2 1 0 0 0") ==
        start + "a largest value of 0 (expected 1 to 65535)");
  CHECK(why_no_photo("P2 x") == start + "no width where one is expected");
  CHECK(why_no_photo("P2 99999999999999999999 1 1 0") ==
        start + "no width where one is expected");
  // No memory is reserved for data that cannot exist.
  CHECK(why_no_photo("P5 4097 1 255\n") ==
        "p: 1x4097 pixels (expected 1 to 4096 a side)");
  CHECK(why_no_photo("P3 4096 4096 255 1") ==
        start + "fewer pixels than its header says");
}

TEST_CASE("pictures are recognised by content, and files by name") {
  CHECK(why_no_photo("GIF89a") == "p: not a picture (expected PNG, JPEG, PGM or PPM)");
  CHECK(why_no_photo("") == "p: not a picture (expected PNG, JPEG, PGM or PPM)");
  CHECK(io::looks_like_photo("P5\n1"));
  CHECK_FALSE(io::looks_like_photo("P4\n1"));
  CHECK(io::is_photo_name("a/b.PNG"));
  CHECK(io::is_photo_name("b.jpeg"));
  CHECK_FALSE(io::is_photo_name("b.txt"));
  CHECK_FALSE(io::is_photo_name("png"));
}

TEST_SUITE_END();

}  // namespace oa
