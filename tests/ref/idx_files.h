#pragma once

#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/idx_array.h"

#include <cstdint>
#include <span>
#include <string>

namespace oa::io {

/// Four bytes, the highest first.
inline std::string be32(std::uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    text += static_cast<char>(value >> shift & 255U);
  }
  return text;
}

// Whole IDX files, as the tools write them in pieces.

inline void write_idx_images(Output& output, const Images& images) {
  if (images.channels == 1) {
    write_idx_header(output, {IdxType::Byte, {images.count, images.rows, images.cols}});
  } else {
    write_idx_header(
        output,
        {IdxType::Byte, {images.count, images.channels, images.rows, images.cols}});
  }
  output.write(std::as_bytes(std::span(images.pixels)));
}

inline void write_idx_labels(Output& output, std::span<const std::uint8_t> labels) {
  write_idx_header(output, {IdxType::Byte, {static_cast<int>(labels.size())}});
  output.write(std::as_bytes(labels));
}

}  // namespace oa::io
