#include "oa/io/quadratic/vectors.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
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
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace oa::io {
namespace {

using Json = nlohmann::json;

/// An open value in an initial vector.
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
  const auto length = at(shape.back());
  std::vector<Claim> all;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::vector<double> x(length);
    for (std::size_t k = 0; k < length; ++k) {
      x[k] = element(array.dtype, array.data.span(), at(row) * length + k);
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

double number_of(const Json& value, const std::string& name, const std::string& where) {
  if (!value.is_number()) {
    throw InputError(where + ": the value of '" + name.substr(0, 40) +
                     "' is not a number");
  }
  return value.get<double>();
}

std::vector<double> json_vector(const Json& json, const LineReader& lines) {
  if (!json.is_array()) {
    lines.fail("no vector (expected a JSON array or object)");
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

/// Reads a vector, or the values of an object without "x".
Claim json_claim(std::string_view line, const LineReader& lines) {
  const Json json = Json::parse(without_surrogates(line), nullptr, false);
  Claim claim{lines.where(), 0.0, {}};
  if (json.is_object() && !json.empty() && !json.contains("x")) {
    for (const auto& [name, value] : json.items()) {
      claim.values.emplace_back(name, number_of(value, name, claim.where));
    }
    return claim;
  }
  const Json& vector = json.is_object() ? json.value("x", Json()) : json;
  claim.x = bits_of(json_vector(vector, lines), claim.where);
  return claim;
}

/// Reads fixed values of variables and integers.
class FixedReader {
 public:
  FixedReader(const qubo::Quadratic& f, std::span<const qubo::Integer> integers)
      : f_(f),
        values_(f.linear.size(), qubo::kFree) {
    for (const qubo::Integer& integer : integers) {
      integers_[integer.name] = &integer;
    }
    for (std::size_t i = 0; i < f.names.size(); ++i) {
      places_[f.names[i]] = i;
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

  void take(const std::string& where, const std::string& variable, double value) {
    const auto i = place(variable);
    if (const auto integer = integers_.find(variable);
        !i && integer != integers_.end()) {
      take_integer(where, *integer->second, value);
      return;
    }
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
    set(where, variable, *i, value == 1.0 ? 1 : 0);
  }

  [[nodiscard]] std::vector<std::uint8_t> values() { return std::move(values_); }

 private:
  std::optional<std::size_t> place(const std::string& variable) const {
    if (f_.names.empty()) {
      const auto i = parse_index(variable);
      return i && *i < f_.size() ? std::optional(at(*i)) : std::nullopt;
    }
    for (const std::string& name : {Json(variable).dump(), variable}) {
      if (const auto found = places_.find(name); found != places_.end()) {
        return found->second;
      }
    }
    return std::nullopt;
  }

  void take_integer(const std::string& where,
                    const qubo::Integer& integer,
                    double value) {
    double high = integer.low;
    for (const qubo::Term& digit : integer.digits) {
      high += digit.weight;
    }
    if (!(value >= integer.low && value <= high) || std::trunc(value) != value) {
      throw InputError(where + ": the value " + format(value) + " of '" +
                       integer.name.substr(0, 40) + "' (expected a whole number from " +
                       format(integer.low) + " to " + format(high) + ")");
    }
    std::vector<std::uint8_t> x(values_.size());
    qubo::set_value(integer, value, x);
    for (const qubo::Term& digit : integer.digits) {
      set(where, integer.name, at(digit.first), x[at(digit.first)]);
    }
  }

  void set(const std::string& where,
           const std::string& variable,
           std::size_t i,
           std::uint8_t bit) {
    if (values_[i] != qubo::kFree && values_[i] != bit) {
      throw InputError(where + ": a second value of '" + variable.substr(0, 40) +
                       "' that differs from the first");
    }
    values_[i] = bit;
  }

  const qubo::Quadratic& f_;
  std::map<std::string, const qubo::Integer*> integers_;
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

/// Turns a column of numbers, as numpy.savetxt() writes, into one vector.
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
    if (json) {
      all.push_back(json_claim(line, lines));
    } else {
      all.push_back(
          {lines.where(), 0.0, bits_of(numbers_of(line, lines), lines.where())});
    }
  }
  if (all.empty()) {
    throw InputError(input.name() + ": empty (expected a vector for each problem)");
  }
  return numbers ? without_column(std::move(all)) : all;
}

std::vector<std::uint8_t> read_fixed(Input& input,
                                     const qubo::Quadratic& f,
                                     std::span<const qubo::Integer> integers) {
  FixedReader reader(f, integers);
  skip_mark(input);
  if (const auto start = input.peek(1);
      !start.empty() && static_cast<char>(start[0]) == '{') {
    const Json object = Json::parse(
        read_whole_text(input, kMaxFixedText, "over 1 GiB of values"), nullptr, false);
    if (!object.is_object()) {
      throw InputError(input.name() + ": not a JSON object of variables and values");
    }
    for (const auto& [name, value] : object.items()) {
      reader.take(input.name(), name, number_of(value, name, input.name()));
    }
    return reader.values();
  }
  LineReader lines(input);
  for (std::string_view line; lines.next(line);) {
    reader.line(line, lines);
  }
  return reader.values();
}

std::vector<std::uint8_t> fixed_by(const Claim& claim,
                                   const qubo::Quadratic& f,
                                   std::span<const qubo::Integer> integers) {
  FixedReader reader(f, integers);
  for (const auto& [name, value] : claim.values) {
    reader.take(claim.where, name, value);
  }
  return reader.values();
}

}  // namespace oa::io
