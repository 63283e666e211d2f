#pragma once

#include "oa/data/picture_form.h"
#include "oa/data/selection.h"
#include "oa/io/bytes/input.h"
#include "oa/io/tensor/idx.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace oa::io {

/// Reads the pictures of a file, recognised by its content: IDX; an .npy array of bytes
/// (rows x columns, count x rows x columns, or 4 extents with planes second or with 1
/// or 3 colours last); a PNG, JPEG, PGM or PPM picture.  Unselected pictures of IDX
/// files take no memory.  Throws InputError.
[[nodiscard]] SelectedImages read_pictures(Input& input,
                                           const PictureForm& form = {},
                                           const Selection& selection = {});

/// Labels from 0 to 255: IDX, or an .npy array of whole numbers.  Throws InputError.
[[nodiscard]] std::vector<std::uint8_t> read_labels(Input& input);

/// Reads the pictures of the file `images` ("-": standard input), converts them to
/// `form`, and reads the labels of the file `labels`.  If `labels` is empty, looks for
/// a file beside `images` with "labels" for "images" (and idx1 for idx3) in its name.
/// Throws InputError if the numbers of pictures and labels differ.
[[nodiscard]] Dataset read_pictures_and_labels(const std::string& images,
                                               const std::string& labels,
                                               const PictureForm& form = {},
                                               const std::stop_token& stop = {},
                                               const Selection& selection = {});

}  // namespace oa::io
