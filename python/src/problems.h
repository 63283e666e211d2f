#pragma once

#include "oa/base/error.h"

#include <cstddef>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>

// Batches of problems as arrays: couplings J_i (m,m), whose symmetric part counts, and
// rows of h_i (n,m).

namespace oa::python {

template <class T>
using In = nanobind::
    ndarray<const T, nanobind::ndim<3>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Out =
    nanobind::ndarray<T, nanobind::ndim<3>, nanobind::c_contig, nanobind::device::cpu>;

/// Some rows of one problem of the batch.
struct Part {
  std::size_t problem;
  std::size_t first;
  std::size_t count;
};

/// Rows in one piece share what is prepared for J.
inline constexpr std::size_t kMaxRows = 96;

inline std::vector<Part> parts_of(std::size_t problems,
                                  std::size_t rows,
                                  std::size_t most = kMaxRows) {
  std::vector<Part> all;
  const std::size_t pieces = (rows + most - 1) / most;
  for (std::size_t p = 0; p < problems; ++p) {
    for (std::size_t k = 0; k < pieces; ++k) {
      const std::size_t first = rows * k / pieces;
      all.push_back({p, first, rows * (k + 1) / pieces - first});
    }
  }
  return all;
}

template <class T>
void check_finite(const T* values, std::size_t count, const char* what) {
  // The sum of x - x is 0, or NaN if one x is not finite.
  T sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += values[i] - values[i];
  }
  if (sum != 0) {
    throw InputError(std::string(what) + ": a number that is not finite");
  }
}

template <class T>
std::vector<double> symmetric_doubles(const T* j, std::size_t m) {
  std::vector<double> to(m * m);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < m; ++k) {
      to[i * m + k] =
          (static_cast<double>(j[i * m + k]) + static_cast<double>(j[k * m + i])) / 2;
    }
  }
  return to;
}

}  // namespace oa::python
