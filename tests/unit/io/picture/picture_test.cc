#include "oa/io/picture/picture.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/plot/palette.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <string>

using namespace oa;

namespace {

plot::Scene scene() {
  plot::Scene s;
  s.width = 100.0;
  s.height = 50.0;
  s.title = "a < b & c";
  s.rectangle({10.0, 10.0}, 20.0, 20.0, plot::kChosen);
  s.line({{0.0, 0.0}, {50.0, 50.0}}, plot::kInk, 2.0);
  s.text({50.0, 40.0}, "Query-7", 12.0, plot::Align::Center, plot::kInk);
  return s;
}

std::string picture(io::PictureFormat format) {
  return io::picture(scene(), format);
}

}  // namespace

TEST_SUITE_BEGIN("io");

TEST_CASE("a picture's format is that of its name") {
  CHECK(io::picture_format("a.png") == io::PictureFormat::Png);
  CHECK(io::picture_format("a.b/c.SVG") == io::PictureFormat::Svg);
  CHECK(io::picture_format(".pdf") == io::PictureFormat::Pdf);
  CHECK(io::picture_format("a.eps") == io::PictureFormat::Eps);
  for (const char* name : {"-", "png", "a.jpg", "a.png ", ""}) {
    CHECK_FALSE(io::picture_format(name));
  }
}

TEST_CASE("pictures are what they claim to be, and the same every time") {
  const std::string png = picture(io::PictureFormat::Png);
  CHECK(png.starts_with("\x89PNG\r\n\x1A\n"));
  // Width and height: two pixels to a unit.
  CHECK(png.substr(16, 8) == std::string("\0\0\0\xC8\0\0\0\x64", 8));
  const std::string pdf = picture(io::PictureFormat::Pdf);
  CHECK(pdf.starts_with("%PDF-1."));
  CHECK(pdf.find("CreationDate (2000") != pdf.npos);
  CHECK(png == picture(io::PictureFormat::Png));
  CHECK(pdf == picture(io::PictureFormat::Pdf));
  CHECK(picture(io::PictureFormat::Svg) == picture(io::PictureFormat::Svg));
  CHECK(pdf == io::picture_in_child(scene(), io::PictureFormat::Pdf));
}

TEST_CASE("a PNG says how large its pixels are") {
  const std::string png = picture(io::PictureFormat::Png);
  // 192 to an inch: 7559 to a metre; the sum is that of Python's zlib.crc32.
  CHECK(png.substr(33, 21) ==
        std::string("\0\0\0\x09pHYs\0\0\x1d\x87\0\0\x1d\x87\x01\x8f\xe5\xf1\x65", 21));
  const std::string wide =
      io::picture(scene(), io::PictureFormat::Png, {.width = 254.0, .dpi = 100.0});
  CHECK(wide.substr(16, 8) == std::string("\0\0\x03\xE8\0\0\x01\xF4", 8));
}

TEST_CASE("an EPS is one, with its size and without the time of day") {
  const std::string eps = io::picture(scene(), io::PictureFormat::Eps, {.width = 25.4});
  CHECK(eps.starts_with("%!PS-Adobe-3.0 EPSF-3.0"));
  CHECK(eps.find("%%BoundingBox: 0 0 72 36") != eps.npos);
  CHECK(eps.find("CreationDate") == eps.npos);
}

TEST_CASE("a dark picture turns grey round and keeps colours") {
  const std::string svg =
      io::picture(scene(), io::PictureFormat::Svg, {.theme = io::Theme::Dark});
  const auto shows = [&](plot::Color c) {
    const auto part = [](std::uint8_t v) { return format_fixed(100.0 * v / 255.0, 6); };
    return svg.find(part(c.red)) != svg.npos && svg.find(part(c.green)) != svg.npos;
  };
  CHECK(shows({20, 20, 20}));     // paper
  CHECK(shows({211, 211, 211}));  // ink, 0x22 on paper
  CHECK(shows(plot::kChosen));
}

TEST_CASE("a picture that PNG cannot hold is refused, by the process that draws, too") {
  plot::Scene wide = scene();
  wide.width = 20'000.0;
  const auto why = [&](auto draw) {
    return test::message_of<IoError>(
        [&] { (void)draw(wide, io::PictureFormat::Png, io::PictureSettings{}); });
  };
  CHECK(why(io::picture) == "a picture of 40000 by 100 pixels as PNG: File too large");
  CHECK(why(io::picture_in_child) == why(io::picture));
  CHECK(io::picture(wide, io::PictureFormat::Svg).find("<svg") != std::string::npos);
}

TEST_CASE("an SVG has its title, its size in points and no font of the machine") {
  const std::string svg = picture(io::PictureFormat::Svg);
  CHECK(svg.find("<title>a &lt; b &amp; c</title>") != svg.npos);
  CHECK(svg.find("width=\"75pt\" height=\"37.5pt\"") != svg.npos);
  CHECK(svg.find("font-family") == svg.npos);
  CHECK(svg.find("<text") == svg.npos);
}

TEST_SUITE_END();
