#include "oa/io/tensor/idx.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

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
constexpr std::uint32_t kLabelsMagic = 0x00000801;
constexpr std::uint32_t kMaxSide = 4096;  // oa-formats(5), LIMITS

std::uint32_t read_u32(Input& input) {
  std::array<std::byte, 4> bytes{};
  if (input.read(bytes) < bytes.size()) {
    throw InputError(input.name() + ": truncated in the IDX header");
  }
  std::uint32_t value = 0;
  for (const std::byte b : bytes) {
    value = value << 8 | std::to_integer<std::uint32_t>(b);
  }
  return value;
}

void write_u32(Output& output, std::uint32_t value) {
  std::array<std::byte, 4> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(value >> (24 - 8 * i));
  }
  output.write(bytes);
}

std::string hex(std::uint32_t value) {
  std::string text = "0x00000000";
  for (std::size_t i = text.size(); i > 2; value >>= 4) {
    text[--i] = "0123456789abcdef"[value & 15U];
  }
  return text;
}

void check_magic(Input& input, std::uint32_t magic, std::string_view what) {
  const std::uint32_t found = read_u32(input);
  if (found != magic) {
    throw InputError(input.name() + ": IDX magic " + hex(found) + " (expected " +
                     hex(magic) + ", " + std::string(what) + ")");
  }
}

std::uint32_t read_count(Input& input) {
  const std::uint32_t count = read_u32(input);
  if (count > static_cast<std::uint32_t>(std::numeric_limits<int>::max())) {
    throw InputError(input.name() + ": claims " + std::to_string(count) + " entries");
  }
  return count;
}

/// The last `claimed` bytes of the file.
std::vector<std::uint8_t> read_rest(Input& input, std::uint64_t claimed) {
  // Known or not, the claim is believed only as the bytes arrive.
  Bytes bytes;
  bytes.read(input, static_cast<std::size_t>(claimed));
  if (bytes.size() < claimed) {
    throw InputError(input.name() + ": has " + std::to_string(bytes.size()) +
                     " bytes of data (its header says " + std::to_string(claimed) +
                     ")");
  }
  if (!input.at_end()) {
    throw InputError(input.name() + ": goes on after its " + std::to_string(claimed) +
                     " bytes of data");
  }
  std::vector<std::uint8_t> values(bytes.size());
  if (!values.empty()) {
    std::memcpy(values.data(), bytes.data(), values.size());
  }
  return values;
}

/// The file `name` or `name`.gz in `folder`.
std::string find_file(const std::string& folder, const std::string& name) {
  const std::string plain = folder + "/" + name;
  for (const std::string& path : {plain, plain + ".gz"}) {
    if (::access(path.c_str(), F_OK) == 0) {
      return path;
    }
  }
  throw IoError(plain + ": neither this file nor " + name + ".gz exists");
}

/// The labels that belong to the file `images`, by name; empty if there are none.
std::string labels_beside(const std::string& images) {
  constexpr std::string_view kImages = "images-idx3";
  const auto at = images.rfind(kImages);
  if (at == images.npos) {
    return {};
  }
  std::string path = images;
  path.replace(at, kImages.size(), "labels-idx1");
  const std::string plain =
      path.ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
  for (const std::string& candidate : {path, plain, plain + ".gz"}) {
    if (::access(candidate.c_str(), F_OK) == 0) {
      return candidate;
    }
  }
  return {};
}

void check_counts(const Dataset& set, const std::string& labels) {
  if (std::ssize(set.labels) != set.images.count) {
    throw InputError(labels + ": " + format(std::ssize(set.labels)) + " labels for " +
                     format(set.images.count) + " images");
  }
}

}  // namespace

bool looks_like_idx(std::span<const std::byte> start) {
  return start.size() >= 4 && start[0] == std::byte{0} && start[1] == std::byte{0} &&
         start[2] == std::byte{8} &&
         (start[3] == std::byte{3} || start[3] == std::byte{1});
}

Images read_idx_images(Input& input) {
  check_magic(input, kImagesMagic, "images");
  const std::uint32_t count = read_count(input);
  const std::uint32_t rows = read_u32(input);
  const std::uint32_t cols = read_u32(input);
  if (rows == 0 || cols == 0 || rows > kMaxSide || cols > kMaxSide) {
    throw InputError(input.name() + ": images of " + std::to_string(rows) + "x" +
                     std::to_string(cols) + " pixels (expected 1 to " +
                     std::to_string(kMaxSide) + " a side)");
  }
  Images images;
  images.count = static_cast<int>(count);
  images.rows = static_cast<int>(rows);
  images.cols = static_cast<int>(cols);
  images.pixels = read_rest(input, std::uint64_t{count} * rows * cols);
  return images;
}

std::vector<std::uint8_t> read_idx_labels(Input& input) {
  check_magic(input, kLabelsMagic, "labels");
  const std::uint32_t count = read_count(input);
  return read_rest(input, count);
}

void write_idx_images_header(Output& output, int count, int rows, int cols) {
  write_u32(output, kImagesMagic);
  for (const int extent : {count, rows, cols}) {
    write_u32(output, static_cast<std::uint32_t>(extent));
  }
}

void write_idx_labels_header(Output& output, int count) {
  write_u32(output, kLabelsMagic);
  write_u32(output, static_cast<std::uint32_t>(count));
}

void write_idx_images(Output& output, const Images& images) {
  write_idx_images_header(output, images.count, images.rows, images.cols);
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

Dataset read_idx_images_and_labels(const std::string& images,
                                   const std::string& labels,
                                   const std::stop_token& stop) {
  Dataset set;
  Input image_input = Input::open(images, stop);
  set.images = read_idx_images(image_input);
  const std::string path = labels.empty() ? labels_beside(images) : labels;
  if (!path.empty()) {
    Input label_input = Input::open(path, stop);
    set.labels = read_idx_labels(label_input);
    check_counts(set, path);
  }
  return set;
}

Dataset read_idx_dataset(const std::string& folder, Split split) {
  const std::string images = find_file(folder, idx_images_name(split));
  return read_idx_images_and_labels(images, find_file(folder, idx_labels_name(split)));
}

}  // namespace oa::io
