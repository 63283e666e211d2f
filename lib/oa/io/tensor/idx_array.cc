#include "oa/io/tensor/idx_array.h"

#include "oa/base/error.h"
#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace oa::io {
namespace {

constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 40;
constexpr std::size_t kPiece =
    std::size_t{1} << 16;  // a multiple of each element size; fits the cache

std::uint32_t big_endian(const std::byte* bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  }
  return value;
}

void store_big_endian(std::uint32_t value, std::byte* to) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    to[i] = static_cast<std::byte>(value >> (24 - 8 * i));
  }
}

bool is_wide(IdxType type) {
  return type == IdxType::Int || type == IdxType::Float;
}

bool is_known(std::uint32_t type) {
  constexpr std::array kTypes{
      IdxType::Byte, IdxType::SignedByte, IdxType::Int, IdxType::Float};
  return std::ranges::any_of(
      kTypes, [&](IdxType t) { return static_cast<std::uint32_t>(t) == type; });
}

/// Reads the elements of the file; `number_of` converts the bytes of an element.
template <class T>
std::vector<T> read_elements(Input& input, const IdxHeader& header, auto number_of) {
  const std::size_t size = is_wide(header.type) ? 4 : 1;
  std::vector<T> values;
  if (const auto rest = input.remaining()) {
    values.reserve(std::min<std::uint64_t>(header.elements(), *rest / size));
  }
  read_idx_rest(input, header.elements() * size, [&](std::span<const std::byte> bytes) {
    const std::size_t before = values.size();
    values.resize(before + bytes.size() / size);
    for (std::size_t i = 0; i < bytes.size() / size; ++i) {
      values[before + i] = number_of(bytes.data() + i * size);
    }
  });
  return values;
}

/// Writes values in big-endian order, in pieces that fit the stack.
template <class T>
void write_elements(Output& output, std::span<const T> values) {
  static_assert(sizeof(T) == 4);
  std::array<std::byte, 4096> bytes{};
  while (!values.empty()) {
    const std::size_t n = std::min(values.size(), bytes.size() / 4);
    for (std::size_t i = 0; i < n; ++i) {
      store_big_endian(std::bit_cast<std::uint32_t>(values[i]), bytes.data() + 4 * i);
    }
    output.write(std::span(bytes).first(4 * n));
    values = values.subspan(n);
  }
}

}  // namespace

std::uint64_t IdxHeader::elements() const {
  std::uint64_t product = 1;
  for (const int extent : extents) {
    product *= static_cast<std::uint64_t>(extent);
  }
  return product;
}

std::uint32_t read_idx_u32(Input& input) {
  std::array<std::byte, 4> bytes{};
  if (input.read(bytes) < bytes.size()) {
    throw InputError(input.name() + ": truncated in the IDX header");
  }
  return big_endian(bytes.data());
}

void write_idx_u32(Output& output, std::uint32_t value) {
  std::array<std::byte, 4> bytes{};
  store_big_endian(value, bytes.data());
  output.write(bytes);
}

std::string idx_magic_text(std::uint32_t magic) {
  std::string text = "0x00000000";
  for (std::size_t i = text.size(); i > 2; magic >>= 4) {
    text[--i] = "0123456789abcdef"[magic & 15U];
  }
  return text;
}

bool looks_like_idx_array(std::span<const std::byte> start) {
  constexpr std::uint32_t kMaxExtents = 8;
  if (start.size() < 4) {
    return false;
  }
  const std::uint32_t magic = big_endian(start.data());
  return is_known(magic >> 8) && (magic & 255U) >= 1 && (magic & 255U) <= kMaxExtents;
}

