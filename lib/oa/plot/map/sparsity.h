#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// Pixels from 0 to 1, row by row.
struct Picture {
  int rows = 0;
  int cols = 0;
  std::vector<double> pixels;
};

/// Pictures of queries and values.
struct Gallery {
  std::vector<Picture> queries;  ///< (n)
  std::vector<Picture> values;   ///< (m), all of one size
  std::vector<std::vector<bool>>
      right;  ///< (n,m): whether the query should choose the value
};

/// The values that each of n queries chooses among m, in one image or as a mean over
/// many.
struct SparsityMap {
  std::int64_t images = 1;
  std::int64_t index = 0;  ///< of the image, if there is one
  std::optional<std::int64_t> label;
  int n = 0;
  int m = 0;
  std::vector<int> sizes;  ///< (n): values of each query; empty if all have m
  int head = 0;            ///< of the attention
  int heads = 1;
  std::vector<double> value;   ///< (n,m), 0 beyond a query's values
  bool binary = true;          ///< coefficients are 0 or 1, before the mean
  std::vector<double> energy;  ///< (n), for one image; else empty
  std::int64_t problems = 0;
  std::int64_t proved_optimal = 0;
  std::optional<Picture> picture;  ///< the image, cut into m patches
  bool over_picture = false;       ///< draw each query over the picture
  std::optional<Gallery> gallery;  ///< frame the chosen values in it
  bool weights = false;            ///< attention without problems, such as softmax
  bool sequence = false;           ///< of tokens, not of an image
  std::vector<std::string> query_names;  ///< (n); may be empty
  std::vector<std::string> value_names;  ///< (m); may be empty

  /// The mean over queries of the sum of coefficients: for binary ones, the number of
  /// chosen values.
  [[nodiscard]] double mean_chosen() const;
};

struct SparsitySettings {
  bool energies = false;  ///< below each query
  bool names = false;     ///< in each cell the name of its value, V0, V1, ...
};

/// A grid of queries, each a grid of its values in the order of the patches.  If
/// queries have unequal numbers of values, each query is a row; causal attention makes
/// a triangle.  Queries without room begin a new line.
[[nodiscard]] Scene draw(const SparsityMap& map,
                         const SparsitySettings& settings = {},
                         const Look& look = {});

/// The number of rows of the most nearly square grid of `count` cells that is not
/// higher than wide.
[[nodiscard]] int grid_rows(int count);

}  // namespace oa::plot
