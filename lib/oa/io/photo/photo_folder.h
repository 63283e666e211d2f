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

/// The names of the classes in the order of their numbers, separated by slashes;
/// empty without classes.
[[nodiscard]] std::string photo_classes(const std::string& folder);

/// Reads the pictures of a split, or all pictures if `folder` has no parts.
/// The first folder in a picture's path is its class.  Classes of both parts are
/// numbered by name, and pictures of different classes alternate.
/// Pictures outside such folders have no labels.  Throws InputError.
[[nodiscard]] Dataset read_photo_folder(const std::string& folder,
                                        Split split,
                                        const PictureForm& form = {});

}  // namespace oa::io
