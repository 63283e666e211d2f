#pragma once

#include "oa/data/picture_form.h"

#include <string>

namespace oa::io {

/// True if `folder` holds train.tar and test.tar, perhaps compressed, with pictures by
/// class.
[[nodiscard]] bool has_photo_archives(const std::string& folder);

/// The pictures CLASS/NAME.jpg in the archive of that split, all of one size.  Classes
/// are numbered in the order of their names.  Pictures are ordered by name, then class,
/// so that any part has all classes.  Throws InputError.
[[nodiscard]] Dataset read_photo_archive(const std::string& folder,
                                         Split split,
                                         const PictureForm& form = {});

}  // namespace oa::io
