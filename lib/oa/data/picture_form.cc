#include "oa/data/picture_form.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>

namespace oa {
namespace {

/// Weights, with sum 1, of the source pixels begin, begin + 1, ... of a result pixel.
struct Taps {
  int begin = 0;
  std::vector<double> weights;
};

/// Computes the weights for each pixel of a side, resized from `from` to `to` pixels.
std::vector<Taps> taps_of(int from, int to) {
  const double scale = static_cast<double>(from) / to;
  const double reach = std::max(scale, 1.0);
  std::vector<Taps> all;
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * scale;
    Taps taps;
    taps.begin = std::max(0, static_cast<int>(std::floor(centre - reach)));
    const int end = std::min(from, static_cast<int>(std::ceil(centre + reach)));
    double sum = 0.0;
    for (int k = taps.begin; k < end; ++k) {
      const double weight = 1.0 - std::abs(k + 0.5 - centre) / reach;
      taps.weights.push_back(std::max(0.0, weight));
      sum += taps.weights.back();
    }
    for (double& weight : taps.weights) {
      weight /= sum;
    }
    all.push_back(std::move(taps));
  }
  return all;
}

/// Resizes a plane.
class Resizer {
 public:
  Resizer(int rows, int cols, int to_rows, int to_cols)
      : rows_(rows),
        cols_(cols),
        row_taps_(taps_of(rows, to_rows)),
        col_taps_(taps_of(cols, to_cols)),
        narrow_(at(rows) * at(to_cols)) {}

  void resize(const std::uint8_t* from, std::uint8_t* to) {
    const std::size_t width = col_taps_.size();
    for (int r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < width; ++c) {
        const Taps& taps = col_taps_[c];
        const std::uint8_t* first = from + at(r) * at(cols_) + at(taps.begin);
        double sum = 0.0;
        for (std::size_t k = 0; k < taps.weights.size(); ++k) {
          sum += taps.weights[k] * first[k];
        }
        narrow_[at(r) * width + c] = sum;
      }
    }
    for (const Taps& taps : row_taps_) {
      for (std::size_t c = 0; c < width; ++c) {
        double sum = 0.0;
        for (std::size_t k = 0; k < taps.weights.size(); ++k) {
          sum += taps.weights[k] * narrow_[(at(taps.begin) + k) * width + c];
        }
        *to++ = static_cast<std::uint8_t>(std::lround(sum));
      }
    }
  }

 private:
  int rows_;
  int cols_;
  std::vector<Taps> row_taps_;
  std::vector<Taps> col_taps_;
  std::vector<double> narrow_;
};

Images resized(const Images& images, int rows, int cols) {
  Images result{images.count, rows, cols, images.channels, {}};
  result.pixels.resize(at(images.count) * result.image_size());
  Resizer resizer(images.rows, images.cols, rows, cols);
  const std::size_t from = at(images.rows) * at(images.cols);
  const std::size_t to = at(rows) * at(cols);
  for (std::size_t k = 0; k < at(images.count) * at(images.channels); ++k) {
    resizer.resize(images.pixels.data() + k * from, result.pixels.data() + k * to);
  }
  return result;
}

Images grey(const Images& images) {
  Images result{images.count, images.rows, images.cols, 1, {}};
  const std::size_t plane = result.image_size();
  result.pixels.reserve(at(images.count) * plane);
  for (int i = 0; i < images.count; ++i) {
    const auto colour = images[i];
    for (std::size_t p = 0; p < plane; ++p) {
      const int sum =
          299 * colour[p] + 587 * colour[plane + p] + 114 * colour[2 * plane + p];
      result.pixels.push_back(static_cast<std::uint8_t>((sum + 500) / 1000));
    }
  }
  return result;
}

Images coloured(const Images& images) {
  Images result{images.count, images.rows, images.cols, 3, {}};
  result.pixels.reserve(at(images.count) * result.image_size());
  for (int i = 0; i < images.count; ++i) {
    const auto plane = images[i];
    for (int c = 0; c < 3; ++c) {
      result.pixels.insert(result.pixels.end(), plane.begin(), plane.end());
    }
  }
  return result;
}

}  // namespace

Images in_form(Images images, const PictureForm& form) {
  if (form.channels == 1 && images.channels == 3) {
    images = grey(images);
  }
  const int rows = form.rows > 0 ? form.rows : images.rows;
  const int cols = form.cols > 0 ? form.cols : images.cols;
  if (rows != images.rows || cols != images.cols) {
    images = resized(images, rows, cols);
  }
  if (form.channels == 3 && images.channels == 1) {
    images = coloured(images);
  }
  if (form.invert) {
    for (std::uint8_t& pixel : images.pixels) {
      pixel = static_cast<std::uint8_t>(255 - pixel);
    }
  }
  return images;
}

}  // namespace oa
