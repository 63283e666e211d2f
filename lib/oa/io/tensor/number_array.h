#pragma once

#include "oa/io/tensor/safetensors.h"

#include <string>
#include <vector>

namespace oa::io {

/// An array of numbers of any type as doubles, row-major.
struct NumberArray {
  std::string name;  ///< the file's name
  Shape shape;
  std::vector<double> real;
  std::vector<double> imaginary;  ///< empty unless the numbers are complex

  [[nodiscard]] bool complex() const { return !imaginary.empty(); }
};

/// Throws InputError if a number is not finite.
void check_finite(const NumberArray& array);

/// Reads an .npy file.  Throws InputError, also if a number is not finite.
[[nodiscard]] NumberArray read_number_array(const std::string& path);

}  // namespace oa::io