IdxHeader read_idx_header(Input& input, int dimensions, const std::string& what) {
  const std::uint32_t magic = read_idx_u32(input);
  const std::uint32_t type = magic >> 8;
  if (!is_known(type) || (magic & 255U) != static_cast<std::uint32_t>(dimensions)) {
    throw InputError(input.name() + ": IDX magic " + idx_magic_text(magic) +
                     " (expected " + what + " with " + std::to_string(dimensions) +
                     " extents, of bytes, 32-bit integers or floats)");
  }
  IdxHeader header;
  header.type = static_cast<IdxType>(type);
  std::uint64_t product = 1;
  for (int i = 0; i < dimensions; ++i) {
    const std::uint32_t extent = read_idx_u32(input);
    if (extent > static_cast<std::uint32_t>(std::numeric_limits<int>::max()) ||
        (product > 0 && extent > kMaxElements / product)) {
      throw InputError(input.name() + ": extent " + std::to_string(extent) +
                       " (expected at most 2^40 elements, and 2147483647 each way)");
    }
    product *= extent;
    header.extents.push_back(static_cast<int>(extent));
  }
  return header;
}

void read_idx_rest(Input& input,
                   std::uint64_t claimed,
                   const std::function<void(std::span<const std::byte>)>& take) {
  std::vector<std::byte> memory(std::min<std::uint64_t>(claimed, kPiece));
  for (std::uint64_t came = 0; came < claimed;) {
    const auto piece =
        std::span(memory).first(std::min<std::uint64_t>(claimed - came, kPiece));
    const std::size_t read = input.read(piece);
    came += read;
    if (read < piece.size()) {
      throw InputError(input.name() + ": has " + std::to_string(came) +
                       " bytes of data (its header says " + std::to_string(claimed) +
                       ")");
    }
    take(piece);
  }
  if (!input.at_end()) {
    throw InputError(input.name() + ": goes on after its " + std::to_string(claimed) +
                     " bytes of data");
  }
}

std::vector<std::int32_t> read_idx_whole(Input& input, const IdxHeader& header) {
  using Values = std::int32_t;
  switch (header.type) {
    case IdxType::Byte:
      return read_elements<Values>(input, header, [](const std::byte* b) {
        return std::to_integer<Values>(*b);
      });
    case IdxType::SignedByte:
      return read_elements<Values>(input, header, [](const std::byte* b) {
        return Values{std::bit_cast<std::int8_t>(*b)};
      });
    case IdxType::Int:
      return read_elements<Values>(input, header, [](const std::byte* b) {
        return std::bit_cast<Values>(big_endian(b));
      });
    case IdxType::Float: break;
  }
  throw InputError(input.name() + ": IDX of floats (expected whole numbers)");
}

std::vector<float> read_idx_numbers(Input& input, const IdxHeader& header) {
  if (header.type == IdxType::Byte) {
    return read_elements<float>(input, header, [](const std::byte* b) {
      return static_cast<float>(std::to_integer<int>(*b)) / 255.0F;
    });
  }
  if (header.type != IdxType::Float) {
    throw InputError(input.name() +
                     ": IDX of whole numbers (expected floats or bytes)");
  }
  std::vector<float> values =
      read_elements<float>(input, header, [](const std::byte* b) {
        return std::bit_cast<float>(big_endian(b));
      });
  const auto bad =
      std::ranges::find_if(values, [](float v) { return !std::isfinite(v); });
  if (bad != values.end()) {
    throw InputError(input.name() + ": element " +
                     std::to_string(bad - values.begin()) + " is not a finite number");
  }
  return values;
}

void write_idx_header(Output& output, const IdxHeader& header) {
  write_idx_u32(output,
                static_cast<std::uint32_t>(header.type) << 8 |
                    static_cast<std::uint32_t>(header.extents.size()));
  for (const int extent : header.extents) {
    write_idx_u32(output, static_cast<std::uint32_t>(extent));
  }
}

void write_idx_whole(Output& output, std::span<const std::int32_t> values) {
  write_elements(output, values);
}

void write_idx_floats(Output& output, std::span<const float> values) {
  write_elements(output, values);
}

}  // namespace oa::io
