#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/tensor/npy.h"
#include "oa/io/tensor/tensor_stats.h"

#include <cmath>
#include <optional>
#include <utility>

// Reads matrices Q: f(x) = x'Qx.  Entries of both triangles are added.

namespace oa::io {
namespace {

std::string dimensions(std::int64_t rows, std::int64_t columns) {
  return format(rows) + " x " + format(columns);
}

void check_size(std::int64_t n, const std::string& where) {
  if (n < 1 || n > kMaxMatrixVariables) {
    throw InputError(where + ": " + format(n) + " variables (expected 1 to " +
                     format_grouped(kMaxMatrixVariables) + ")");
  }
}

qubo::Quadratic matrix_problem(int n,
                               qubo::Vartype vartype,
                               std::span<const qubo::Term> terms,
                               const std::string& where) {
  qubo::Quadratic f(n);
  f.vartype = vartype;
  assemble(f, terms, where);
  return f;
}

/// Converts an element, and throws if a double cannot hold it exactly.
template <class T>
double exact_element(std::span<const std::byte> bytes,
                     std::size_t i,
                     const std::string& where) {
  const T value = load<T>(bytes, i);
  constexpr std::int64_t kMax = std::int64_t{1} << 53;
  if (std::cmp_greater(value, kMax) || std::cmp_less(value, -kMax)) {
    throw InputError(where + ": the element " + std::to_string(value) +
                     " (expected at most 2^53 in magnitude)");
  }
  return static_cast<double>(value);
}

double npy_element(const NpyArray& array, std::size_t i, const std::string& where) {
  const auto bytes = array.data.span();
  switch (array.dtype) {
    case Dtype::U64: return exact_element<std::uint64_t>(bytes, i, where);
    case Dtype::I64: return exact_element<std::int64_t>(bytes, i, where);
    default: return element(array.dtype, bytes, i);
  }
}

}  // namespace

namespace {

/// The type in which elements are stored unchanged, if any.
std::optional<qubo::Width> width_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::I8: return qubo::Width::Int8;
    case Dtype::I16: return qubo::Width::Int16;
    case Dtype::F32: return qubo::Width::Float;
    case Dtype::F64: return qubo::Width::Double;
    default: return std::nullopt;
  }
}

qubo::Numbers numbers_of(NpyArray array, const std::string& where) {
  if (const auto width = width_of(array.dtype)) {
    return {*width, array.data.take()};
  }
  qubo::Numbers numbers(qubo::Width::Int8, std::size_t{0});
  const std::size_t count = array.data.size() / size_of(array.dtype);
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(npy_element(array, i, where));
  }
  return numbers;
}

void check_square(const Shape& shape, const std::string& where) {
  if (shape.size() != 2 || shape[0] != shape[1]) {
    throw InputError(where + ": an array of shape " + to_string(shape) +
                     " (expected a square matrix)");
  }
  check_size(shape[0], where);
}

}  // namespace

qubo::Quadratic read_npy_matrix(Input& input, qubo::Vartype vartype) {
  return problem_of_matrix(read_npy(input), vartype, input.name());
}

qubo::Quadratic problem_of_matrix(NpyArray array,
                                  qubo::Vartype vartype,
                                  const std::string& where) {
  const Shape shape = array.shape;
  check_square(shape, where);
  return problem_of_numbers(shape, numbers_of(std::move(array), where), vartype, where);
}

qubo::Quadratic problem_of_numbers(const Shape& shape,
                                   qubo::Numbers matrix,
                                   qubo::Vartype vartype,
                                   const std::string& where) {
  check_square(shape, where);
  const std::int64_t n = shape[0];
  double total = 0.0;
  std::as_const(matrix).visit([&](const auto& all) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto weight = static_cast<double>(all[k]);
      if (!std::isfinite(weight)) {
        const auto at = static_cast<std::int64_t>(k);
        throw InputError(where + ": element (" + format(at / n) + "," + format(at % n) +
                         ") is not finite");
      }
      total += std::abs(weight);
    }
  });
  check_total(total, where);
  return {static_cast<int>(n), vartype, std::move(matrix)};
}

