#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace oa::io {

/// The supported element types of IDX files: oa-formats(5), IDX.
enum class IdxType : std::uint8_t {
  Byte = 0x08,
  SignedByte = 0x09,
  Int = 0x0c,
  Float = 0x0d
};

/// The header of an IDX file: two zero bytes, a type, the number of extents, and the
/// extents as big-endian 32-bit numbers.
struct IdxHeader {
  IdxType type = IdxType::Byte;
  std::vector<int> extents;

  /// The product of the extents.
  [[nodiscard]] std::uint64_t elements() const;
};

/// True if `start` begins an IDX file with an IdxType and 1 to 8 extents.
[[nodiscard]] bool looks_like_idx_array(std::span<const std::byte> start);

/// Reads the header of an array with `dimensions` extents and at most 2^40 elements.
/// `what` names the expected file in messages.  Throws InputError.
[[nodiscard]] IdxHeader read_idx_header(Input& input,
                                        int dimensions,
                                        const std::string& what);

/// Reads the elements after the header as whole numbers,
/// or as real numbers (bytes are divided by 255).  Throws InputError on another type,
/// too few or too many bytes, or a number that is not finite.
[[nodiscard]] std::vector<std::int32_t> read_idx_whole(Input& input,
                                                       const IdxHeader& header);
[[nodiscard]] std::vector<float> read_idx_numbers(Input& input,
                                                  const IdxHeader& header);

void write_idx_header(Output& output, const IdxHeader& header);
void write_idx_whole(Output& output, std::span<const std::int32_t> values);
void write_idx_floats(Output& output, std::span<const float> values);

// Helpers for readers of IDX files.

/// The next 4 bytes, big-endian.  Throws InputError at the end of the file.
[[nodiscard]] std::uint32_t read_idx_u32(Input& input);
void write_idx_u32(Output& output, std::uint32_t value);

/// Reads the last `claimed` bytes of the file in pieces of whole elements of 1,
/// 2 or 4 bytes.  Reserves memory only for bytes that arrived.
/// Throws InputError if the file has fewer or more bytes.
void read_idx_rest(Input& input,
                   std::uint64_t claimed,
                   const std::function<void(std::span<const std::byte>)>& take);

/// "0x00000803", for messages.
[[nodiscard]] std::string idx_magic_text(std::uint32_t magic);

}  // namespace oa::io
