#pragma once

#include "oa/data/picture_form.h"

#include <string>

namespace oa::io {

/// True if `folder` has train.tar and test.tar, maybe compressed, with a folder of
/// pictures for each class.
[[nodiscard]] bool has_photo_archives(const std::string& folder);

/// Reads the pictures CLASS/NAME.jpg, all of one size, of the archive of a split.
/// Classes are numbered by name.  Pictures are sorted by name, then class, so that any
/// range has all classes.  Throws InputError.
[[nodiscard]] Dataset read_photo_archive(const std::string& folder,
                                         Split split,
                                         const PictureForm& form = {});

}  // namespace oa::io
