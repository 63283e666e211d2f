#include "oa/io/tensor/idx.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/tensor/idx_array.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include <unistd.h>

namespace oa::io {
namespace {

// Magic: two zero bytes, the element type (8: unsigned bytes), the number of extents.
constexpr std::uint32_t kImagesMagic = 0x00000803;
constexpr std::uint32_t kPlanesMagic = 0x00000804;
constexpr std::uint32_t kLabelsMagic = 0x00000801;
constexpr std::uint32_t kMaxSide = 4096;    // oa-formats(5), LIMITS
constexpr std::uint32_t kMaxChannels = 16;  // 2^31 * 2^24 * 2^4 fits 64 bits

void check_magic(Input& input, std::uint32_t magic, std::string_view what) {
  const std::uint32_t found = read_idx_u32(input);
  if (found != magic) {
    throw InputError(input.name() + ": IDX magic " + idx_magic_text(found) +
                     " (expected " + idx_magic_text(magic) + ", " + std::string(what) +
                     ")");
  }
}

std::uint32_t read_count(Input& input) {
  const std::uint32_t count = read_idx_u32(input);
  if (count > static_cast<std::uint32_t>(std::numeric_limits<int>::max())) {
    throw InputError(input.name() + ": claims " + std::to_string(count) + " entries");
  }
  return count;
}

std::vector<std::uint8_t> read_rest(Input& input, std::uint64_t claimed) {
  const Bytes bytes = read_idx_rest(input, claimed);
  std::vector<std::uint8_t> values(bytes.size());
  if (!values.empty()) {
    std::memcpy(values.data(), bytes.data(), values.size());
  }
  return values;
}

Images read_after_magic(Input& input, bool planes) {
  const std::uint32_t count = read_count(input);
  const std::uint32_t channels = planes ? read_idx_u32(input) : 1;
  const std::uint32_t rows = read_idx_u32(input);
  const std::uint32_t cols = read_idx_u32(input);
  if (rows == 0 || cols == 0 || rows > kMaxSide || cols > kMaxSide) {
    throw InputError(input.name() + ": images of " + std::to_string(rows) + "x" +
                     std::to_string(cols) + " pixels (expected 1 to " +
                     std::to_string(kMaxSide) + " a side)");
  }
  if (channels == 0 || channels > kMaxChannels) {
    throw InputError(input.name() + ": images of " + std::to_string(channels) +
                     " planes (expected 1 to " + std::to_string(kMaxChannels) + ")");
  }
  Images images;
  images.count = static_cast<int>(count);
  images.rows = static_cast<int>(rows);
  images.cols = static_cast<int>(cols);
  images.channels = static_cast<int>(channels);
  images.pixels = read_rest(input, std::uint64_t{count} * channels * rows * cols);
  return images;
}

}  // namespace

std::string find_idx_file(const std::string& folder, const std::string& name) {
  const std::string plain = folder + "/" + name;
  for (const std::string& path : {plain, plain + ".gz"}) {
    if (::access(path.c_str(), F_OK) == 0) {
      return path;
    }
  }
  throw IoError(plain + ": neither this file nor " + name + ".gz exists");
}

bool looks_like_idx(std::span<const std::byte> start) {
  return start.size() >= 4 && start[0] == std::byte{0} && start[1] == std::byte{0} &&
         start[2] == std::byte{8} &&
         (start[3] == std::byte{3} || start[3] == std::byte{1});
}

Images read_idx_images(Input& input) {
  check_magic(input, kImagesMagic, "images");
  return read_after_magic(input, false);
}

Images read_idx_pictures(Input& input) {
  const std::uint32_t magic = read_idx_u32(input);
  if (magic != kImagesMagic && magic != kPlanesMagic) {
    throw InputError(input.name() + ": IDX magic " + idx_magic_text(magic) +
                     " (expected " + idx_magic_text(kImagesMagic) + " or " +
                     idx_magic_text(kPlanesMagic) + ", images)");
  }
  return read_after_magic(input, magic == kPlanesMagic);
}

std::vector<std::uint8_t> read_idx_labels(Input& input) {
  check_magic(input, kLabelsMagic, "labels");
  const std::uint32_t count = read_count(input);
  return read_rest(input, count);
}

void write_idx_images_header(Output& output, int count, int rows, int cols) {
  write_idx_u32(output, kImagesMagic);
  for (const int extent : {count, rows, cols}) {
    write_idx_u32(output, static_cast<std::uint32_t>(extent));
  }
}

void write_idx_labels_header(Output& output, int count) {
  write_idx_u32(output, kLabelsMagic);
  write_idx_u32(output, static_cast<std::uint32_t>(count));
}

void write_idx_images(Output& output, const Images& images) {
  if (images.channels == 1) {
    write_idx_images_header(output, images.count, images.rows, images.cols);
  } else {
    write_idx_header(
        output,
        {IdxType::Byte, {images.count, images.channels, images.rows, images.cols}});
  }
  output.write(std::as_bytes(std::span(images.pixels)));
}

void write_idx_labels(Output& output, std::span<const std::uint8_t> labels) {
  write_idx_labels_header(output, static_cast<int>(labels.size()));
  output.write(std::as_bytes(labels));
}

std::string idx_images_name(Split split) {
  return split == Split::Train ? "train-images-idx3-ubyte" : "t10k-images-idx3-ubyte";
}

std::string idx_labels_name(Split split) {
  return split == Split::Train ? "train-labels-idx1-ubyte" : "t10k-labels-idx1-ubyte";
}

}  // namespace oa::io
