// Relaxed coefficients of many problems and the systems of their gradients: the kernels
// of oa.torch.  Problems i of a batch have the couplings J_i (m,m), whose symmetric
// part counts, and the rows of h_i (n,m).
#include "relax.h"

#include "oa/base/arena.h"
#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/activation.h"
#include "oa/num/box/qp.h"
#include "oa/num/box/search.h"
#include "oa/num/lasso.h"
#include "oa/num/mean_field/mean_field.h"
#include "oa/num/mean_field/scaled_cg.h"
#include "oa/num/mean_field/search.h"
#include "problems.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

using num::View;

enum class Kind : std::uint8_t { Box, Smoothed, MeanField, Lasso };

Kind kind_of(const std::string& name) {
  if (name == "box") {
    return Kind::Box;
  }
  return name == "smoothed"     ? Kind::Smoothed
         : name == "mean_field" ? Kind::MeanField
                                : Kind::Lasso;
}

struct How {
  Kind kind;
  double temperature;
  double penalty;  // of the lasso
  float tolerance;
};

template <class T>
View rows_of(const T* from, std::size_t rows, std::size_t cols, Arena& arena) {
  const View to = num::zeros(static_cast<int>(rows), static_cast<int>(cols), arena);
  for (std::size_t i = 0; i < rows; ++i) {
    std::transform(from + i * cols,
                   from + (i + 1) * cols,
                   to.row(static_cast<int>(i)),
                   [](T value) { return static_cast<float>(value); });
  }
  return to;
}

template <class T>
void copy_out(num::ConstView from, T* to) {
  for (int i = 0; i < from.rows; ++i) {
    std::copy_n(from.row(i), from.cols, to + at(i) * at(from.cols));
  }
}

template <class T>
View symmetric(const T* j, std::size_t m, Arena& arena) {
  const View to = num::zeros(static_cast<int>(m), static_cast<int>(m), arena);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < m; ++k) {
      to(static_cast<int>(i), static_cast<int>(k)) =
          static_cast<float>((j[i * m + k] + j[k * m + i]) / 2);
    }
  }
  return to;
}

/// sqrt(S) of the derivative of sigmoid(-g/T), or whether a coordinate is free.
template <class T>
T root_of(const How& how, T x, T g) {
  const auto t = static_cast<T>(how.temperature);
  switch (how.kind) {
    case Kind::Box: return x > 0 && x < 1 ? T(1) : T(0);
    case Kind::Lasso: return x != 0 ? T(1) : T(0);
    case Kind::Smoothed: {
      // In this form nothing overflows.
      const T e = std::exp(-std::abs(g) / t);
      return std::sqrt(e / t) / (1 + e);
    }
    case Kind::MeanField: break;
  }
  const T root = std::sqrt(x * (1 - x) / t);
  return root < T(1e-5) ? T(0) : root;
}

/// In single precision, by the kernels of the tools.
void relax_part(const How& how,
                const float* j,
                const float* h,
                std::size_t n,
                std::size_t m,
                float* x,
                float* root) {
  const auto rows = static_cast<int>(n);
  const auto cols = static_cast<int>(m);
  if (how.kind == Kind::Lasso) {
    num::LassoSearch search(m, symmetric_doubles(j, m));
    std::vector<double> best(m);
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<double> linear(h + i * m, h + (i + 1) * m);
      std::ranges::fill(best, 0.0);
      (void)search.solve(linear, how.penalty, best);
      std::ranges::transform(
          best, x + i * m, [](double v) { return static_cast<float>(v); });
    }
    std::transform(x, x + n * m, root, [](float v) { return v != 0.0F ? 1.0F : 0.0F; });
    return;
  }
  const auto work = [&](Arena& arena) {
    struct {
      View j, h, x, g;
    } all{num::zeros(cols, cols, arena),
          num::zeros(rows, cols, arena),
          num::zeros(rows, cols, arena),
          num::zeros(rows, cols, arena)};
    return all;
  };
  std::size_t bytes = bytes_taken(work);
  if (how.kind == Kind::MeanField) {
    bytes +=
        bytes_taken([&](Arena& arena) { return num::MeanField(rows, cols, arena); });
  }
  Arena arena(bytes);
  const View couplings = symmetric(j, m, arena);
  const View linear = rows_of(h, n, m, arena);
  const View found = num::zeros(rows, cols, arena);
  const View gradient = num::zeros(rows, cols, arena);
  if (how.kind == Kind::MeanField) {
    num::MeanField(rows, cols, arena)
        .solve({couplings},
               linear,
               false,
               static_cast<float>(how.temperature),
               how.tolerance,
               found,
               gradient);
    num::logistic(gradient, static_cast<float>(how.temperature), linear, linear);
  } else {
    num::box_qp_descent({couplings}, linear, {how.tolerance, 1000}, found, gradient);
    if (how.kind == Kind::Smoothed) {
      num::sigmoid_slope_root(gradient, static_cast<float>(how.temperature), linear);
    }
  }
  copy_out(found, x);
  if (how.kind == Kind::Box) {
    std::transform(
        x, x + n * m, root, [](float v) { return v > 0.0F && v < 1.0F ? 1.0F : 0.0F; });
  } else {
    copy_out(linear, root);
  }
}

