#pragma once

#include "oa/base/objective.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace oa {

/// Images of one size: a byte per pixel, row by row; 0 is background.  A grey image has
/// one plane, a colour image has planes for red, green and blue.
struct Images {
  int count = 0;
  int rows = 0;
  int cols = 0;
  int channels = 1;                  ///< planes of an image
  std::vector<std::uint8_t> pixels;  ///< count * channels * rows * cols

  [[nodiscard]] std::size_t image_size() const {
    return static_cast<std::size_t>(channels) * static_cast<std::size_t>(rows) *
           static_cast<std::size_t>(cols);
  }
  [[nodiscard]] std::span<const std::uint8_t> operator[](int i) const {
    return {pixels.data() + static_cast<std::size_t>(i) * image_size(), image_size()};
  }
};

/// The parts of a data set.
enum class Split : std::uint8_t { Train = 0, Test = 1 };

/// Sequences of tokens in one array.  A token has an id, a vector, or both.
struct Sequences {
  /// Tokens begin .. begin + length - 1 of the array.  Places may overlap.
  struct Place {
    std::int64_t begin = 0;
    int length = 0;
  };
  std::vector<Place> places;
  int vocabulary = 0;             ///< number of ids; 0: tokens have no ids
  std::vector<std::int32_t> ids;  ///< id of each token; -1: none
  int width = 0;                  ///< width of vectors; 0: tokens have no vectors
  std::vector<float> vectors;     ///< vector of each token
  /// The number of query tokens at the end of a sequence; earlier tokens are values.
  /// 0: each token is both query and value.
  int asking = 0;
  std::string alphabet;  ///< characters of a text in UTF-8, sorted by id
  int longest = 0;       ///< longest sequence of the data set; 0: longest in `places`
  int slack = 0;  ///< in training, sequences may begin up to `slack` tokens later
  /// The slack of each place; empty: `slack`, limited by the array's end.
  std::vector<std::int32_t> rooms;

  /// The largest number of tokens by which sequence i may begin later.
  [[nodiscard]] std::int64_t room(int i) const {
    const auto index = static_cast<std::size_t>(i);
    const Place& place = places[index];
    const std::int64_t left = std::ssize(ids) - place.begin - place.length;
    return rooms.empty() ? std::clamp<std::int64_t>(left, 0, slack) : rooms[index];
  }
};

/// Targets: a row of `per_row` numbers for each token (Positions), query token (Sets)
/// or class (Cells); -1: none.
struct Targets {
  Objective objective = Objective::Class;
  int classes = 0;  ///< number of classes
  int per_row = 1;  ///< above 1 only for sets
  int rows = 0;     ///< rows per example, for sets and cells
  std::vector<std::int32_t> numbers;
};

/// Examples: pictures or sequences, with labels or other targets.
struct Dataset {
  Images images;
  std::vector<std::uint8_t> labels;  ///< one per image, or empty
  Sequences sequences;
  Targets targets;

  [[nodiscard]] bool has_sequences() const {
    return !sequences.places.empty() || sequences.vocabulary > 0 || sequences.width > 0;
  }
  [[nodiscard]] int count() const {
    return sequences.places.empty() ? images.count
                                    : static_cast<int>(sequences.places.size());
  }
};

}  // namespace oa
