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
/// (rows x columns, count x rows x columns, or with a further extent for planes or 1 or
/// 3 colours); or one PNG, JPEG, PGM or PPM picture.  Pictures of IDX files that are
/// not kept take no memory.  Throws InputError.
[[nodiscard]] SelectedImages read_pictures(Input& input,
                                           const PictureForm& form = {},
                                           const Selection& selection = {});

/// Labels from 0 to 255: IDX, or an .npy array of whole numbers.  Throws InputError.
[[nodiscard]] std::vector<std::uint8_t> read_labels(Input& input);

/// The pictures of the file `images` ("-": standard input), converted to `form`, with
/// the labels of the file `labels`.  If that is empty, labels come from the file beside
/// it with "labels" for "images" (and idx1 for idx3) in its name, if there is one.
/// Throws InputError if the numbers differ.
[[nodiscard]] Dataset read_pictures_and_labels(const std::string& images,
                                               const std::string& labels,
                                               const PictureForm& form = {},
                                               const std::stop_token& stop = {},
                                               const Selection& selection = {});

}  // namespace oa::io
