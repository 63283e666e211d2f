#pragma once

#include "oa/data/picture_form.h"

#include <string>

namespace oa::io {

/// The layout of a folder of pictures.
enum class PhotoFolder {
  None,   ///< no pictures in the tree
  Parts,  ///< train/CLASS/NAME.png and test/CLASS/NAME.png
  Whole,  ///< CLASS/NAME.png, or pictures without classes
};
[[nodiscard]] PhotoFolder photo_folder(const std::string& folder);

/// The names of the classes in the order of their numbers, separated by slashes; empty
/// if pictures have no classes.
[[nodiscard]] std::string photo_classes(const std::string& folder);

/// The pictures of that split, or all if `folder` has no parts.  The first folder in a
/// picture's path names its class.  Classes of both parts are numbered in the order of
/// their names, and pictures of different classes take turns.  Pictures outside such
/// folders have no labels.  Throws InputError.
[[nodiscard]] Dataset read_photo_folder(const std::string& folder,
                                        Split split,
                                        const PictureForm& form = {});

}  // namespace oa::io
