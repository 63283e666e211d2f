#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace oa::io {

/// The types of elements of IDX files that we read: oa-formats(5), IDX.
enum class IdxType : std::uint8_t {
  Byte = 0x08,
  SignedByte = 0x09,
  Int = 0x0c,
  Float = 0x0d
};

/// What an IDX file begins with: two zero bytes, a type, the number of extents, and
/// these as big-endian 32-bit numbers.
struct IdxHeader {
  IdxType type = IdxType::Byte;
  std::vector<int> extents;

  /// The product of the extents.
  [[nodiscard]] std::uint64_t elements() const;
};

/// Whether `start` begins an IDX file of these types of elements, of 1 to 8 extents.
[[nodiscard]] bool looks_like_idx_array(std::span<const std::byte> start);

/// Reads the header of an array of `dimensions` extents, whose product does not pass
/// 2^40.  `what` is what the file should be, for messages.  Throws InputError.
[[nodiscard]] IdxHeader read_idx_header(Input& input,
                                        int dimensions,
                                        const std::string& what);

/// The elements behind the header, to the end of the file: whole numbers, or numbers of
/// which bytes are divided by 255.  Throw InputError on another type, on too few or too
/// many bytes and on a number that is not finite.
[[nodiscard]] std::vector<std::int32_t> read_idx_whole(Input& input,
                                                       const IdxHeader& header);
[[nodiscard]] std::vector<float> read_idx_numbers(Input& input,
                                                  const IdxHeader& header);

void write_idx_header(Output& output, const IdxHeader& header);
void write_idx_whole(Output& output, std::span<const std::int32_t> values);
void write_idx_floats(Output& output, std::span<const float> values);

// Pieces of which readers of IDX files are made.

/// The next 4 bytes, big-endian.  Throws InputError at the end of the file.
[[nodiscard]] std::uint32_t read_idx_u32(Input& input);
void write_idx_u32(Output& output, std::uint32_t value);

/// The last `claimed` bytes of the file, in pieces that are whole elements of 1, 2 or 4
/// bytes: the claim is believed only as they arrive.  Throws InputError if there are
/// fewer or more.
void read_idx_rest(Input& input,
                   std::uint64_t claimed,
                   const std::function<void(std::span<const std::byte>)>& take);

/// "0x00000803", for messages.
[[nodiscard]] std::string idx_magic_text(std::uint32_t magic);

}  // namespace oa::io
