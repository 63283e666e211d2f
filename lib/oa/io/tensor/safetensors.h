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
  } else if constexpr (std::is_same_v<T, std::int16_t>) {
    return Dtype::I16;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return Dtype::I32;
  } else {
    static_assert(std::is_same_v<T, std::int64_t>);
    return Dtype::I64;
  }
}

/// A shape, written "(49,64)" in messages.
using Shape = std::vector<std::int64_t>;
[[nodiscard]] std::string to_string(const Shape& shape);

/// A tensor, which views little-endian, row-major bytes.
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

/// The content of a safetensors file or a frame of a stream; oa-stream(5).
class Safetensors {
 public:
  Metadata metadata;

  /// The tensors, in the order of their data.
  [[nodiscard]] const std::vector<TensorView>& tensors() const { return tensors_; }

  /// The tensor `name`, or null.
  [[nodiscard]] const TensorView* find(std::string_view name) const;

  /// The elements of tensor `name`.  Throws InputError, which names `where`, unless the
  /// tensor exists with this type and shape (-1: any extent).
  template <class T>
  [[nodiscard]] std::span<const T> get(std::string_view name,
                                       const Shape& shape,
                                       std::string_view where) const {
    const TensorView& found = require(name, dtype_of<T>(), shape, where);
    // align() has aligned the data to their type.
    return {reinterpret_cast<const T*>(found.bytes.data()),  // NOLINT: raw bytes to T
            found.bytes.size() / sizeof(T)};
  }

  /// The offset of a tensor of tensors() in the file, in bytes.
  [[nodiscard]] std::size_t place_of(const TensorView& tensor) const {
    return header_.size() +
           begins_[static_cast<std::size_t>(&tensor - tensors_.data())];
  }

  /// The bytes before the data: length and header, as in the file.
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
  Bytes aligned_;  // a copy of data_ if the file's layout is not aligned
  std::vector<TensorView> tensors_;
  std::vector<std::size_t> begins_;  // offsets of the tensors in data_
};

struct Header;

/// Caches the last header that was read: nearly all frames of a stream have equal
/// headers, which need not be parsed again.
class LastHeader {
 public:
  LastHeader();
  LastHeader(LastHeader&& other) noexcept;
  LastHeader& operator=(LastHeader&& other) noexcept;
  ~LastHeader();

  /// The result of parse_header(), until the next call.  Throws InputError.
  [[nodiscard]] const Header& read(std::span<const std::byte> json,
                                   const std::string& where);

 private:
  std::vector<std::byte> json_;
  std::unique_ptr<Header> header_;  // of json_; may be null
};

/// Reads the next safetensors into `to` and reuses its memory.  False at the end of the
/// input, and after a stop (Input::stopped).  Throws InputError on anything that
/// oa-stream(5) does not allow; checks sizes before it reserves memory.
[[nodiscard]] bool read_safetensors(Input& input, LastHeader& last, Safetensors& to);

/// Reads a file with one safetensors.  Throws InputError if more bytes follow.
[[nodiscard]] Safetensors read_safetensors_file(Input& input);

/// Returns the bytes before the data: length and header.  Metadata are sorted by key;
/// tensors by descending element size, then by name.  Sorts `tensors` into this order,
/// which their data must have.
[[nodiscard]] std::string safetensors_header(const Metadata& metadata,
                                             std::vector<TensorView>& tensors);

/// Caches the last header that was written: nearly all frames of a stream have the same
/// metadata, types and shapes.
class LastWritten {
 public:
  /// The result of safetensors_header(), until the next call.
  [[nodiscard]] const std::string& header(const Metadata& metadata,
                                          std::vector<TensorView>& tensors);

 private:
  Metadata metadata_;
  std::vector<TensorView> tensors_;  // without bytes, in the caller's order
  std::vector<std::size_t> order_;   // indices of tensors_ in the order of the file
  std::string text_;
};

/// Writes a safetensors file or frame.
void write_safetensors(Output& output,
                       const Metadata& metadata,
                       std::vector<TensorView> tensors);

}  // namespace oa::io