/// In double precision.
void relax_part(const How& how,
                const double* j,
                const double* h,
                std::size_t n,
                std::size_t m,
                double* x,
                double* root) {
  // The start.
  std::fill_n(x, n * m, 0.0);
  if (how.kind != Kind::Lasso) {
    std::vector<float> rough(n * m);
    std::vector<float> unused(n * m);
    const std::vector<float> single(j, j + m * m);
    const std::vector<float> linear(h, h + n * m);
    relax_part(how, single.data(), linear.data(), n, m, rough.data(), unused.data());
    std::ranges::copy(rough, x);
  }
  const std::vector<double> couplings = symmetric_doubles(j, m);
  num::BoxSearch box(m, couplings);
  num::MeanFieldSearch smooth(m, couplings);
  num::LassoSearch lasso(m, couplings);
  std::vector<double> g(m);
  for (std::size_t i = 0; i < n; ++i) {
    const std::span linear(h + i * m, m);
    const std::span row(x + i * m, m);
    switch (how.kind) {
      case Kind::MeanField: (void)smooth.solve(linear, how.temperature, row); break;
      case Kind::Lasso: (void)lasso.solve(linear, how.penalty, row); break;
      default: (void)box.solve(linear, row);
    }
    std::ranges::copy(linear, g.begin());
    for (std::size_t k = 0; how.kind == Kind::Smoothed && k < m; ++k) {
      for (std::size_t l = 0; l < m; ++l) {
        g[l] += couplings[k * m + l] * row[k];
      }
    }
    for (std::size_t k = 0; k < m; ++k) {
      root[i * m + k] = root_of(how, row[k], g[k]);
    }
  }
}

template <class T>
void relax(const std::string& kind,
           const In<T>& j,
           const In<T>& h,
           double temperature,
           double penalty,
           double tolerance,
           int threads,
           const Out<T>& x,
           const Out<T>& root) {
  const std::size_t n = h.shape(1);
  const std::size_t m = h.shape(2);
  const How how{kind_of(kind), temperature, penalty, static_cast<float>(tolerance)};
  check_finite(j.data(), j.size(), "J");
  check_finite(h.data(), h.size(), "h");
  const std::vector<Part> parts = parts_of(h.shape(0), n);
  parallel_for(std::ssize(parts), threads, [&](std::int64_t p, int) {
    const Part& part = parts[at(p)];
    const std::size_t place = (part.problem * n + part.first) * m;
    relax_part(how,
               j.data() + (j.shape(0) == 1 ? 0 : part.problem * m * m),
               h.data() + place,
               part.count,
               m,
               x.data() + place,
               root.data() + place);
  });
}

