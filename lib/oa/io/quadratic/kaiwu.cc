#include "oa/base/error.h"
#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/table/csv.h"
#include "oa/io/tensor/npy.h"
#include "oa/io/tensor/tensor_stats.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Reads Ising matrices of the Kaiwu SDK: E = -s'Ms over the whole symmetric matrix M.
// The last spin is 1, and its couplings are the linear terms.

namespace oa::io {
namespace {

/// A symmetric matrix, row by row.
struct IsingMatrix {
  std::int64_t n = 0;
  std::vector<double> cells;

  [[nodiscard]] double cell(std::int64_t i, std::int64_t k) const {
    return cells[at(i * n + k)];
  }
};

void check_spins(std::int64_t n, const std::string& where) {
  if (n < 2 || n > kMaxMatrixVariables) {
    throw InputError(where + ": " + format(n) + " spins (expected 2 to " +
                     format_grouped(kMaxMatrixVariables) + ")");
  }
}

/// Names a cell in messages: "M[3][7]", indices from 0.
std::string cell_name(std::int64_t i, std::int64_t k) {
  return "M[" + format(i) + "][" + format(k) + "]";
}

IsingMatrix ising_of_npy(Input& input) {
  const NpyArray array = read_npy(input);
  if (array.shape.size() != 2 || array.shape[0] != array.shape[1]) {
    throw InputError(input.name() + ": an array of shape " + to_string(array.shape) +
                     " (expected a square matrix)");
  }
  IsingMatrix m{array.shape[0], {}};
  check_spins(m.n, input.name());
  m.cells.resize(at(m.n * m.n));
  for (std::size_t k = 0; k < m.cells.size(); ++k) {
    m.cells[k] = element(array.dtype, array.data.span(), k);
    if (!std::isfinite(m.cells[k])) {
      const auto place = static_cast<std::int64_t>(k);
      throw InputError(input.name() + ": " + cell_name(place / m.n, place % m.n) +
                       " is not finite");
    }
  }
  return m;
}

/// True if the cells are a header of pandas: the first is empty, or all are names.
bool is_header(std::span<const std::string_view> cells) {
  return cells[0].empty() || std::ranges::none_of(cells, [](std::string_view cell) {
           return parse_weight(cell).has_value();
         });
}

/// True if a row is 0, 1, 2, ..., which pandas may write above the numbers.
bool is_counting(std::span<const std::string_view> cells) {
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (cells[k] != std::to_string(k)) {
      return false;
    }
  }
  return true;
}

IsingMatrix ising_of_csv(Input& input) {
  CsvReader lines(input);
  std::vector<std::string_view> all;
  IsingMatrix m;
  bool indexed = false;   // rows begin with names
  bool counting = false;  // the first row may be a header
  const auto refuse = [&](const std::string& where) {
    throw InputError(where + ": the matrix is not square (expected " + format(m.n) +
                     " rows of " + format(m.n) + " cells)");
  };
  while (lines.next(all)) {
    const bool first = m.n == 0;
    if (first) {
      indexed = all[0].empty();
      m.n = std::ssize(all) - (indexed ? 1 : 0);
      check_spins(m.n, lines.where());
      counting = is_counting(all);
      if (is_header(all)) {
        continue;
      }
    }
    const auto cells = std::span(all).subspan(indexed ? 1 : 0);
    if (std::ssize(cells) != m.n || std::ssize(m.cells) == m.n * (m.n + counting)) {
      refuse(lines.where());
    }
    for (const std::string_view cell : cells) {
      const auto value = parse_weight(cell);
      if (!value || rounds_integer(cell)) {
        const auto place = std::ssize(m.cells);
        throw InputError(lines.where() + ": " + cell_name(place / m.n, place % m.n) +
                         " is " + unexpected_weight(cell));
      }
      m.cells.push_back(*value);
    }
  }
  if (counting && std::ssize(m.cells) == m.n * (m.n + 1)) {
    m.cells.erase(m.cells.begin(), m.cells.begin() + m.n);
  }
  if (m.n == 0 || std::ssize(m.cells) != m.n * m.n) {
    throw InputError(input.name() + ": the matrix is not square (" +
                     format(m.n == 0 ? 0 : std::ssize(m.cells) / m.n) + " rows of " +
                     format(m.n) + " cells)");
  }
  return m;
}

}  // namespace

qubo::Quadratic read_kaiwu(Input& input) {
  const IsingMatrix m =
      looks_like_npy(input.peek(16)) ? ising_of_npy(input) : ising_of_csv(input);
  const auto last = static_cast<std::int32_t>(m.n - 1);
  qubo::Quadratic f(last);
  f.vartype = qubo::Vartype::Spin;
  qubo::Terms pairs;
  ExactSum constant;  // s_i s_i = 1
  double total = 0.0;
  for (std::int32_t i = 0; i <= last; ++i) {
    constant.add(-m.cell(i, i));
    total += std::abs(m.cell(i, i));
    for (std::int32_t k = i + 1; k <= last; ++k) {
      if (m.cell(i, k) != m.cell(k, i)) {
        throw InputError(input.name() + ": " + cell_name(k, i) + " is " +
                         format(m.cell(k, i)) + ", " + cell_name(i, k) + " is " +
                         format(m.cell(i, k)) + " (expected a symmetric matrix)");
      }
      const double weight = -2.0 * m.cell(i, k);
      total += std::abs(weight);
      if (k == last) {
        f.linear[at(i)] = weight + 0.0;
      } else if (weight != 0.0) {
        pairs.push_back({i, k, weight});
      }
    }
  }
  check_total(total, input.name());
  f.add(pairs);
  f.add_constant(std::move(constant));
  return f;
}

void write_kaiwu(Output& output, const qubo::Quadratic& f) {
  const auto n = at(f.size()) + 1;
  std::vector<double> m(n * n);
  const auto put = [&](std::size_t i, std::size_t k, double weight) {
    m[i * n + k] = m[k * n + i] = weight == 0.0 ? 0.0 : -0.5 * weight;
  };
  for (std::size_t i = 0; i + 1 < n; ++i) {
    put(i, n - 1, f.linear[i]);
  }
  for (const qubo::Term& t : f.terms()) {
    put(at(t.first), at(t.second), t.weight);
  }
  if (output.name().ends_with(".npy")) {
    const auto size = static_cast<std::int64_t>(n);
    write_npy(output, Dtype::F64, {size, size}, std::as_bytes(std::span(m)));
    return;
  }
  for (std::size_t k = 0; k < m.size(); ++k) {
    output.write(format(m[k]));
    output.write(k % n + 1 == n ? "\n" : ",");
  }
}

}  // namespace oa::io
