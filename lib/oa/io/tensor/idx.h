#pragma once

#include "oa/data/picture_form.h"
#include "oa/data/selection.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/output.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::io {

/// True if `start` begins an IDX file of bytes (images or labels).
[[nodiscard]] bool looks_like_idx(std::span<const std::byte> start);

/// IDX, the format of MNIST: big-endian magic 0x00000803 (images) or 0x00000801
/// (labels), the extents, the bytes.  Readers accept .gz files and throw InputError.
[[nodiscard]] Images read_idx_images(Input& input);
[[nodiscard]] std::vector<std::uint8_t> read_idx_labels(Input& input);

/// The selected images of a file, and the number of all its images.
struct SelectedImages {
  Images images;
  int count = 0;
};

/// Reads images with one or several planes: also magic 0x00000804 with the extents
/// count, planes, rows, columns.  Images that `form` does not select take no memory.
[[nodiscard]] SelectedImages read_idx_pictures(Input& input,
                                               const PictureForm& form = {},
                                               const Selection& selection = {});

/// Returns the path of `name` or `name`.gz in `folder`.
/// Throws IoError if both are missing.
[[nodiscard]] std::string find_idx_file(const std::string& folder,
                                        const std::string& name);

/// The name of the labels in MNIST.
[[nodiscard]] std::string idx_labels_name(Split split);

}  // namespace oa::io