namespace {

struct MtxBanner {
  bool coordinate = false;
  bool pattern = false;
  bool symmetric = false;
};

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

MtxBanner read_banner(const LineReader& lines, std::string_view line) {
  Words words(line);
  const auto is = [&](std::string_view expected) {
    return lower(words.next()) == expected;
  };
  if (!is("%%matrixmarket") || !is("matrix")) {
    lines.fail("not a MatrixMarket matrix (expected %%MatrixMarket matrix ...)");
  }
  const std::string layout = lower(words.next());
  const std::string field = lower(words.next());
  const std::string symmetry = lower(words.next());
  MtxBanner banner;
  banner.coordinate = layout == "coordinate";
  banner.pattern = field == "pattern" && banner.coordinate;
  banner.symmetric = symmetry == "symmetric";
  if (!banner.coordinate && layout != "array") {
    lines.fail("the layout " + unexpected(layout, "coordinate or array"));
  }
  if (!banner.pattern && field != "real" && field != "integer" && field != "double") {
    lines.fail("elements of type " + unexpected(field, "real, integer or pattern"));
  }
  if (!banner.symmetric && symmetry != "general") {
    lines.fail("the symmetry " + unexpected(symmetry, "general or symmetric"));
  }
  return banner;
}

/// Reads the next line with content.
bool next_line(LineReader& lines, std::string_view& line) {
  while (lines.next(line)) {
    const std::string_view word = Words(line).next();
    if (!word.empty() && !word.starts_with('%')) {
      return true;
    }
  }
  return false;
}

TwoDoubles mtx_weight(const LineReader& lines, Words& words) {
  const std::string_view word = words.next();
  const auto weight = parse_exact_weight(word);
  if (!weight) {
    lines.fail(unexpected_weight(word));
  }
  return *weight;
}

std::int64_t mtx_count(const LineReader& lines, Words& words) {
  const std::string_view word = words.next();
  const auto count = parse_int(word);
  if (!count || *count < 0) {
    lines.fail("the size " + unexpected(word, "a whole number"));
  }
  return *count;
}

}  // namespace

qubo::Quadratic read_mtx(Input& input, qubo::Vartype vartype) {
  LineReader lines(input);
  std::string_view line;
  if (!lines.next(line)) {
    throw InputError(input.name() + ": empty (expected a MatrixMarket matrix)");
  }
  const MtxBanner banner = read_banner(lines, line);
  if (!next_line(lines, line)) {
    lines.fail("truncated (expected the size of the matrix)");
  }
  Words size(line);
  const std::int64_t rows = mtx_count(lines, size);
  const std::int64_t columns = mtx_count(lines, size);
  const std::int64_t n = rows;
  if (rows != columns) {
    lines.fail(dimensions(rows, columns) + " (expected a square matrix)");
  }
  if (banner.coordinate ? n < 1 || n > kMaxSparseVariables
                        : n < 1 || n > kMaxMatrixVariables) {
    lines.fail(
        format(n) + " variables (expected 1 to " +
        format_grouped(banner.coordinate ? kMaxSparseVariables : kMaxMatrixVariables) +
        ")");
  }
  const std::int64_t entries = banner.coordinate  ? mtx_count(lines, size)
                               : banner.symmetric ? n * (n + 1) / 2
                                                  : n * n;
  expect_end(lines, size);
  qubo::Terms terms;
  reserve_terms(terms, entries, lines);
  std::int64_t seen = 0;
  std::int32_t i = 0;
  std::int32_t k = 0;
  for (; next_line(lines, line); ++seen) {
    Words words(line);
    if (seen == entries) {
      lines.fail("more than the " + format(entries) + " entries announced");
    }
    if (banner.coordinate) {
      const auto row = parse_index(words.next());
      const auto column = parse_index(words.next());
      if (!row || !column || *row < 1 || *row > n || *column < 1 || *column > n) {
        lines.fail("no row and column from 1 to " + format(n));
      }
      i = *row - 1;
      k = *column - 1;
      if (banner.symmetric && i < k) {
        lines.fail("an entry above the diagonal (expected the lower triangle of a " +
                   std::string("symmetric matrix)"));
      }
    }
    TwoDoubles weight = banner.pattern ? TwoDoubles(1.0) : mtx_weight(lines, words);
    expect_end(lines, words);
    if (banner.symmetric && i != k) {  // the other triangle
      weight = {2.0 * weight.value, 2.0 * weight.rest};
    }
    if (!std::isfinite(weight.value)) {
      lines.fail("twice this weight is too large");
    }
    if (weight.value != 0.0) {
      add_term(terms, i, k, weight);
    }
    if (!banner.coordinate && ++i == n) {  // dense matrices are stored by columns
      i = banner.symmetric ? ++k : (++k, 0);
    }
  }
  if (seen < entries) {
    throw InputError(input.name() + ": truncated: " + format(seen) + " entries of " +
                     format(entries));
  }
  return matrix_problem(static_cast<int>(n), vartype, terms, input.name());
}

}  // namespace oa::io
