#include "oa/num/matrix.h"

#include "oa/base/large_allocator.h"

#include <algorithm>
#include <new>

namespace oa::num {
namespace {

constexpr std::align_val_t kAlignment{64};

constexpr std::size_t whole_lanes(std::size_t size) {
  constexpr std::size_t kStep = kLane;
  return (size + kStep - 1) / kStep * kStep;
}

}  // namespace

View zeros(int rows, int cols, Arena& arena) {
  const int stride = padded(cols);
  const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride);
  return {
      static_cast<float*>(arena.allocate(size * sizeof(float))), rows, cols, stride};
}

std::span<float> zeros(std::int64_t size, Arena& arena) {
  const std::size_t count = whole_lanes(static_cast<std::size_t>(size));
  return {static_cast<float*>(arena.allocate(count * sizeof(float))), count};
}

Buffer::Buffer(std::size_t size) : size_(whole_lanes(size)) {
  const std::size_t bytes = size_ * sizeof(float);
  data_ = {static_cast<float*>(allocate_large(bytes, kAlignment)), Free{bytes}};
  std::fill_n(data_.get(), size_, 0.0F);
}

Buffer::Buffer(const Buffer& other) : Buffer(other.size_) {
  std::copy_n(other.data_.get(), size_, data_.get());
}

Buffer& Buffer::operator=(const Buffer& other) {
  *this = Buffer(other);
  return *this;
}

void Buffer::Free::operator()(float* p) const {
  free_large(p, bytes, kAlignment);
}

}  // namespace oa::num
