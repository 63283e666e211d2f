#pragma once

#include "oa/plot/look.h"
#include "oa/plot/scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::plot {

/// A grey picture: pixels from 0 to 1, row by row.
struct Picture {
  int rows = 0;
  int cols = 0;
  std::vector<double> pixels;
};

/// Pictures of queries and values.
struct Gallery {
  std::vector<Picture> queries;  ///< (n)
  std::vector<Picture> values;   ///< (m); equal sizes
  std::vector<std::vector<bool>>
      right;  ///< (n,m): true if the query should choose the value
};

/// The values chosen by n queries among m, in one image or as a mean over many images.
struct SparsityMap {
  std::int64_t images = 1;
  std::int64_t index = 0;  ///< index of the image, if there is only one
  std::optional<std::int64_t> label;
  int n = 0;
  int m = 0;
  std::vector<int> sizes;  ///< (n): number of values of each query; empty: all have m
  int head = 0;            ///< head of the attention
  int heads = 1;
  std::vector<double> value;   ///< (n,m), 0 beyond a query's values
  bool binary = true;          ///< coefficients (before the mean) are 0 or 1
  std::vector<double> energy;  ///< (n), for one image; else empty
  std::int64_t problems = 0;
  std::int64_t proved_optimal = 0;
  std::optional<Picture> picture;  ///< the image, cut into m patches
  bool over_picture = false;       ///< draw each query over the picture
  std::optional<Gallery> gallery;  ///< pictures in which chosen values get a frame
  bool weights = false;            ///< weights, as of softmax, not problems
  bool sequence = false;           ///< queries are tokens, not patches of an image
  std::vector<std::string> query_names;  ///< (n); may be empty
  std::vector<std::string> value_names;  ///< (m); may be empty

  /// The mean over queries of the sum of coefficients;
  /// for binary coefficients, the mean number of chosen values.
  [[nodiscard]] double mean_chosen() const;
};

struct SparsitySettings {
  bool energies = false;  ///< write energies below queries
  bool names = false;     ///< write the name of each value in its cell: V0, V1, ...
};

/// Draws a grid of queries, each a grid of its values in the order of patches.
/// If queries have unequal numbers of values, each query is a row, so that causal
/// attention looks like a triangle.  Queries that do not fit begin a new line.
[[nodiscard]] Scene draw(const SparsityMap& map,
                         const SparsitySettings& settings = {},
                         const Look& look = {});

/// The number of rows of a grid of `count` cells:
/// as square as possible, not higher than wide.
[[nodiscard]] int grid_rows(int count);

}  // namespace oa::plot
