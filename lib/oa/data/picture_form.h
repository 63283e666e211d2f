#pragma once

#include "oa/data/dataset.h"

namespace oa {

/// What pictures are made into before a model sees them.  0: as they are.
struct PictureForm {
  int rows = 0;
  int cols = 0;
  int channels = 0;     ///< 1: grey; 3: red, green and blue
  bool invert = false;  ///< dark becomes bright, for dark ink on white paper
};

/// `images` in that form.  A smaller picture takes means over what a pixel covers, a
/// larger one interpolates (a triangle filter, as wide as the larger of the two
/// pixels). Grey is 0.299 red + 0.587 green + 0.114 blue, and colour made of grey has
/// it three times.  Pictures of other numbers of planes keep these.
[[nodiscard]] Images in_form(Images images, const PictureForm& form);

}  // namespace oa
