#include "oa/io/photo/photo.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/whole_text.h"

#include <algorithm>
#include <array>

namespace oa::io {
namespace {

constexpr int kMaxPixels = 4096;  // per side; oa-formats(5), LIMITS

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

constexpr std::string_view kJpeg = "\xff\xd8\xff";
constexpr std::string_view kPng = "\x89PNG\r\n\x1a\n";

bool looks_like_pnm(std::string_view bytes) {
  constexpr std::string_view kDigits = "2356";
  constexpr std::string_view kBehind = " \t\r\n#";
  return bytes.size() >= 3 && bytes[0] == 'P' &&
         kDigits.find(bytes[1]) != kDigits.npos &&
         kBehind.find(bytes[2]) != kBehind.npos;
}

}  // namespace

bool is_photo_name(std::string_view path) {
  const auto dot = path.rfind('.');
  std::string suffix(dot == path.npos ? "" : path.substr(dot));
  for (char& c : suffix) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  constexpr std::array<std::string_view, 5> kSuffixes{
      ".png", ".jpg", ".jpeg", ".pgm", ".ppm"};
  return std::ranges::find(kSuffixes, suffix) != kSuffixes.end();
}

bool looks_like_photo(std::string_view bytes) {
  return bytes.starts_with(kJpeg) || bytes.starts_with(kPng) || looks_like_pnm(bytes);
}

Photo decode_photo(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with(kPng)) {
    return decode_png(bytes, name);
  }
  if (bytes.starts_with(kJpeg)) {
    return decode_jpeg(bytes, name);
  }
  if (looks_like_pnm(bytes)) {
    return decode_pnm(bytes, name);
  }
  throw InputError(name + ": not a picture (expected PNG, JPEG, PGM or PPM)");
}

Photo read_photo(Input& input) {
  return decode_photo(
      read_whole_text(input, kMaxFileBytes, "a picture of more than 64 MiB"),
      input.name());
}

void check_photo_size(std::int64_t rows, std::int64_t cols, const std::string& name) {
  if (rows < 1 || cols < 1 || rows > kMaxPixels || cols > kMaxPixels) {
    throw InputError(name + ": " + format(rows) + "x" + format(cols) +
                     " pixels (expected 1 to 4096 a side)");
  }
}

void take_planes(const std::vector<std::uint8_t>& mixed, Photo& photo) {
  const std::size_t plane = at(photo.rows) * at(photo.cols);
  const std::size_t colours = at(photo.channels);
  photo.pixels.resize(mixed.size());
  for (std::size_t i = 0; i < plane; ++i) {
    for (std::size_t c = 0; c < colours; ++c) {
      photo.pixels[c * plane + i] = mixed[i * colours + c];
    }
  }
}

}  // namespace oa::io
