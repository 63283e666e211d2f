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

/// What the tokens of overlays are.
struct Gallery {
  std::vector<Picture> queries;          ///< (n)
  std::vector<Picture> values;           ///< (m), of one size, as those
  std::vector<std::vector<bool>> right;  ///< (n,m): whether the query should choose it
};

/// Which of m values each of n queries chooses: in one image or, on average, in many.
struct SparsityMap {
  std::int64_t images = 1;
  std::int64_t index = 0;  ///< of the image, if it is one
  std::optional<std::int64_t> label;
  int n = 0;
  int m = 0;
  std::vector<int> sizes;  ///< (n): values of each query, if not all have m
  int head = 0;            ///< of the attention
  int heads = 1;
  std::vector<double> value;   ///< (n,m), 0 behind a query's values
  bool binary = true;          ///< coefficients are 0 or 1, before averaging
  std::vector<double> energy;  ///< (n), of one image; else empty
  std::int64_t problems = 0;
  std::int64_t proved_optimal = 0;
  std::optional<Picture> picture;  ///< the image, cut into m patches
  bool over_picture = false;       ///< each query is drawn over the picture
  std::optional<Gallery> gallery;  ///< the values chosen are framed in it
  bool weights = false;   ///< of an attention without problems, as softmax has them
  bool sequence = false;  ///< of tokens, or of an image
  std::vector<std::string> query_names;  ///< (n): the tokens that ask; or none
  std::vector<std::string> value_names;  ///< (m): those that answer; or none

  /// The mean over queries of the sum of coefficients; for binary ones, of the number
  /// of values that a query chooses.
  [[nodiscard]] double mean_chosen() const;
};

struct SparsitySettings {
  bool energies = false;  ///< below each query
  bool names = false;     ///< in each cell the number of its value, V0, V1, ...
};

/// A grid of queries, each the grid of its values: the first row on top, as patches lie
/// in the image.  Where queries have unequal numbers of values: a row for each query,
/// so that those of a causal attention make a triangle.  Queries that have no room
/// beside the others begin a new line.
[[nodiscard]] Scene draw(const SparsityMap& map,
                         const SparsitySettings& settings = {},
                         const Look& look = {});

/// The number of rows of the most nearly square grid of `count` cells that is not
/// higher than wide.
[[nodiscard]] int grid_rows(int count);

}  // namespace oa::plot
