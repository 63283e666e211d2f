#include "oa/io/quadratic/vectors.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/tensor/npy.h"
#include "oa/io/tensor/tensor_stats.h"
#include "oa/qubo/fixed.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace oa::io {
namespace {

using Json = nlohmann::json;

/// Stands for a value that is left open in an initial vector.
constexpr double kOpen = std::numeric_limits<double>::infinity();

constexpr std::size_t kMaxFixedText = std::size_t{1} << 30;

std::vector<Claim> read_npy_vectors(Input& input) {
  const NpyArray array = read_npy(input);
  const Shape& shape = array.shape;
  if (shape.empty() || shape.size() > 2) {
    throw InputError(input.name() + ": an array of shape " + to_string(shape) +
                     " (expected a vector, or a row for each problem)");
  }
  const std::int64_t rows = shape.size() == 1 ? 1 : shape.front();
  const auto length = static_cast<std::size_t>(shape.back());
  std::vector<Claim> all;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::vector<double> x(length);
    for (std::size_t k = 0; k < length; ++k) {
      x[k] = element(
          array.dtype, array.data.span(), static_cast<std::size_t>(row) * length + k);
    }
    const std::string where = input.name() + ": row " + format(row);
    all.push_back({where, 0.0, bits_of(x, where)});
  }
  return all;
}

std::vector<double> numbers_of(std::string_view line, const LineReader& lines) {
  std::string spaced(line);
  std::ranges::replace(spaced, ',', ' ');
  std::vector<double> all;
  Words words(spaced);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const auto value = word == "?" ? kOpen : parse_double(word);
    if (!value) {
      lines.fail("no vector: " + unexpected(word, "numbers 0 and 1, or -1 and 1"));
    }
    all.push_back(*value);
  }
  return all;
}

std::vector<double> json_vector(std::string_view line, const LineReader& lines) {
  Json json = Json::parse(without_surrogates(line), nullptr, false);
  if (json.is_object()) {
    json = json.value("x", Json());
  }
  if (!json.is_array()) {
    lines.fail("no vector (expected a JSON array, or an object with \"x\")");
  }
  std::vector<double> all;
  for (const Json& value : json) {
    if (value.is_null()) {
      all.push_back(kOpen);
      continue;
    }
    if (!value.is_number()) {
      lines.fail("x[" + std::to_string(all.size()) + "] is not a number");
    }
    all.push_back(value.get<double>());
  }
  return all;
}

/// Reads a file of values for variables.
class FixedReader {
 public:
  FixedReader(const qubo::Quadratic& f, std::string name)
      : f_(f),
        name_(std::move(name)),
        values_(f.linear.size(), qubo::kFree) {
    for (std::size_t i = 0; i < f.names.size(); ++i) {
      places_[f.names[i]] = i;
    }
  }

  void json(const Json& object) {
    for (const auto& [key, value] : object.items()) {
      if (!value.is_number()) {
        throw InputError(name_ + ": the value of '" + key.substr(0, 40) +
                         "' is not a number");
      }
      take(name_, key, value.get<double>());
    }
  }

  void line(std::string_view text, const LineReader& lines) {
    std::string spaced(text);
    std::ranges::replace(spaced, ',', ' ');
    Words words(spaced);
    const std::string_view variable = words.next();
    if (variable.empty() || variable.starts_with('#')) {
      return;
    }
    const std::string_view word = words.next();
    const auto value = parse_double(word);
    if (!value) {
      lines.fail("the value " + unexpected(word, "variable and value"));
    }
    expect_end(lines, words);
    take(lines.where(), std::string(variable), *value);
  }

  [[nodiscard]] std::vector<std::uint8_t> values() { return std::move(values_); }

 private:
  std::optional<std::size_t> place(const std::string& variable) const {
    if (f_.names.empty()) {
      const auto i = parse_index(variable);
      return i && *i < f_.size() ? std::optional(static_cast<std::size_t>(*i))
                                 : std::nullopt;
    }
    for (const std::string& name : {Json(variable).dump(), variable}) {
      if (const auto found = places_.find(name); found != places_.end()) {
        return found->second;
      }
    }
    return std::nullopt;
  }

