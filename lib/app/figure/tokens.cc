#include "app/figure/tokens.h"

#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/base/utf8.h"
#include "oa/io/text/characters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace oa::app {
namespace {

/// One example of a data set of sequences.
class TokenRow {
 public:
  TokenRow(const Dataset& data, const model::Config& config, int i)
      : data_(data),
        place_(data.sequences.places[static_cast<std::size_t>(i)]),
        example_(i),
        signs_(io::signs_of(config.alphabet).signs) {}

  [[nodiscard]] int length() const { return place_.length; }
  [[nodiscard]] int asking() const { return data_.sequences.asking; }
  [[nodiscard]] std::int32_t id(int t) const {
    const auto at = static_cast<std::size_t>(place_.begin + t);
    return at < data_.sequences.ids.size() ? data_.sequences.ids[at] : -1;
  }

  /// The token as a character or a number; for a query token, its targets.
  [[nodiscard]] std::string text(int t) const {
    const std::int32_t number = id(t);
    if (number >= 0 && number < std::ssize(signs_)) {
      return of_sign(signs_[static_cast<std::size_t>(number)]);
    }
    return number >= 0 ? format(number) : sum_of(right(t));
  }

  /// Returns the targets of token t; empty if it has none.
  [[nodiscard]] std::vector<std::int32_t> right(int t) const {
    const Targets& targets = data_.targets;
    std::ptrdiff_t row = place_.begin + t;
    if (targets.objective == Objective::Sets) {
      row = std::ptrdiff_t{example_} * targets.rows + t - (length() - asking());
    }
    std::vector<std::int32_t> numbers;
    for (std::ptrdiff_t k = 0; k < targets.per_row; ++k) {
      const std::ptrdiff_t at = row * targets.per_row + k;
      if (at >= 0 && at < std::ssize(targets.numbers) &&
          targets.numbers[static_cast<std::size_t>(at)] >= 0) {
        numbers.push_back(targets.numbers[static_cast<std::size_t>(at)]);
      }
    }
    return numbers;
  }

  /// True if the tokens' vectors are square grey pictures.
  [[nodiscard]] bool has_pictures() const {
    constexpr int kMinSide = 8;
    const int width = data_.sequences.width;
    const int side = static_cast<int>(std::lround(std::sqrt(width)));
    return side >= kMinSide && side * side == width &&
           std::ranges::all_of(vectors(0, length()),
                               [](float x) { return 0.0F <= x && x <= 1.0F; });
  }
  [[nodiscard]] plot::Picture picture(int t) const {
    const int side = static_cast<int>(std::lround(std::sqrt(data_.sequences.width)));
    const auto pixels = vectors(t, 1);
    return {side, side, {pixels.begin(), pixels.end()}};
  }

 private:
  [[nodiscard]] std::span<const float> vectors(int t, int count) const {
    const auto width = static_cast<std::size_t>(data_.sequences.width);
    return std::span(data_.sequences.vectors)
        .subspan(static_cast<std::size_t>(place_.begin + t) * width,
                 static_cast<std::size_t>(count) * width);
  }
  static std::string of_sign(char32_t sign) {
    return sign == U' ' ? "_" : sign == U'\n' ? "\\n" : printable(utf8(sign));
  }
  static std::string sum_of(const std::vector<std::int32_t>& numbers) {
    std::string text;
    for (const std::int32_t number : numbers) {
      text += (text.empty() ? "" : "+") + format(number);
    }
    return text.empty() ? "?" : text;
  }

  const Dataset& data_;
  Sequences::Place place_;
  int example_;
  std::vector<char32_t> signs_;
};

/// Lists the tokens to which the rows of a map belong; empty if unknown.
std::vector<int> asking_tokens(const TokenRow& row, const plot::SparsityMap& map) {
  std::vector<int> tokens;
  if (row.asking() > 0) {
    for (int t = row.length() - row.asking(); t < row.length(); ++t) {
      tokens.push_back(t);
    }
  } else if (map.n == row.length()) {
    for (int t = 0; t < row.length(); ++t) {
      tokens.push_back(t);
    }
  } else {
    for (int t = 0; t < row.length(); ++t) {  // oa-qubo skips tokens without targets
      if (!row.right(t).empty()) {
        tokens.push_back(t);
      }
    }
  }
  return std::ssize(tokens) == map.n ? tokens : std::vector<int>{};
}

void name_sequence(const TokenRow& row, plot::SparsityMap& map) {
  const std::vector<int> asking = asking_tokens(row, map);
  if (map.m > row.length() || asking.empty()) {
    return;
  }
  for (const int t : asking) {
    map.query_names.push_back(row.text(t));
  }
  for (int t = 0; t < map.m; ++t) {
    map.value_names.push_back(row.text(t));
  }
  if (row.asking() == 0 || !row.has_pictures()) {
    return;
  }
  plot::Gallery gallery;
  for (const int t : asking) {
    gallery.queries.push_back(row.picture(t));
    std::vector<bool> right;
    const std::vector<std::int32_t> numbers = row.right(t);
    for (int k = 0; k < map.m; ++k) {
      right.push_back(std::ranges::find(numbers, row.id(k)) != numbers.end());
    }
    gallery.right.push_back(std::move(right));
  }
  for (int k = 0; k < map.m; ++k) {
    gallery.values.push_back(row.picture(k));
  }
  map.gallery = std::move(gallery);
}

plot::Picture picture_of(const Images& images, int i) {
  plot::Picture picture{images.rows, images.cols, {}};
  const auto bytes = images[i];
  const std::size_t plane = bytes.size() / static_cast<std::size_t>(images.channels);
  for (std::size_t p = 0; p < plane; ++p) {  // mean over colours
    double sum = 0.0;
    for (std::size_t at = p; at < bytes.size(); at += plane) {
      sum += bytes[at];
    }
    picture.pixels.push_back(sum / (255.0 * images.channels));
  }
  return picture;
}

}  // namespace

void name_tokens(const Dataset& data,
                 const model::Config& config,
                 int i,
                 plot::SparsityMap& map) {
  if (!data.sequences.places.empty()) {
    map.sequence = true;
    name_sequence(TokenRow(data, config, i), map);
  } else if (map.m == config.tokens()) {
    map.picture = picture_of(data.images, i);
    map.over_picture = config.objective == Objective::Cells;
  }
}

}  // namespace oa::app
