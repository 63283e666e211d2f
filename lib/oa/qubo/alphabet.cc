#include "oa/qubo/alphabet.h"

#include "oa/base/error.h"
#include "oa/base/field.h"
#include "oa/base/number.h"

#include <bit>
#include <cmath>

namespace oa::qubo {
namespace {

constexpr const char* kLowest = "oa.lowest";
constexpr const char* kHighest = "oa.highest";
constexpr const char* kComplex = "oa.complex";

// The accepted distance from a level, in steps: values may be in single precision.
constexpr double kRounding = 1e-4;

}  // namespace

std::optional<int> Alphabet::level_of(double value) const {
  const double exact = (value - lowest) / step();
  const double level = std::round(exact);
  if (level < 0.0 || level >= levels || std::abs(exact - level) > kRounding) {
    return std::nullopt;
  }
  return static_cast<int>(level);
}

std::string Alphabet::text() const {
  std::string all;
  for (int level = 0; level < levels; ++level) {
    all += (level > 0 ? ", " : "") + format(static_cast<float>(value(level)));
  }
  return all;
}

int gray_distance(int level, int other) {
  const auto gray = [](int k) {
    const auto bits = static_cast<unsigned>(k);
    return bits ^ (bits >> 1U);
  };
  return std::popcount(gray(level) ^ gray(other));
}

int bits_of(const Alphabet& alphabet) {
  return std::bit_width(static_cast<unsigned>(alphabet.levels - 1));
}

std::map<std::string, std::string> describe(const Alphabet& alphabet) {
  return {{kLowest, field_text(alphabet.lowest)},
          {kHighest, field_text(alphabet.highest)},
          {kComplex, field_text(alphabet.complex)}};
}

std::optional<Alphabet> parse_alphabet(
    const std::map<std::string, std::string>& metadata,
    int levels,
    const std::string& where) {
  if (!metadata.contains(kLowest)) {
    return std::nullopt;
  }
  Alphabet alphabet;
  alphabet.levels = levels;
  const auto read = [&](const char* key, auto& to) {
    const auto found = metadata.find(key);
    if (found == metadata.end() || !parse_field(found->second, to)) {
      throw InputError(where + ": its metadata have no valid " + key);
    }
  };
  read(kLowest, alphabet.lowest);
  read(kHighest, alphabet.highest);
  read(kComplex, alphabet.complex);
  if (!(alphabet.lowest < alphabet.highest)) {
    throw InputError(where + ": " + kLowest + " is " + format(alphabet.lowest) +
                     " (expected less than " + kHighest + ", " +
                     format(alphabet.highest) + ")");
  }
  return alphabet;
}

}  // namespace oa::qubo