  void take(const std::string& where, const std::string& variable, double value) {
    const auto i = place(variable);
    if (!i) {
      throw InputError(where + ": the variable " +
                       unexpected(variable,
                                  f_.names.empty() ? "a whole number from 0 to " +
                                                         format(f_.size() - 1)
                                                   : "a name of a variable"));
    }
    const double zero = f_.vartype == qubo::Vartype::Spin ? -1.0 : 0.0;
    if (value != zero && value != 1.0) {
      throw InputError(where + ": the value " + format(value) + " of '" +
                       variable.substr(0, 40) + "' (expected " + format(zero) +
                       " or 1)");
    }
    const std::uint8_t bit = value == 1.0 ? 1 : 0;
    if (values_[*i] != qubo::kFree && values_[*i] != bit) {
      throw InputError(where + ": a second value of '" + variable.substr(0, 40) +
                       "' that differs from the first");
    }
    values_[*i] = bit;
  }

  const qubo::Quadratic& f_;
  std::string name_;
  std::vector<std::uint8_t> values_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

std::vector<std::uint8_t> bits_of(std::span<const double> x, const std::string& where) {
  std::vector<std::uint8_t> bits;
  bool zero = false;
  bool minus = false;
  for (const double value : x) {
    zero = zero || value == 0.0;
    minus = minus || value == -1.0;
    if (value == kOpen) {
      bits.push_back(qubo::kFree);
      continue;
    }
    if ((value != 0.0 && value != 1.0 && value != -1.0) || (zero && minus)) {
      throw InputError(where + ": x[" + format(std::ssize(bits)) + "] is " +
                       format(value) + " (expected 0 and 1, or -1 and 1)");
    }
    bits.push_back(value == 1.0 ? 1 : 0);
  }
  return bits;
}

namespace {

/// A column of numbers, as numpy.savetxt() writes, is one vector.
std::vector<Claim> without_column(std::vector<Claim> all) {
  const bool column = all.size() > 1 && std::ranges::all_of(all, [](const Claim& c) {
                        return c.x.size() == 1;
                      });
  if (!column) {
    return all;
  }
  Claim one{all.front().where, 0.0, {}};
  for (const Claim& c : all) {
    one.x.push_back(c.x.front());
  }
  return {std::move(one)};
}

}  // namespace

std::vector<Claim> read_vectors(Input& input) {
  if (looks_like_npy(input.peek(16))) {
    return read_npy_vectors(input);
  }
  std::vector<Claim> all;
  bool numbers = true;
  LineReader lines(input);
  for (std::string_view line; lines.next(line);) {
    const std::string_view word = Words(line).next();
    if (word.empty()) {
      continue;
    }
    const bool json = word.starts_with('{') || word.starts_with('[');
    numbers = numbers && !json;
    const auto x = json ? json_vector(line, lines) : numbers_of(line, lines);
    all.push_back({lines.where(), 0.0, bits_of(x, lines.where())});
  }
  if (all.empty()) {
    throw InputError(input.name() + ": empty (expected a vector for each problem)");
  }
  return numbers ? without_column(std::move(all)) : all;
}

std::vector<std::uint8_t> read_fixed(Input& input, const qubo::Quadratic& f) {
  FixedReader reader(f, input.name());
  skip_mark(input);
  if (const auto start = input.peek(1);
      !start.empty() && static_cast<char>(start[0]) == '{') {
    const Json object = Json::parse(
        read_whole_text(input, kMaxFixedText, "over 1 GiB of values"), nullptr, false);
    if (!object.is_object()) {
      throw InputError(input.name() + ": not a JSON object of variables and values");
    }
    reader.json(object);
    return reader.values();
  }
  LineReader lines(input);
  for (std::string_view line; lines.next(line);) {
    reader.line(line, lines);
  }
  return reader.values();
}

}  // namespace oa::io
