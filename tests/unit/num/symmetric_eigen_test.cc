#include "oa/num/symmetric_eigen.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace oa;

TEST_CASE("eigenvalues rise, and eigenvectors are columns in their order") {
  std::array<double, 9> a{2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, -4.0};
  std::array<double, 3> values{};
  num::symmetric_eigenvalues(a, values);
  CHECK(values[0] == doctest::Approx(-4.0));
  CHECK(values[1] == doctest::Approx(1.0));
  CHECK(values[2] == doctest::Approx(3.0));
  num::replace_by_eigenvectors(a, 3);
  CHECK(std::abs(a[2]) == doctest::Approx(1.0));
  const double side = std::sqrt(0.5);
  CHECK(std::abs(a[3]) == doctest::Approx(side));
  CHECK(a[4] == doctest::Approx(-a[3]));
  CHECK(std::abs(a[6]) == doctest::Approx(side));
  CHECK(a[7] == doctest::Approx(a[6]));
}
