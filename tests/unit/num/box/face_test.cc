#include "oa/num/box/face.h"

#include "oa/base/rng.h"
#include "oa/num/gemm.h"
#include "oa/num/rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace oa;
using num::BoxFace;
using num::Matrix;

namespace {

/// J = V V' of some coordinates, and the coordinates.
struct Face {
  Matrix j;
  Matrix x;
  Matrix g;

  Face(int size, int rank, std::uint64_t seed) : j(size, size), x(1, size), g(1, size) {
    Rng rng(seed);
    Matrix v(size, rank);
    Matrix transposed(rank, size);
    for (int i = 0; i < size; ++i) {
      for (int k = 0; k < rank; ++k) {
        v(i, k) = static_cast<float>(rng.normal());
      }
      x(0, i) = static_cast<float>(0.01 + 0.98 * rng.uniform());
      g(0, i) = static_cast<float>(rng.normal());
    }
    num::transpose(v, transposed);
    num::matmul(v, transposed, j);
  }

  /// The gradient after the moves, and the decrease of the function.
  double gradient_at(const BoxFace& face, int i) const {
    double sum = g(0, i);
    for (int k = 0; k < face.size(); ++k) {
      const int other = face.index(k);
      sum += double{j(i, other)} * (double{face.at(k)} - double{x(0, other)});
    }
    return sum;
  }
  double change(const BoxFace& face) const {
    double sum = 0.0;
    for (int k = 0; k < face.size(); ++k) {
      const int i = face.index(k);
      sum += 0.5 * (double{face.at(k)} - double{x(0, i)}) *
             (double{g(0, i)} + gradient_at(face, i));
    }
    return sum;
  }
};

void take(const Face& p, BoxFace& face) {
  face.list(p.x.row(0), p.x.cols());
  std::vector<float> gradient;
  for (int k = 0; k < face.size(); ++k) {
    gradient.push_back(p.g(0, face.index(k)));
  }
  face.take(p.j, p.x.row(0), gradient.data());
}

// Static: BoxFace holds a matrix, which is too large for some stacks.
BoxFace& face_of_test() {
  static BoxFace face;
  return face;
}

}  // namespace

TEST_SUITE_BEGIN("num");

TEST_CASE("coordinates inside of the box go to the minimum of a face, downhill") {
  BoxFace& face = face_of_test();
  int stopped = 0;
  for (int seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const int size = 1 + seed % 30;
    Face p(size, size + 3, static_cast<std::uint64_t>(seed));
    take(p, face);
    REQUIRE(face.size() == size);
    face.minimize();
    CHECK(p.change(face) < 0.0);
    for (int k = 0; k < size; ++k) {
      CHECK(face.index(k) == k);
      CHECK(face.at(k) >= 0.0F);
      CHECK(face.at(k) <= 1.0F);
      if (face.at(k) > 0.0F && face.at(k) < 1.0F) {
        // Relative to the curvature of the coordinate.
        CHECK(std::abs(p.gradient_at(face, k)) < 2e-3 * double{p.j(k, k)});
      } else {
        ++stopped;
      }
    }
  }
  CHECK(stopped > 100);  // bounds were reached
}

TEST_CASE("one coordinate goes to its minimum, or to the bound before it") {
  BoxFace& face = face_of_test();
  for (const auto& [g, expected] : {std::pair(0.5F, 0.25F),
                                    std::pair(-1.0F, 1.0F),
                                    std::pair(-5.0F, 1.0F),
                                    std::pair(2.0F, 0.0F)}) {
    Face p(1, 1, 1);
    p.j(0, 0) = 2.0F;
    p.x(0, 0) = 0.5F;
    p.g(0, 0) = g;
    take(p, face);
    face.minimize();
    CHECK(face.at(0) == expected);
  }
}

TEST_CASE("coordinates at a bound are left out; if too many are inside, all are") {
  BoxFace& face = face_of_test();
  Face p(100, 100, 2);
  num::fill(p.x, 0.0F);
  p.x(0, 7) = 1.0F;
  take(p, face);
  CHECK(face.size() == 0);
  face.minimize();
  p.x(0, 3) = p.x(0, 64) = p.x(0, 99) = 0.5F;
  take(p, face);
  REQUIRE(face.size() == 3);
  CHECK(face.index(0) == 3);
  CHECK(face.index(1) == 64);
  CHECK(face.index(2) == 99);
  std::fill_n(p.x.row(0), BoxFace::kMax, 0.5F);
  p.x(0, 64) = p.x(0, 99) = 0.0F;
  take(p, face);
  CHECK(face.size() == BoxFace::kMax);
  p.x(0, 99) = 0.5F;
  take(p, face);
  CHECK(face.size() == 0);
}

TEST_CASE("coordinates that are the same, and no curvature at all") {
  BoxFace& face = face_of_test();
  Face p(24, 5, 3);  // 24 coordinates of 5 dimensions
  std::copy_n(p.j.row(0), 24, p.j.row(1));
  for (int i = 0; i < 24; ++i) {
    p.j(i, 1) = p.j(i, 0);
  }
  p.g(0, 1) = p.g(0, 0);
  take(p, face);
  face.minimize();
  CHECK(p.change(face) < 0.0);
  for (int k = 0; k < 24; ++k) {
    CHECK(face.at(k) >= 0.0F);
    CHECK(face.at(k) <= 1.0F);
  }
  Face flat(4, 4, 4);
  num::fill(flat.j, 0.0F);
  take(flat, face);
  face.minimize();
  for (int k = 0; k < 4; ++k) {
    CHECK(face.at(k) == flat.x(0, k));
  }
}

TEST_SUITE_END();
