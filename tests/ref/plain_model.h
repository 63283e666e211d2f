#pragma once

#include "oa/model/network.h"

#include <span>
#include <vector>

namespace oa::test {

/// A matrix of doubles, for the plain versions of fast kernels.
struct Plain {
  int rows = 0;
  int cols = 0;
  std::vector<double> data;

  Plain() = default;
  Plain(int r, int c)
      : rows(r),
        cols(c),
        data(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
  double& operator()(int i, int j) {
    return data[static_cast<std::size_t>(i) * static_cast<std::size_t>(cols) +
                static_cast<std::size_t>(j)];
  }
  double operator()(int i, int j) const {
    return data[static_cast<std::size_t>(i) * static_cast<std::size_t>(cols) +
                static_cast<std::size_t>(j)];
  }
};

[[nodiscard]] Plain plain(num::ConstView a);
[[nodiscard]] Plain product(const Plain& a, const Plain& b);
[[nodiscard]] Plain transposed(const Plain& a);
[[nodiscard]] Plain layer_norm(const Plain& x,
                               std::span<const double> gain,
                               std::span<const double> shift);
[[nodiscard]] double gelu(double x);

/// The solutions of the box QPs (or, with `penalty` > 0, the LASSOs) of the rows of h,
/// by coordinate descent until nothing moves by more than 1e-13.
[[nodiscard]] Plain plain_coefficients(const Plain& j, const Plain& h, double penalty);

/// A model written down as its formulas, slowly and in double: the oracle of
/// model::Network and, by central differences, of its gradients.
class PlainModel {
 public:
  explicit PlainModel(const model::Model& model);

  [[nodiscard]] std::vector<double> scores(std::span<const float> image) const;

  /// Cross-entropy of the scores.
  [[nodiscard]] double loss(std::span<const float> image, int label) const;

  /// The value of one parameter, to be disturbed.
  double& parameter(int tensor, int row, int col);

 private:
  [[nodiscard]] const Plain& get(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] Plain linear(const std::string& name, const Plain& x) const;
  [[nodiscard]] Plain norm(const std::string& name, const Plain& x) const;
  [[nodiscard]] Plain mlp(const std::string& a,
                          const std::string& b,
                          const Plain& x) const;
  [[nodiscard]] Plain tokens(std::span<const float> image) const;
  [[nodiscard]] Plain attend(const std::string& prefix, const Plain& x) const;
  [[nodiscard]] Plain optimize(const Plain& q, const Plain& v) const;

  model::Config config_;
  std::vector<std::string> names_;
  std::vector<Plain> values_;
};

}  // namespace oa::test
