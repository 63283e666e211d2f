#include "app/score/truth.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"

namespace oa::app {

Truth::Truth(const std::string& path) : array_(io::read_number_array(path)) {}

std::vector<std::uint8_t> Truth::levels(const qubo::Problem& p,
                                        std::int64_t problems,
                                        const qubo::Alphabet& alphabet) const {
  const bool complex = array_.complex();
  const int width = complex ? p.m / 2 : p.m;
  const std::int64_t rows = problems * p.n;
  if (array_.shape.empty() || array_.shape.back() != width ||
      array_.real.size() != at(rows) * at(width) || (complex && !alphabet.complex)) {
    throw InputError(
        array_.name + ": " + (complex ? "a complex" : "an") + " array of shape " +
        io::to_string(array_.shape) + " (expected " + format(rows) + " rows of " +
        format(p.m) + " real numbers" +
        (alphabet.complex ? ", or of " + format(p.m / 2) + " complex ones" : "") + ")");
  }
  std::vector<std::uint8_t> levels;
  levels.reserve(at(p.n) * at(p.m));
  const auto add = [&](const std::vector<double>& numbers, std::int64_t row) {
    for (int k = 0; k < width; ++k) {
      const double number = numbers[at(row * width + k)];
      const auto level = alphabet.level_of(number);
      if (!level) {
        throw InputError(array_.name + ": coefficient " + format(k) + " of row " +
                         format(row) + " is " + format(number) + " (expected " +
                         alphabet.text() + ")");
      }
      levels.push_back(static_cast<std::uint8_t>(*level));
    }
  };
  for (std::int64_t row = p.index * p.n; row < (p.index + 1) * p.n; ++row) {
    if (row >= rows) {
      throw InputError(array_.name + ": no row for problem " + format(p.index));
    }
    add(array_.real, row);
    if (complex) {
      add(array_.imaginary, row);
    }
  }
  return levels;
}

}  // namespace oa::app
