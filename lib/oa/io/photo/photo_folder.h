#pragma once

#include "oa/data/picture_form.h"

#include <string>

namespace oa::io {

/// What folders of pictures look like.
enum class PhotoFolder {
  None,   ///< there are no pictures in the tree
  Parts,  ///< train/CLASS/NAME.png and test/CLASS/NAME.png
  Whole,  ///< CLASS/NAME.png, or pictures without classes
};
[[nodiscard]] PhotoFolder photo_folder(const std::string& folder);

/// The names of its classes, in the order of their numbers, with a slash between two;
/// none where pictures have no classes.
[[nodiscard]] std::string photo_classes(const std::string& folder);

/// The pictures of that split, or all if `folder` has no parts.  A class is what stands
/// first in the path of a picture; classes are numbered in the order of their names,
/// those of both parts together, and take turns.  Pictures in no folder of a class have
/// no labels. Throws InputError.
[[nodiscard]] Dataset read_photo_folder(const std::string& folder,
                                        Split split,
                                        const PictureForm& form = {});

}  // namespace oa::io
