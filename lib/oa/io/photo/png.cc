#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/io/photo/photo.h"

#include <png.h>

namespace oa::io {
namespace {

/// Uses libpng's simplified interface, which needs no longjmp().
class PngDecoder {
 public:
  PngDecoder() { image_.version = PNG_IMAGE_VERSION; }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder() { png_image_free(&image_); }

  [[nodiscard]] bool read_header(std::string_view bytes) {
    return png_image_begin_read_from_memory(&image_, bytes.data(), bytes.size()) != 0;
  }

  /// Reads rows of interleaved 8-bit colours.  Transparent pixels are drawn on black.
  [[nodiscard]] bool read_rows(bool colour, std::uint8_t* to) {
    image_.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    image_.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // else libpng would brighten it
    const png_color black{0, 0, 0};
    return png_image_finish_read(&image_, &black, to, 0, nullptr) != 0;
  }

  [[nodiscard]] const png_image& image() const { return image_; }

 private:
  png_image image_{};
};

}  // namespace

Photo decode_png(std::string_view bytes, const std::string& name) {
  PngDecoder decoder;
  if (!decoder.read_header(bytes)) {
    throw InputError(name + ": no PNG picture: " + decoder.image().message);
  }
  check_photo_size(decoder.image().height, decoder.image().width, name);
  // A pixel has at least 1 bit; a byte of deflate data yields at most 1032 bytes.
  constexpr std::uint64_t kMaxPixelsOfByte = 8 * 1032;
  if (std::uint64_t{decoder.image().height} * decoder.image().width >
      bytes.size() * kMaxPixelsOfByte) {
    throw InputError(name + ": damaged PNG picture: " + std::to_string(bytes.size()) +
                     " bytes for " + std::to_string(decoder.image().height) + "x" +
                     std::to_string(decoder.image().width) + " pixels");
  }
  const bool colour = (decoder.image().format & PNG_FORMAT_FLAG_COLOR) != 0;
  Photo photo{static_cast<int>(decoder.image().height),
              static_cast<int>(decoder.image().width),
              colour ? 3 : 1,
              {}};
  std::vector<std::uint8_t> mixed(at(photo.rows) * at(photo.cols) * at(photo.channels));
  if (!decoder.read_rows(colour, mixed.data())) {
    throw InputError(name + ": damaged PNG picture: " + decoder.image().message);
  }
  take_planes(mixed, photo);
  return photo;
}

}  // namespace oa::io
