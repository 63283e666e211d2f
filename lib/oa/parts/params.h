#pragma once

#include "oa/base/rng.h"
#include "oa/num/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oa::parts {

/// The initial values of a tensor: value + of_row(row) + spread * u,
/// with u uniform on [-1,1] or standard normal.  Orthogonal:
/// columns of length `spread` at right angles, at most as many columns as rows.
struct Init {
  enum class Draw : std::uint8_t { None, Uniform, Normal, Orthogonal };
  Draw draw = Draw::None;
  double spread = 0.0;
  double value = 0.0;
  double (*of_row)(int row) = nullptr;  ///< null: 0
};

[[nodiscard]] Init constant(double value);
/// PyTorch's initialisation of linear maps: uniform within 1/sqrt(inputs).
[[nodiscard]] Init for_inputs(int inputs);
[[nodiscard]] Init gaussian(double deviation);
/// A linear map that keeps angles and scales lengths by `length`.
[[nodiscard]] Init orthogonal(double length);

/// A parameter tensor: name, shape and position in memory.
/// The last dimension forms rows, padded as in matrices.
struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;
  int rows = 0;
  int cols = 0;
  int used_rows = 0;  ///< the paper's code has one unused position
  std::size_t offset = 0;
  Init init;
};

/// The tensors of a model, consecutive in memory.
class Layout {
 public:
  /// Declares a tensor and returns its number.
  int declare(std::string name, std::vector<std::int64_t> shape, Init init);
  /// Sets whether declaring a name again returns its tensor, or is an error.
  void share_names(bool share) { shares_names_ = share; }
  /// Declares a tensor of which only the first `used_rows` rows are counted and drawn.
  int declare(std::string name,
              std::vector<std::int64_t> shape,
              Init init,
              int used_rows);

  [[nodiscard]] const std::vector<Tensor>& tensors() const { return tensors_; }
  [[nodiscard]] const Tensor& operator[](int i) const {
    return tensors_[static_cast<std::size_t>(i)];
  }
  /// Floats in memory, padding included.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The number of parameters without padding, as papers count.
  [[nodiscard]] std::int64_t parameter_count() const;

 private:
  std::vector<Tensor> tensors_;
  std::size_t size_ = 0;
  bool shares_names_ = false;
};

/// One value, weight or gradient, for each parameter of a layout.
class Values {
 public:
  Values() = default;
  explicit Values(const Layout& layout);

  [[nodiscard]] num::View matrix(int tensor);
  [[nodiscard]] num::ConstView matrix(int tensor) const;
  /// A tensor of rank 1, with its padding.
  [[nodiscard]] std::span<float> vector(int tensor);
  [[nodiscard]] std::span<const float> vector(int tensor) const;

  [[nodiscard]] std::span<float> flat() { return buffer_.span(); }
  [[nodiscard]] std::span<const float> flat() const { return buffer_.span(); }

 private:
  struct Place {
    std::size_t offset = 0;
    int rows = 0;
    int cols = 0;
  };
  std::vector<Place> places_;
  num::Buffer buffer_;
};

/// Draws initial values; tensor k uses rng.fork(k).
void initialize(const Layout& layout, const Rng& rng, Values& values);

/// Parameters as kernels need them: values and transposed matrices.
class Weights {
 public:
  explicit Weights(const Layout& layout);

  /// Replaces the values.  O(parameters).
  void set(const Values& values);

  [[nodiscard]] const Values& values() const { return values_; }
  [[nodiscard]] num::ConstView transposed(int tensor) const {
    return transposed_[static_cast<std::size_t>(tensor)];
  }

 private:
  Values values_;
  std::vector<num::Matrix> transposed_;  // empty for vectors
};

}  // namespace oa::parts
