#include "oa/io/tensor/number_array.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/tensor/npy.h"
#include "oa/io/tensor/tensor_stats.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace oa::io {
namespace {

/// "[2,0,7]": the indices of element `i`.
std::string place_of(std::size_t i, const Shape& shape) {
  Shape index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[axis]);
    index[axis] = static_cast<std::int64_t>(i % extent);
    i /= extent;
  }
  std::string text;
  for (const std::int64_t k : index) {
    text += (text.empty() ? "[" : ",") + format(k);
  }
  return text + "]";
}

}  // namespace

void check_finite(const NumberArray& array) {
  for (const std::vector<double>* part : {&array.real, &array.imaginary}) {
    const auto found = std::ranges::find_if_not(
        *part, [](double value) { return std::isfinite(value); });
    if (found != part->end()) {
      const auto i = static_cast<std::size_t>(found - part->begin());
      throw InputError(array.name + ": element " + place_of(i, array.shape) + " is " +
                       format(*found) + " (expected a finite number)");
    }
  }
}

NumberArray read_number_array(const std::string& path) {
  Input input = Input::open(path);
  const NpyArray npy = read_npy(input, true);
  NumberArray array{input.name(), npy.shape, {}, {}};
  const std::size_t parts = npy.complex ? 2 : 1;
  const std::size_t count = npy.data.size() / size_of(npy.dtype) / parts;
  const auto number = [&](std::size_t i, std::size_t part) {
    return element(npy.dtype, npy.data.span(), i * parts + part);
  };
  array.real.reserve(count);
  array.imaginary.reserve(npy.complex ? count : 0);
  for (std::size_t i = 0; i < count; ++i) {
    array.real.push_back(number(i, 0));
    if (npy.complex) {
      array.imaginary.push_back(number(i, 1));
    }
  }
  check_finite(array);
  return array;
}

}  // namespace oa::io
