#pragma once

#include "cli/cli.h"
#include "oa/base/index_set.h"
#include "oa/data/dataset.h"
#include "oa/model/network.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::cli {

/// A model's input, as the tools that run models take it.
struct ImageOptions {
  std::string images = "-";
  std::string labels;
  std::optional<std::int64_t> first;
  std::optional<IndexSet> index;
  std::string shard;
  int stride = 0;            ///< 0: the model's own
  std::string coefficients;  ///< empty: the model's own
};

/// IMAGES, and what add_image_choice() adds.
void add_images(App& app, ImageOptions& options);

/// --labels, --first, --index, --stride, --coefficients.
void add_image_choice(App& app, ImageOptions& options);

/// --shard K/N.
void add_shard(App& app, ImageOptions& options);

/// The model file `path`, with the stride and coefficients asked for.
[[nodiscard]] model::Model read_model(const std::string& path,
                                      const ImageOptions& options);

struct Image {
  std::int64_t index = 0;
  std::optional<std::int64_t> label;
  std::vector<float> pixels;  ///< in [-1,1]
};

/// The images asked for, in the order of their file.
class ImageSource {
 public:
  /// Throws InputError if the images do not suit the model or one asked for is not
  /// there.
  ImageSource(const ImageOptions& options,
              const model::Config& config,
              Context& context);

  [[nodiscard]] std::int64_t size() const { return std::ssize(chosen_); }
  [[nodiscard]] Image operator[](std::int64_t k) const;

 private:
  Dataset data_;
  std::vector<int> chosen_;
};

}  // namespace oa::cli
