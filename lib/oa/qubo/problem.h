#pragma once

#include "oa/base/coefficients.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oa::qubo {

/// The problems of one image: n queries that share one matrix.  Query i asks for
///   min over x of  E_i(x) = 1/2 x'Jx + h_i'x + l1 |x|_1,
/// exactly in these float numbers, where x is in {0,1}^m for binary coefficients, in
/// [0,1]^m for continuous ones, and anywhere for those of the lasso, which alone have
/// an l1 other than 0.  J is bitwise symmetric and carries its diagonal.
struct ImageProblem {
  std::int64_t index = 0;             ///< position of the image in its data set
  std::optional<std::int64_t> label;  ///< its class, if known
  int m = 0;                          ///< variables of each problem
  int n = 0;                          ///< queries
  int d = 0;                          ///< width of a value
  std::vector<float> j;               ///< (m,m)
  std::vector<float> h;               ///< (n,m)
  std::vector<float> v;               ///< (m,d): the values as they are aggregated
  Coefficients coefficients = Coefficients::Binary;  ///< what x may be
  float l1 = 0.0F;

  [[nodiscard]] std::span<const float> query(int i) const {
    return std::span(h).subspan(
        static_cast<std::size_t>(i) * static_cast<std::size_t>(m),
        static_cast<std::size_t>(m));
  }
};

/// Equal for the same J and h; equal for different problems with probability 2^-64.
[[nodiscard]] std::uint64_t fingerprint(const ImageProblem& problem);

/// What is known about a solution, as written to the stream.
enum class Status : std::uint8_t { ProvedOptimal = 0, BestFound = 1, Stopped = 2 };

/// The problems of one image and an answer to each.  Per query: the coefficients, their
/// energy, a proven lower bound (-inf where none), what is known, and the time it took.
struct ImageSolution {
  ImageProblem problem;
  std::vector<std::uint8_t> x;  ///< (n,m), 0 or 1; empty if coefficients are real
  std::vector<float> real_x;    ///< (n,m) where coefficients are real, else empty
  std::vector<double> energy;   ///< (n)
  std::vector<double> bound;    ///< (n)
  std::vector<Status> status;   ///< (n)
  std::vector<double> seconds;  ///< (n)
  /// The methods that found the answers: "exact"; or several with counts, "exact 47,
  /// tabu 2".
  std::string solver;

  /// The `top` lowest distinct solutions, lowest first, if asked for.  Query i has
  /// top_count[i] of them; its other rows are zero.
  int top = 0;
  std::vector<std::int64_t> top_count;  ///< (n)
  std::vector<std::uint8_t> top_x;      ///< (n,top,m)
  std::vector<double> top_energy;       ///< (n,top)
};

/// E(x) = 1/2 x'Jx + h'x for 0/1 coefficients: the real number, rounded once, so that
/// equal energies are equal doubles.  O(ones^2).
[[nodiscard]] double energy(std::span<const float> j,
                            std::span<const float> h,
                            std::span<const std::uint8_t> x);

/// The same for real coefficients, with the penalty l1 |x|_1, summed in double. O(m^2).
[[nodiscard]] double energy(std::span<const float> j,
                            std::span<const float> h,
                            std::span<const float> x,
                            float l1 = 0.0F);

}  // namespace oa::qubo
