#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/photo/photo.h"

#include <algorithm>

namespace oa::io {
namespace {

// Decodes pgm(5) and ppm(5) of netpbm.

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

class PnmReader {
 public:
  PnmReader(std::string_view bytes, const std::string& name)
      : bytes_(bytes),
        name_(name) {}

  [[nodiscard]] Photo read() {
    const char kind = bytes_[1];
    position_ = 2;
    const std::int64_t cols = number("width");
    const std::int64_t rows = number("height");
    most_ = number("largest value");
    check_photo_size(rows, cols, name_);
    if (most_ < 1 || most_ > 65535) {
      refuse("a largest value of " + format(most_) + " (expected 1 to 65535)");
    }
    Photo photo{static_cast<int>(rows),
                static_cast<int>(cols),
                kind == '3' || kind == '6' ? 3 : 1,
                {}};
    const std::size_t count = at(rows) * at(cols) * at(photo.channels);
    const std::vector<std::uint8_t> mixed =
        kind == '5' || kind == '6' ? binary(count) : text(count);
    take_planes(mixed, photo);
    return photo;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(name_ + ": damaged PGM or PPM picture: " + why);
  }

  /// Skips white space, and comments from # to the end of the line.
  void skip_space() {
    while (position_ < bytes_.size() &&
           (is_space(bytes_[position_]) || bytes_[position_] == '#')) {
      if (bytes_[position_] == '#') {
        position_ = std::min(bytes_.find('\n', position_), bytes_.size());
      } else {
        ++position_;
      }
    }
  }

  std::int64_t number(const char* what) {
    skip_space();
    const std::size_t begin = position_;
    while (position_ < bytes_.size() && bytes_[position_] >= '0' &&
           bytes_[position_] <= '9') {
      ++position_;
    }
    const auto value = parse_int(bytes_.substr(begin, position_ - begin));
    if (!value) {
      refuse(std::string("no ") + what + " where one is expected");
    }
    return *value;
  }

  [[nodiscard]] std::uint8_t scaled(std::int64_t value) const {
    if (value > most_) {
      refuse("a pixel of " + format(value) + " (the largest value is " + format(most_) +
             ")");
    }
    return static_cast<std::uint8_t>((value * 255 + most_ / 2) / most_);
  }

  /// Reads raw values.
  /// One white space ends the header; a value above 255 needs two bytes.
  std::vector<std::uint8_t> binary(std::size_t count) {
    const std::size_t size = most_ > 255 ? 2 : 1;
    const std::size_t there = bytes_.size() - std::min(bytes_.size(), position_ + 1);
    if (there != count * size) {
      refuse(std::to_string(there) + " bytes of pixels (expected " +
             std::to_string(count * size) + ")");
    }
    std::vector<std::uint8_t> values(count);
    const auto byte = [&](std::size_t i) {
      return static_cast<unsigned char>(bytes_[position_ + 1 + i]);
    };
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = scaled(size == 1 ? byte(i) : byte(2 * i) * 256 + byte(2 * i + 1));
    }
    return values;
  }

  std::vector<std::uint8_t> text(std::size_t count) {
    if (count > bytes_.size()) {
      refuse("fewer pixels than its header says");
    }
    std::vector<std::uint8_t> values;
    values.reserve(count);
    while (values.size() < count) {
      values.push_back(scaled(number("pixel")));
    }
    skip_space();
    if (position_ < bytes_.size()) {
      refuse("more pixels than its header says");
    }
    return values;
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t position_ = 0;
  std::int64_t most_ = 255;
};

}  // namespace

Photo decode_pnm(std::string_view bytes, const std::string& name) {
  return PnmReader(bytes, name).read();
}

}  // namespace oa::io
