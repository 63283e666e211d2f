#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"
#include "oa/io/tensor/safetensors.h"

#include <span>

namespace oa::io {

/// A numpy array: row-major, little-endian.
struct NpyArray {
  Dtype dtype = Dtype::F64;
  Shape shape;
  Bytes data;
  /// Each element is a real part, then an imaginary part, both of this type.
  bool complex = false;
};

/// True if `start` begins an .npy file.
[[nodiscard]] bool looks_like_npy(std::span<const std::byte> start);

/// Reads an .npy file of format version 1, 2 or 3, and converts column-major and
/// big-endian data.  Throws InputError for object arrays (pickles),
/// and for complex numbers unless `allow_complex`.
[[nodiscard]] NpyArray read_npy(Input& input, bool allow_complex = false);

/// Writes an .npy file of format version 1.0.
void write_npy(Output& output,
               Dtype dtype,
               const Shape& shape,
               std::span<const std::byte> data);

}  // namespace oa::io
