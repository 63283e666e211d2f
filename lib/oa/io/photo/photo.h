#pragma once

#include "oa/io/bytes/input.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// A picture as planes, one behind the other: one if it is grey, or red, green, blue.
struct Photo {
  int rows = 0;
  int cols = 0;
  int channels = 0;
  std::vector<std::uint8_t> pixels;
};

/// Whether a file of that name is taken for a picture where others lie beside it: .png,
/// .jpg, .jpeg, .pgm and .ppm, in any case.
[[nodiscard]] bool is_photo_name(std::string_view path);

/// Whether `bytes` begin as a PNG, JPEG, PGM or PPM file does.
[[nodiscard]] bool looks_like_photo(std::string_view bytes);

/// Decodes a file of one of these formats; content decides which.  Throws InputError,
/// which begins with `name`, on what is none, is damaged, or has more than 4096 pixels
/// a side, before memory for pixels is taken; IoError where the build lacks the
/// library.
[[nodiscard]] Photo decode_photo(std::string_view bytes, const std::string& name);

/// The same of all that `input` has, at most 64 MiB.
[[nodiscard]] Photo read_photo(Input& input);

/// The same of one format alone.
[[nodiscard]] Photo decode_jpeg(std::string_view bytes, const std::string& name);
[[nodiscard]] Photo decode_png(std::string_view bytes, const std::string& name);
[[nodiscard]] Photo decode_pnm(std::string_view bytes, const std::string& name);

/// Throws InputError unless a picture of that size is accepted.
void check_photo_size(std::int64_t rows, std::int64_t cols, const std::string& name);

/// `mixed` has the colours of a pixel side by side, `photo` its size: fills its planes.
void take_planes(const std::vector<std::uint8_t>& mixed, Photo& photo);

}  // namespace oa::io