/// w with (J + diag(1/root^2)) w = b, or J_FF w_F = b_F where root is 1, w 0 elsewhere.
template <class T>
void systems_of_part(bool free,
                     const T* j,
                     const T* root,
                     const T* b,
                     std::size_t n,
                     std::size_t m,
                     T* w) {
  const std::vector<double> couplings = symmetric_doubles(j, m);
  num::SubsetSolver solver;
  std::vector<int> some;
  for (std::size_t i = 0; i < n; ++i) {
    some.clear();
    const T* s = root + i * m;
    T* to = w + i * m;
    for (std::size_t k = 0; k < m; ++k) {
      if (s[k] > 0) {
        some.push_back(static_cast<int>(k));
      }
      to[k] = s[k] * b[i * m + k];
    }
    if (free) {
      solver.solve(
          some,
          [&](int p, int q) { return couplings[at(p) * m + at(q)]; },
          std::span(to, m));
      continue;
    }
    const auto scaled = [&](int p, int q) {
      return (p == q ? 1.0 : 0.0) + static_cast<double>(s[p]) *
                                        couplings[at(p) * m + at(q)] *
                                        static_cast<double>(s[q]);
    };
    solver.solve(some, scaled, std::span(to, m));
    for (std::size_t k = 0; k < m; ++k) {
      to[k] *= s[k];
    }
  }
}

/// Solves systems in single precision by conjugate gradients, as the trainer does.
void systems_by_cg(const float* j,
                   const float* root,
                   const float* b,
                   std::size_t n,
                   std::size_t m,
                   float tolerance,
                   float* w) {
  const auto rows = static_cast<int>(n);
  const auto cols = static_cast<int>(m);
  const std::size_t bytes =
      bytes_taken([&](Arena& arena) { return num::ScaledCg(rows, cols, arena); }) +
      bytes_taken([&](Arena& arena) { return num::zeros(cols, cols, arena); }) +
      2 * bytes_taken([&](Arena& arena) { return num::zeros(rows, cols, arena); });
  Arena arena(bytes);
  const View couplings = symmetric(j, m, arena);
  const View slope = rows_of(root, n, m, arena);
  const View right = rows_of(b, n, m, arena);
  num::ScaledCg(rows, cols, arena)
      .solve({couplings}, slope, right, false, {tolerance, 50}, right);
  copy_out(right, w);
}

template <class T>
void systems(bool free,
             const In<T>& j,
             const In<T>& root,
             const In<T>& b,
             double tolerance,
             int threads,
             const Out<T>& w) {
  const std::size_t n = b.shape(1);
  const std::size_t m = b.shape(2);
  const std::vector<Part> parts = parts_of(b.shape(0), n);
  parallel_for(std::ssize(parts), threads, [&](std::int64_t p, int) {
    const Part& part = parts[at(p)];
    const std::size_t place = (part.problem * n + part.first) * m;
    const T* couplings = j.data() + (j.shape(0) == 1 ? 0 : part.problem * m * m);
    const T* s = root.data() + place;
    if constexpr (std::is_same_v<T, float>) {
      if (!free) {
        systems_by_cg(couplings,
                      s,
                      b.data() + place,
                      part.count,
                      m,
                      static_cast<float>(tolerance),
                      w.data() + place);
        return;
      }
    }
    systems_of_part(
        free, couplings, s, b.data() + place, part.count, m, w.data() + place);
  });
}

template <class T>
void declare(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> unlocked;
  m.def("relax",
        relax<T>,
        nb::arg("kind"),
        nb::arg("j").noconvert(),
        nb::arg("h").noconvert(),
        nb::arg("temperature"),
        nb::arg("penalty"),
        nb::arg("tolerance"),
        nb::arg("threads"),
        nb::arg("x").noconvert(),
        nb::arg("root").noconvert(),
        unlocked);
  m.def("relax_systems",
        systems<T>,
        nb::arg("free"),
        nb::arg("j").noconvert(),
        nb::arg("root").noconvert(),
        nb::arg("b").noconvert(),
        nb::arg("tolerance"),
        nb::arg("threads"),
        nb::arg("w").noconvert(),
        unlocked);
}

}  // namespace

void declare_relax(nb::module_& m) {
  declare<float>(m);
  declare<double>(m);
}

}  // namespace oa::python
