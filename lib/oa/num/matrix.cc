#include "oa/num/matrix.h"

#include <algorithm>
#include <new>

namespace oa::num {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

Buffer::Buffer(std::size_t size)
    : size_((size + kLane - 1) / kLane * static_cast<std::size_t>(kLane)) {
  data_.reset(static_cast<float*>(::operator new[](size_ * sizeof(float), kAlignment)));
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
  ::operator delete[](p, kAlignment);
}

}  // namespace oa::num
