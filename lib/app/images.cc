#include "app/images.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/tensor/idx.h"
#include "oa/io/tensor/model_io.h"

#include <algorithm>

namespace oa::app {
namespace {

std::vector<int> choose(const ImageOptions& o, int count) {
  std::vector<int> chosen;
  if (o.index) {
    for (const auto& range : o.index->ranges()) {
      if (range.last >= count) {
        throw InputError(o.images + ": there is no image " + format(range.last) + " (" +
                         format(count) + " images, counted from 0)");
      }
      for (std::int64_t i = range.first; i <= range.last; ++i) {
        chosen.push_back(static_cast<int>(i));
      }
    }
  } else {
    const auto first = std::min<std::int64_t>(o.first.value_or(count), count);
    for (int i = 0; i < first; ++i) {
      chosen.push_back(i);
    }
  }
  const Shard shard = parse_shard(o.shard).value_or(Shard{});
  const std::int64_t size = std::ssize(chosen);
  const auto begin = chosen.begin() + size * shard.k / shard.n;
  const auto end = chosen.begin() + size * (shard.k + 1) / shard.n;
  return {begin, end};
}

}  // namespace

std::optional<Shard> parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == text.npos) {
    return std::nullopt;
  }
  const auto k = parse_int(text.substr(0, slash));
  const auto n = parse_int(text.substr(slash + 1));
  constexpr std::int64_t kMost = 1'000'000'000;
  if (!k || !n || *k < 0 || *k >= *n || *n > kMost) {
    return std::nullopt;
  }
  return Shard{*k, *n};
}

model::Model read_model(const std::string& path, const ImageOptions& o) {
  model::Model model = io::read_model_file(path);
  if (!o.coefficients.empty()) {
    (void)parse_field(o.coefficients, model.config.coefficients);
  }
  return o.stride > 0 ? model::with_stride(model, o.stride) : model;
}

ImageSource::ImageSource(const ImageOptions& o,
                         const model::Config& config,
                         Context& context)
    : data_(io::read_idx_images_and_labels(o.images, o.labels, context.token())),
      chosen_(choose(o, data_.images.count)) {
  const Images& images = data_.images;
  if (images.rows != config.rows || images.cols != config.cols) {
    throw InputError(o.images + ": images of " + format(images.rows) + "x" +
                     format(images.cols) + " pixels (the model takes " +
                     format(config.rows) + "x" + format(config.cols) + ")");
  }
  if (o.first && *o.first > images.count) {
    context.warn(o.images + ": holds only " + format_grouped(images.count) + " images");
  }
}

Image ImageSource::operator[](std::int64_t k) const {
  const int i = chosen_[static_cast<std::size_t>(k)];
  Image image;
  image.index = i;
  if (!data_.labels.empty()) {
    image.label = data_.labels[static_cast<std::size_t>(i)];
  }
  image.pixels.resize(data_.images.image_size());
  model::normalize_pixels(data_.images[i], image.pixels);
  return image;
}

}  // namespace oa::app
