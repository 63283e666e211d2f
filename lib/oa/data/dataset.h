#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa {

/// Grey images of one size, one byte a pixel, row by row, 0 is background.
struct Images {
  int count = 0;
  int rows = 0;
  int cols = 0;
  std::vector<std::uint8_t> pixels;  ///< count * rows * cols

  [[nodiscard]] std::size_t image_size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  }
  [[nodiscard]] std::span<const std::uint8_t> operator[](int i) const {
    return {pixels.data() + static_cast<std::size_t>(i) * image_size(), image_size()};
  }
};

/// The parts of a data set.
enum class Split : std::uint8_t { Train = 0, Test = 1 };

/// Images and the class of each.
struct Dataset {
  Images images;
  std::vector<std::uint8_t> labels;  ///< images.count entries, or none
};

}  // namespace oa
