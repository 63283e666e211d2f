// Exact marginals of many problems and their gradients.
#include "marginals.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/boltzmann.h"
#include "problems.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace nb = nanobind;

namespace oa::python {
namespace {

// Marginals take long: few rows in one piece keep all threads busy.
constexpr std::size_t kMarginalRows = 4;

/// The rows of the batch, numbered over all problems.
template <class T>
std::vector<double> row_of(const In<T>& from, std::size_t i) {
  const std::size_t m = from.shape(2);
  return {from.data() + i * m, from.data() + (i + 1) * m};
}

template <class T>
void put(std::span<const double> from, T* to) {
  std::ranges::transform(from, to, [](double v) { return static_cast<T>(v); });
}

/// Calls work(distribution, i, p) for each row i, in part p.
template <class T, class F>
void for_each_row(const In<T>& j,
                  const In<T>& h,
                  std::span<const Part> parts,
                  int threads,
                  F&& work) {
  check_finite(j.data(), j.size(), "J");
  check_finite(h.data(), h.size(), "h");
  const std::size_t n = h.shape(1);
  const std::size_t m = h.shape(2);
  parallel_for(std::ssize(parts), threads, [&](std::int64_t p, int) {
    const Part& part = parts[at(p)];
    const T* const couplings = j.data() + (j.shape(0) == 1 ? 0 : part.problem * m * m);
    num::Boltzmann distribution(m, symmetric_doubles(couplings, m));
    for (std::size_t i = 0; i < part.count; ++i) {
      work(distribution, part.problem * n + part.first + i, at(p));
    }
  });
}

template <class T>
void marginals(
    const In<T>& j, const In<T>& h, double temperature, int threads, const Out<T>& p) {
  const std::size_t m = h.shape(2);
  const std::vector<Part> parts = parts_of(h.shape(0), h.shape(1), kMarginalRows);
  for_each_row(
      j, h, parts, threads, [&](num::Boltzmann& distribution, std::size_t i, auto) {
        std::vector<double> found(m);
        distribution.marginals(row_of(h, i), temperature, found);
        put(found, p.data() + i * m);
      });
}

/// The gradients of J and h from those of marginals.
template <class T>
void marginals_backward(const In<T>& j,
                        const In<T>& h,
                        const In<T>& dp,
                        double temperature,
                        int threads,
                        const Out<T>& dj,
                        const Out<T>& dh) {
  const std::size_t m = h.shape(2);
  const std::vector<Part> parts = parts_of(h.shape(0), h.shape(1), kMarginalRows);
  std::vector<std::vector<double>> by_part(parts.size(), std::vector<double>(m * m));
  for_each_row(j,
               h,
               parts,
               threads,
               [&](num::Boltzmann& distribution, std::size_t i, std::size_t part) {
                 std::vector<double> found(m);
                 distribution.gradient(
                     row_of(h, i), temperature, row_of(dp, i), found, by_part[part]);
                 put(found, dh.data() + i * m);
               });
  // In the order of parts, so that threads change nothing.
  std::vector<double> sums(h.shape(0) * m * m);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::size_t k = 0; k < m * m; ++k) {
      sums[parts[part].problem * m * m + k] += by_part[part][k];
    }
  }
  put(sums, dj.data());
}

template <class T>
void declare(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> unlocked;
  m.def("boltzmann",
        marginals<T>,
        nb::arg("j").noconvert(),
        nb::arg("h").noconvert(),
        nb::arg("temperature"),
        nb::arg("threads"),
        nb::arg("p").noconvert(),
        unlocked);
  m.def("boltzmann_backward",
        marginals_backward<T>,
        nb::arg("j").noconvert(),
        nb::arg("h").noconvert(),
        nb::arg("dp").noconvert(),
        nb::arg("temperature"),
        nb::arg("threads"),
        nb::arg("dj").noconvert(),
        nb::arg("dh").noconvert(),
        unlocked);
}

}  // namespace

void declare_marginals(nb::module_& m) {
  declare<float>(m);
  declare<double>(m);
}

}  // namespace oa::python
