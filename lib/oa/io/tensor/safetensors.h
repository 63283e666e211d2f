#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace oa::io {

/// Element types of a tensor, by their safetensors names.
enum class Dtype : std::uint8_t {
  Bool,
  U8,
  I8,
  U16,
  I16,
  F16,
  Bf16,
  U32,
  I32,
  F32,
  U64,
  I64,
  F64
};

[[nodiscard]] std::size_t size_of(Dtype dtype);
[[nodiscard]] std::string_view name_of(Dtype dtype);

/// The Dtype of a C++ element type.
template <class T>
[[nodiscard]] constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, float>) {
    return Dtype::F32;
  } else if constexpr (std::is_same_v<T, double>) {
    return Dtype::F64;
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return Dtype::U8;
  } else if constexpr (std::is_same_v<T, std::int8_t>) {
    return Dtype::I8;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return Dtype::I32;
  } else {
    static_assert(std::is_same_v<T, std::int64_t>);
    return Dtype::I64;
  }
}

/// "(49,64)".
using Shape = std::vector<std::int64_t>;
[[nodiscard]] std::string to_string(const Shape& shape);

/// One tensor: its bytes are little-endian, row-major and belong to somebody else.
struct TensorView {
  std::string name;
  Dtype dtype = Dtype::U8;
  Shape shape;
  std::span<const std::byte> bytes;

  template <class T>
  [[nodiscard]] static TensorView of(std::string name,
                                     Shape shape,
                                     std::span<const T> values) {
    return {std::move(name), dtype_of<T>(), std::move(shape), std::as_bytes(values)};
  }
};

using Metadata = std::map<std::string, std::string>;

class LastHeader;

/// What a safetensors file (or one frame of a stream) holds; see oa-stream(5).
class Safetensors {
 public:
  Metadata metadata;

  /// In the order of their bytes.
  [[nodiscard]] const std::vector<TensorView>& tensors() const { return tensors_; }

  /// The tensor of that name, or null.
  [[nodiscard]] const TensorView* find(std::string_view name) const;

  /// The elements of tensor `name`.  Throws InputError, which names `where`, unless it
  /// is there with this type and this shape (-1: any extent).
  template <class T>
  [[nodiscard]] std::span<const T> get(std::string_view name,
                                       const Shape& shape,
                                       std::string_view where) const {
    const TensorView& found = require(name, dtype_of<T>(), shape, where);
    // Data are kept aligned for their type; see align().
    return {reinterpret_cast<const T*>(found.bytes.data()),  // NOLINT: raw bytes to T
            found.bytes.size() / sizeof(T)};
  }

  /// The place of a tensor of tensors() in the file, in bytes from its beginning.
  [[nodiscard]] std::size_t place_of(const TensorView& tensor) const {
    return header_.size() +
           begins_[static_cast<std::size_t>(&tensor - tensors_.data())];
  }

  /// All bytes as they stand in the file: length, header, data.
  [[nodiscard]] std::span<const std::byte> header_bytes() const {
    return header_.span();
  }
  [[nodiscard]] std::span<const std::byte> data_bytes() const { return data_.span(); }

 private:
  friend bool read_safetensors(Input& input, LastHeader& last, Safetensors& to);
  [[nodiscard]] const TensorView& require(std::string_view name,
                                          Dtype dtype,
                                          const Shape& shape,
                                          std::string_view where) const;
  void align();

  Bytes header_;
  Bytes data_;
  Bytes aligned_;  // a copy of data_ when the file's own layout is not aligned
  std::vector<TensorView> tensors_;
  std::vector<std::size_t> begins_;  // of these, in data_
};

struct Header;

/// The header that was read last: one with the same bytes, as nearly all frames of a
/// stream have, is not parsed again.
class LastHeader {
 public:
  LastHeader();
  LastHeader(LastHeader&& other) noexcept;
  LastHeader& operator=(LastHeader&& other) noexcept;
  ~LastHeader();

  /// What parse_header() says, until the next call.  Throws InputError.
  [[nodiscard]] const Header& read(std::span<const std::byte> json,
                                   const std::string& where);

 private:
  std::vector<std::byte> json_;
  std::unique_ptr<Header> header_;  // of json_, if there is one
};

/// Reads the next safetensors from `input` into `to`, whose memory is used again. False
/// at the end of the input (or after a stop, see Input::stopped).  Throws InputError on
/// whatever oa-stream(5) does not allow; claims are checked before memory is reserved.
[[nodiscard]] bool read_safetensors(Input& input, LastHeader& last, Safetensors& to);

/// The one safetensors of a whole file: bytes after it are an error.
[[nodiscard]] Safetensors read_safetensors_file(Input& input);

/// The bytes before the data: length and header, canonical (same value, same bytes):
/// metadata by key, tensors by falling element size, then by name.  Reorders `tensors`
/// to the order in which their data must follow.
[[nodiscard]] std::string safetensors_header(const Metadata& metadata,
                                             std::vector<TensorView>& tensors);

/// The header that was written last: one of the same metadata, types and shapes, as
/// nearly all frames of a stream have, is not written anew.
class LastWritten {
 public:
  /// What safetensors_header() says, until the next call.
  [[nodiscard]] const std::string& header(const Metadata& metadata,
                                          std::vector<TensorView>& tensors);

 private:
  Metadata metadata_;
  std::vector<TensorView> tensors_;  // without their bytes, as they were given
  std::vector<std::size_t> order_;   // in which they were written
  std::string text_;
};

/// Writes a safetensors file or frame.
void write_safetensors(Output& output,
                       const Metadata& metadata,
                       std::vector<TensorView> tensors);

}  // namespace oa::io
