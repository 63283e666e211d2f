#include "oa/qubo/matrix.h"

#include <cassert>
#include <utility>

namespace oa::qubo {

Matrix::Matrix(int n, std::span<const float> values)
    : n_(n),
      values_(values.begin(), values.end()) {
  assert(std::ssize(values_) == std::ptrdiff_t{n} * n);
}

Matrix::Matrix(int n, std::span<const double> values)
    : n_(n),
      values_(values.begin(), values.end()) {
  assert(std::ssize(values_) == std::ptrdiff_t{n} * n);
}

Matrix::Matrix(int n, Values values) : n_(n), values_(std::move(values)) {
  assert(std::ssize(values_) == std::ptrdiff_t{n} * n);
}

Matrix Matrix::leading(int n) const {
  Values values;
  values.reserve(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    values.insert(values.end(), row(i), row(i) + n);
  }
  return {n, std::move(values)};
}

Matrix Matrix::restricted(std::span<const int> variables) const {
  Values values;
  values.reserve(variables.size() * variables.size());
  for (const int i : variables) {
    for (const int k : variables) {
      values.push_back((*this)(i, k));
    }
  }
  return {static_cast<int>(variables.size()), std::move(values)};
}

ExactSum exact_energy(const Matrix& j,
                      std::span<const double> h,
                      std::span<const int> ones) {
  ExactSum sum;
  for (std::size_t a = 0; a < ones.size(); ++a) {
    const double* row = j.row(ones[a]);
    ExactSum part;  // one sum a row, so that the processor overlaps rows
    part.add(h[static_cast<std::size_t>(ones[a])]);
    part.add(0.5 * row[ones[a]]);
    for (std::size_t b = 0; b < a; ++b) {
      part.add(row[ones[b]]);
    }
    sum.add(part);
  }
  return sum;
}

double energy(const Matrix& j, std::span<const double> h, std::span<const int> ones) {
  return exact_energy(j, h, ones).value();
}

double energy(const Matrix& j,
              std::span<const double> h,
              std::span<const std::uint8_t> x) {
  std::vector<int> ones;
  for (int i = 0; i < j.size(); ++i) {
    if (x[static_cast<std::size_t>(i)] != 0) {
      ones.push_back(i);
    }
  }
  return energy(j, h, ones);
}

}  // namespace oa::qubo
