#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/io/photo/photo.h"

#include <array>
#include <csetjmp>
#include <cstddef>

#include <jpeglib.h>

namespace oa::io {
namespace {

/// Replaces the exit() and the messages of libjpeg:
/// stores the message, and makes the current step return false.
struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf back;
  std::array<char, JMSG_LENGTH_MAX> text;
};

void leave_step(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);  // NOLINT: its first member
  errors->base.format_message(info, errors->text.data());
  std::longjmp(errors->back, 1);  // NOLINT: a step has no C++ objects to destroy
}

/// Treats warnings, such as damaged data, as errors.
void leave_on_warning(j_common_ptr info, int level) {
  if (level < 0) {
    leave_step(info);
  }
}

/// The steps of decoding, which own no memory, because errors longjmp out of them.
class JpegDecoder {
 public:
  JpegDecoder() {
    info_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = leave_step;
    errors_.base.emit_message = leave_on_warning;
  }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder() { jpeg_destroy_decompress(&info_); }

  [[nodiscard]] bool read_header(std::string_view bytes) {
    if (setjmp(errors_.back) != 0) {  // NOLINT: libjpeg requires it
      return false;
    }
    jpeg_create_decompress(&info_);
    jpeg_mem_src(&info_,
                 reinterpret_cast<const unsigned char*>(bytes.data()),  // NOLINT: bytes
                 bytes.size());
    jpeg_read_header(&info_, TRUE);
    info_.dct_method = JDCT_ISLOW;
    info_.out_color_space = info_.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    return true;
  }

  /// Reads rows of interleaved colours.
  [[nodiscard]] bool read_rows(unsigned char* to, std::size_t row_bytes) {
    if (setjmp(errors_.back) != 0) {  // NOLINT: as above
      return false;
    }
    jpeg_start_decompress(&info_);
    while (info_.output_scanline < info_.output_height) {
      unsigned char* row = to + info_.output_scanline * row_bytes;
      jpeg_read_scanlines(&info_, &row, 1);
    }
    jpeg_finish_decompress(&info_);
    return true;
  }

  [[nodiscard]] const jpeg_decompress_struct& info() const { return info_; }
  [[nodiscard]] std::string why() const { return errors_.text.data(); }

 private:
  jpeg_decompress_struct info_{};
  JpegErrors errors_{};
};

}  // namespace

Photo decode_jpeg(std::string_view bytes, const std::string& name) {
  JpegDecoder decoder;
  if (!decoder.read_header(bytes)) {
    throw InputError(name + ": no JPEG picture: " + decoder.why());
  }
  check_photo_size(decoder.info().image_height, decoder.info().image_width, name);
  if (decoder.info().num_components != 1 && decoder.info().num_components != 3) {
    throw InputError(name + ": " + std::to_string(decoder.info().num_components) +
                     " colours (expected 1 or 3)");
  }
  Photo photo{static_cast<int>(decoder.info().image_height),
              static_cast<int>(decoder.info().image_width),
              decoder.info().num_components,
              {}};
  const std::size_t row_bytes = at(photo.cols) * at(photo.channels);
  std::vector<std::uint8_t> mixed(at(photo.rows) * row_bytes);
  if (!decoder.read_rows(mixed.data(), row_bytes)) {
    throw InputError(name + ": damaged JPEG picture: " + decoder.why());
  }
  take_planes(mixed, photo);
  return photo;
}

}  // namespace oa::io
