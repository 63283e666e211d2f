#pragma once

#include "oa/data/dataset.h"

namespace oa {

/// The form of a model's pictures; 0 means: as in the file.
struct PictureForm {
  int rows = 0;
  int cols = 0;
  int channels = 0;     ///< 1: grey; 3: red, green and blue
  bool invert = false;  ///< for dark ink on white paper
};

/// Converts `images`.  A triangle filter, as wide as the larger of an old and a new
/// pixel, averages for smaller pictures and interpolates for larger pictures.
/// Grey is 0.299 red + 0.587 green + 0.114 blue.  Grey pictures get colours by three
/// equal planes.  Other numbers of planes do not change.
[[nodiscard]] Images in_form(Images images, const PictureForm& form);

}  // namespace oa
