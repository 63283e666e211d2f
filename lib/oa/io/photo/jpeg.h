#pragma once

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

/// Decodes a JPEG file.  Throws InputError, which begins with `name`, on what is none,
/// is damaged, or has more than 4096 pixels a side; IoError where the build has no
/// libjpeg.
[[nodiscard]] Photo decode_jpeg(std::string_view bytes, const std::string& name);

}  // namespace oa::io
