#include "oa/io/tensor/picture_file.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/unpack.h"
#include "oa/io/photo/photo.h"
#include "oa/io/tensor/npy.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace oa::io {
namespace {

/// True if the input begins with two zero bytes, as every IDX file does.
bool looks_like_some_idx(std::span<const std::byte> start) {
  return as_text(start).starts_with(std::string_view("\0\0", 2));
}

/// The layout of an array of pictures.
struct ArrayForm {
  std::int64_t count = 1;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t channels = 1;
  bool colours_last = false;
};

ArrayForm form_of(const Shape& s, const std::string& name) {
  const auto colours = [](std::int64_t n) { return n == 1 || n == 3; };
  switch (s.size()) {
    case 2: return {1, s[0], s[1], 1, false};
    case 3: return {s[0], s[1], s[2], 1, false};
    case 4:
      return colours(s[3]) ? ArrayForm{s[0], s[1], s[2], s[3], true}
                           : ArrayForm{s[0], s[2], s[3], s[1], false};
    default:
      throw InputError(name + ": an array of shape " + to_string(s) +
                       " (expected pictures: rows and columns, or count, rows and " +
                       "columns, or with colours)");
  }
}

Images pictures_of(const NpyArray& array, const std::string& name) {
  if (array.dtype != Dtype::U8) {
    throw InputError(name + ": an array of " + std::string(name_of(array.dtype)) +
                     " (expected bytes from 0 to 255, numpy's uint8)");
  }
  const ArrayForm form = form_of(array.shape, name);
  check_photo_size(form.rows, form.cols, name);
  if (form.channels < 1 || form.channels > 16 ||
      form.count > std::numeric_limits<int>::max()) {
    throw InputError(name + ": an array of shape " + to_string(array.shape) +
                     " (expected at most 2147483647 pictures of 1 to 16 planes)");
  }
  Images images{static_cast<int>(form.count),
                static_cast<int>(form.rows),
                static_cast<int>(form.cols),
                static_cast<int>(form.channels),
                {}};
  images.pixels.resize(array.data.size());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(array.data.data());
  if (!form.colours_last) {
    std::copy_n(bytes, array.data.size(), images.pixels.begin());
    return images;
  }
  const std::size_t colours = at(form.channels);
  const std::size_t plane = at(form.rows * form.cols);
  for (std::size_t i = 0; i < at(form.count); ++i) {
    for (std::size_t k = 0; k < plane * colours; ++k) {
      images.pixels[i * plane * colours + k % colours * plane + k / colours] =
          bytes[i * plane * colours + k];
    }
  }
  return images;
}

template <class T>
std::vector<std::uint8_t> labels_of(const NpyArray& array, const std::string& name) {
  std::vector<std::uint8_t> labels;
  for (std::size_t i = 0; i < array.data.size() / sizeof(T); ++i) {
    T value{};
    std::memcpy(&value, array.data.data() + i * sizeof(T), sizeof(T));
    if (!std::in_range<std::uint8_t>(value)) {
      throw InputError(name + ": entry " + std::to_string(i) + ": label " +
                       std::to_string(value) + " (expected 0 to 255)");
    }
    labels.push_back(static_cast<std::uint8_t>(value));
  }
  return labels;
}

std::vector<std::uint8_t> labels_of(const NpyArray& array, const std::string& name) {
  const bool flat =
      array.shape.size() == 1 || (array.shape.size() == 2 && array.shape[1] == 1);
  if (flat) {
    switch (array.dtype) {
      case Dtype::U8: return labels_of<unsigned char>(array, name);
      case Dtype::I8: return labels_of<signed char>(array, name);
      case Dtype::U16: return labels_of<std::uint16_t>(array, name);
      case Dtype::I16: return labels_of<std::int16_t>(array, name);
      case Dtype::U32: return labels_of<std::uint32_t>(array, name);
      case Dtype::I32: return labels_of<std::int32_t>(array, name);
      case Dtype::U64: return labels_of<std::uint64_t>(array, name);
      case Dtype::I64: return labels_of<std::int64_t>(array, name);
      default: break;
    }
  }
  throw InputError(name + ": an array of shape " + to_string(array.shape) +
                   " and type " + std::string(name_of(array.dtype)) +
                   " (expected one whole number for each picture)");
}

/// Finds the labels' file by the name of `images`; empty if it is missing.
std::string labels_beside(const std::string& images) {
  const auto slash = images.rfind('/');
  const std::size_t begin = slash == images.npos ? 0 : slash + 1;
  const auto found = images.rfind("images");
  if (found == images.npos || found < begin) {
    return {};
  }
  std::string path = images;
  path.replace(found, 6, "labels");
  for (const char* idx : {"labels-idx3", "labels-idx4"}) {
    if (path.compare(found, 11, idx) == 0) {
      path.replace(found, 11, "labels-idx1");
    }
  }
  return ::access(path.c_str(), F_OK) == 0
             ? path
             : plain_or_packed(std::string(without_packing(path)));
}

}  // namespace

SelectedImages read_pictures(Input& input,
                             const PictureForm& form,
                             const Selection& selection) {
  const auto of_all = [&](Images all) {
    const int count = all.count;
    return SelectedImages{select_images(in_form(std::move(all), form), selection),
                          count};
  };
  const auto start = input.peek(16);
  if (looks_like_npy(start)) {
    return of_all(pictures_of(read_npy(input), input.name()));
  }
  if (looks_like_photo(as_text(start))) {
    Photo photo = read_photo(input);
    return of_all({1, photo.rows, photo.cols, photo.channels, std::move(photo.pixels)});
  }
  if (looks_like_some_idx(start) || start.empty()) {
    return read_idx_pictures(input, form, selection);
  }
  throw InputError(input.name() +
                   ": no pictures (expected IDX, .npy, PNG, JPEG, PGM or PPM)");
}

std::vector<std::uint8_t> read_labels(Input& input) {
  return looks_like_npy(input.peek(16)) ? labels_of(read_npy(input), input.name())
                                        : read_idx_labels(input);
}

Dataset read_pictures_and_labels(const std::string& images,
                                 const std::string& labels,
                                 const PictureForm& form,
                                 const std::stop_token& stop,
                                 const Selection& selection) {
  Dataset set;
  Input image_input = Input::open(images, stop);
  SelectedImages read = read_pictures(image_input, form, selection);
  set.images = std::move(read.images);
  const std::string path = labels.empty() ? labels_beside(images) : labels;
  if (!path.empty()) {
    Input label_input = Input::open(path, stop);
    std::vector<std::uint8_t> all = read_labels(label_input);
    if (std::ssize(all) != read.count) {
      throw InputError(path + ": " + format(std::ssize(all)) + " labels for " +
                       format(read.count) + " images");
    }
    set.labels = select_labels(std::move(all), selection, set.targets);
  }
  return set;
}

}  // namespace oa::io
