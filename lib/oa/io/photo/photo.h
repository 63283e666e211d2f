#pragma once

#include "oa/io/bytes/input.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// A picture as planes: one if grey, or red, green and blue.
struct Photo {
  int rows = 0;
  int cols = 0;
  int channels = 0;
  std::vector<std::uint8_t> pixels;
};

/// True if a file of this name counts as a picture in a folder: .png, .jpg, .jpeg, .pgm
/// or .ppm, in any case.
[[nodiscard]] bool is_photo_name(std::string_view path);

/// True if `bytes` begin as a PNG, JPEG, PGM or PPM file.
[[nodiscard]] bool looks_like_photo(std::string_view bytes);

/// Decodes a PNG, JPEG, PGM or PPM file, recognised by its content.
/// Throws InputError, whose message begins with `name`, for another format, damage,
/// or more than 4096 pixels a side (checked before memory is reserved).
/// Throws IoError if the build lacks the library.
[[nodiscard]] Photo decode_photo(std::string_view bytes, const std::string& name);

/// Decodes all of `input`, at most 64 MiB.
[[nodiscard]] Photo read_photo(Input& input);

/// Decodes one format.
[[nodiscard]] Photo decode_jpeg(std::string_view bytes, const std::string& name);
[[nodiscard]] Photo decode_png(std::string_view bytes, const std::string& name);
[[nodiscard]] Photo decode_pnm(std::string_view bytes, const std::string& name);

/// Throws InputError if a picture has no pixels or too many.
void check_photo_size(std::int64_t rows, std::int64_t cols, const std::string& name);

/// Fills the planes of `photo` from `mixed`, which stores the colours of each pixel
/// side by side.  The sizes of `photo` must be set.
void take_planes(const std::vector<std::uint8_t>& mixed, Photo& photo);

}  // namespace oa::io
