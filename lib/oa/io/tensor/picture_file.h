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

/// The pictures of a file: IDX, an .npy array of bytes (rows x columns, count x rows x
/// columns, or with planes or 1 or 3 colours beside), or one PNG, JPEG, PGM or PPM
/// picture; content decides.  Of IDX files only what is kept takes memory.  Throws
/// InputError.
[[nodiscard]] SelectedImages read_pictures(Input& input,
                                           const PictureForm& form = {},
                                           const Selection& selection = {});

/// Labels from 0 to 255: IDX, or an .npy array of whole numbers.  Throws InputError.
[[nodiscard]] std::vector<std::uint8_t> read_labels(Input& input);

/// The pictures of the file `images` ("-": standard input), in that form, with the
/// labels of the file `labels`; where that is empty, with those of the file beside it
/// whose name has "labels" for "images" (and idx1 for idx3); where there is none,
/// without.  Throws InputError if their numbers differ.
[[nodiscard]] Dataset read_pictures_and_labels(const std::string& images,
                                               const std::string& labels,
                                               const PictureForm& form = {},
                                               const std::stop_token& stop = {},
                                               const Selection& selection = {});

}  // namespace oa::io
