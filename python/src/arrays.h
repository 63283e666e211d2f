#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace oa::python {

/// A row of numbers that numpy has, contiguous.
template <class T>
using Row = nanobind::
    ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

/// Rows of numbers that numpy has, contiguous.
template <class T>
using Rows = nanobind::
    ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

/// An array for numpy.
template <class T>
using Array = nanobind::ndarray<nanobind::numpy, T>;

/// An array that owns `values`.
template <class T>
Array<T> array_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const nanobind::capsule owner(owned.get(), [](void* memory) noexcept {
    delete static_cast<std::vector<T>*>(memory);  // NOLINT: released below
  });
  (void)owned.release();
  return Array<T>(data, shape, owner);
}

template <class T>
Array<T> array_of(std::vector<T> values) {
  const std::size_t size = values.size();
  return array_of(std::move(values), {size});
}

/// How properties return arrays: these have owners already.
constexpr auto kOwned = nanobind::rv_policy::automatic;

}  // namespace oa::python
