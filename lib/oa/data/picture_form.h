#pragma once

#include "oa/data/dataset.h"

namespace oa {

/// The form that pictures are converted to before a model sees them.  0: unchanged.
struct PictureForm {
  int rows = 0;
  int cols = 0;
  int channels = 0;     ///< 1: grey; 3: red, green and blue
  bool invert = false;  ///< dark becomes bright, for dark ink on white paper
};

/// Converts `images` to that form.  A triangle filter, as wide as the larger of the old
/// and the new pixel, averages for smaller pictures and interpolates for larger ones.
/// Grey is 0.299 red + 0.587 green + 0.114 blue; a grey picture made colour repeats its
/// plane three times.  Pictures with other numbers of planes keep their planes.
[[nodiscard]] Images in_form(Images images, const PictureForm& form);

}  // namespace oa
