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

/// Images of one size, one byte a pixel, row by row, 0 is background.  A grey image is
/// one plane, one in colour has a plane for red, for green and for blue.
struct Images {
  int count = 0;
  int rows = 0;
  int cols = 0;
  int channels = 1;                  ///< planes of an image, one behind the other
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

/// Sequences of tokens in one long row.  A token has an id, a vector, or both.
struct Sequences {
  /// Tokens begin .. begin + length - 1 of the row.  Sequences may share tokens.
  struct Place {
    std::int64_t begin = 0;
    int length = 0;
  };
  std::vector<Place> places;
  int vocabulary = 0;             ///< ids are below it; 0: tokens have none
  std::vector<std::int32_t> ids;  ///< of each token; -1: it has none
  int width = 0;                  ///< of vectors; 0: tokens have none
  std::vector<float> vectors;     ///< of each token, one behind the other
  /// The last so many tokens of a sequence ask, and those before them answer; 0: each
  /// token does both.
  int asking = 0;
  std::string alphabet;  ///< of a text, in UTF-8: its characters, in order of their ids
  int longest = 0;  ///< of a data set of which some sequences are here; 0: places say
  int slack = 0;    ///< while training a sequence may begin up to so many tokens later
  /// Of each place what is left of `slack`; none: all, up to the end of the row.
  std::vector<std::int32_t> rooms;

  /// How many tokens later sequence i may begin.
  [[nodiscard]] std::int64_t room(int i) const {
    const auto index = static_cast<std::size_t>(i);
    const Place& place = places[index];
    const std::int64_t left = std::ssize(ids) - place.begin - place.length;
    return rooms.empty() ? std::clamp<std::int64_t>(left, 0, slack) : rooms[index];
  }
};

/// The answers, a row of `per_row` numbers for each token (Positions), each token that
/// asks (Sets) or each class (Cells); -1 where there is none.
struct Targets {
  Objective objective = Objective::Class;
  int classes = 0;  ///< numbers are below it
  int per_row = 1;  ///< more than one in sets only
  int rows = 0;     ///< of an example, in sets and cells; at positions as it is long
  std::vector<std::int32_t> numbers;
};

/// Examples: pictures or sequences, and the class of each or other targets.
struct Dataset {
  Images images;
  std::vector<std::uint8_t> labels;  ///< images.count entries, or none
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
