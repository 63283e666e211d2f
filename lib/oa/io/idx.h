#pragma once

#include "oa/data/dataset.h"
#include "oa/io/input.h"
#include "oa/io/output.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::io {

/// Whether `start` begins an IDX file of bytes (images or labels).
[[nodiscard]] bool looks_like_idx(std::span<const std::byte> start);

/// IDX, the format of MNIST: big-endian magic 0x00000803 (images) or 0x00000801
/// (labels), the extents, the bytes.  Readers take .gz files too and throw InputError.
[[nodiscard]] Images read_idx_images(Input& input);
[[nodiscard]] std::vector<std::uint8_t> read_idx_labels(Input& input);

void write_idx_images(Output& output, const Images& images);
void write_idx_labels(Output& output, std::span<const std::uint8_t> labels);

/// The parts of a data set, by their MNIST names.
enum class Split { Train, Test };

[[nodiscard]] std::string idx_images_name(Split split);  ///< "train-images-idx3-ubyte"
[[nodiscard]] std::string idx_labels_name(Split split);

/// The images and labels of `folder`, under their MNIST names, ".gz" or not.  Throws
/// IoError if a file is missing and InputError if their numbers differ.
[[nodiscard]] Dataset read_idx_dataset(const std::string& folder, Split split);

}  // namespace oa::io
