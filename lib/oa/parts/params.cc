#include "oa/parts/params.h"

#include "oa/num/gemm.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

namespace oa::parts {

Init constant(double value) {
  return {Init::Draw::None, 0.0, value};
}

Init for_inputs(int inputs) {
  return {Init::Draw::Uniform, 1.0 / std::sqrt(static_cast<double>(inputs)), 0.0};
}

Init gaussian(double deviation) {
  return {Init::Draw::Normal, deviation, 0.0};
}

Init orthogonal(double length) {
  return {Init::Draw::Orthogonal, length, 0.0};
}

int Layout::declare(std::string name, std::vector<std::int64_t> shape, Init init) {
  std::int64_t rows = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) {
    rows *= shape[i];
  }
  return declare(std::move(name), std::move(shape), init, static_cast<int>(rows));
}

int Layout::declare(std::string name,
                    std::vector<std::int64_t> shape,
                    Init init,
                    int used_rows) {
  const auto found = std::ranges::find(tensors_, name, &Tensor::name);
  if (found != tensors_.end() && shares_names_ && found->shape == shape) {
    return static_cast<int>(found - tensors_.begin());
  }
  if (found != tensors_.end()) {
    throw std::logic_error("two tensors are called " + name);
  }
  Tensor t;
  t.name = std::move(name);
  t.cols = static_cast<int>(shape.back());
  t.rows = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) {
    t.rows *= static_cast<int>(shape[i]);
  }
  t.shape = std::move(shape);
  t.used_rows = used_rows;
  t.offset = size_;
  t.init = init;
  size_ +=
      static_cast<std::size_t>(t.rows) * static_cast<std::size_t>(num::padded(t.cols));
  tensors_.push_back(std::move(t));
  return static_cast<int>(std::ssize(tensors_)) - 1;
}

std::int64_t Layout::parameter_count() const {
  std::int64_t count = 0;
  for (const Tensor& t : tensors_) {
    count += static_cast<std::int64_t>(t.used_rows) * t.cols;
  }
  return count;
}

Values::Values(const Layout& layout) : buffer_(layout.size()) {
  for (const Tensor& t : layout.tensors()) {
    places_.push_back({t.offset, t.rows, t.cols});
  }
}

num::View Values::matrix(int tensor) {
  const Place& p = places_[static_cast<std::size_t>(tensor)];
  return {buffer_.data() + p.offset, p.rows, p.cols, num::padded(p.cols)};
}

num::ConstView Values::matrix(int tensor) const {
  const Place& p = places_[static_cast<std::size_t>(tensor)];
  return {buffer_.data() + p.offset, p.rows, p.cols, num::padded(p.cols)};
}

std::span<float> Values::vector(int tensor) {
  const num::View v = matrix(tensor);
  assert(v.rows == 1);
  return {v.data, static_cast<std::size_t>(v.stride)};
}

std::span<const float> Values::vector(int tensor) const {
  const num::ConstView v = matrix(tensor);
  assert(v.rows == 1);
  return {v.data, static_cast<std::size_t>(v.stride)};
}

namespace {

/// Gram-Schmidt on the columns of w, each scaled to `length`.
void make_orthogonal(num::View w, double length) {
  const auto product = [&](int a, int b) {
    double sum = 0.0;
    for (int i = 0; i < w.rows; ++i) {
      sum += static_cast<double>(w(i, a)) * static_cast<double>(w(i, b));
    }
    return sum;
  };
  const auto add = [&](int from, double factor, int to) {
    for (int i = 0; i < w.rows; ++i) {
      w(i, to) += static_cast<float>(factor * static_cast<double>(w(i, from)));
    }
  };
  for (int k = 0; k < w.cols; ++k) {
    for (int before = 0; before < k; ++before) {
      add(before, -product(before, k) / (length * length), k);
    }
    add(k, length / std::sqrt(product(k, k)) - 1.0, k);
  }
}

}  // namespace

void initialize(const Layout& layout, const Rng& rng, Values& values) {
  for (int k = 0; k < static_cast<int>(std::ssize(layout.tensors())); ++k) {
    const Tensor& t = layout[k];
    const num::View to = values.matrix(k);
    Rng draws = rng.fork(static_cast<std::uint64_t>(k));
    for (int i = 0; i < t.used_rows; ++i) {
      for (int j = 0; j < t.cols; ++j) {
        double x = t.init.value;
        if (t.init.of_row != nullptr) {
          x += t.init.of_row(i);
        }
        if (t.init.draw == Init::Draw::Uniform) {
          x += t.init.spread * draws.uniform(-1.0, 1.0);
        } else if (t.init.draw != Init::Draw::None) {
          x += t.init.spread * draws.normal();
        }
        to(i, j) = static_cast<float>(x);
      }
    }
    if (t.init.draw == Init::Draw::Orthogonal) {
      assert(t.used_rows == t.rows && t.cols <= t.rows);
      make_orthogonal(to, t.init.spread);
    }
  }
}

Weights::Weights(const Layout& layout) : values_(layout) {
  for (const Tensor& t : layout.tensors()) {
    transposed_.push_back(t.shape.size() == 2 ? num::Matrix(t.cols, t.rows)
                                              : num::Matrix());
  }
}

void Weights::set(const Values& values) {
  assert(values.flat().size() == values_.flat().size());
  std::ranges::copy(values.flat(), values_.flat().begin());
  for (std::size_t k = 0; k < transposed_.size(); ++k) {
    if (transposed_[k].rows() > 0) {
      num::transpose(values_.matrix(static_cast<int>(k)), transposed_[k]);
    }
  }
}

}  // namespace oa::parts
